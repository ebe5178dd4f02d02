import { randomInt } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../../clients/typescript/client.ts';
import { nodeTransport } from '../../../clients/typescript/node-transport.ts';
import { memoryStore, type SignOutReason } from '../../../clients/typescript/session.ts';
import type { Timing } from '../../../clients/typescript/timing.ts';
import type { Transport } from '../../../clients/typescript/transport.ts';
import { listening } from '../../clients/typescript/listening.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Handler = (request: SeenRequest, response: ServerResponse, raw: IncomingMessage) => void;

/** An HTTP server scripted by the test, wrong behavior included. Closed when the test ends. */
export async function startServer(handler: Handler): Promise<{ url: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (raw, response) => {
    const body = (await buffer(raw)).toString();
    const request = { method: raw.method ?? '', url: raw.url ?? '', headers: raw.headers, body };
    seen.push(request);
    handler(request, response, raw);
  });
  const url = await listening(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, seen };
}

/** Answers like the API host: an output in its envelope. */
export function succeed(
  response: ServerResponse,
  output: unknown,
  headers: Record<string, string | string[]> = {},
) {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ result: { data: { json: output } } }));
}

export function refuse(
  response: ServerResponse,
  status: number,
  headers: Record<string, string | string[]> = {},
) {
  const data = {
    code: 'UNAUTHORIZED',
    httpStatus: status,
    errorCode: 'UNAUTHORIZED',
    messageKey: 'errors.unauthorized',
  };
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers });
  response.end(JSON.stringify({ error: { json: { message: 'No.', code: -32001, data } } }));
}

interface TestTiming extends Timing {
  /** The requested pauses in milliseconds; each passes at once. */
  readonly pauses: number[];
  /** Lets the timeout of every running call expire. */
  expire(): void;
}

/** Pauses pass at once and are recorded; timeouts (ten seconds and more) expire when the test says so. */
export function testTiming(random = 0): TestTiming {
  const pauses: number[] = [];
  const limits = new Set<() => void>();
  return {
    pauses,
    now: () => Date.parse('2026-01-15T12:00:00Z'),
    random: () => random,
    after(ms, run) {
      if (ms < 10_000) {
        pauses.push(ms);
        const soon = setImmediate(run);
        return () => clearImmediate(soon);
      }
      limits.add(run);
      return () => void limits.delete(run);
    },
    expire() {
      for (const run of [...limits]) run();
    },
  };
}

export interface ClientUnderTest {
  readonly client: Client;
  readonly signOuts: SignOutReason[];
  readonly stored: () => Promise<string | null>;
  readonly timing: TestTiming;
}

export const COOKIE = '__Host-better-auth.session_token=first';

/** A client of `url`, by default signed in with `COOKIE`. */
export function clientOf(
  url: string,
  options: Partial<ClientOptions> & { cookie?: string | null } = {},
): ClientUnderTest {
  const { cookie = COOKIE, ...rest } = options;
  const store = rest.store ?? memoryStore(cookie);
  const timing = testTiming();
  const signOuts: SignOutReason[] = [];
  const onSignedOut = (reason: SignOutReason) => void signOuts.push(reason);
  const client = createClient({
    baseUrl: url,
    transport: nodeTransport(),
    store,
    timing,
    onSignedOut,
    ...rest,
  });
  onTestFinished(() => client.close());
  return { client, signOuts, stored: () => store.read(), timing };
}

/** Calls the API host from a separate address, so that parallel tests do not share rate limits. */
export function proxiedTransport(): Transport {
  const inner = nodeTransport();
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  return {
    send: (request) =>
      inner.send({ ...request, headers: { ...request.headers, 'x-forwarded-for': address } }),
    close: inner.close,
  };
}

/** What a promise was rejected with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => Promise.reject(new Error(`was answered with ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );
