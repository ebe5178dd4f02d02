import { connect } from 'node:net';

/** The interim response that allows the client to send the body. */
const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/;
/** After this silence the server is waiting for more bytes: even a starved one has answered by then. */
const SILENCE_MS = 1_500;

/**
 * Sends bytes on a new connection and returns everything received, as Latin-1. Ends when the server closes,
 * when one whole answer has arrived, or after silence; then our side closes, like a client that gives up.
 */
export function rawExchange(port: number, { bytes, cut }: { bytes: Buffer; cut: boolean }): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const headOnly = bytes.toString('latin1', 0, 5) === 'HEAD ';
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received = (received + chunk.toString('latin1')).replace(CONTINUE, '');
      if (isWhole(received, headOnly)) socket.destroy();
    });
    socket.setTimeout(SILENCE_MS, () => socket.end());
    // A reset is one of the ways in which a server closes.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    socket.write(bytes);
    if (cut) socket.end();
  });
}

function isWhole(received: string, headOnly: boolean): boolean {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  if (headOnly) return true;
  const length = /^content-length: (\d+)\r?$/im.exec(received.slice(0, headEnd + 2))?.[1];
  return length !== undefined && received.length >= headEnd + 4 + Number(length);
}
