import { isUtf8 } from 'node:buffer';
import { PublicError } from '../errors/errors.ts';
import type { HttpRequest } from './message.ts';

const UTF8 = new TextDecoder();

/** @throws PublicError INVALID_INPUT for bytes that a decoder would replace: only text exactly as sent is stored */
export function refuseOtherThanUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw new PublicError('INVALID_INPUT', { message: 'The body is not valid UTF-8.' });
}

/** The whole body as text, without a byte-order mark. @throws PublicError INVALID_INPUT, and what `HttpRequest.body` does */
export async function bodyText(request: Pick<HttpRequest, 'body'>): Promise<string> {
  const bytes = await request.body();
  refuseOtherThanUtf8(bytes);
  return UTF8.decode(bytes);
}
