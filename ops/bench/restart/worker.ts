import { setImmediate } from 'node:timers/promises';
import { openDatabase } from '../../../persistence/database/database.ts';
import { loadWorkerConfig } from '../../../src/config/config.ts';
import type { ComposedRole } from '../../../src/role/compose.ts';
import { NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { startWorker } from '../../../src/worker/compose.ts';
import { serveTurns } from '../peers/serve-turns.ts';

/**
 * The worker role as it is, with room for every job at once (its own setting ends at 64) and with quick loops, so that
 * each of them is seen. Notes every statement it sends with the first values it was sent with.
 */
const statements = new Map<string, unknown[]>();
const LOOP_MS = 1_000;
let worker: ComposedRole | null = null;

async function start({ concurrency }: { concurrency: number }): Promise<void> {
  const config = { ...loadWorkerConfig(process.env), stagingConcurrency: concurrency };
  await noteStatements(config.databaseUrl);
  worker = await startWorker(config, {
    logger: createLogger({ role: 'worker', level: process.env.LOG_LEVEL ?? 'error' }),
    crashReports: NO_CRASH_REPORTS,
    overrides: {
      timings: { alertsMs: LOOP_MS, toursMs: LOOP_MS, drainMs: LOOP_MS, drainScheduleMs: LOOP_MS },
    },
  });
}

type Query = (
  this: object,
  config: string | { text?: string; values?: unknown[] },
  ...rest: unknown[]
) => unknown;

/** Listens at the driver that the platform's own pool uses, whichever copy of it that is. */
async function noteStatements(url: string): Promise<void> {
  const database = await openDatabase({ url, poolSize: 1 });
  const client = await database.pool.connect();
  const driver = Object.getPrototypeOf(client) as { query: Query };
  client.release();
  await database.close();
  const { query } = driver;
  driver.query = function noted(config, ...rest) {
    const sent = typeof config === 'string' ? { text: config, values: rest[0] } : config;
    const values = Array.isArray(sent.values) ? sent.values : [];
    if (sent.text !== undefined && !statements.has(sent.text)) statements.set(sent.text, values);
    return query.call(this, config, ...rest);
  };
}

/** Polls that the provider's list has answered, by the worker's own metrics. */
async function listed(): Promise<number> {
  const metrics = await fetch(`${worker?.opsUrl}/metrics`);
  return Number(/^proscenium_polls_listed_total\S* (\d+)/m.exec(await metrics.text())?.[1] ?? 0);
}

serveTurns(
  {
    start,
    listed,
    /** Bytes of live objects. */
    async heap() {
      // Weak references are let go of between two rounds.
      for (let pass = 0; pass < 4; pass++) {
        globalThis.gc?.();
        await setImmediate();
      }
      return process.memoryUsage().heapUsed;
    },
    statements: async () => [...statements],
  },
  // Giving back so many leases one by one would take too long.
  async () => void worker,
);
