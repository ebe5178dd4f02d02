import { type FieldMessages, PublicError } from '../errors/errors.ts';
import { publicErrorFrom } from '../errors/outage.ts';
import { type HttpHeader, type HttpResponse, json } from './message.ts';

/** The body of every refusal by a plain route: `{"error":{"code","message"}}`, with `fields` when input is at fault. */
interface RefusalBody {
  readonly error: { readonly code: string; readonly message: string; readonly fields?: FieldMessages };
}

/** Headers that go with a refusal, whatever the shape of its body. */
export function refusalHeaders(error: PublicError): HttpHeader[] {
  const headers: HttpHeader[] = [['cache-control', 'no-store']];
  if (error.retryAfterSeconds !== undefined) {
    headers.push(['retry-after', String(Math.max(1, Math.ceil(error.retryAfterSeconds)))]);
  }
  return headers;
}

/** The plain JSON answer to a refusal. */
export function refusalResponse(error: PublicError): HttpResponse {
  const { code, message, fields } = error;
  const body: RefusalBody = { error: { code, message, ...(fields === undefined ? {} : { fields }) } };
  return json(error.refusal.httpStatus, body, refusalHeaders(error));
}

/** What may be said about anything thrown: its refusal, or `INTERNAL_ERROR` with nothing of the original in it. */
export function asPublicError(error: unknown): PublicError {
  return publicErrorFrom(error) ?? new PublicError('INTERNAL_ERROR', { cause: error });
}
