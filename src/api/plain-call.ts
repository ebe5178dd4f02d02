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
import { callDirectly, type DirectCall } from './direct-call.ts';
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

function isPlain(request: HttpRequest): boolean {
  const { method, headers, url } = request;
  if (headers.has('trpc-accept') || headers.get('accept')?.includes('jsonl') === true) return false;
  if (method === 'GET' && headers.has('content-type') && !isJson(headers)) return false;
  return loneInputOf(url) !== null || !OTHER_PARAMETERS.some((name) => request.query.has(name));
}

const INPUT = 'input=';

/** The encoded input of a URL whose query holds nothing else, empty without a query; null for any other URL. */
function loneInputOf(url: string): string | null {
  const at = url.indexOf('?');
  if (at === -1) return '';
  return url.startsWith(INPUT, at + 1) && !url.includes('&', at) ? url.slice(at + 1 + INPUT.length) : null;
}

/** The input in the query. Only what clients do not write costs a parsing of the whole query. */
function queryInput(request: HttpRequest): string {
  const encoded = loneInputOf(request.url);
  if (encoded !== null && !encoded.includes('+')) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // A bare `%`, which stands for itself.
    }
  }
  return request.query.get('input') ?? '';
}

/** Runs the procedure. @throws the errors of parsing the input, and of the procedure */
export function runPlainCall(
  router: AnyTRPCRouter,
  plain: PlainCall,
  given: { readonly ctx: object; readonly input: string; readonly request: HttpRequest },
): Promise<unknown> {
  return callDirectly(plain.procedure, new CallByHttp(router, plain.path, given));
}

/** The input is parsed when a procedure reads it: a procedure without an input schema accepts any input. */
class CallByHttp implements DirectCall {
  readonly path: string;
  readonly ctx: object;
  readonly request: HttpRequest;
  readonly #router: AnyTRPCRouter;
  readonly #input: string;

  constructor(
    router: AnyTRPCRouter,
    path: string,
    given: { readonly ctx: object; readonly input: string; readonly request: HttpRequest },
  ) {
    this.path = path;
    this.ctx = given.ctx;
    this.request = given.request;
    this.#router = router;
    this.#input = given.input;
  }

  rawInput(): unknown {
    return parsedInput(this.#router, this.#input);
  }
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
  const { method, headers, url } = request;
  if (method !== 'GET' && method !== 'POST') return '';
  if (loneInputOf(url) === null && request.query.get('batch') === '1')
    throw new PublicError('INVALID_INPUT', { message: ONE_CALL, fields: { batch: [ONE_CALL] } });
  if (method === 'POST' && !isJson(headers))
    throw new PublicError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the input as application/json.' });
  const text = method === 'POST' ? await bodyText(request) : queryInput(request);
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
