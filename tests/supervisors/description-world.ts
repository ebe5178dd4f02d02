import { randomUUID } from 'node:crypto';
import type { DescriptionJobActor, DescriptionStore } from '../../persistence/description-store.ts';
import { createDescriptionStore } from '../../persistence/postgres-description-store.ts';
import { createPostgresLeases } from '../../persistence/postgres-leases.ts';
import { createDescriptionDesk } from '../../supervisors/descriptions/desk.ts';
import type {
  TextCheck,
  TextCreateAnswer,
  TextFindAnswer,
  TextGetAnswer,
  TextProvider,
  TextView,
} from '../../supervisors/descriptions/ports.ts';
import { descriptionWork } from '../../supervisors/descriptions/work.ts';
import { createRunner, type JobRunner } from '../../supervisors/job-runner.ts';
import { createLeaseKeeper, type LeaseKeeper } from '../../supervisors/lease-keeper.ts';
import type { Checkpoint } from '../../supervisors/ports.ts';
import { eventually } from '../harness/eventually.ts';
import { createManualTime, type ManualTime, noWaiting } from '../harness/manual-time.ts';
import type { StoreDatabase } from '../persistence/store-database.ts';
import { createRecordingQueue, createRecordingReporter, type RecordingReporter } from './recording-ports.ts';

/** A provider of texts in this process: answers are replaced by the test, calls are kept. */
export interface FakeTexts extends TextProvider {
  creates: string[];
  gets: string[];
  cancels: string[];
  finds: string[];
  answerCreate(jobId: string, signal: AbortSignal): TextCreateAnswer | Promise<TextCreateAnswer>;
  answerGet(predictionId: string): TextGetAnswer | Promise<TextGetAnswer>;
  answerFind(jobId: string): TextFindAnswer;
}

export const unfinishedText = (predictionId: string): TextView => ({
  ...{ kind: 'unfinished', predictionId, providerStatus: 'processing' },
});
export const writtenText = (predictionId: string, text: string | null = 'A home.'): TextView => ({
  ...{ kind: 'succeeded', predictionId, providerStatus: 'succeeded', text },
});
export const textIdOf = (jobId: string): string => `t-${jobId}`;

/** Accepts every create, and has written at the first look. */
export function createFakeTexts(): FakeTexts {
  const texts: FakeTexts = {
    creates: [],
    gets: [],
    cancels: [],
    finds: [],
    answerCreate: (jobId) => ({ kind: 'created', prediction: unfinishedText(textIdOf(jobId)) }),
    answerGet: (predictionId) => ({ kind: 'found', prediction: writtenText(predictionId) }),
    answerFind: () => ({ kind: 'absent' }),
    async create({ jobId, signal }) {
      texts.creates.push(jobId);
      return texts.answerCreate(jobId, signal);
    },
    async get(predictionId) {
      texts.gets.push(predictionId);
      return texts.answerGet(predictionId);
    },
    async cancel(predictionId) {
      texts.cancels.push(predictionId);
    },
    async find({ jobId }) {
      texts.finds.push(jobId);
      return texts.answerFind(jobId);
    },
  };
  return texts;
}

/** One worker process in miniature, for description jobs. */
export interface DescriptionWorld {
  time: ManualTime;
  texts: FakeTexts;
  reporter: RecordingReporter;
  leases: LeaseKeeper;
  runner: JobRunner;
  start(jobId: string): Promise<void>;
  read(jobId: string): Promise<DescriptionJobActor>;
  reaches(jobId: string, state: string): Promise<void>;
  asleep(...ms: number[]): Promise<void>;
  events(jobId: string): Promise<string[]>;
}

export const POLL_MS = 5_000;
const worlds = new Set<DescriptionWorld>();

export function openDescriptionWorld(
  database: StoreDatabase,
  options: {
    enabled?: boolean;
    owner?: string;
    time?: ManualTime;
    texts?: FakeTexts;
    checkpoint?: Checkpoint;
    checkText?: TextCheck;
    wrap?: (store: DescriptionStore) => DescriptionStore;
  } = {},
): DescriptionWorld {
  const { enabled = true, owner = 'node-a', wrap = (store) => store } = options;
  const time = options.time ?? createManualTime();
  const texts = options.texts ?? createFakeTexts();
  const reporter = createRecordingReporter();
  const chance = { id: randomUUID, jitter: () => 0 };
  const store = createPostgresLeases(database.pool, 'DESCRIPTION');
  const descriptions = wrap(createDescriptionStore(database.pool));
  const leases = createLeaseKeeper({
    ...{ store, clock: time, timers: time, reporter, owner },
    timings: { ttlMs: 15_000, heartbeatMs: 5_000 },
  });
  const ports = {
    ...{ store, leases, timers: time, clock: time, reporter, concurrency: 2, descriptions, texts, chance },
    desk: createDescriptionDesk({
      ...{ descriptions, reporter, timers: noWaiting, chance },
      queue: createRecordingQueue(),
    }),
    checkText:
      options.checkText ??
      ((text) =>
        text === null
          ? ({ kind: 'refused', errorCode: 'DESCRIPTION_EMPTY', why: 'none' } as const)
          : ({ kind: 'good', text } as const)),
    checkpoint: options.checkpoint ?? (() => {}),
    mayStart: () => enabled,
    pollIntervalMs: POLL_MS,
  } as const;
  const runner = createRunner(ports, descriptionWork(ports));
  const read = async (jobId: string) => {
    const job = await createDescriptionStore(database.pool).read(jobId);
    if (!job) throw new Error(`job ${jobId} is gone`);
    return job;
  };
  const world: DescriptionWorld = {
    ...{ time, texts, reporter, leases, runner, read },
    start: (jobId) => runner.startFromQueue(jobId, { queueAttempt: 1, queuedAt: time.now() }),
    async reaches(jobId, state) {
      await eventually(async () => (await read(jobId)).state === state, {
        what: `job in ${state}, not ${(await read(jobId)).state}`,
      });
    },
    async asleep(...ms) {
      await eventually(() => time.sleeping().join() === ms.join(), {
        what: `waits of ${ms}, not ${time.sleeping()}`,
        intervalMs: 5,
      });
    },
    async events(jobId) {
      const { rows } = await database.pool.query<{ eventType: string }>(
        `select "eventType" from actor_transitions where "actorId" = $1 order by seq`,
        [jobId],
      );
      return rows.map(({ eventType }) => eventType);
    },
  };
  worlds.add(world);
  return world;
}

/** For a world that plays a dead process: it is not asked to stop, because it never would. */
export function forget(world: DescriptionWorld): void {
  worlds.delete(world);
}

/** Stops every runner that the test has opened; sleeps that nobody cuts short are slept out. */
export async function closeDescriptionWorlds(): Promise<void> {
  for (const world of worlds) {
    let stopped = false;
    const stopping = world.runner
      .stop(0)
      .then(() => world.leases.stop(0))
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
