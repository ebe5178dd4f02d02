import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { connectRaw, jsonBody, statusLine } from '../../support/http/raw-client.ts';
import { gate, post, startServer, text } from '../../support/http/test-server.ts';

const MIB = 1024 * 1024;
/** A budget without a limit. */
const ROOM = {
  total: 1024 * MIB,
  large: 1024 * MIB,
  network: 1024 * MIB,
  person: 1024 * MIB,
  slowAfterMs: 60_000,
};
const bodyShares = { calls: ROOM, callbacks: ROOM, entering: ROOM, uploads: ROOM };
const tooLarge = {
  error: { code: 'PAYLOAD_TOO_LARGE', message: expect.any(String), messageKey: expect.any(String) },
};

describe('reading', () => {
  test('a body that arrives slowly', async () => {
    const { port } = await startServer([
      post('/a', async (request) => text(`<${(await request.body()).toString()}>`)),
    ]);
    const connection = await connectRaw(port);
    connection.send('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n');
    for (const piece of ['ab', 'cd', 'ef']) {
      await new Promise((resolve) => setImmediate(resolve));
      connection.send(piece);
    }
    await connection.until(/<abcdef>/);
  });

  test('no body, an empty body, and a body that is not read', async () => {
    const { port } = await startServer([
      post('/read', async (request) => text(`<${(await request.body()).length}>`)),
      post('/unread', () => text('unread')),
    ]);
    const connection = await connectRaw(port);
    connection.send('POST /read HTTP/1.1\r\nHost: x\r\n\r\n');
    await connection.until(/<0>/);
    connection.send('POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1234');
    await connection.until(/unread/);
    connection.send('56789POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc');
    await connection.until(/<3>/);
  });

  test('a large body, whole and in pieces, arrives unchanged', async () => {
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    const { origin } = await startServer(
      [
        post('/whole', async (request) => text(hash(await request.body())), { bodyLimit: 20 * MIB }),
        post(
          '/pieces',
          async (request) => {
            const sum = createHash('sha256');
            for await (const piece of request.bodyStream()) sum.update(piece);
            return text(sum.digest('hex'));
          },
          { bodyLimit: 20 * MIB },
        ),
      ],
      { bodyShares },
    );
    const body = new Uint8Array(20 * MIB).map((_, index) => index % 251);
    for (const path of ['/whole', '/pieces']) {
      const response = await fetch(origin + path, { method: 'POST', body });
      expect(await response.text()).toBe(hash(body));
    }
  });

  test('a body can be read once', async () => {
    const { origin, logs } = await startServer([
      post('/a', async (request) => {
        await request.body();
        for await (const piece of request.bodyStream()) return text(piece.toString());
        return text('nothing');
      }),
    ]);
    expect((await fetch(`${origin}/a`, { method: 'POST', body: 'abc' })).status).toBe(500);
    expect(logs).toHaveLength(1);
  });
});

describe('too large', () => {
  test('by Content-Length: 413 before the body is read, and the route is not called', async () => {
    let called = false;
    const { port } = await startServer([
      post(
        '/a',
        () => {
          called = true;
          return text('a');
        },
        { bodyLimit: 10 },
      ),
    ]);
    const connection = await connectRaw(port);
    connection.send('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n');
    const transcript = await connection.until(/\}\}$/);
    expect(statusLine(transcript)).toBe('HTTP/1.1 413 Payload Too Large');
    expect(jsonBody(transcript)).toEqual(tooLarge);
    expect(called).toBe(false);
  });

  test('while it arrives in pieces: 413, for whole and for streaming readers', async () => {
    const { port } = await startServer([
      post('/whole', async (request) => text((await request.body()).toString()), { bodyLimit: 10 }),
      post(
        '/pieces',
        async (request) => {
          for await (const piece of request.bodyStream()) expect(piece.length).toBeLessThanOrEqual(10);
          return text('all of it');
        },
        { bodyLimit: 10 },
      ),
    ]);
    for (const path of ['/whole', '/pieces']) {
      const connection = await connectRaw(port);
      connection.send(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 16\r\n\r\n12345678`);
      connection.send('12345678');
      const transcript = await connection.until(/\}\}$/);
      expect(jsonBody(transcript)).toEqual(tooLarge);
      connection.send(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok`);
      await connection.until(/200 OK/);
    }
  });

  test('a client that is still sending gets its 413', async () => {
    const { origin } = await startServer([
      post('/a', async (request) => text((await request.body()).toString()), { bodyLimit: MIB }),
    ]);
    const response = await fetch(`${origin}/a`, { method: 'POST', body: new Uint8Array(8 * MIB) });
    expect([response.status, await response.json()]).toEqual([413, tooLarge]);
  });

  test('a body of exactly the limit passes', async () => {
    const { origin } = await startServer([
      post('/a', async (request) => text((await request.body()).toString()), { bodyLimit: 10 }),
    ]);
    expect(await (await fetch(`${origin}/a`, { method: 'POST', body: '1234567890' })).text()).toBe(
      '1234567890',
    );
  });
});

