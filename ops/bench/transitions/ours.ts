import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import type { JobAggregate } from '../../../persistence/actors/rows/job-row.ts';
import { openDatabase } from '../../../persistence/database/database.ts';
import { NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createRuntimeMetrics } from '../../../src/telemetry/runtime-metrics.ts';
import { createRuntimeReporter } from '../../../src/telemetry/runtime-reporter.ts';
import { systemChance, systemTimers } from '../../../src/time.ts';
import { createActorSystem } from '../../../supervisors/actors/deliver.ts';
import { secondsFor, serveTurns } from '../peers/serve-turns.ts';
import { LANES, LIFE_STEPS, ORIGIN, purchaseLife, readAllJobs } from './purchase-life.ts';

/**
 * A transition as the product makes it: the machine decides, the store writes, the reporter counts and logs. Only
 * the queue and the nudges, which are hints after the commit, are replaced by empty functions.
 */
const database = await openDatabase({
  url: process.env.DATABASE_URL ?? '',
  poolSize: LANES,
  pooler: process.env.DATABASE_POOLER === 'transaction' ? 'transaction' : 'none',
});
const store = createPostgresActorStore(database.pool);
const metrics = createMetrics({ role: 'worker' });
const reporter = createRuntimeReporter({
  logger: createLogger({ role: 'worker', level: 'info', destination: { write: () => {} } }),
  metrics,
  runtime: createRuntimeMetrics(metrics.registry),
  crashReports: NO_CRASH_REPORTS,
});
const nowhere = {
  publish: () => {},
  enqueue: async () => {},
  remove: async () => {},
  missing: async () => [],
};
const queue = { ...nowhere, pauseStarts: async () => {} };
const queues = { stagingJob: queue, descriptionJob: queue };
const actorSystem = createActorSystem({
  store,
  reporter,
  queues,
  nudges: nowhere,
  timers: systemTimers,
  chance: systemChance,
});

let jobs: JobAggregate[] = [];

async function live(job: JobAggregate | undefined): Promise<void> {
  const id = job?.attempts[0]?.id;
  if (!job || !id) throw new Error('a seeded job has no attempt');
  let seen = job;
  for (const event of purchaseLife(id, Date.now())) {
    const delivery = await actorSystem.deliverAsSeen(seen, { to: 'providerAttempt', id, event }, ORIGIN);
    if (!('now' in delivery) || !delivery.now)
      throw new Error(`${event.type} left the hot path: ${delivery.outcome}`);
    seen = delivery.now;
  }
}

serveTurns(
  {
    async prepare() {
      jobs = await readAllJobs(database.pool, store);
    },
    async turn() {
      const seconds = await secondsFor({ count: jobs.length, lanes: LANES }, (index) => live(jobs[index]));
      return (jobs.length * LIFE_STEPS) / seconds;
    },
  },
  () => database.close(),
);
