import { randomUUID } from 'node:crypto';
import type { PurchaseKind } from '../../../machines/purchase-kinds.ts';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import { createPostgresLeases } from '../../../persistence/actors/postgres-leases.ts';
import type { JobAggregate } from '../../../persistence/actors/rows/job-row.ts';
import { dropLostReference } from '../../../persistence/jobs/job-inputs.ts';
import { type ActorSystem, createActorSystem } from '../../../supervisors/actors/deliver.ts';
import { Semaphore } from '../../../supervisors/concurrency/semaphore.ts';
import type { Checkpoint, InputPreparer, Polls, Provider, TextCheck } from '../../../supervisors/ports.ts';
import type { QueueOutcome } from '../../../supervisors/runner/held-job.ts';
import { JobRunner } from '../../../supervisors/runner/job-runner.ts';
import { LeaseKeeper } from '../../../supervisors/runner/lease-keeper.ts';
import { scanInTurn } from '../../../supervisors/sweepers/prediction-scanner.ts';
import { seedStagingJob } from '../database/seed.ts';
import { seedDescription } from '../database/seed-description.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { eventually } from '../eventually.ts';
import { createManualTime, type ManualTime, noWaiting } from '../manual-time.ts';
import {
  createFakeCollector,
  createFakeLister,
  createFakeProvider,
  type FakeCollector,
  type FakeLister,
  type FakeProvider,
} from './fake-provider.ts';
import { MANY_STARTS } from './job-driver.ts';
import {
  bothQueues,
  createRecordingQueue,
  createRecordingReporter,
  type RecordingQueue,
  type RecordingReporter,
} from './recording-ports.ts';
import { scannerPorts } from './scanner-world.ts';

/** One worker process in miniature: a real store, a fake world, and a clock that only the test moves. */
export interface RunnerWorld {
  database: StoreDatabase;
  time: ManualTime;
  provider: FakeProvider;
  collector: FakeCollector;
  lister: FakeLister;
  queue: RecordingQueue;
  reporter: RecordingReporter;
  leases: LeaseKeeper;
  actorSystem: ActorSystem;
  runner: JobRunner;
  /** Brings a job from the queue and does not wait for it. */
  start(jobId: string): Promise<QueueOutcome>;
  read(jobId: string): Promise<JobAggregate>;
  states(jobId: string): Promise<string[]>;
  /** The events of the job and its attempts in the journal, oldest first. */
  events(jobId: string): Promise<string[]>;
  /** Waits until the job and its attempts are in these states. */
  reaches(jobId: string, ...states: string[]): Promise<void>;
  /** One run of the prediction scanner, which always has the turn. */
  scan(): Promise<void>;
  /** Waits until exactly these waits are under way. */
  asleep(...ms: number[]): Promise<void>;
}

export interface WorldOptions {
  kind?: PurchaseKind;
  checkText?: TextCheck;
  enabled?: boolean;
  /** Instead of `enabled`, asked at each decision. */
  startsAllowed?: () => boolean;
  owner?: string;
  concurrency?: number;
  startsPerMinute?: number;
  time?: ManualTime;
  provider?: FakeProvider;
  checkpoint?: Checkpoint;
  /** A store that fails where the test wants it to. */
  store?: ActorStore;
  leaseTtlMs?: number;
  prepare?: InputPreparer['prepare'];
  confirmClaim?: () => Promise<boolean>;
  polls?: Polls;
}

export const POLL_MS = 5_000;
/** Between two looks at the row of a purchase whose answer was lost. */
export const LOOK_MS = 6 * POLL_MS;
const worlds = new Set<RunnerWorld>();

const takeAnyText: TextCheck = (text) =>
  text === null ? { kind: 'refused', errorCode: 'DESCRIPTION_EMPTY', why: 'none' } : { kind: 'good', text };

/** Each poll is a GET of its own. */
export const askingAlone = (provider: Pick<Provider, 'get'>): Polls => ({
  poll: ({ predictionId, signal }) => provider.get(predictionId, signal),
});

