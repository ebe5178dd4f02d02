import { onTestFinished } from 'vitest';
import type { HttpLogger, HttpRequest, HttpResponse, Route } from '../../../src/http/message.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../../src/http/server.ts';
import { NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createFaultReport } from '../../../src/telemetry/fault-report.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: object;
}

export interface TestServer {
  readonly server: HttpServer;
  readonly port: number;
  readonly origin: string;
  readonly logs: LogLine[];
}

export function memoryLogger(logs: LogLine[]): HttpLogger {
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    logs.push({ level, message, fields });
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** A server on a free port that is closed when the test is over. */
export async function startServer(
  routes: readonly Route[],
  options: Partial<Omit<HttpServerOptions, 'routes' | 'logger'>> = {},
  logs: LogLine[] = [],
): Promise<TestServer> {
  const logger = memoryLogger(logs);
  const onFault = createFaultReport({ logger, crashReports: NO_CRASH_REPORTS });
  const server = createHttpServer({ trustedProxyHops: 0, onFault, ...options, routes, logger });
  const { port } = await server.listen('127.0.0.1', 0);
  onTestFinished(() => server.close(AbortSignal.timeout(0)));
  return { server, port, origin: `http://127.0.0.1:${port}`, logs };
}

export const text = (body: string, status = 200): HttpResponse => ({
  status,
  headers: [['content-type', 'text/plain']],
  body,
});

export function get(
  path: string,
  handler: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
): Route {
  return { methods: ['GET'], path, handler: async (request) => handler(request) };
}

export function post(
  path: string,
  handler: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
  options: Partial<Route> = {},
): Route {
  return { methods: ['POST'], path, handler: async (request) => handler(request), ...options };
}

/** A promise and the function that settles it. */
export function gate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { opened: promise, open: resolve };
}
