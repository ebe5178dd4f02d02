/**
 * The operators' HTTP server of a process: /metrics, /healthz, /readyz and the role's own pages. It owns one
 * listening socket, bound to OPS_HOST, which is loopback by default. It holds no state. When the process crashes,
 * this server ends too; monitoring detects the crash by the missing answers.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { VERSION } from '../version.ts';
import type { CrashReports } from './crash-reports.ts';
import type { Logger } from './logger.ts';
import type { Readiness } from './readiness.ts';

/** A role's own pages: `path` and everything below it. */
export interface OpsRoute {
  path: string;
  handle(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
}

export interface OpsServerOptions {
  host: string;
  /** 0 selects any free port. */
  port: number;
  metrics: Pick<Registry, 'metrics' | 'contentType'>;
  readiness: Readiness;
  logger: Logger;
  crashReports: Pick<CrashReports, 'capture'>;
  extraRoutes?: readonly OpsRoute[];
}

export type OpsServer = ReturnType<typeof createOpsServer>;

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  sendJson(response, status, { error: { code } });
}

/** The answer for a path that does not exist; hidden pages give the same one. */
export function refuseUnknown(response: ServerResponse): void {
  refuse(response, 404, 'NOT_FOUND');
}

async function answer(
  options: OpsServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const extra = options.extraRoutes?.find(
    (route) => path === route.path || path.startsWith(`${route.path}/`),
  );
  if (extra) return await extra.handle(request, response);
  if (!['/metrics', '/healthz', '/readyz'].includes(path)) return refuseUnknown(response);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405, 'METHOD_NOT_ALLOWED');
  }
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok', version: VERSION });
  if (path === '/readyz') {
    const report = await options.readiness();
    return sendJson(response, report.ready ? 200 : 503, report);
  }
  const text = await options.metrics.metrics();
  response.writeHead(200, { 'content-type': options.metrics.contentType, 'cache-control': 'no-store' });
  response.end(text);
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
  const server = createServer((request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      options.logger.error({ err: error, path: request.url }, 'ops request failed');
      options.crashReports.capture(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'INTERNAL_ERROR');
    });
  });
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
