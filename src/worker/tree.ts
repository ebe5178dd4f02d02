import { REPEAT_DAYS } from '../../persistence/accounts/idempotency-keys.ts';
import { inTurn } from '../../persistence/actors/sweep-turns.ts';
import { awaitedPurchases } from '../../persistence/jobs/awaited-purchases.ts';
import { STAGING_COUNTS_KEPT_DAYS } from '../../persistence/jobs/staging-quotas.ts';
import { dueTours } from '../../persistence/listings/tour-queries.ts';
import type { StartsAllowed } from '../../supervisors/ports.ts';
import type { Service } from '../../supervisors/supervision/service.ts';
import { type ChildSpec, createSupervisor } from '../../supervisors/supervision/supervisor.ts';
import { drainDeletions } from '../../supervisors/sweepers/deletion-drain.ts';
import { watchPauseSwitch } from '../../supervisors/sweepers/pause-switch-watch.ts';
import { createPredictionScanner } from '../../supervisors/sweepers/prediction-scanner.ts';
import { createTourSweeper } from '../../supervisors/sweepers/tour-sweeper.ts';
import { createConsumer, drainEntry, searchEntry } from '../queues/consumer.ts';
import { createDrainScheduler } from '../queues/drain-scheduler.ts';
import { queueNames } from '../queues/names.ts';
import { createBlockingRedis } from '../queues/redis.ts';
import { createSearchSweeper, indexProperty } from '../search/indexer.ts';
import { createSearchRebuilder } from '../search/rebuilder.ts';
import { StorageError } from '../storage/object-storage.ts';
import { createAlerts } from '../telemetry/alerts.ts';
import { createBacklogGauges } from './backlog-gauges.ts';
import { createCostRecorder } from './cost-recorder.ts';
import { jobsTree } from './jobs-tree.ts';
import type { WorkerParts } from './parts.ts';
import { createRetention } from './retention.ts';

/**
 * The worker's supervision tree, as a list to be read from top to bottom.
 *
 *   worker (one_for_one)
 *   ├── pause-switch
 *   ├── staging (rest_for_one)   lease-keeper, job-runner, nudge-listener, consumer, dispatcher, rescuer
 *   ├── descriptions (rest_for_one)   lease-keeper, job-runner, nudge-listener, ai-consumer, dispatcher, rescuer
 *   ├── storage (one_for_one)    drain consumer, drain-scheduler
 *   ├── search  (one_for_one)    index consumer, search-sweeper, search-rebuilder
 *   ├── tours   (one_for_one)    tour-sweeper
 *   ├── prediction-scanner
 *   └── alerts, backlog-gauges, retention, cost-recorder
 *
 * In `staging` and `descriptions` each child works through those above it, so they restart together; elsewhere alone. The
 * pause switch is read before anything below it starts. A child
 * that keeps crashing takes its supervisor down, then the process, which the platform restarts.
 */
const INTENSITY = { restarts: 5, withinMs: 60_000 };

export function createWorkerTree(parts: WorkerParts): Service {
  const { clock, timers, reporter } = parts;
  const common = { strategy: 'one_for_one', intensity: INTENSITY, clock, timers, reporter } as const;
  const pauseSwitch = watchPauseSwitch({
    ...parts,
    intervalMs: parts.timings.pauseSwitchMs,
    onChange: (open) => parts.logger.info(open ? 'the pause switch is off' : 'the pause switch is on'),
  });
  const startsAllowed: StartsAllowed = () => parts.config.stagingEnabled && pauseSwitch.isOpen();
  return createSupervisor({
    ...common,
    name: 'worker',
    children: [
      { name: 'pause-switch', create: () => pauseSwitch.service() },
      {
        name: 'staging',
        create: () => jobsTree(parts, 'stagingJob', { startsAllowed, intensity: INTENSITY }),
      },
      {
        name: 'descriptions',
        create: () => jobsTree(parts, 'descriptionJob', { startsAllowed, intensity: INTENSITY }),
      },
      { name: 'storage', create: () => storageTree(parts) },
      { name: 'search', create: () => searchTree(parts) },
      { name: 'tours', create: () => toursTree(parts) },
      { name: 'prediction-scanner', create: () => predictionScanner(parts) },
      { name: 'alerts', create: () => alerts(parts) },
      { name: 'backlog-gauges', create: () => backlogGauges(parts) },
      { name: 'retention', create: () => retention(parts) },
      ...costRecorder(parts),
    ],
  });
}

