import { parseArgs } from 'node:util';
import { startRouterSimulator } from './server.ts';

/** The simulator of a router as a separate program: `npm run router-simulator -- --port N`. */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const simulator = await startRouterSimulator({ port: Number(values.port) });
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void simulator.close().then(() => process.exit(0)));
process.stdout.write(`${JSON.stringify({ listening: simulator.url })}\n`);
