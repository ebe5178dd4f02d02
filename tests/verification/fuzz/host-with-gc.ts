/**
 * The API host as a process of its own. On SIGUSR2 it collects all garbage and prints the remaining memory in
 * bytes. Run with `--expose-gc`.
 */

import { setImmediate } from 'node:timers/promises';
import { loadWebConfig } from '../../../src/config/config.ts';
import { NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { startWeb } from '../../../src/web/compose.ts';

const { gc } = globalThis;
if (gc === undefined) throw new Error('run it with --expose-gc');
const web = await startWeb(loadWebConfig(process.env), {
  logger: createLogger({ role: 'web', level: 'fatal', destination: { write: () => {} } }),
  crashReports: NO_CRASH_REPORTS,
});
let asked = 0;
process.on('SIGUSR2', async () => {
  asked += 1;
  // The next round collects what finalizers released.
  for (let round = 0; round < 4; round += 1) {
    await setImmediate();
    gc();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  console.log(`memory ${asked} ${JSON.stringify({ live: heapUsed + external, rss })}`);
});
process.on('SIGTERM', () => void web.stop(AbortSignal.timeout(1_000)).then(() => process.exit(0)));
console.log(`listening on ${web.url}`);
