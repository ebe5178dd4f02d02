/**
 * The HTTP server over uWebSockets.js. It owns the listening socket and the exchanges in flight. Always true: every
 * request that the parser accepts gets one answer of ours, never a page of the library's; closing is final and
 * idempotent. One library rule is visible to clients: a client that sends a second request before the first was
 * answered is cut off, so answers cannot be mixed up.
 */
import { randomUUID } from 'node:crypto';
import { endedBy } from '../../supervisors/supervision/service.ts';
import { BODY_SHARES, BodyBudget, type BodyShares } from './body-budget.ts';
import { createCrossOrigin } from './cross-origin.ts';
import { Exchange, type ExchangeReport, type HttpLimits } from './exchange.ts';
import type { HttpLogger, Route } from './message.ts';
import { readHead } from './request-head.ts';
import { createRouter } from './router.ts';
import {
  App,
  EXCLUSIVE_PORT,
  type UwsApp,
  type UwsListenSocket,
  type UwsRequest,
  type UwsResponse,
  us_listen_socket_close,
  us_socket_local_port,
} from './uws.ts';

export interface HttpServerOptions {
  readonly routes: readonly Route[];
  readonly logger: HttpLogger;
  readonly limits?: Partial<HttpLimits>;
  /** How much memory the bodies of requests may take together. */
  readonly bodyShares?: BodyShares;
  /** The number of our own proxies in front (`TRUSTED_PROXY_HOPS`). */
  readonly trustedProxyHops: number;
  /** Origins whose pages may call with credentials, beside our own (`WEB_ORIGINS`). */
  readonly webOrigins?: readonly string[];
  /** Called with the report of every finished exchange. */
  readonly onRequest?: (report: ExchangeReport) => void;
  readonly newRequestId?: () => string;
  /** Seconds on a clock that never goes back. */
  readonly monotonicSeconds?: () => number;
}

export interface HttpServer {
  /** Resolves with the port in use (for port 0, the one chosen). Rejects when the address is taken. */
  listen(host: string, port: number): Promise<{ port: number }>;
  /** Takes no more connections, lets requests in flight finish until the deadline, then closes everything. Idempotent. */
  close(deadline: AbortSignal): Promise<void>;
}

/** Thrown by `listen`. */
export class ListenError extends Error {
  readonly code = 'LISTEN_FAILED';
}

const DEFAULT_LIMITS: HttpLimits = {
  bodyBytes: 1024 * 1024,
  bodyTimeoutMs: 30_000,
  bodyStallMs: 10_000,
  responseTimeoutMs: 60_000,
};

interface ServerState {
  readonly app: UwsApp;
  readonly inFlight: Set<Exchange>;
  listening: UwsListenSocket | null;
  closing: Promise<void> | null;
  onDrained: (() => void) | null;
}

/** `listen` as the library has it, with the options between port and callback that its types leave out. */
type ListenArguments = [
  host: string,
  port: number,
  options: number,
  done: (socket: UwsListenSocket | false) => void,
];

function listen(state: ServerState, host: string, port: number): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    const done = (socket: UwsListenSocket | false): void => {
      if (socket === false) {
        reject(new ListenError(`Cannot listen on ${host}:${port}: the address is in use or not ours`));
        return;
      }
      state.listening = socket;
      resolve({ port: us_socket_local_port(socket) });
    };
    // Exclusive, or a second process on the same port would silently share its connections.
    const given: ListenArguments = [host, port, EXCLUSIVE_PORT, done];
    Reflect.apply(state.app.listen, state.app, given);
  });
}

async function shutDown(state: ServerState, deadline: AbortSignal, logger: HttpLogger): Promise<void> {
  if (state.listening !== null) us_listen_socket_close(state.listening);
  state.listening = null;
  if (state.inFlight.size > 0) {
    const { promise: drained, resolve } = Promise.withResolvers<void>();
    state.onDrained = resolve;
    await endedBy(drained, deadline);
  }
  if (state.inFlight.size > 0) {
    logger.warn({ inFlight: state.inFlight.size }, 'http server closed with requests still in flight');
  }
  state.app.close();
}

/** Builds the server; throws when the routes contradict each other. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { logger, trustedProxyHops, onRequest } = options;
  const limits: HttpLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const newRequestId = options.newRequestId ?? randomUUID;
  const monotonicSeconds = options.monotonicSeconds ?? (() => performance.now() / 1000);
  const router = createRouter(options.routes);
  const budget = new BodyBudget({ logger, shares: options.bodyShares ?? BODY_SHARES });
  const crossOrigin = createCrossOrigin(options.webOrigins ?? []);
  const state: ServerState = {
    app: App(),
    inFlight: new Set(),
    listening: null,
    closing: null,
    onDrained: null,
  };
  const isClosing = (): boolean => state.closing !== null;

  const serve = async (res: UwsResponse, req: UwsRequest): Promise<void> => {
    const startedAt = monotonicSeconds();
    const head = readHead(res, req, trustedProxyHops);
    const match = router.match(head.method, head.path);
    const given = { head, match, limits, budget, logger, crossOrigin, isClosing };
    const exchange = new Exchange(res, { id: newRequestId(), ...given });
    state.inFlight.add(exchange);
    try {
      const report = await exchange.run();
      onRequest?.({ ...report, seconds: monotonicSeconds() - startedAt });
    } finally {
      state.inFlight.delete(exchange);
      if (state.inFlight.size === 0) state.onDrained?.();
    }
  };

  state.app.any('/*', (res, req) => {
    serve(res, req).catch((error: unknown) => logger.error({ err: error }, 'http exchange failed'));
  });

  return {
    listen: (host, port) => listen(state, host, port),
    close(deadline) {
      state.closing ??= shutDown(state, deadline, logger);
      return state.closing;
    },
  };
}
