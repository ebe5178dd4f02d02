/**
 * The calls that clients make: a query by GET, or a mutation or a query with a long input by POST. Each is JSON,
 * with one value in and one out. They run here without the objects of the Fetch API, which cost several times as
 * much as the rest of a call. Anything else (HEAD, other methods, streams, unknown procedures) is not plain and
 * goes to tRPC's own handler. The adapter's tests check that both ways give the same answers.
 */
import { type AnyTRPCProcedure, type AnyTRPCRouter, TRPCError } from '@trpc/server';
import { PublicError } from '../errors/errors.ts';
import { bodyText } from '../http/body-text.ts';
import type { HttpRequest } from '../http/message.ts';
import { checkInputText } from './input-envelope.ts';
import { procedureOf } from './router-procedures.ts';

export interface PlainCall {
  readonly procedure: AnyTRPCProcedure;
  readonly path: string;
}

/** Never a mutation by GET: a page of another site can send a GET with a person's cookie. */
const TYPES: Readonly<Record<string, readonly string[] | undefined>> = {
  GET: ['query'],
  POST: ['query', 'mutation'],
};
const JSON_TYPE = 'application/json';
/** Parameters that make tRPC do something other than one call with one input. */
const OTHER_PARAMETERS = ['batch', 'connectionParams'];

/** The call of a request, or null when it is not plain. `path` follows the prefix and has no slashes. */
export function plainCallOf(router: AnyTRPCRouter, request: HttpRequest, path: string): PlainCall | null {
  const procedure = procedureOf(router, path);
  if (procedure === undefined || TYPES[request.method]?.includes(procedure._def.type) !== true) return null;
  return isPlain(request) ? { procedure, path } : null;
}

function isPlain({ method, headers, url, query }: HttpRequest): boolean {
  if (headers.has('trpc-accept') || headers.get('accept')?.includes('jsonl') === true) return false;
  if (method === 'GET' && headers.has('content-type') && !isJson(headers)) return false;
  return !url.includes('?') || !OTHER_PARAMETERS.some((name) => query.has(name));
}

/** Runs the procedure. @throws the errors of reading the body, of parsing the input, and of the procedure */
export function runPlainCall(
  router: AnyTRPCRouter,
  { procedure, path }: PlainCall,
  given: { readonly ctx: unknown; readonly input: string; readonly signal: AbortSignal },
): Promise<unknown> {
  return procedure({
    path,
    ctx: given.ctx,
    type: procedure._def.type,
    signal: given.signal,
    batchIndex: 0,
    // Parsed when a procedure reads it: a procedure without an input schema accepts any input.
    getRawInput: async () => parsedInput(router, given.input),
  } as Parameters<AnyTRPCProcedure>[0]);
}

function isJson(headers: HttpRequest['headers']): boolean {
  const type = headers.get('content-type');
  return type === JSON_TYPE || type?.split(';', 1)[0]?.trim().toLowerCase() === JSON_TYPE;
}

const ONE_CALL = 'Send one call a request: batches are not taken.';

/**
 * The input as text, for both ways; empty when there is none.
 * @throws PublicError for a batch, another content type, or a text that is not UTF-8, too deep or too large; also
 *   the errors of reading the body
 */
export async function inputTextOf(request: HttpRequest): Promise<string> {
  const { method, headers, url, query } = request;
  if (method !== 'GET' && method !== 'POST') return '';
  if (url.includes('?') && query.get('batch') === '1')
    throw new PublicError('INVALID_INPUT', { message: ONE_CALL, fields: { batch: [ONE_CALL] } });
  if (method === 'POST' && !isJson(headers))
    throw new PublicError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the input as application/json.' });
  const text = method === 'POST' ? await bodyText(request) : (query.get('input') ?? '');
  checkInputText(text);
  return text;
}

function parsedInput(router: AnyTRPCRouter, text: string): unknown {
  if (text === '') return undefined;
  try {
    return router._def._config.transformer.input.deserialize(JSON.parse(text));
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', cause });
  }
}
