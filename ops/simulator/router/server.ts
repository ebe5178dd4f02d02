import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isochroneAnswer, matrixAnswer, tableAnswer } from './answers.ts';

/** What a router does wrong. */
export const ROUTER_FAULTS = ['silent', 'error', 'html', 'other-form', 'endless', 'redirect'] as const;
type RouterFault = (typeof ROUTER_FAULTS)[number];

/** A question as it came. */
interface Asked {
  readonly path: string;
  readonly body: unknown;
}

export interface RouterSimulator {
  readonly url: string;
  /** All questions so far. */
  readonly asked: readonly Asked[];
  /** From now on every answer has this fault; null for none. */
  setFault(fault: RouterFault | null): void;
  close(): Promise<void>;
}

const MOST_BODY = 100_000;
/** Of an endless answer, at a time. */
const CHUNK = Buffer.alloc(64 * 1024, '[');

/**
 * Speaks OSRM's table service and Valhalla's matrix and isochrone services. A separate program (main.ts) and part of tests.
 * `POST /__control/fault` takes `{fault}`.
 */
export async function startRouterSimulator({
  port = 0,
  host = '127.0.0.1',
}: {
  port?: number;
  host?: string;
} = {}): Promise<RouterSimulator> {
  const asked: Asked[] = [];
  let fault: RouterFault | null = null;
  const setFault = (next: RouterFault | null) => {
    fault = next;
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://router');
    const body = await bodyOf(request);
    if (url.pathname === '/__control/fault') {
      const wanted = (body as { fault?: unknown } | null)?.fault;
      setFault(ROUTER_FAULTS.find((one) => one === wanted) ?? null);
      send(response, 200, {});
      return;
    }
    asked.push({ path: url.pathname + url.search, body });
    if (fault !== null) {
      misbehave(fault, response);
      return;
    }
    const { status, body: answer } = answerTo(url, body);
    send(response, status, answer);
  };
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    asked,
    setFault,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerTo(url: URL, body: unknown): { status: number; body: unknown } {
  const table = url.pathname.startsWith('/table/') ? tableAnswer(url.pathname, url.searchParams) : null;
  if (table !== null) return table;
  if (url.pathname === '/sources_to_targets') return matrixAnswer(body as Parameters<typeof matrixAnswer>[0]);
  if (url.pathname === '/isochrone') return isochroneAnswer(body as Parameters<typeof isochroneAnswer>[0]);
  return { status: 404, body: { error_code: 106, error: 'Try any of: /sources_to_targets /isochrone' } };
}

function misbehave(fault: RouterFault, response: ServerResponse): void {
  switch (fault) {
    case 'silent':
      break;
    case 'error':
      send(response, 500, { error: 'out of memory' });
      break;
    case 'other-form':
      send(response, 200, { code: 'Ok', durations: 'soon', features: [{}] });
      break;
    case 'redirect':
      response.writeHead(302, { location: '/table/v1/car/0,0;1,1?sources=0&destinations=1' }).end();
      break;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
      break;
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      writeOn(response);
      response.on('drain', () => writeOn(response));
  }
}

function writeOn(response: ServerResponse): void {
  while (!response.destroyed && response.write(CHUNK));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MOST_BODY) throw new Error('too long');
  }
  return text === '' ? null : JSON.parse(text);
}
