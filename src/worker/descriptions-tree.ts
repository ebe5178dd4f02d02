import type { Reporter, StartsAllowed } from '../../supervisors/ports.ts';
import { descriptionWork } from '../../supervisors/runner/description-work.ts';
import { createRunner, type JobRunner } from '../../supervisors/runner/job-runner.ts';
import { createLeaseKeeper, type LeaseKeeper } from '../../supervisors/runner/lease-keeper.ts';
import type { Service } from '../../supervisors/supervision/service.ts';
import { createSupervisor, type SupervisorSpec } from '../../supervisors/supervision/supervisor.ts';
import { createDispatcher, createRescuer } from '../../supervisors/sweepers/dispatcher.ts';
import { isOutage } from '../errors/outage.ts';
import { createAiConsumer } from '../queues/ai-consumer.ts';
import { queueNames } from '../queues/names.ts';
import { createBlockingRedis } from '../queues/redis.ts';
import { createStageRoomBridge } from '../queues/stage-room-bridge.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Everything about the `ai{QUEUE_SUFFIX}` queue: description jobs under leases of their own kind, and the bridge for
 * old messages. Like `staging`, each child works through those above it. There is no nudge-listener, for only its
 * runner moves a description job.
 */
export function descriptionsTree(
  parts: WorkerParts,
  { startsAllowed, intensity }: { startsAllowed: StartsAllowed; intensity: SupervisorSpec['intensity'] },
): Service {
  const { config, clock, timers, reporter, timings, node, descriptionLeases: store } = parts;
  const concurrency = config.descriptionConcurrency;
  const sweep = { store, clock, timers, reporter, startsAllowed, isOutage };
  // Set by the children above before those below are created; rest_for_one keeps them in step.
  let leases: LeaseKeeper;
  let runner: JobRunner;
  return createSupervisor({
    name: 'descriptions',
    strategy: 'rest_for_one',
    intensity,
    clock,
    timers,
    reporter,
    children: [
      {
        name: 'lease-keeper',
        create: () => {
          leases = createLeaseKeeper({ store, clock, timers, reporter, owner: node, timings: timings.lease });
          return leases;
        },
      },
      {
        name: 'job-runner',
        create: () => {
          const { pollIntervalMs } = config.provider;
          const ports = { ...parts, store, leases, startsAllowed, concurrency, pollIntervalMs };
          runner = createRunner(ports, descriptionWork(ports));
          return runner;
        },
      },
      {
        name: 'ai-consumer',
        create: () => aiConsumer(parts, runner),
      },
      {
        name: 'dispatcher',
        create: () =>
          createDispatcher({
            ...sweep,
            queue: parts.descriptionQueue,
            inTurn: parts.inTurn,
            kind: 'descriptions',
            reporter: countingRepairs(parts),
            intervalMs: timings.dispatchMs,
          }),
      },
      {
        name: 'rescuer',
        create: () => createRescuer({ ...sweep, runner, intervalMs: timings.rescueMs }),
      },
    ],
  });
}

/** The reporter, for whom a repair is one of this queue and not of the staging queue. */
function countingRepairs({ reporter, metrics }: WorkerParts): Reporter {
  return {
    ...reporter,
    count(name, by = 1) {
      if (name === 'dispatcher_repairs') metrics.dispatcherRepairs.inc({ queue: 'descriptions' }, by);
      else reporter.count(name, by);
    },
  };
}

function aiConsumer(parts: WorkerParts, runner: JobRunner): Service {
  const { config, clock, reporter } = parts;
  return createAiConsumer({
    queue: queueNames(config.queueSuffix).descriptions,
    connect: () => createBlockingRedis(config.kvUrl, (error) => reporter.problem('key-value store', error)),
    describe: (jobId, delivery) => runner.startFromQueue(jobId, delivery),
    bridge: createStageRoomBridge({
      ...parts,
      pool: parts.database.pool,
      providerInputs: config.providerInputs,
    }),
    clock,
    reporter,
    concurrency: config.descriptionConcurrency,
  });
}
