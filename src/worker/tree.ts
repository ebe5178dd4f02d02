import { dueTours } from '../../persistence/tour-queries.ts';
import { drainDeletions } from '../../supervisors/deletion-drain.ts';
import { createAdopter, createDispatcher } from '../../supervisors/dispatcher.ts';
import { createJobRunner, type JobRunner } from '../../supervisors/job-runner.ts';
import { createLeaseKeeper, type LeaseKeeper } from '../../supervisors/lease-keeper.ts';
import type { StartSwitch } from '../../supervisors/ports.ts';
import type { Service } from '../../supervisors/service.ts';
import { watchStartGate } from '../../supervisors/start-gate-watch.ts';
import { type ChildSpec, createSupervisor } from '../../supervisors/supervisor.ts';
import { createTourSweeper } from '../../supervisors/tour-sweeper.ts';
import { isOutage } from '../errors/outage.ts';
import { StorageError } from '../object-storage.ts';
import { createConsumer, drainEntry, jobEntry, searchEntry } from '../queues/consumer.ts';
import { createDrainScheduler } from '../queues/drain-scheduler.ts';
import { queueNames } from '../queues/names.ts';
import { createNudgeListener } from '../queues/nudges.ts';
import { createBlockingRedis } from '../queues/redis.ts';
import { createSearchSweeper, indexProperty } from '../search/indexer.ts';
import { createAlerts } from './alerts.ts';
import { createBacklogGauges } from './backlog-gauges.ts';
import { createCostRecorder } from './cost-recorder.ts';
import { descriptionsTree } from './descriptions-tree.ts';
import type { WorkerParts } from './parts.ts';

/**
 * The worker's supervision tree, as a list to be read from top to bottom.
 *
 *   worker (one_for_one)
 *   ├── start-gate
 *   ├── staging (rest_for_one)   lease-keeper, job-runner, nudge-listener, consumer, dispatcher, adopter
 *   ├── descriptions (rest_for_one)   lease-keeper, job-runner, ai-consumer, dispatcher, adopter
 *   ├── storage (one_for_one)    drain consumer, drain-scheduler
 *   ├── search  (one_for_one)    index consumer, search-sweeper
 *   ├── tours   (one_for_one)    tour-sweeper
 *   └── alerts, backlog-gauges, cost-recorder
 *
 * In `staging` and `descriptions` each child works through those above it, so they restart together; elsewhere alone. The
 * start gate is read before anything below it starts. A child
 * that keeps crashing takes its supervisor down, then the process, which the platform restarts.
 */
const INTENSITY = { restarts: 5, withinMs: 60_000 };
const QUICK_MS = 2_000;

export function createWorkerTree(parts: WorkerParts): Service {
  const { clock, reporter } = parts;
  const common = { strategy: 'one_for_one', intensity: INTENSITY, clock, reporter } as const;
  const gate = watchStartGate({
    ...parts,
    intervalMs: parts.timings.startGateMs,
    onChange: (open) => parts.logger.info(open ? 'the start gate is open' : 'the start gate is closed'),
  });
  const mayStart: StartSwitch = () => parts.config.stagingEnabled && gate.isOpen();
  return createSupervisor({
    ...common,
    name: 'worker',
    children: [
      { name: 'start-gate', create: () => gate.service(), shutdownMs: QUICK_MS },
      {
        name: 'staging',
        create: () => stagingTree(parts, mayStart),
        shutdownMs: parts.config.shutdownGraceMs,
      },
      {
        name: 'descriptions',
        create: () => descriptionsTree(parts, { mayStart, intensity: INTENSITY, quickMs: QUICK_MS }),
        shutdownMs: parts.config.shutdownGraceMs,
      },
      { name: 'storage', create: () => storageTree(parts), shutdownMs: QUICK_MS },
      { name: 'search', create: () => searchTree(parts), shutdownMs: QUICK_MS },
      { name: 'tours', create: () => toursTree(parts), shutdownMs: QUICK_MS },
      { name: 'alerts', create: () => alerts(parts), shutdownMs: QUICK_MS },
      { name: 'backlog-gauges', create: () => backlogGauges(parts), shutdownMs: QUICK_MS },
      ...costRecorder(parts),
    ],
  });
}

