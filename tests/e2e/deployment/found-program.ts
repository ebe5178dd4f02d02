import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { StackError } from '../../../ops/dev/stack/lifecycle.ts';
import { systemProgram } from '../../../ops/dev/stack/system-program.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';

/** A proxy of the operating system, installed if possible; otherwise the reason why it cannot be tested. */
export function foundProgram(
  program: 'caddy' | 'haproxy' | 'pgbouncer',
  probe: string,
): { program: string } | { missing: string } {
  try {
    const wanted = { program, title: program, packages: { 'apt-get': [program] }, probe: [probe] };
    return { program: systemProgram(wanted, (line) => process.stderr.write(`${line}\n`)) };
  } catch (error) {
    if (error instanceof StackError && error.code === 'BINARY_MISSING') return { missing: error.message };
    throw error;
  }
}

/** Ends the program, and waits until it has ended. */
export async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
}

/** An API host and a proxy in front of it for the tests of one suite; empty before the first test. */
export function useProxy<P extends { port: number; stop(): Promise<void> }>(
  start: (upstreamPort: number) => Promise<P>,
): { host: ApiHost; proxy: P; at(path: string): string } {
  const suite = { at: (path) => `http://127.0.0.1:${suite.proxy.port}${path}` } as ReturnType<
    typeof useProxy<P>
  >;
  beforeAll(async () => {
    suite.host = await startApiHost();
    suite.proxy = await start(Number(new URL(suite.host.url).port));
  });
  afterAll(async () => {
    await suite.proxy.stop();
    await suite.host.stop();
  });
  return suite;
}

/** Headers of a caller who hides the real address. */
export const FORGED = {
  'x-forwarded-for': '203.0.113.9',
  forwarded: 'for=203.0.113.9',
  'x-real-ip': '203.0.113.9',
};

/** Expects that the API host gets the caller's real address instead of the forged one. */
export function expectOwnAddress(headers: unknown): void {
  expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
  expect(JSON.stringify(headers)).not.toContain('203.0.113.9');
}

const PAGE_POLICY = 'max-age=31536000; includeSubDomains';
/** For a server behind the proxy: its pages have a policy of transport, like the site's. */
export function withPagePolicy({ url }: IncomingMessage, response: ServerResponse): void {
  if (url === '/page') response.setHeader('strict-transport-security', PAGE_POLICY);
}
/** Expects that the proxy keeps the policy of a page, and has one for everything else. */
export async function expectPagePolicy(port: number): Promise<void> {
  const policies = ['/page', '/'].map(async (path) => {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
    return headers.get('strict-transport-security');
  });
  expect(await Promise.all(policies)).toEqual([PAGE_POLICY, 'max-age=31536000']);
}

/** After this silence an answer is complete, and an open connection sends no more. */
const SILENCE_MS = 2_000;

/** The response to the given raw bytes, until the other side closes or stays silent. */
export function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    // A reset is one of the ways to close.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.write(Buffer.from(text, 'latin1'));
  });
}

const FORM = 'POST /api/auth/sign-out HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
const CHUNKED = `${FORM}Transfer-Encoding: chunked\r\n`;
const NEXT = 'GET /api/trpc/search.getFilterCatalog HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';

/** Bodies in chunks, some with a hidden request that a lenient parser would serve. */
export const CHUNKED_BODIES = {
  'without trailers': `${CHUNKED}Connection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'with an announced trailer': `${CHUNKED}Connection: close\r\nTrailer: X-Sum\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  'with a trailer': `${CHUNKED}Connection: close\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  'with a request hidden in a trailer': `${CHUNKED}\r\n0\r\nX:${NEXT}`,
  'with bare line feeds': `${CHUNKED}\r\n2\n{}\n0\n\n${NEXT}`,
  'with wrong bytes after a chunk': `${CHUNKED}\r\n2\r\n{}XX0\r\n\r\n${NEXT}`,
} as const;

const CATALOG = 'GET /api/trpc/search.getFilterCatalog HTTP/1.1';
const REST = '\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';

/** The status of a call whose request line arrives in two packets, for each place where it can be cut. */
export async function statusesOfCutLines(port: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = 1; at <= CATALOG.length; at += 1) statuses.push(await statusOfCutLine(port, at));
  return statuses;
}

async function statusOfCutLine(port: number, at: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  // A reset is one of the ways to close.
  socket.on('error', () => undefined);
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    answer += chunk;
  });
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  socket.write(CATALOG.slice(0, at));
  // Another call is answered: the first piece was read before.
  await raw(port, CATALOG + REST);
  socket.write(CATALOG.slice(at) + REST);
  await closed;
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
