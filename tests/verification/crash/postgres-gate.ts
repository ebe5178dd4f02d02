import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A proxy in front of PostgreSQL that can lose answers: matching statements are executed, their commit is
 * applied, and the connection breaks before the client gets the answer. It parses only the requests, and the
 * server's message that it is ready and outside of a transaction.
 */
export interface PostgresGate {
  readonly url: string;
  /** The next transaction whose statements or values hold these words is committed, and its answer is lost. */
  loseAnswerTo(words: string): Promise<void>;
  close(): Promise<void>;
}

/** ReadyForQuery, its length, and the status "idle": outside of any transaction. */
const READY_AND_IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function openPostgresGate(databaseUrl: string): Promise<PostgresGate> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let wanted: { words: string; lost(): void } | null = null;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) keep(socket);
    let asked = '';
    let tail = Buffer.alloc(0);
    let withheld: Buffer[] = [];
    client.on('data', (bytes) => {
      asked += bytes.toString('latin1');
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      tail = Buffer.concat([tail, bytes]).subarray(-READY_AND_IDLE.length);
      const isOver = tail.equals(READY_AND_IDLE);
      const fits = wanted !== null && asked.includes(wanted.words);
      if (fits && isOver) {
        wanted?.lost();
        wanted = null;
        return void client.destroy();
      }
      // The end of an answer is held until the gate has decided whether to send it.
      withheld.push(bytes);
      if (!fits || !endsTransaction(asked)) {
        for (const part of withheld) client.write(part);
        withheld = [];
      }
      if (isOver) asked = '';
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseAnswerTo: (words) =>
      new Promise((lost) => {
        wanted = { words, lost };
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A single statement is its own transaction; in an explicit one everything before the commit must be sent. */
const endsTransaction = (asked: string): boolean => !/\bbegin\b/i.test(asked) || /\bcommit\b/i.test(asked);
