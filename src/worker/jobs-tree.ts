import { PURCHASE_KINDS, type PurchaseKind } from '../../machines/purchase-kinds.ts';
import { createPostgresLeases } from '../../persistence/actors/postgres-leases.ts';
import { callForOrphans } from '../../persistence/actors/worker-look.ts';
import type { Reporter, StartsAllowed } from '../../supervisors/ports.ts';
import { JobRunner } from '../../supervisors/runner/job-runner.ts';
import { LeaseKeeper } from '../../supervisors/runner/lease-keeper.ts';
import { enqueueRetry } from '../../supervisors/runner/next-entry.ts';
import type { Service } from '../../supervisors/supervision/service.ts';
import { Supervisor, type SupervisorSpec } from '../../supervisors/supervision/supervisor.ts';
import { createDispatcher, createRescuer } from '../../supervisors/sweepers/dispatcher.ts';
import { isOutage } from '../errors/outage.ts';
import { createAiConsumer } from '../queues/ai-consumer.ts';
import { createConsumer, jobEntry } from '../queues/consumer.ts';
import { queueNames } from '../queues/names.ts';
import { createNudgeListener } from '../queues/nudges.ts';
import { createStageRoomBridge } from '../queues/stage-room-bridge.ts';
import type { WorkerParts } from './parts.ts';
import { blockingRedis } from './services.ts';

/** The differences between the trees of the kinds of jobs. */
interface KindOfTree {
  name: string;
  consumer: { name: string; create(parts: WorkerParts, runner: JobRunner): Service };
  /** Jobs at a time in this process. */
  concurrency: keyof Pick<WorkerParts['config'], 'stagingConcurrency' | 'descriptionConcurrency'>;
  startsPerMinute(parts: WorkerParts): number | null;
}

const TREES: Readonly<Record<PurchaseKind, KindOfTree>> = {
  stagingJob: {
    name: 'staging',
    consumer: { name: 'staging-consumer', create: stagingConsumer },
    concurrency: 'stagingConcurrency',
    startsPerMinute: ({ config }) => config.rateLimitPerMinute,
  },
  descriptionJob: {
    name: 'descriptions',
    consumer: { name: 'ai-consumer', create: aiConsumer },
    concurrency: 'descriptionConcurrency',
    startsPerMinute: () => null,
  },
};

/** All services that run the jobs of one kind. Each child depends on the ones above it. */
export function jobsTree(
  parts: WorkerParts,
  kind: PurchaseKind,
  {
    startsAllowed,
    refreshStarts,
    intensity,
  }: {
    startsAllowed: StartsAllowed;
    refreshStarts(): Promise<void>;
    intensity: SupervisorSpec['intensity'];
  },
): Service {
  const { name, consumer, concurrency, startsPerMinute } = TREES[kind];
  const { config, clock, timers, reporter, queues, timings, node, shift } = parts;
  const store = { ...parts.store, ...createPostgresLeases(parts.database.pool, PURCHASE_KINDS[kind].type) };
  const sweep = { store, clock, timers, reporter, startsAllowed, isOutage };
  // Set by earlier children before the later ones are created; rest_for_one restarts them together.
  let leases: LeaseKeeper;
  let runner: JobRunner;
  return new Supervisor({
    name,
    strategy: 'rest_for_one',
    intensity,
    clock,
    timers,
    reporter,
    children: [
      {
        name: 'lease-keeper',
        create: () => {
          leases = new LeaseKeeper({ store, clock, timers, reporter, owner: node, timings: timings.lease });
          return leases;
        },
      },
      {
        name: 'job-runner',
        create: () => {
          runner = new JobRunner({
            ...parts,
            kind,
            store,
            leases,
            startsAllowed,
            refreshStarts,
            startsPerMinute: startsPerMinute(parts),
            concurrency: config[concurrency],
            pollIntervalMs: config.provider.pollIntervalMs,
          });
          return runner;
        },
      },
      {
        name: 'nudge-listener',
        create: () =>
          createNudgeListener({
            connect: blockingRedis(parts),
            suffix: config.queueSuffix,
            onNudge: (jobId) => runner.nudge(jobId),
          }),
      },
      { name: consumer.name, create: () => consumer.create(parts, runner) },
      {
        name: 'dispatcher',
        create: () =>
          createDispatcher({
            ...sweep,
            timers: shift.timers(),
            reporter: countingRepairs(parts, name),
            queue: queues[kind],
            inTurn: parts.inTurn,
            kind: name,
            intervalMs: timings.dispatchMs,
          }),
      },
      {
        name: 'rescuer',
        create: () =>
          createRescuer({
            ...sweep,
            timers: shift.timers({ isWanted: ({ hasOrphans }) => hasOrphans }),
            runner,
            callOthers: () => callForOrphans(parts.database.pool, node),
            intervalMs: timings.rescueMs,
          }),
      },
    ],
  });
}

/** The reporter with repairs counted for this queue. */
function countingRepairs({ reporter, metrics }: WorkerParts, queue: string): Reporter {
  return {
    ...reporter,
    count(name, by = 1) {
      if (name === 'dispatcher_repairs') metrics.dispatcherRepairs.inc({ queue }, by);
      else reporter.count(name, by);
    },
  };
}

function stagingConsumer(parts: WorkerParts, runner: JobRunner): Service {
  const { config, store, queues, clock, reporter, timers } = parts;
  return createConsumer({
    queue: queueNames(config.queueSuffix).staging,
    connect: blockingRedis(parts),
    payload: jobEntry,
    handle: ({ aiJobId }, delivery) => runner.startFromQueue(aiJobId, delivery),
    settled: ({ aiJobId }) => enqueueRetry({ store, queue: queues.stagingJob, clock }, aiJobId),
    mayTake: () => !parts.databaseClock.isSkewed(),
    reporter,
    timers,
    worker: {
      concurrency: config.stagingConcurrency,
      limiter: { max: config.rateLimitPerMinute, duration: 60_000 },
    },
  });
}

/** The consumer of `ai{QUEUE_SUFFIX}`, which also holds messages of the old release. */
function aiConsumer(parts: WorkerParts, runner: JobRunner): Service {
  const { config, clock, timers, reporter, queues } = parts;
  return createAiConsumer({
    queue: queueNames(config.queueSuffix).descriptions,
    connect: blockingRedis(parts),
    describe: (jobId, delivery) => runner.startFromQueue(jobId, delivery),
    bridge: createStageRoomBridge({
      ...parts,
      queue: queues.stagingJob,
      pool: parts.database.pool,
      providerInputs: config.providerInputs,
    }),
    clock,
    timers,
    reporter,
    mayTake: () => !parts.databaseClock.isSkewed(),
    concurrency: config.descriptionConcurrency,
  });
}
