import { helpText, readCommandLine } from './options.ts';
import { startSimulator } from './server.ts';

/** The simulator as a separate program. SIGTERM and SIGINT close it cleanly; kill -9 loses nothing either. */
async function main(): Promise<void> {
  const { help, ...options } = readCommandLine(process.argv.slice(2));
  if (help) {
    process.stdout.write(helpText());
    return;
  }
  const { publicUrl, ...rest } = options;
  const token = process.env.PROVIDER_API_TOKEN ?? '';
  const simulator = await startSimulator({
    ...rest,
    ...(token !== '' && { token }),
    ...(publicUrl !== undefined && { publicUrl }),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void simulator.close().then(() => process.exit(0)));
  }
  process.stdout.write(`${JSON.stringify({ listening: simulator.url })}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
