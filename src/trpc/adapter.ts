/**
 * tRPC on our HTTP server: one wildcard route, one call per request (platform.md, Typed-procedure protocol). The body is
 * read whole before tRPC sees the request, so its limit, its time-out and a client that leaves are answered in
 * tRPC's shape; what the server refuses on its own under the prefix is worded so too.
 */
import {
  type AnyTRPCProcedure,
  type AnyTRPCRouter,
  type inferRouterContext,
  type TRPCError,
  transformTRPCResponse,
} from '@trpc/server';
import { resolveResponse, type TRPCRequestInfo } from '@trpc/server/http';
import type { PublicError } from '../errors.ts';
import { type HttpLogger, type HttpRequest, type HttpResponse, json, type Route } from '../http/message.ts';
import { refusalHeaders } from '../http/refusal-response.ts';
import { fromWebResponse, toWebRequest } from '../http/web-bridge.ts';
import { refusalOf, shapeOf } from './error-shape.ts';
import { isDeclared, type ProcedureMeta, UNDECLARED_REFUSAL } from './procedure-meta.ts';

export interface TrpcRoutesOptions<TRouter extends AnyTRPCRouter> {
  readonly router: TRouter;
  /**
   * Called once per call that is well-formed. What it adds to `responseHeaders` goes out with the answer, as does
   * what procedures add.
   */
  readonly createContext: (given: {
    readonly request: HttpRequest;
    readonly responseHeaders: Headers;
    readonly info: TRPCRequestInfo;
  }) => Promise<inferRouterContext<TRouter>>;
  /** Largest request body in bytes. */
  readonly maxBodySize: number;
  /** Path in front of procedure names, without a trailing slash. */
  readonly prefix: string;
  readonly logger: HttpLogger;
}

/** The URL is only parsed, never followed; the client's Host must not decide whether it parses. */
const ORIGIN = 'http://localhost';

const trimSlashes = (path: string): string => path.replace(/^\/|\/$/g, '');

/** The answer to a refusal that never reached a procedure. */
function refused<TRouter extends AnyTRPCRouter>(
  options: TrpcRoutesOptions<TRouter>,
  given: { readonly error: PublicError; readonly path: string },
): HttpResponse {
  const { error, path } = given;
  const shape = shapeOf(error, trimSlashes(path.slice(options.prefix.length)) || undefined);
  const body: unknown = transformTRPCResponse(options.router._def._config, { error: shape });
  return json(error.refusal.httpStatus, body, refusalHeaders(error));
}

function report(
  logger: HttpLogger,
  request: HttpRequest,
  given: { error: TRPCError; path: string | undefined },
) {
  const shown = refusalOf(given.error);
  if (shown.refusal.httpStatus < 500 || request.signal.aborted) return;
  const err = given.error.cause ?? given.error;
  const fields = { requestId: request.id, procedure: given.path, code: shown.code, err };
  if (shown.code === 'SERVICE_UNAVAILABLE')
    logger.warn(fields, 'procedure refused: part of the system is away');
  else logger.error(fields, 'procedure failed');
}

/** Says so when a procedure answers what it does not declare; the client is answered all the same. */
function reportUndeclared<TRouter extends AnyTRPCRouter>(
  { router, logger }: TrpcRoutesOptions<TRouter>,
  given: { error: TRPCError; path: string | undefined },
) {
  // Flat and by path, which tRPC's types do not say.
  const procedures = router._def.procedures as unknown as Record<string, AnyTRPCProcedure>;
  const { path = '' } = given;
  if (!Object.hasOwn(procedures, path)) return;
  const meta = procedures[path]?._def.meta as ProcedureMeta | undefined;
  const { code } = refusalOf(given.error);
  if (!isDeclared(code, meta ?? {})) logger.error({ procedure: path, code }, UNDECLARED_REFUSAL);
}

async function call<TRouter extends AnyTRPCRouter>(
  options: TrpcRoutesOptions<TRouter>,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { router, createContext, prefix, logger } = options;
  const responseHeaders = new Headers();
  const response = await resolveResponse({
    router,
    req: await toWebRequest(request, { origin: ORIGIN }),
    path: trimSlashes(request.path.slice(prefix.length)),
    error: null,
    allowBatching: false,
    createContext: ({ info }) => createContext({ request, responseHeaders, info }),
    onError({ error, path }) {
      report(logger, request, { error, path });
      reportUndeclared(options, { error, path });
    },
    responseMeta({ errors }) {
      for (const error of errors) {
        for (const [name, value] of refusalHeaders(refusalOf(error))) responseHeaders.set(name, value);
      }
      return { headers: responseHeaders };
    },
  });
  // tRPC sends what fails before dispatch as text/plain, although the body is JSON.
  if (response.headers.get('content-type')?.startsWith('text/plain') === true) {
    response.headers.set('content-type', 'application/json');
  }
  return fromWebResponse(response);
}

/** The routes that serve a tRPC router under `prefix`. */
export function trpcRoutes<TRouter extends AnyTRPCRouter>(options: TrpcRoutesOptions<TRouter>): Route[] {
  return [
    {
      methods: '*',
      path: `${options.prefix}/*`,
      bodyLimit: options.maxBodySize,
      refuse: (error, { path }) => refused(options, { error, path }),
      handler: (request) => call(options, request),
    },
  ];
}
