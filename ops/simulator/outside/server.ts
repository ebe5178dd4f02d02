import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a service of the operator does wrong. */
export const SERVICE_FAULTS = ['silent', 'error', 'html', 'other-form', 'endless', 'redirect'] as const;
type ServiceFault = (typeof SERVICE_FAULTS)[number];

/** A question as it came. */
interface Asked {
  readonly path: string;
  readonly body: unknown;
}

/** What a service says to a question, and what it says in a form that no client knows. */
interface SimulatedService {
  answer(url: URL, body: unknown): ServiceAnswer;
  readonly otherForm: unknown;
}
export interface ServiceAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ServiceSimulator {
  readonly url: string;
  /** All questions so far. */
  readonly asked: readonly Asked[];
  /** From now on every answer has this fault; null for none. */
  setFault(fault: ServiceFault | null): void;
  close(): Promise<void>;
}

const MOST_BODY = 100_000;
/** Of an endless answer, at a time. */
const CHUNK = Buffer.alloc(64 * 1024, '[');

export interface SimulatorAddress {
  readonly port?: number;
  readonly host?: string;
}

/**
 * A simulated service that the operator runs elsewhere. A separate program (program.ts) and part of tests.
 * `POST /__control/fault` takes `{fault}`.
 */
export async function startServiceSimulator(
  service: SimulatedService,
  { port = 0, host = '127.0.0.1' }: SimulatorAddress = {},
): Promise<ServiceSimulator> {
  const asked: Asked[] = [];
  let fault: ServiceFault | null = null;
  const setFault = (next: ServiceFault | null) => {
    fault = next;
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://service');
    const body = await bodyOf(request);
    if (url.pathname === '/__control/fault') {
      const wanted = (body as { fault?: unknown } | null)?.fault;
      setFault(SERVICE_FAULTS.find((one) => one === wanted) ?? null);
      send(response, 200, {});
      return;
    }
    asked.push({ path: url.pathname + url.search, body });
    if (fault !== null) {
      misbehave(fault, service, response);
      return;
    }
    const { status, body: answer } = service.answer(url, body);
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

function misbehave(fault: ServiceFault, { otherForm }: SimulatedService, response: ServerResponse): void {
  switch (fault) {
    case 'silent':
      break;
    case 'error':
      send(response, 500, { error: 'out of memory' });
      break;
    case 'other-form':
      send(response, 200, otherForm);
      break;
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end();
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
