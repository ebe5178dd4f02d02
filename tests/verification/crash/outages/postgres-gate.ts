import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { WebPoint } from '../named-points.ts';

/**
 * A proxy in front of PostgreSQL that breaks a connection at the commit of a matching transaction. Before it, the
 * COMMIT does not reach the server, which rolls back; after it, the commit is applied and the client does not get the
 * answer. It parses only the requests, and the server's message that it is ready and outside of a transaction.
 */
export interface PostgresGate {
  readonly url: string;
  /**
   * Resolves when the next transaction whose statements or values hold these words was cut off at the point; `deed` is
   * done just before.
   */
  cutAt(point: WebPoint, words: string, deed?: () => void): Promise<void>;
  close(): Promise<void>;
}

/** ReadyForQuery, its length, and the status "idle": outside of any transaction. */
const READY_AND_IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function openPostgresGate(databaseUrl: string): Promise<PostgresGate> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let wanted: { point: WebPoint; words: string; cut(): void } | null = null;
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
    const fits = (point: WebPoint) => wanted?.point === point && asked.includes(wanted.words);
    const cut = () => {
      wanted?.cut();
      wanted = null;
      client.destroy();
    };
    client.on('data', (bytes) => {
      const part = bytes.toString('latin1');
      asked += part;
      if (fits('before-commit') && COMMIT.test(part)) return cut();
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      tail = Buffer.concat([tail, bytes]).subarray(-READY_AND_IDLE.length);
      const isOver = tail.equals(READY_AND_IDLE);
      const isWanted = fits('after-commit');
      if (isWanted && isOver) return cut();
      // The end of an answer is held until the gate has decided whether to send it.
      withheld.push(bytes);
      if (!isWanted || !endsTransaction(asked)) {
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
    cutAt: (point, words, deed = () => {}) =>
      new Promise((resolve) => {
        const cut = () => {
          deed();
          resolve();
        };
        wanted = { point, words, cut };
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const COMMIT = /\bcommit\b/i;
/** A single statement is its own transaction; in an explicit one everything before the commit must be sent. */
const endsTransaction = (asked: string): boolean => !/\bbegin\b/i.test(asked) || COMMIT.test(asked);
