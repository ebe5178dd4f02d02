/**
 * The operators' HTTP server of a process: /metrics, /healthz, /readyz and the role's own pages. It owns one
 * listening socket, bound to OPS_HOST, which is loopback by default. It holds no state. When the process crashes,
 * this server ends too; monitoring detects the crash by the missing answers.
 */
import { createServer, type Server } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import type { Registry } from 'prom-client';
import { VERSION } from '../version.ts';
import type { CrashReports } from './crash-reports.ts';
import type { Logger } from './logger.ts';
import type { Readiness } from './readiness.ts';

export type OpsEnv = { Bindings: HttpBindings };

export interface OpsServerOptions {
  host: string;
  /** 0 selects any free port. */
  port: number;
  metrics: Pick<Registry, 'metrics' | 'contentType'>;
  readiness: Readiness;
  logger: Logger;
  crashReports: Pick<CrashReports, 'capture'>;
  /** The role's own pages. */
  pages?: Hono<OpsEnv>;
}

export type OpsServer = ReturnType<typeof createOpsServer>;

const OWN_PATHS = ['/healthz', '/readyz', '/metrics'];

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

function refuse(status: number, code: string, headers?: Record<string, string>): Response {
  return answer(status, { error: { code } }, headers);
}

/** The answer for a path that does not exist; hidden pages give the same one. */
export function refuseUnknown(): Response {
  return refuse(404, 'NOT_FOUND');
}

function opsRoutes({ metrics, readiness, pages }: OpsServerOptions): Hono<OpsEnv> {
  const app = new Hono<OpsEnv>();
  app.get('/healthz', () => answer(200, { status: 'ok', version: VERSION }));
  app.get('/readyz', async () => {
    const report = await readiness();
    return answer(report.ready ? 200 : 503, report);
  });
  app.get('/metrics', async (c) => {
    const text = await metrics.metrics();
    return c.body(text, 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
  });
  app.on('ALL', OWN_PATHS, () => refuse(405, 'METHOD_NOT_ALLOWED', { allow: 'GET, HEAD' }));
  if (pages) app.route('/', pages);
  app.notFound(refuseUnknown);
  return app;
}

function listen(server: Server, { host, port }: OpsServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** The server, not yet listening (docs/contract.md#operations-server). */
export function createOpsServer(options: OpsServerOptions) {
  const failed = (error: unknown, path?: string): Response => {
    options.logger.error({ err: error, path }, 'ops request failed');
    options.crashReports.capture(error);
    return refuse(500, 'INTERNAL_ERROR');
  };
  const app = opsRoutes(options).onError((error, c) => failed(error, c.req.path));
  const listener = getRequestListener(app.fetch, {
    // A probe over HTTP/1.0 sends no Host.
    hostname: 'localhost',
    // A request that cannot be parsed must not show which paths exist.
    errorHandler: (error) => (error instanceof RequestError ? refuseUnknown() : failed(error)),
    // Other parts of the process use HTTP too.
    overrideGlobalObjects: false,
  });
  const server = createServer(listener);
  // No real scrape sends its head more slowly than this.
  server.headersTimeout = 10_000;
  let stopping: Promise<void> | null = null;
  return {
    /** Resolves with the port it listens on; rejects with EADDRINUSE and the like. */
    start: (): Promise<number> => listen(server, options),
    /** Ends open connections and resolves when the socket is closed; a second call does nothing. */
    stop: (): Promise<void> => {
      stopping ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return stopping;
    },
  };
}
