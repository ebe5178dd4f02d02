/**
 * The HTTP server over uWebSockets.js. It owns the listening socket and the exchanges in flight. Always true: every
 * request that the parser accepts gets one answer of ours, never the library's page; closing is final and
 * idempotent. Clients see one rule of the library: when a client sends a second request before the first was
 * answered, its connection is closed, so that answers cannot be mixed up.
 */
import { randomUUID } from 'node:crypto';
import { endedBy } from '../../supervisors/supervision/service.ts';
import { BODY_SHARES, BodyBudget, type BodyShares } from './body-budget.ts';
import { createCrossOrigin } from './cross-origin.ts';
import { Exchange, type ExchangeReport, type HttpLimits } from './exchange.ts';
import type { HttpFault, HttpLogger, Route } from './message.ts';
import { answerReady } from './ready-answer.ts';
import { readHead } from './request-head.ts';
import { createRouter } from './router.ts';
import {
  App,
  EXCLUSIVE_PORT,
  type UwsListenSocket,
  type UwsRequest,
  type UwsResponse,
  us_listen_socket_close,
  us_socket_local_port,
} from './uws.ts';

export interface HttpServerOptions {
  readonly routes: readonly Route[];
  readonly logger: HttpLogger;
  /** Called for each request that met a fault of ours or an outage. */
  readonly onFault: (fault: HttpFault) => void;
  readonly limits?: Partial<HttpLimits>;
  /** How much memory the bodies of requests may take together. */
  readonly bodyShares?: BodyShares;
  /** The number of our own proxies in front (`TRUSTED_PROXY_HOPS`). */
  readonly trustedProxyHops: number;
  /** Origins whose pages may call with credentials, besides our own (`WEB_ORIGINS`). */
  readonly webOrigins?: readonly string[];
  /** Called with the report of every finished exchange. */
  readonly onRequest?: (report: ExchangeReport) => void;
  /** Called for each request whose client a proxy of ours has named in a way that cannot be read. */
  readonly onUnreadableHop?: () => void;
  readonly newRequestId?: () => string;
  /** Seconds on a clock that never goes back. */
  readonly monotonicSeconds?: () => number;
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

/** Builds the server; throws when the routes contradict each other. */
export function createHttpServer(options: HttpServerOptions) {
  const { logger, trustedProxyHops, onRequest } = options;
  const newRequestId = options.newRequestId ?? randomUUID;
  const monotonicSeconds = options.monotonicSeconds ?? (() => performance.now() / 1000);
  const router = createRouter(options.routes);
  const app = App();
  const inFlight = new Set<Promise<unknown>>();
  let listening: UwsListenSocket | null = null;
  let closing: Promise<void> | null = null;
  let onDrained = (): void => {};
  let hasWarned = false;
  const common = {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    budget: new BodyBudget({ logger, shares: options.bodyShares ?? BODY_SHARES }),
    logger,
    onFault: options.onFault,
    crossOrigin: createCrossOrigin(options.webOrigins ?? []),
    isClosing: () => closing !== null,
  };

  const serve = (res: UwsResponse, req: UwsRequest): void => {
    const startedAt = monotonicSeconds();
    const head = readHead(res, req, trustedProxyHops);
    if (head.viaUncountedProxy) warnOfProxy();
    if (head.hasUnreadableHop) options.onUnreadableHop?.();
    const match = router.match(head.method, head.path);
    const given = { id: newRequestId(), head, match, ...common };
    const report = (told: Omit<ExchangeReport, 'seconds'>): void =>
      onRequest?.({ ...told, seconds: monotonicSeconds() - startedAt });
    const answered = answerReady(res, given);
    if (answered !== null && 'status' in answered) report(answered);
    else finish(answered ?? new Exchange(res, given).run(), report);
  };
  /** Once: it is a setting that is wrong. */
  const warnOfProxy = (): void => {
    if (hasWarned) return;
    hasWarned = true;
    logger.warn(
      { setting: 'TRUSTED_PROXY_HOPS' },
      'requests come through a proxy that TRUSTED_PROXY_HOPS does not count: all clients count as one',
    );
  };
  const failed = (error: unknown): void => logger.error({ err: error }, 'http exchange failed');
  const finish = (
    exchange: Promise<Omit<ExchangeReport, 'seconds'>>,
    report: (told: Omit<ExchangeReport, 'seconds'>) => void,
  ): void => {
    inFlight.add(exchange);
    exchange
      .then(report)
      .catch(failed)
      .finally(() => {
        inFlight.delete(exchange);
        if (inFlight.size === 0) onDrained();
      });
  };

  app.any('/*', (res, req) => {
    try {
      serve(res, req);
    } catch (error) {
      failed(error);
    }
  });

  const shutDown = async (deadline: AbortSignal): Promise<void> => {
    if (listening !== null) us_listen_socket_close(listening);
    if (inFlight.size > 0) {
      const { promise: drained, resolve } = Promise.withResolvers<void>();
      onDrained = resolve;
      await endedBy(drained, deadline);
    }
    if (inFlight.size > 0)
      logger.warn({ inFlight: inFlight.size }, 'http server closed with requests still in flight');
    app.close();
  };

  return {
    /** Resolves with the port in use (for port 0, the one chosen). Rejects when the address is taken. */
    listen(host: string, port: number): Promise<{ port: number }> {
      const { promise, resolve, reject } = Promise.withResolvers<{ port: number }>();
      const done = (socket: UwsListenSocket | false): void => {
        listening = socket || null;
        if (socket) resolve({ port: us_socket_local_port(socket) });
        else reject(new ListenError(`Cannot listen on ${host}:${port}: the address is in use or not ours`));
      };
      // Exclusive; otherwise a second process on the same port would silently share its connections. The library's
      // types lack the options parameter between port and callback.
      Reflect.apply(app.listen, app, [host, port, EXCLUSIVE_PORT, done]);
      return promise;
    },
    /**
     * Accepts no more connections, lets requests in flight finish until the deadline, then closes everything.
     * Idempotent.
     */
    close(deadline: AbortSignal): Promise<void> {
      closing ??= shutDown(deadline);
      return closing;
    },
  };
}

export type HttpServer = ReturnType<typeof createHttpServer>;
