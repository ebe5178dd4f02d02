import { helpText, readCommandLine } from './options.ts';
import { startFeedSimulator } from './server.ts';

/** The feed simulator as a separate program. SIGTERM and SIGINT close it. */
async function main(): Promise<void> {
  const { help, ...options } = readCommandLine(process.argv.slice(2));
  if (help) {
    process.stdout.write(helpText());
    return;
  }
  const simulator = await startFeedSimulator(options);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void simulator.close().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ listening: simulator.url })}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
