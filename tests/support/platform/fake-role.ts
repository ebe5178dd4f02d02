/**
 * Replaces a process of the platform in tests of the launcher: prints its role's names, then listens or ends.
 */
import { createServer } from 'node:http';

const [role] = process.argv.slice(2);
console.log(JSON.stringify({ msg: 'environment', role, names: Object.keys(process.env).sort() }));
if (role !== 'release') {
  const server = createServer((_, response) => response.end('ok'));
  server.listen(Number(process.env[role === 'web' ? 'PORT' : 'OPS_PORT']), '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    console.log(JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` }));
  });
  process.once('SIGTERM', () => {
    console.log(`${role} drains`);
    process.exit(0);
  });
}
