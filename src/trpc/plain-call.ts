/**
 * The calls that clients make: a query by GET or a mutation by POST, in JSON, one value in and one out. They are told
 * apart here and run without the objects of the Fetch API, which cost several times what is left of a call. What a
 * client sends in any other way (HEAD, other content types, streams, batches, unknown procedures) is not plain, and
 * tRPC's own handler has it; both ways answer alike, which the adapter's tests hold.
 */
import { type AnyTRPCProcedure, type AnyTRPCRouter, TRPCError } from '@trpc/server';
import type { HttpRequest } from '../http/message.ts';
import { procedureOf } from './router-procedures.ts';

export interface PlainCall {
  readonly procedure: AnyTRPCProcedure;
  readonly path: string;
}

const TYPES: Readonly<Record<string, string | undefined>> = { GET: 'query', POST: 'mutation' };
const JSON_TYPE = 'application/json';
/** Parameters by which tRPC does something else than one call with one input. */
const OTHER_PARAMETERS = ['batch', 'connectionParams'];
const UTF8 = new TextDecoder();

/** The call that a request is, or null when it is not plain. `path` is what follows the prefix, without slashes. */
export function plainCallOf(router: AnyTRPCRouter, request: HttpRequest, path: string): PlainCall | null {
  const procedure = procedureOf(router, path);
  if (procedure === undefined || procedure._def.type !== TYPES[request.method]) return null;
  return isPlain(request) ? { procedure, path } : null;
}

function isPlain({ method, headers, url, query }: HttpRequest): boolean {
  if (headers.has('trpc-accept') || headers.get('accept')?.includes('jsonl') === true) return false;
  const type = headers.get('content-type');
  const isJson = type === JSON_TYPE || type?.split(';', 1)[0]?.trim().toLowerCase() === JSON_TYPE;
  if (!isJson && (method !== 'GET' || type !== undefined)) return false;
  return !url.includes('?') || !OTHER_PARAMETERS.some((name) => query.has(name));
}

/** Runs the procedure. @throws whatever the body's reading, the input's parsing and the procedure throw. */
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
    // Read when a procedure asks for it: one without an input schema takes whatever is sent.
    getRawInput: async () => parsedInput(router, given.input),
  } as Parameters<AnyTRPCProcedure>[0]);
}

/** The input as text; empty when there is none. */
export async function inputTextOf({ method, url, query, body }: HttpRequest): Promise<string> {
  if (method === 'POST') return UTF8.decode(await body());
  return url.includes('?') ? (query.get('input') ?? '') : '';
}

function parsedInput(router: AnyTRPCRouter, text: string): unknown {
  if (text === '') return undefined;
  try {
    return router._def._config.transformer.input.deserialize(JSON.parse(text));
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', cause });
  }
}
