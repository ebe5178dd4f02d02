import { createConnection, createServer } from 'node:net';

/** A relay in front of a server that counts each byte that a client sends. */
export interface CountingRelay {
  /** The given URL, leading through the relay. */
  through(url: string): string;
  sentBytes(): number;
  stop(): Promise<void>;
}

export async function startCountingRelay(url: string): Promise<CountingRelay> {
  const { hostname: host, port } = new URL(url);
  let sent = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const far = createConnection({ host, port: Number(port), noDelay: true });
    client.on('data', (bytes) => {
      sent += bytes.length;
    });
    client.pipe(far).pipe(client);
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The relay does not listen.');
  return {
    through(given) {
      const led = new URL(given);
      led.host = `127.0.0.1:${address.port}`;
      return led.href;
    },
    sentBytes: () => sent,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