function stagingTree(parts: WorkerParts, mayStart: StartSwitch): Service {
  const { config, store, clock, timers, reporter, queue, timings, node } = parts;
  const suffix = config.queueSuffix;
  const sweep = { store, clock, timers, reporter, mayStart, isOutage };
  const connect = () =>
    createBlockingRedis(config.kvUrl, (error) => reporter.problem('key-value store', error));
  // Set by the children above before those below are created; rest_for_one keeps them in step.
  let leases: LeaseKeeper;
  let runner: JobRunner;
  return createSupervisor({
    name: 'staging',
    strategy: 'rest_for_one',
    intensity: INTENSITY,
    clock,
    reporter,
    children: [
      {
        name: 'lease-keeper',
        shutdownMs: QUICK_MS,
        create: () => {
          leases = createLeaseKeeper({ store, clock, timers, reporter, owner: node, timings: timings.lease });
          return leases;
        },
      },
      {
        name: 'job-runner',
        shutdownMs: config.shutdownGraceMs,
        create: () => {
          runner = createJobRunner({
            ...parts,
            leases,
            mayStart,
            concurrency: config.stagingConcurrency,
            pollIntervalMs: config.provider.pollIntervalMs,
          });
          return runner;
        },
      },
      {
        name: 'nudge-listener',
        shutdownMs: QUICK_MS,
        create: () => createNudgeListener({ connect, suffix, onNudge: (jobId) => runner.nudge(jobId) }),
      },
      {
        name: 'staging-consumer',
        shutdownMs: config.shutdownGraceMs,
        create: () => {
          const consumer = createConsumer({
            queue: queueNames(suffix).staging,
            connect,
            payload: jobEntry,
            handle: ({ aiJobId }, delivery) => runner.startFromQueue(aiJobId, delivery),
            settled: ({ aiJobId }) => enqueueRetry(parts, aiJobId),
            reporter,
            worker: {
              concurrency: config.stagingConcurrency,
              limiter: { max: config.rateLimitPerMinute, duration: 60_000 },
            },
          });
          // Entries in hand end when the runner drains, so both stop together.
          const stop = async (graceMs: number) =>
            void (await Promise.all([consumer.stop(graceMs), runner.stop(graceMs)]));
          return { ...consumer, stop };
        },
      },
      {
        name: 'dispatcher',
        shutdownMs: QUICK_MS,
        create: () => createDispatcher({ ...sweep, queue, intervalMs: timings.dispatchMs }),
      },
      {
        name: 'adopter',
        shutdownMs: QUICK_MS,
        create: () => createAdopter({ ...sweep, runner, intervalMs: timings.adoptMs }),
      },
    ],
  });
}

/**
 * A job that backs off needs its next entry under the id of the one that has just ended, which is free only
 * now. Without this the dispatcher would find it, later and as a repair.
 */
async function enqueueRetry({ store, queue, clock }: WorkerParts, jobId: string): Promise<void> {
  const aggregate = await store.readJob(jobId);
  const retryAt = aggregate?.job.state === 'RETRYING.BACKOFF' ? aggregate.job.context.retryAt : null;
  if (retryAt !== null) await queue.enqueue([jobId], { delayMs: Math.max(0, retryAt - clock.now()) });
}

function storageTree(parts: WorkerParts): Service {
  const { config, clock, timers, reporter, redis, storage, timings } = parts;
  const suffix = config.queueSuffix;
  const stopping = new AbortController();
  const deleter = {
    delete: async (objectKey: string) => {
      try {
        await storage.delete(objectKey);
        return { kind: 'deleted' } as const;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        const errorClass = error.kind === 'needs-person' ? 'needs-person' : 'transient';
        return { kind: 'failed', errorClass, error: `${error.code}: ${error.message}` } as const;
      }
    },
  };
  const tree = createSupervisor({
    name: 'storage',
    strategy: 'one_for_one',
    intensity: INTENSITY,
    clock,
    reporter,
    children: [
      {
        name: 'drain-consumer',
        shutdownMs: QUICK_MS,
        create: () =>
          createConsumer({
            queue: queueNames(suffix).storage,
            connect: () =>
              createBlockingRedis(config.kvUrl, (error) => reporter.problem('key-value store', error)),
            payload: drainEntry,
            handle: async () => void (await drainDeletions({ ...parts, deleter }, stopping.signal)),
            reporter,
            worker: { concurrency: 1 },
          }),
      },
      {
        name: 'drain-scheduler',
        shutdownMs: QUICK_MS,
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
  return {
    ...tree,
    stop: (graceMs) => {
      stopping.abort();
      return tree.stop(graceMs);
    },
  };
}

function searchTree(parts: WorkerParts): Service {
  const { config, clock, reporter, timings } = parts;
  const ports = { ...parts, pool: parts.database.pool, publicBaseUrl: config.publicBaseUrl };
  return createSupervisor({
    name: 'search',
    strategy: 'one_for_one',
    intensity: INTENSITY,
    clock,
    reporter,
    children: [
      {
        name: 'index-consumer',
        shutdownMs: QUICK_MS,
        create: () =>
          createConsumer({
            queue: queueNames(config.queueSuffix).search,
            connect: () =>
              createBlockingRedis(config.kvUrl, (error) => reporter.problem('key-value store', error)),
            payload: searchEntry,
            handle: ({ propertyId }) => indexProperty(ports, propertyId),
            reporter,
            worker: { concurrency: 4 },
          }),
      },
      {
        name: 'search-sweeper',
        shutdownMs: QUICK_MS,
        create: () =>
          createSearchSweeper({ ...ports, queue: parts.searchQueue, intervalMs: timings.searchSweepMs }),
      },
    ],
  });
}

function toursTree(parts: WorkerParts): Service {
  const { clock, reporter, timings, database } = parts;
  return createSupervisor({
    name: 'tours',
    strategy: 'one_for_one',
    intensity: INTENSITY,
    clock,
    reporter,
    children: [
      {
        name: 'tour-sweeper',
        shutdownMs: QUICK_MS,
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

function alerts(parts: WorkerParts): Service {
  return createAlerts({ ...parts, intervalMs: parts.timings.alertsMs });
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

/** Without prices there is nothing to note. */
function costRecorder(parts: WorkerParts): ChildSpec[] {
  const { config, database, timings } = parts;
  const { costMicrousd: prices, pricingVersion } = config;
  if (Object.keys(prices).length === 0) return [];
  const options = { ...parts, pool: database.pool, prices, pricingVersion, intervalMs: timings.costsMs };
  return [{ name: 'cost-recorder', create: () => createCostRecorder(options), shutdownMs: QUICK_MS }];
}
