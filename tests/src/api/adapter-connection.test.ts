/** Events on the connection during a call (docs/provider.md#uwebsocketsjs). */
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { doors, JSON_TYPE, postJson, startAdapter } from '../../support/http/adapter-fixture.ts';
import { connectRaw } from '../../support/http/raw-client.ts';

const POST = 'POST /api/trpc/length HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

async function expectTooLarge(response: Response) {
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({
    error: {
      json: {
        code: -32013,
        data: { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413, path: 'length', errorCode: 'PAYLOAD_TOO_LARGE' },
      },
    },
  });
}

describe('bodies', () => {
  test('payload too large (tRPC #3359): 413 above the limit, accepted at the limit and below it', async () => {
    const { url } = await startAdapter({ maxBodySize: 100 });
    const envelope = JSON.stringify({ json: '' }).length;
    const ofBytes = (bytes: number) => ({ json: 'x'.repeat(bytes - envelope) });
    await expectTooLarge(await postJson(`${url}/length`, ofBytes(101)));
    for (const bytes of [100, 75]) {
      expect((await postJson(`${url}/length`, ofBytes(bytes))).status).toBe(200);
    }
  });

  test('a large body arrives complete', async () => {
    const { url } = await startAdapter({ maxBodySize: 10_000_000 });
    const response = await postJson(`${url}/length`, { json: 'x'.repeat(9_000_000) });
    expect(await response.json()).toEqual({ result: { data: { json: 9_000_000 } } });
  });

  test('a body in chunks is rejected in the error format of a procedure', async () => {
    const { url } = await startAdapter();
    const body = ReadableStream.from([Buffer.from('{"json":'), Buffer.from('"x"}')]);
    const response = await fetch(`${url}/length`, {
      method: 'POST',
      headers: JSON_TYPE,
      duplex: 'half',
      body,
    });
    expect(response.status).toBe(411);
    expect(await response.json()).toMatchObject({
      error: { json: { data: { httpStatus: 411, errorCode: 'LENGTH_REQUIRED' } } },
    });
  });

  test('a slow request body arrives, even when split inside a character', async () => {
    const { port } = await startAdapter();
    const body = Buffer.from(JSON.stringify({ json: 'ééé' }));
    const connection = await connectRaw(port);
    connection.send(`${POST}Content-Length: ${body.length}\r\n\r\n`);
    for (const byte of body) {
      await new Promise((resolve) => setImmediate(resolve));
      connection.send(new Uint8Array([byte]));
    }
    await connection.until(/\{"result":\{"data":\{"json":3\}\}\}$/);
  });

  test('an empty body over a raw connection is accepted, and so is another call on it', async () => {
    const { port } = await startAdapter();
    const connection = await connectRaw(port);
    connection.send(`${POST.replace('length', 'mutate')}Content-Length: 0\r\n\r\n`);
    await connection.until(/"done"/);
    connection.send('GET /api/trpc/hello HTTP/1.1\r\nHost: x\r\n\r\n');
    await connection.until(/hello world/);
  });
});

describe('clients that disconnect', () => {
  test('aborted request: a disconnect before the body is complete calls nothing', async () => {
    const { port, url, contexts, logs } = await startAdapter();
    const connection = await connectRaw(port);
    connection.send(`${POST}Content-Length: 100\r\n\r\n{"json"`);
    connection.socket.end();
    await connection.untilClosed();
    expect((await fetch(`${url}/hello`)).status).toBe(200);
    expect(contexts.map(({ path }) => path)).toEqual(['/api/trpc/hello']);
    expect(logs).toEqual([]);
  });

  test("aborted in flight: the procedure's signal is aborted, its late answer dropped, and the server keeps running", async () => {
    const door = doors();
    const { url, logs } = await startAdapter({ doors: door });
    const controller = new AbortController();
    const call = fetch(`${url}/wait`, { signal: controller.signal });
    const signal = await door.entered.opened;
    expect(signal.aborted).toBe(false);
    controller.abort();
    await expect(call).rejects.toThrow();
    await door.aborted.opened;
    expect(signal.aborted).toBe(true);
    expect((await fetch(`${url}/hello`)).status).toBe(200);
    expect(logs).toEqual([]);
  });

  test('a disconnect exactly when the answer is ready never writes to the closed response', async () => {
    for (let round = 0; round < 20; round += 1) {
      const door = doors();
      const { port, url, logs } = await startAdapter({ doors: door });
      const connection = await connectRaw(port);
      connection.send('GET /api/trpc/wait HTTP/1.1\r\nHost: x\r\n\r\n');
      const signal = await door.entered.opened;
      connection.socket.resetAndDestroy();
      door.leave.open();
      await eventually(() => signal.aborted || connection.closed, {
        what: 'the end of the call',
        intervalMs: 1,
      });
      expect((await fetch(`${url}/hello`)).status).toBe(200);
      expect(logs).toEqual([]);
    }
  });

  test('a procedure that answers in time is not aborted', async () => {
    const door = doors();
    const { url } = await startAdapter({ doors: door });
    const call = fetch(`${url}/wait`);
    const signal = await door.entered.opened;
    door.leave.open();
    expect(await (await call).json()).toEqual({ result: { data: { json: 'waited' } } });
    expect(signal.aborted).toBe(false);
  });
});
