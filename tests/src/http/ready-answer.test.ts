import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ExchangeReport } from '../../../src/http/exchange.ts';
import type { ReadyAnswer, Route } from '../../../src/http/message.ts';
import { behindGates } from '../../../src/web/gates.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRaw, rawExchange } from '../../support/http/raw-client.ts';
import { startServer, text } from '../../support/http/test-server.ts';

const MIB = 1024 * 1024;
const LARGE = 48 * MIB;
const logger = { warn: () => {} };
const ready = (body: Uint8Array): ReadyAnswer => ({
  status: 200,
  headers: [
    ['content-type', 'text/plain'],
    ['cache-control', 'public, max-age=5'],
  ],
  body,
});
const route = (given: Partial<Route> = {}): Route => ({
  methods: ['GET'],
  path: '/a',
  ready: () => ready(Buffer.from('from memory')),
  handler: async () => text('made'),
  ...given,
});

test('an answer in memory is sent instead of a made one, with the headers of any other', async () => {
  const reports: ExchangeReport[] = [];
  const options = { onRequest: (one: ExchangeReport) => void reports.push(one), newRequestId: () => 'id-1' };
  const { origin } = await startServer([route({ varies: ['Accept'] })], options);
  for (let turn = 0; turn < 2; turn += 1) {
    const response = await fetch(`${origin}/a?b=c`);
    expect([response.status, await response.text()]).toEqual([200, 'from memory']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'cache-control': 'public, max-age=5',
      'content-length': '11',
      vary: 'Accept',
      'x-request-id': 'id-1',
    });
  }
  expect(reports).toEqual(
    [1, 2].map(() => ({ method: 'GET', route: '/a', status: 200, seconds: expect.any(Number) })),
  );
});

test('pages of other origins read it, each under its own name', async () => {
  const { origin } = await startServer([route()], {
    webOrigins: ['https://one.example', 'https://two.example'],
  });
  for (const page of ['https://one.example', 'https://two.example', 'https://evil.example']) {
    const { headers } = await fetch(`${origin}/a`, { headers: { origin: page } });
    expect(headers.get('access-control-allow-origin')).toBe(page.includes('evil') ? null : page);
    expect(headers.get('vary')).toBe('Origin');
  }
});

test('a request that is not a plain GET, or that has no answer in memory, is handled', async () => {
  const { origin, port } = await startServer([route()]);
  const nothing = await startServer([route({ ready: () => null })]);
  expect(await (await fetch(`${nothing.origin}/a`)).text()).toBe('made');
  const head = await fetch(`${origin}/a`, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe('4');
  const withBody = 'GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi';
  const connection = await connectRaw(port);
  connection.send(withBody);
  expect(await connection.until(/made$/)).toContain('200 OK');
});

test('a malformed request is refused first', async () => {
  const { port } = await startServer([route()]);
  for (const fault of ['Transfer-Encoding: chunked\r\n', 'Host: y\r\n'])
    expect(await rawExchange(port, `GET /a HTTP/1.1\r\nHost: x\r\n${fault}\r\n`)).toMatch(/^HTTP\/1\.1 4/);
});

test('a client that reads slowly gets all of a large answer, and one that leaves frees it', async () => {
  const body = Buffer.alloc(LARGE, 'x');
  const reports: ExchangeReport[] = [];
  const { port } = await startServer([route({ ready: () => ready(body) })], {
    onRequest: (one) => void reports.push(one),
  });
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  };
  const slow = open();
  let received = 0;
  slow.on('data', (chunk: Buffer) => {
    received += chunk.length;
    slow.pause();
    setImmediate(() => slow.resume());
  });
  await eventually(() => received > LARGE && reports.length === 1, { what: 'all of it' });
  const leaving = open();
  leaving.once('data', () => leaving.destroy());
  await eventually(() => reports.length === 2, { what: 'the end of the other' });
  expect(reports.map(({ status }) => status)).toEqual([200, 499]);
});

test('a client that stops reading is disconnected in time', async () => {
  const reports: ExchangeReport[] = [];
  const { port } = await startServer(
    [route({ ready: () => ready(Buffer.alloc(LARGE)), responseTimeoutMs: 50 })],
    { onRequest: (one) => void reports.push(one) },
  );
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(() => reports.length === 1, { what: 'the server to give up' });
  expect(reports[0]?.status).toBe(499);
});

test('where requests are counted, each one is', async () => {
  let counted = 0;
  const limits = {
    admit: async () => {
      counted += 1;
    },
  };
  const gated = await startServer(behindGates([route()], { origins: new Set(), limits, logger }));
  expect(await (await fetch(`${gated.origin}/a`)).text()).toBe('made');
  expect(counted).toBe(1);
  const open = await startServer(behindGates([route()], { origins: new Set(), limits: null, logger }));
  expect(await (await fetch(`${open.origin}/a`)).text()).toBe('from memory');
});
