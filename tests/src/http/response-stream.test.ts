import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpResponse } from '../../../src/http/message.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRaw } from '../../support/http/raw-client.ts';
import { gate, get, startServer } from '../../support/http/test-server.ts';

const MIB = 1024 * 1024;
const TOTAL = 50 * MIB;
/** The most that loopback sockets buffer on both sides (4 MiB to send, up to 32 MiB to receive), with a margin. */
const IN_THE_KERNEL = 40 * MIB;

/** 50 MiB in pieces of different sizes; `pulled` counts what the server has read. */
function source() {
  const state = { pulled: 0, stopped: false };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (let rest = TOTAL, n = 1; rest > 0; n += 1) {
        const piece = new Uint8Array(Math.min(rest, 1 + ((n * 65_537) % 300_000))).fill(n % 256);
        rest -= piece.length;
        state.pulled += piece.length;
        yield piece;
      }
    } finally {
      state.stopped = true;
    }
  }
  return { state, pieces };
}

/** Reads a response slowly, with pauses; returns how far the server was ahead at most. */
async function readSlowly(port: number, state: { pulled: number }) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  let received = 0;
  let furthestAhead = 0;
  let reading = true;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    furthestAhead = Math.max(furthestAhead, state.pulled - received);
    socket.pause();
    setImmediate(() => {
      if (reading) socket.resume();
    });
  });
  socket.write('GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const stopReading = () => {
    reading = false;
    socket.pause();
  };
  return { socket, received: () => received, furthestAhead: () => furthestAhead, stopReading };
}

/** Waits until the server has stopped reading its source. */
async function untilSteady(pulled: () => number): Promise<void> {
  let steady = 0;
  let before = 0;
  await eventually(
    () => {
      steady = before === pulled() && before > 0 ? steady + 1 : 0;
      before = pulled();
      return steady > 20;
    },
    { what: 'the source to be left alone' },
  );
}

describe('a 50 MiB stream', () => {
  const bodies: Record<string, HttpResponse['headers']> = {
    'in chunks': [],
    'with a content-length': [['content-length', String(TOTAL)]],
  };
  test.each(Object.entries(bodies))(
    '%s is read no faster than a slow client reads',
    async (_name, headers) => {
      const { state, pieces } = source();
      const { port } = await startServer([get('/a', () => ({ status: 200, headers, body: pieces() }))]);
      const reader = await readSlowly(port, state);
      await eventually(() => state.stopped && reader.received() > TOTAL, {
        what: 'the whole stream',
        timeoutMs: 30_000,
      });
      expect(reader.furthestAhead()).toBeLessThan(IN_THE_KERNEL);
    },
  );

  test.each(Object.entries(bodies))(
    '%s stops while the client does not read, and ends when it disconnects',
    async (_name, headers) => {
      const { state, pieces } = source();
      const { port } = await startServer([get('/a', () => ({ status: 200, headers, body: pieces() }))]);
      const reader = await readSlowly(port, state);
      await eventually(() => reader.received() > 0, { what: 'the beginning' });
      reader.stopReading();
      await untilSteady(() => state.pulled);
      expect(state.pulled - reader.received()).toBeLessThan(IN_THE_KERNEL);
      expect(state.pulled).toBeLessThan(TOTAL);
      reader.socket.destroy();
      await eventually(() => state.stopped, { what: 'the source to be stopped' });
    },
  );

  test.each(Object.entries(bodies))('%s arrives unchanged', async (_name, headers) => {
    const { origin } = await startServer([
      get('/a', () => ({ status: 200, headers, body: source().pieces() })),
    ]);
    const expected = createHash('sha256');
    for await (const piece of source().pieces()) expected.update(piece);
    const response = await fetch(`${origin}/a`);
    expect(response.headers.get('content-length')).toBe(headers[0]?.[1] ?? null);
    const received = createHash('sha256');
    for await (const chunk of response.body ?? []) received.update(chunk);
    expect(received.digest('hex')).toBe(expected.digest('hex'));
  });
});

test('a 50 MiB buffer arrives complete at a slow client', async () => {
  const body = new Uint8Array(TOTAL).map((_, index) => index % 251);
  const { port } = await startServer([get('/a', () => ({ status: 200, headers: [], body }))]);
  const reader = await readSlowly(port, { pulled: 0 });
  const hash = createHash('sha256');
  let head: Buffer | null = Buffer.alloc(0);
  reader.socket.on('data', (chunk: Buffer) => {
    if (head === null) {
      hash.update(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    hash.update(head.subarray(end + 4));
    head = null;
  });
  await eventually(() => reader.socket.closed, { what: 'the end', timeoutMs: 30_000 });
  expect(hash.digest('hex')).toBe(createHash('sha256').update(body).digest('hex'));
});

test('bytes that the socket did not accept are sent without waiting for the next piece', async () => {
  const more = gate();
  const Z = 122;
  let made = 0;
  let pausing = false;
  async function* pieces() {
    while (!pausing) {
      made += 60_000;
      yield new Uint8Array(60_000).fill(Z);
    }
    await more.opened;
    yield Buffer.from('the end');
  }
  const { port } = await startServer([get('/a', () => ({ status: 200, headers: [], body: pieces() }))]);
  const connection = await connectRaw(port);
  connection.socket.removeAllListeners('data').pause();
  connection.send('GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await untilSteady(() => made);
  pausing = true;
  let received = 0;
  connection.socket.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === Z) received += 1;
  });
  connection.socket.resume();
  await eventually(() => received === made, { what: 'all that was made' });
  more.open();
  await connection.untilClosed();
});

describe('streams that fail', () => {
  test('before their first piece: 500', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.reject(new Error('no such object'));
    }
    const { origin, logs } = await startServer([
      get('/a', () => ({ status: 200, headers: [], body: broken() })),
    ]);
    const response = await fetch(`${origin}/a`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { code: 'INTERNAL_ERROR', message: expect.any(String), messageKey: expect.any(String) },
    });
    expect(logs).toHaveLength(1);
  });

  test.each([
    [
      'after it',
      [],
      async function* () {
        yield Buffer.from('one');
        throw new Error('lost');
      },
    ],
    [
      'by ending before their length',
      [['content-length', '9']],
      async function* () {
        yield Buffer.from('one');
      },
    ],
    [
      'by passing their length',
      [['content-length', '2']],
      async function* () {
        yield Buffer.from('one');
      },
    ],
  ] as const)(
    '%s: the connection is closed, so that the client sees the body as incomplete',
    async (_name, headers, body) => {
      const { origin, logs } = await startServer([get('/a', () => ({ status: 200, headers, body: body() }))]);
      await expect(fetch(`${origin}/a`).then((response) => response.text())).rejects.toThrow();
      await eventually(() => logs.length === 1, { what: 'the log line' });
    },
  );
});

test('HEAD and 304 do not read the stream, and close it', async () => {
  const { state, pieces } = source();
  const other = source();
  const { port } = await startServer([
    get('/a', () => ({ status: 200, headers: [['content-length', '7']], body: pieces() })),
    get('/b', () => ({ status: 304, headers: [['etag', '"1"']], body: other.pieces() })),
  ]);
  const connection = await connectRaw(port);
  connection.send('HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await connection.until(/\r\n\r\n$/)).toMatch(/^content-length: 7\r$/im);
  connection.send('GET /b HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await connection.until(/304 Not Modified.*\r\n\r\n$/s)).not.toMatch(/transfer-encoding/i);
  expect([state.pulled, other.state.pulled]).toEqual([0, 0]);
});
