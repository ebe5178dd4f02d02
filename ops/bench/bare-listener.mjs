import { createServer } from 'node:http';

/** The least that a server in Node.js is: nothing to load, nothing to open. */
const server = createServer((_, response) => response.end());
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
});
