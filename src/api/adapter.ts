/**
 * tRPC on our HTTP server: one wildcard route, one call per request (docs/contract.md#calling). The body is read
 * completely before tRPC gets the request. Errors about its size, its timeout or a disconnected client therefore
 * have tRPC's shape. Errors that the server itself makes under the prefix have that shape too.
 */
import {
  type AnyTRPCRouter,
  getTRPCErrorFromUnknown,
  type inferRouterContext,
  TRPCError,
  transformTRPCResponse,
} from '@trpc/server';
import { resolveResponse } from '@trpc/server/http';
import type { PublicError } from '../errors/errors.ts';
import { AnswerHeaders } from '../http/answer-headers.ts';
import { errorHeaders, withFault } from '../http/error-response.ts';
import { type HttpLogger, type HttpRequest, type HttpResponse, json, type Route } from '../http/message.ts';
import { fromWebResponse, toWebRequest } from '../http/web-bridge.ts';
import type { RequestContext } from './base.ts';
import { publicErrorOf, shapeOf } from './error-shape.ts';
import { inputTextOf, type PlainCall, plainCallOf, runPlainCall } from './plain-call.ts';
import { isDeclared, type ProcedureMeta, UNDECLARED_ERROR } from './procedure-meta.ts';
import { procedureOf } from './router-procedures.ts';

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
  readonly logger: HttpLogger;
}

/** Base for parsing the URL only. The client's Host header must not decide whether parsing succeeds. */
const ORIGIN = 'http://localhost';

const trimSlashes = (path: string): string => path.replace(/^\/|\/$/g, '');

const procedurePath = ({ prefix }: { prefix: string }, { path }: { path: string }): string =>
  trimSlashes(path.slice(prefix.length));

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
  { code, path }: { code: PublicError['code']; path: string | undefined },
) {
  const procedure = procedureOf(router, path ?? '');
  if (procedure === undefined) return;
  const meta = procedure._def.meta as ProcedureMeta | undefined;
  if (!isDeclared(code, meta ?? {})) logger.error({ procedure: path, code }, UNDECLARED_ERROR);
}

/** The `vary` header that tRPC sends with every answer. */
const VARY = 'trpc-accept, accept';

async function call(options: TrpcRoutesOptions, request: HttpRequest): Promise<HttpResponse> {
  const path = procedurePath(options, request);
  const input = await inputTextOf(request);
  const plain = plainCallOf(options.router, request, path);
  return plain === null
    ? callByFetch(options, request, path)
    : callPlainly(options, request, { plain, input });
}

async function callPlainly(
  options: TrpcRoutesOptions,
  request: HttpRequest,
  { plain, input }: { readonly plain: PlainCall; readonly input: string },
): Promise<HttpResponse> {
  const { router, createContext } = options;
  const { serialize } = router._def._config.transformer.output;
  const responseHeaders = new AnswerHeaders();
  const answer = (status: number, body: unknown): HttpResponse => ({
    status,
    headers: [['content-type', 'application/json'], ['vary', VARY], ...responseHeaders],
    body: JSON.stringify(body),
  });
  try {
    const ctx = await createContext({ request, responseHeaders });
    const data = await runPlainCall(router, plain, { ctx, input, request });
    if (isStream(data)) throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: NO_STREAMS });
    return answer(200, { result: { data: serialize(data) } });
  } catch (thrown) {
    const error = getTRPCErrorFromUnknown(thrown);
    const shown = publicErrorOf(error);
    noteUndeclared(options, { code: shown.code, path: plain.path });
    for (const [name, value] of errorHeaders(shown)) responseHeaders.set(name, value);
    const shape = shapeOf(shown, plain.path);
    return withFault(answer(shape.data.httpStatus, { error: serialize(shape) }), shown);
  }
}

const NO_STREAMS = 'Procedures of this host answer with one value.';

/** True for data that JSON cannot represent and tRPC would stream. */
function isStream(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

/** tRPC's own handler, for every request that is not a plain call. Its input has been checked before. */
async function callByFetch(
  options: TrpcRoutesOptions,
  request: HttpRequest,
  path: string,
): Promise<HttpResponse> {
  const { router, createContext } = options;
  const responseHeaders = new Headers();
  let shown: PublicError | null = null;
  const response = await resolveResponse({
    router,
    req: await toWebRequest(request, ORIGIN),
    path,
    error: null,
    allowBatching: false,
    // A query may come by POST; a mutation never by GET.
    allowMethodOverride: true,
    createContext: () => createContext({ request, responseHeaders }),
    onError: ({ error, path: named }) => {
      shown = publicErrorOf(error);
      noteUndeclared(options, { code: shown.code, path: named });
    },
    responseMeta({ errors }) {
      for (const error of errors) {
        for (const [name, value] of errorHeaders(publicErrorOf(error))) responseHeaders.set(name, value);
      }
      return { headers: responseHeaders };
    },
  });
  // tRPC sends errors from before dispatch as text/plain, although the body is JSON.
  if (response.headers.get('content-type')?.startsWith('text/plain') === true) {
    response.headers.set('content-type', 'application/json');
  }
  const answer = await fromWebResponse(response);
  return shown === null ? answer : withFault(answer, shown);
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