export function openWorld(database: StoreDatabase, options: WorldOptions = {}): RunnerWorld {
  const time = options.time ?? createManualTime();
  const {
    kind = 'stagingJob',
    store = storeOf(database, kind),
    owner = 'node-a',
    enabled = true,
    concurrency = 4,
    leaseTtlMs = 86_400_000,
  } = options;
  const provider = options.provider ?? createFakeProvider(kind);
  const collector = createFakeCollector();
  const lister = createFakeLister();
  const queue = createRecordingQueue();
  const reporter = createRecordingReporter();
  const chance = { id: randomUUID, jitter: () => 0 };
  // Every worker gets every nudge, its own included, as through the key-value store.
  const nudges = { publish: (jobId: string) => worlds.forEach((world) => void world.runner.nudge(jobId)) };
  const common = { store, queues: bothQueues(queue), reporter, chance, clock: time };
  const actorSystem = createActorSystem({ ...common, nudges, timers: noWaiting });
  const leases = new LeaseKeeper({
    store,
    clock: time,
    timers: time,
    reporter,
    owner,
    timings: { ttlMs: leaseTtlMs, heartbeatMs: 5_000 },
  });
  const runner = new JobRunner({
    ...common,
    actorSystem,
    provider,
    polls: options.polls ?? askingAlone(provider),
    collector,
    leases,
    timers: time,
    refreshStarts: async () => {},
    startsAllowed: options.startsAllowed ?? (() => enabled),
    concurrency,
    startsPerMinute: kind === 'stagingJob' ? (options.startsPerMinute ?? MANY_STARTS) : null,
    kind,
    checkText: options.checkText ?? takeAnyText,
    localWork: new Semaphore(),
    inputs: {
      prepare: options.prepare ?? (async () => 'impossible'),
      dropLostReference: (held) => dropLostReference(database.pool, held),
    },
    checkpoint: options.checkpoint ?? (() => {}),
    pollIntervalMs: POLL_MS,
    ...(options.confirmClaim === undefined ? {} : { confirmClaim: options.confirmClaim }),
  });
  const read = async (jobId: string) => {
    const aggregate = await database.store.readJob(jobId);
    if (!aggregate) throw new Error(`job ${jobId} is gone`);
    return aggregate;
  };
  const states = async (jobId: string) => {
    const { job, attempts } = await read(jobId);
    return [job.state, ...attempts.map(({ state }) => state)];
  };
  const world: RunnerWorld = {
    database,
    time,
    provider,
    collector,
    lister,
    queue,
    reporter,
    leases,
    actorSystem,
    runner,
    read,
    states,
    async events(jobId) {
      const { rows } = await database.pool.query<{ eventType: string }>(
        `select "eventType" from actor_transitions where "actorId" = $1
         or "actorId" in (select id from ai_provider_attempts where "aiJobId" = $1) order by id`,
        [jobId],
      );
      return rows.map(({ eventType }) => eventType);
    },
    start: (jobId) => runner.startFromQueue(jobId, { queueAttempt: 1, queuedAt: time.now() }),
    async scan() {
      const scanner = scannerPorts(database, { time, lister, reporter, actorSystem });
      await scanInTurn(scanner, new AbortController().signal);
    },
    async reaches(jobId, ...expected) {
      await eventually(async () => (await states(jobId)).join() === expected.join(), {
        what: `job in ${expected.join()}, not ${await states(jobId)}`,
      });
    },
    async asleep(...ms) {
      await eventually(() => time.sleeping().join() === ms.join(), { what: `waits of ${ms}`, intervalMs: 5 });
    },
  };
  worlds.add(world);
  return world;
}

/** For a dead process: the test does not stop it, because it would never end. */
export function forget({ runner }: Pick<RunnerWorld, 'runner'>): void {
  for (const world of worlds) if (world.runner === runner) worlds.delete(world);
}

/** Stops every runner that the test has opened; sleeps that are not ended early run out. */
export async function closeWorlds(): Promise<void> {
  for (const world of worlds) {
    let stopped = false;
    const stopping = world.runner
      .stop(AbortSignal.timeout(0))
      .then(() => world.leases.stop(AbortSignal.timeout(0)))
      .finally(() => {
        stopped = true;
      });
    const look = () => {
      if (!stopped) world.time.advanceToNextWake();
      return stopped;
    };
    await eventually(look, { what: 'the end of a runner', intervalMs: 2 });
    await stopping;
    worlds.delete(world);
  }
}

/** Submits a job of the kind. */
export const submit = async (
  { pool }: StoreDatabase,
  kind: PurchaseKind = 'stagingJob',
  seed: { createdAt?: number } = {},
): Promise<string> =>
  (kind === 'stagingJob' ? await seedStagingJob(pool, seed) : await seedDescription(pool, seed)).jobId;

/** The store as a worker of this kind of job has it: leases are taken by kind. */
export const storeOf = ({ pool, store }: StoreDatabase, kind: PurchaseKind): ActorStore =>
  kind === 'stagingJob' ? store : { ...store, ...createPostgresLeases(pool, 'DESCRIPTION') };
