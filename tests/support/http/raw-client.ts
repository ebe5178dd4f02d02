import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { eventually } from '../eventually.ts';

/** One TCP connection that sends exactly the given bytes and keeps everything received. */
export interface RawConnection {
  readonly socket: Socket;
  /** Latin-1, one character a byte. */
  send(bytes: string | Uint8Array): void;
  received(): string;
  readonly closed: boolean;
  /** Waits until the server has closed; returns everything received. */
  untilClosed(): Promise<string>;
  /** Waits until the received text matches; returns everything received. */
  until(pattern: RegExp): Promise<string>;
}

export async function connectRaw(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let closed = false;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  // A reset is one of the ways in which a server closes; `closed` tells it.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  onTestFinished(() => {
    socket.destroy();
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    send(bytes) {
      if (socket.writable) socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    },
    received: () => received,
    get closed() {
      return closed;
    },
    async untilClosed() {
      await eventually(() => closed, { what: `the server to close; it sent ${JSON.stringify(received)}` });
      return received;
    },
    async until(pattern) {
      await eventually(() => pattern.test(received), { what: `an answer like ${pattern}` });
      return received;
    },
  };
}

/** Sends one request on a connection of its own and waits until the server closes. */
export async function rawExchange(port: number, bytes: string): Promise<string> {
  const connection = await connectRaw(port);
  connection.send(bytes);
  return connection.untilClosed();
}

/** The JSON body of the last response in a transcript. */
export function jsonBody(transcript: string): unknown {
  return JSON.parse(transcript.slice(transcript.lastIndexOf('\r\n\r\n') + 4));
}

export const statusLine = (transcript: string): string => transcript.split('\r\n', 1)[0] ?? '';
