import { parseArgs } from 'node:util';
import type { ServiceSimulator, SimulatorAddress } from './server.ts';

/** Runs a simulated service as a separate program until it is stopped: `--port N`. Its address is the first line it writes. */
export async function runSimulator(
  start: (address: SimulatorAddress) => Promise<ServiceSimulator>,
): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const simulator = await start({ port: Number(values.port) });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void simulator.close().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ listening: simulator.url })}\n`);
}
