/**
 * tRPC on our HTTP server: one wildcard route, one call per request (docs/contract.md#calling). Every error under the
 * prefix has tRPC's shape, also those that the server makes before a procedure is called.
 */
import {
  type AnyTRPCRouter,
  getTRPCErrorFromUnknown,
  type inferRouterContext,
  TRPCError,
  transformTRPCResponse,
} from '@trpc/server';
import type { PublicError } from '../errors/errors.ts';
import { AnswerHeaders } from '../http/answer-headers.ts';
import { errorHeaders, withFault } from '../http/error-response.ts';
import { type HttpLogger, type HttpRequest, type HttpResponse, json, type Route } from '../http/message.ts';
import type { RequestContext } from './base.ts';
import { inputTextOf, parsedInput } from './calls/call-input.ts';
import { callProcedure } from './calls/procedure-call.ts';
import { procedureOf } from './calls/procedures.ts';
import { publicErrorOf, shapeOf } from './error-shape.ts';
import { isDeclared, type ProcedureMeta, UNDECLARED_ERROR } from './procedure-meta.ts';

export interface TrpcRoutesOptions<TRouter extends AnyTRPCRouter = AnyTRPCRouter> {
  readonly router: TRouter;
  /**
   * Called once per well-formed call. Headers that it adds to `responseHeaders` are sent with the answer, like
   * those that procedures add.
   */
  readonly createContext: (given: {
    readonly request: HttpRequest;
    readonly responseHeaders: RequestContext['responseHeaders'];
  }) => Promise<inferRouterContext<TRouter>>;
  /** Largest request body in bytes. */
  readonly maxBodySize: number;
  /** Path in front of procedure names, without a trailing slash. */
  readonly prefix: string;
  /** Runs a query that anyone may ask: `load` is the procedure, `write` makes the answer. */
  publicQuery<D, A>(
    ctx: inferRouterContext<TRouter>,
    load: () => Promise<D>,
    write: (data: D) => A,
  ): Promise<A>;
  readonly logger: HttpLogger;
}

const trimSlashes = (path: string): string => path.replace(/^\/|\/$/g, '');

/** The name in the path; as it was sent when it cannot be decoded, for the error that says so. */
function procedurePath({ prefix }: { prefix: string }, { path }: { path: string }): string {
  const name = trimSlashes(path.slice(prefix.length));
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The answer for an error that occurred before any procedure ran. */
function refused(
  options: TrpcRoutesOptions,
  given: { readonly error: PublicError; readonly path: string },
): HttpResponse {
  const { error } = given;
  const shape = shapeOf(error, procedurePath(options, given) || undefined);
  const body: unknown = transformTRPCResponse(options.router._def._config, { error: shape });
  return json(error.httpStatus, body, errorHeaders(error));
}

/** Logs an error that the procedure does not declare. The client gets it in any case. */
function noteUndeclared(
  { router, logger }: TrpcRoutesOptions,
  { code, path }: { code: PublicError['code']; path: string },
) {
  const procedure = procedureOf(router, path);
  if (procedure === undefined) return;
  const meta = procedure._def.meta as ProcedureMeta | undefined;
  if (!isDeclared(code, meta ?? {})) logger.error({ procedure: path, code }, UNDECLARED_ERROR);
}

/** How procedures may be requested. Never a mutation by GET: a page of another site can send one with a person's cookie. */
const METHODS = { query: ['GET', 'POST'], mutation: ['POST'], subscription: [] } as const;

async function call(options: TrpcRoutesOptions, request: HttpRequest): Promise<HttpResponse> {
  const { method } = request;
  if (method === 'HEAD') return { status: 204, headers: [], body: null };
  const { router, createContext, publicQuery } = options;
  const { serialize } = router._def._config.transformer.output;
  const path = procedurePath(options, request);
  const input = await inputTextOf(request);
  const responseHeaders = new AnswerHeaders();
  const answer = (status: number, body: unknown): HttpResponse => ({
    status,
    headers: [['content-type', 'application/json'], ...responseHeaders],
    body: JSON.stringify(body),
  });
  try {
    const { type, meta } = procedureOf(router, path)?._def ?? {};
    const methods: readonly string[] | undefined = type && METHODS[type];
    if (methods?.includes(method) === false) {
      responseHeaders.set('allow', methods.join(', '));
      const message = `Unsupported ${method}-request to ${type} procedure at path "${path}"`;
      throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message });
    }
    const ctx = await createContext({ request, responseHeaders });
    const load = () => callProcedure(router, { path, ctx, rawInput: () => parsedInput(router, input) });
    const write = (data: unknown) => answer(200, { result: { data: serialize(data) } });
    const { who, waitsForOthers } = (meta as ProcedureMeta | undefined) ?? {};
    const takesTurn = type === 'query' && who === 'public' && waitsForOthers !== true;
    return takesTurn ? await publicQuery(ctx, load, write) : write(await load());
  } catch (thrown) {
    const shown = publicErrorOf(getTRPCErrorFromUnknown(thrown));
    noteUndeclared(options, { code: shown.code, path });
    for (const [name, value] of errorHeaders(shown)) responseHeaders.set(name, value);
    const shape = shapeOf(shown, path);
    return withFault(answer(shape.data.httpStatus, { error: serialize(shape) }), shown);
  }
}

/** The routes that serve a tRPC router under `prefix`. */
export function trpcRoutes<TRouter extends AnyTRPCRouter>(options: TrpcRoutesOptions<TRouter>): Route[] {
  return [
    {
      methods: '*',
      path: `${options.prefix}/*`,
      bodyLimit: options.maxBodySize,
      varies: ['Cookie', 'Accept-Language'],
      errorResponse: (error, { path }) => refused(options, { error, path }),
      operation: (request) => {
        const path = procedurePath(options, request);
        return procedureOf(options.router, path) === undefined ? null : path;
      },
      changesNothing: (request) =>
        procedureOf(options.router, procedurePath(options, request))?._def.type === 'query',
      lessens(request) {
        const procedure = procedureOf(options.router, procedurePath(options, request));
        const meta = procedure?._def.meta as ProcedureMeta | undefined;
        return meta?.errors?.includes('NOT_YET_DURABLE') === true;
      },
      handler: (request) => call(options, request),
    },
  ];
}
