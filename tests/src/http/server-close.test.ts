import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { connectRaw } from '../../support/http/raw-client.ts';
import { gate, get, startServer, text } from '../../support/http/test-server.ts';

const refusesConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });

describe('close', () => {
  test('accepts no new connections, and lets the request in flight finish', async () => {
    const arrived = gate();
    const answer = gate();
    const { server, port } = await startServer([
      get('/a', async () => {
        arrived.open();
        await answer.opened;
        return text('finished');
      }),
    ]);
    const connection = await connectRaw(port);
    connection.send('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.opened;
    let closed = false;
    const closing = server.close(AbortSignal.timeout(30_000)).then(() => {
      closed = true;
    });
    expect(await refusesConnections(port)).toBe(true);
    expect(closed).toBe(false);
    answer.open();
    await closing;
    const transcript = await connection.untilClosed();
    expect(transcript).toMatch(/^connection: close\r$/im);
    expect(transcript).toMatch(/finished$/);
  });

  test('lets a stream in flight finish', async () => {
    const first = gate();
    const rest = gate();
    async function* pieces() {
      yield Buffer.from('first,');
      first.open();
      await rest.opened;
      yield Buffer.from('rest');
    }
    const { server, origin } = await startServer([
      get('/a', () => ({ status: 200, headers: [], body: pieces() })),
    ]);
    const response = await fetch(`${origin}/a`);
    await first.opened;
    const closing = server.close(AbortSignal.timeout(30_000));
    rest.open();
    expect(await response.text()).toBe('first,rest');
    await closing;
  });

  test('after the grace period it closes the remaining connections and aborts their signals', async () => {
    const arrived = gate();
    const aborted = gate();
    const { server, port, logs } = await startServer([
      get(
        '/a',
        ({ signal }) =>
          new Promise(() => {
            arrived.open();
            signal.addEventListener('abort', () => aborted.open());
          }),
      ),
    ]);
    const connection = await connectRaw(port);
    connection.send('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.opened;
    await server.close(AbortSignal.timeout(50));
    await aborted.opened;
    expect(await connection.untilClosed()).toBe('');
    expect(logs).toMatchObject([{ level: 'warn', fields: { inFlight: 1 } }]);
  });

  test('closes idle connections at once, can be repeated, and works before listening', async () => {
    const { server, port } = await startServer([get('/a', () => text('a'))]);
    const idle = await connectRaw(port);
    idle.send('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    await idle.until(/\r\na$/);
    await Promise.all([server.close(AbortSignal.timeout(30_000)), server.close(AbortSignal.timeout(0))]);
    await server.close(AbortSignal.timeout(30_000));
    await idle.untilClosed();
  });
});
