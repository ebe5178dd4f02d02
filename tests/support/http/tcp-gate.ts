import { createConnection, createServer, type Socket } from 'node:net';

/**
 * A proxy to a server that can be cut and opened again: while cut, all connections end and new ones are
 * refused.
 */
export interface TcpGate {
  /** The given URL, leading through the gate. */
  through(url: string): string;
  cut(): Promise<void>;
  open(): Promise<void>;
}

export async function createTcpGate(url: string): Promise<TcpGate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = createConnection({ host: target.hostname, port: Number(target.port) });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  let port = 0;
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        if (typeof address === 'object' && address !== null) port = address.port;
        resolve();
      });
    });
  await listen();
  return {
    through(given) {
      const led = new URL(given);
      led.hostname = '127.0.0.1';
      led.port = String(port);
      return led.href;
    },
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    open: listen,
  };
}
