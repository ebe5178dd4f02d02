import { readFileSync } from 'node:fs';
import { App, us_socket_local_port } from '../../../src/http/uws.ts';

/**
 * Bare uWebSockets.js: answers each path with bytes that it was given, a body only once it has come. This is what the
 * machine and the library can do for a server in JavaScript.
 */
export interface FixedAnswer {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly status: string;
  /** Without framing headers. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly bodyBase64: string;
}

const [file = ''] = process.argv.slice(2);
const app = App();
for (const { method, path, status, headers, bodyBase64 } of JSON.parse(
  readFileSync(file, 'utf8'),
) as FixedAnswer[]) {
  const body = Buffer.from(bodyBase64, 'base64');
  const answer = (res: Parameters<Parameters<typeof app.get>[1]>[0]): void => {
    res.cork(() => {
      res.writeStatus(status);
      for (const [name, value] of headers) res.writeHeader(name, value);
      res.end(body);
    });
  };
  if (method === 'GET') app.get(path, answer);
  else
    app.post(path, (res) => {
      res.onAborted(() => undefined);
      res.onData((_, isLast) => {
        if (isLast) answer(res);
      });
    });
}
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) throw new Error('Cannot listen');
  const url = `http://127.0.0.1:${us_socket_local_port(socket)}`;
  process.stdout.write(`${JSON.stringify({ msg: 'listening', url })}\n`);
});
