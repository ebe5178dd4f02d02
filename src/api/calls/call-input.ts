import { type AnyTRPCRouter, TRPCError } from '@trpc/server';
import { PublicError } from '../../errors/errors.ts';
import { bodyText } from '../../http/body-text.ts';
import type { HttpRequest } from '../../http/message.ts';
import { checkInputText } from '../input-envelope.ts';

const JSON_TYPE = 'application/json';
const ONE_CALL = 'Send one call a request: batches are not taken.';

/**
 * The input of a call as text: a parameter of the query with GET, the body with POST. Empty when there is none.
 * @throws PublicError for a batch, another content type, or a text that is not UTF-8, too deep or too large; also
 *   the errors of reading the body
 */
export async function inputTextOf(request: HttpRequest): Promise<string> {
  const { method, headers, query } = request;
  if (method !== 'GET' && method !== 'POST') return '';
  if (query.get('batch') === '1')
    throw new PublicError('INVALID_INPUT', { message: ONE_CALL, fields: { batch: [ONE_CALL] } });
  if (method === 'POST' && !isJson(headers))
    throw new PublicError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the input as application/json.' });
  const text = method === 'POST' ? await bodyText(request) : (query.get('input') ?? '');
  checkInputText(text);
  return text;
}

function isJson(headers: HttpRequest['headers']): boolean {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() === JSON_TYPE;
}

/** The value of the text, before any schema. @throws TRPCError BAD_REQUEST */
export function parsedInput(router: AnyTRPCRouter, text: string): unknown {
  if (text === '') return undefined;
  try {
    return router._def._config.transformer.input.deserialize(JSON.parse(text));
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', cause });
  }
}
