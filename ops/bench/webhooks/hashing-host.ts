import { createHmac, randomBytes } from 'node:crypto';
import { App, us_socket_local_port } from '../../../src/http/uws.ts';

/**
 * Bare uWebSockets.js that hashes each body as a signature check does and then rejects: the minimum cost of a
 * rejection.
 */
const KEY = randomBytes(32);
const REJECTION = Buffer.from(
  '{"error":{"code":"WEBHOOK_SIGNATURE_INVALID","message":"The signature is wrong."}}',
);

const app = App();
app.post('/*', (res) => {
  res.onAborted(() => undefined);
  const chunks: Buffer[] = [];
  res.onData((chunk, isLast) => {
    chunks.push(Buffer.copyBytesFrom(new Uint8Array(chunk)));
    if (!isLast) return;
    createHmac('sha256', KEY).update(Buffer.concat(chunks)).digest('base64');
    res.cork(() => {
      res
        .writeStatus('401 Unauthorized')
        .writeHeader('content-type', 'application/json; charset=utf-8')
        .end(REJECTION);
    });
  });
});
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) throw new Error('Cannot listen');
  const url = `http://127.0.0.1:${us_socket_local_port(socket)}`;
  process.stdout.write(`${JSON.stringify({ msg: 'listening', url })}\n`);
});