describe('too slow', () => {
  test('a body that does not arrive in time is 408, and the connection is closed', async () => {
    const { port } = await startServer([
      post('/a', async (request) => text((await request.body()).toString()), { bodyTimeoutMs: 100 }),
    ]);
    const connection = await connectRaw(port);
    connection.send('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    const transcript = await connection.untilClosed();
    expect(statusLine(transcript)).toBe('HTTP/1.1 408 Request Timeout');
    expect(jsonBody(transcript)).toEqual({
      error: { code: 'REQUEST_TIMEOUT', message: expect.any(String), messageKey: expect.any(String) },
    });
  });

  test('a body slower than the library allows arrives within our own limit', async () => {
    const { port } = await startServer([
      post('/a', async (request) => text(`<${(await request.body()).length}>`)),
    ]);
    const connection = await connectRaw(port);
    const piece = 'x'.repeat(10_240);
    connection.send(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${13 * piece.length}\r\n\r\n`);
    for (let second = 0; second < 13; second += 1) {
      const before = Date.now();
      await eventually(() => Date.now() - before > 1000, { what: 'a second' });
      connection.send(piece);
    }
    await connection.until(/<133120>/);
  });

  test('a nearly stalled body is 408, however much total time is left', async () => {
    const { port } = await startServer(
      [post('/a', async (request) => text((await request.body()).toString()))],
      { limits: { bodyStallMs: 200 } },
    );
    const connection = await connectRaw(port);
    connection.send(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${MIB}\r\n\r\n`);
    connection.send(new Uint8Array(MIB - 1));
    expect(statusLine(await connection.untilClosed())).toBe('HTTP/1.1 408 Request Timeout');
  });

  test('a head that never ends is closed by the library', async () => {
    const { port } = await startServer([]);
    const connection = await connectRaw(port);
    connection.send('GET /a HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await connection.untilClosed();
  });
});

describe('back-pressure', () => {
  test('a route that does not read stops the client, and reads everything later', async () => {
    const read = gate();
    let total = 0;
    const { port } = await startServer(
      [
        post(
          '/a',
          async (request) => {
            await read.opened;
            for await (const piece of request.bodyStream()) total += piece.length;
            return text(`total ${total}.`);
          },
          { bodyLimit: 64 * MIB, bodyTimeoutMs: 500 },
        ),
      ],
      { bodyShares },
    );
    const connection = await connectRaw(port);
    connection.send(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${48 * MIB}\r\n\r\n`);
    const piece = new Uint8Array(MIB);
    for (let sent = 0; sent < 48; sent += 1) connection.send(piece);
    let unsent = connection.socket.writableLength;
    let steady = 0;
    await eventually(
      () => {
        steady = unsent === connection.socket.writableLength ? steady + 1 : 0;
        unsent = connection.socket.writableLength;
        return steady > 40;
      },
      { what: 'the client to be held back for longer than the body time-out' },
    );
    expect(unsent).toBeGreaterThan(20 * MIB);
    read.open();
    await connection.until(new RegExp(`total ${48 * MIB}\\.`));
  });

  test('the rest of a body under back-pressure is drained, and the connection serves the next request', async () => {
    const answer = gate();
    const { port } = await startServer(
      [
        post(
          '/unread',
          async () => {
            await answer.opened;
            return text('unread');
          },
          { bodyLimit: 64 * MIB },
        ),
        post('/next', () => text('next')),
      ],
      { bodyShares },
    );
    const connection = await connectRaw(port);
    connection.send(`POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: ${48 * MIB}\r\n\r\n`);
    connection.send(new Uint8Array(48 * MIB));
    await eventually(() => connection.socket.bytesWritten > 0 && connection.socket.writableLength > 0, {
      what: 'the client to be held back',
    });
    answer.open();
    await connection.until(/unread/);
    await eventually(() => connection.socket.writableLength === 0, { what: 'the rest to be taken' });
    connection.send('POST /next HTTP/1.1\r\nHost: x\r\n\r\n');
    await connection.until(/next/);
  });

  test('the reader fails when the client disconnects during the upload', async () => {
    const failed = gate<unknown>();
    const { port } = await startServer([
      post('/a', async (request) => {
        await request.body().catch(failed.open);
        return text('never');
      }),
    ]);
    const connection = await connectRaw(port);
    connection.send('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    await new Promise((resolve) => setImmediate(resolve));
    connection.socket.destroy();
    expect(await failed.opened).toMatchObject({ code: 'CLIENT_CLOSED_REQUEST' });
  });
});
