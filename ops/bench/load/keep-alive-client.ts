import { connect, type Socket } from 'node:net';

/**
 * One connection that sends the next request as soon as it has the answer. It reads only the status and the length
 * of an answer, so that the load costs little compared with the measured work.
 */
export interface KeepAliveClient {
  /** Sends a request and resolves with the status once the whole answer is there. One at a time. */
  ask(request: Buffer): Promise<number>;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;
const STATUS_DIGITS = 3;
const LENGTH = /\r\ncontent-length: ?(\d+)/i;
/** The end of a body in chunks. No answer that is measured holds it within. */
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

interface Waiting {
  resolve(status: number): void;
  reject(error: Error): void;
}

/** @throws Error of the socket when no server listens */
export async function openClient({ host, port }: { host: string; port: number }): Promise<KeepAliveClient> {
  const socket = connect({ host, port, noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return attach(socket);
}

function attach(socket: Socket): KeepAliveClient {
  let waiting: Waiting | null = null;
  /** What has come of an answer whose end is not known yet. */
  let begun: Buffer | null = null;
  let status = 0;
  /** Bytes of the body that are still to come; null while that is not known. */
  let missing: number | null = null;

  const settle = (): void => {
    const asked = waiting;
    waiting = null;
    missing = null;
    begun = null;
    asked?.resolve(status);
  };
  const fail = (error: Error): void => {
    const asked = waiting;
    waiting = null;
    socket.destroy();
    asked?.reject(error);
  };
  const begin = (bytes: Buffer): void => {
    const headEnd = bytes.indexOf(HEAD_END);
    const text = headEnd < 0 ? '' : bytes.toString('latin1', 0, headEnd);
    const length = LENGTH.exec(text)?.[1];
    begun = bytes;
    if (headEnd < 0) return;
    status = Number(text.slice(STATUS_AT, STATUS_AT + STATUS_DIGITS));
    if (length === undefined) {
      if (bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) settle();
      return;
    }
    missing = Number(length) - (bytes.length - headEnd - HEAD_END.length);
    if (missing === 0) settle();
  };
  socket.on('data', (chunk) => {
    if (missing === null) {
      begin(begun === null ? chunk : Buffer.concat([begun, chunk]));
      return;
    }
    missing -= chunk.length;
    if (missing === 0) settle();
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('The server has closed the connection.'));
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => void socket.destroy(),
  };
}