function storageTree(parts: WorkerParts): Service {
  const { config, clock, timers, reporter, redis, storage, timings } = parts;
  const suffix = config.queueSuffix;
  const deleter = {
    delete: async (objectKey: string, signal: AbortSignal) => {
      try {
        await storage.delete(objectKey, { signal });
        return { kind: 'deleted' } as const;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        const errorClass = error.kind === 'needs-person' ? 'needs-person' : 'transient';
        return { kind: 'failed', errorClass, error: `${error.code}: ${error.message}` } as const;
      }
    },
  };
  return createSupervisor({
    name: 'storage',
    strategy: 'one_for_one',
    intensity: INTENSITY,
    clock,
    timers,
    reporter,
    children: [
      {
        name: 'drain-consumer',
        create: () =>
          createConsumer({
            queue: queueNames(suffix).storage,
            connect: () =>
              createBlockingRedis(config.kvUrl, (error) => reporter.problem('key-value store', error)),
            payload: drainEntry,
            handle: async (_entry, _delivery, stop) => {
              await drainDeletions({ ...parts, deleter }, stop);
              return null;
            },
            reporter,
            worker: { concurrency: 1 },
          }),
      },
      {
        name: 'drain-scheduler',
        create: () =>
          createDrainScheduler({
            redis,
            suffix,
            timers,
            reporter,
            everyMs: timings.drainMs,
            intervalMs: timings.drainScheduleMs,
          }),
      },
    ],
  });
}

function searchTree(parts: WorkerParts): Service {
  const { config, clock, timers, reporter, timings } = parts;
  const ports = { ...parts, pool: parts.database.pool, publicBaseUrl: config.publicBaseUrl };
  return createSupervisor({
    name: 'search',
    strategy: 'one_for_one',
    intensity: INTENSITY,
    clock,
    timers,
    reporter,
    children: [
      {
        name: 'index-consumer',
        create: () =>
          createConsumer({
            queue: queueNames(config.queueSuffix).search,
            connect: () =>
              createBlockingRedis(config.kvUrl, (error) => reporter.problem('key-value store', error)),
            payload: searchEntry,
            handle: async ({ propertyId }) => {
              await indexProperty(ports, propertyId);
              return null;
            },
            reporter,
            worker: { concurrency: 4 },
          }),
      },
      {
        name: 'search-sweeper',
        create: () =>
          createSearchSweeper({ ...ports, queue: parts.searchQueue, intervalMs: timings.searchSweepMs }),
      },
      {
        name: 'search-rebuilder',
        create: () =>
          createSearchRebuilder({ ...ports, holder: parts.node, intervalMs: timings.searchSweepMs }),
      },
    ],
  });
}

function toursTree(parts: WorkerParts): Service {
  const { clock, timers, reporter, timings, database } = parts;
  return createSupervisor({
    name: 'tours',
    strategy: 'one_for_one',
    intensity: INTENSITY,
    clock,
    timers,
    reporter,
    children: [
      {
        name: 'tour-sweeper',
        create: () =>
          createTourSweeper({
            ...parts,
            dueTours: (page) => dueTours(database.pool, page),
            intervalMs: timings.toursMs,
          }),
      },
    ],
  });
}

function predictionScanner(parts: WorkerParts): Service {
  const { database, node, timings } = parts;
  return createPredictionScanner({
    ...parts,
    awaited: () => awaitedPurchases(database.pool),
    takeTurn: (turn, work) => inTurn(database.pool, { ...turn, holder: node }, work),
    intervalMs: timings.scanMs,
  });
}

function alerts(parts: WorkerParts): Service {
  const awaited = () => awaitedPurchases(parts.database.pool);
  return createAlerts({ ...parts, awaited, intervalMs: parts.timings.alertsMs });
}

function backlogGauges(parts: WorkerParts): Service {
  const { database, observedQueues, timings } = parts;
  return createBacklogGauges({
    ...parts,
    pool: database.pool,
    queues: observedQueues,
    intervalMs: timings.gaugesMs,
  });
}

function retention(parts: WorkerParts): Service {
  const { config, database, timings } = parts;
  return createRetention({
    ...parts,
    pool: database.pool,
    days: { ...config.retentionDays, repeats: REPEAT_DAYS, counts: STAGING_COUNTS_KEPT_DAYS },
    intervalMs: timings.retentionMs,
  });
}

/** Without prices there is nothing to note. */
function costRecorder(parts: WorkerParts): ChildSpec[] {
  const { config, database, timings } = parts;
  const { costMicrousd: prices, pricingVersion } = config;
  if (Object.keys(prices).length === 0) return [];
  const options = { ...parts, pool: database.pool, prices, pricingVersion, intervalMs: timings.costsMs };
  return [{ name: 'cost-recorder', create: () => createCostRecorder(options) }];
}
