import { randomUUID } from 'node:crypto';
import type { DescriptionJobActor, DescriptionStore } from '../../../persistence/actors/description-store.ts';
import { createDescriptionStore } from '../../../persistence/actors/postgres-description-store.ts';
import { createPostgresLeases } from '../../../persistence/actors/postgres-leases.ts';
import { createDescriptionService } from '../../../supervisors/actors/description-desk.ts';
import { LocalWorkGate } from '../../../supervisors/concurrency/local-work-gate.ts';
import type { Checkpoint, ListedPrediction } from '../../../supervisors/ports.ts';
import type {
  TextCheck,
  TextCreateAnswer,
  TextGetAnswer,
  TextProvider,
  TextView,
} from '../../../supervisors/runner/description-ports.ts';
import { descriptionWork } from '../../../supervisors/runner/description-work.ts';
import { createRunner, type JobRunner } from '../../../supervisors/runner/job-runner.ts';
import { createLeaseKeeper, type LeaseKeeper } from '../../../supervisors/runner/lease-keeper.ts';
import { scanInTurn } from '../../../supervisors/sweepers/prediction-scanner.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { eventually } from '../eventually.ts';
import { createManualTime, type ManualTime, noWaiting } from '../manual-time.ts';
import { createFakeLister, type FakeLister } from './fake-provider.ts';
import { createRecordingQueue, createRecordingReporter, type RecordingReporter } from './recording-ports.ts';
import { scannerPorts } from './scanner-world.ts';

/** A provider of texts in this process: answers are replaced by the test, calls are kept. */
export interface FakeTexts extends TextProvider {
  creates: string[];
  gets: string[];
  cancels: string[];
  answerCreate(jobId: string): TextCreateAnswer | Promise<TextCreateAnswer>;
  answerGet(predictionId: string): TextGetAnswer | Promise<TextGetAnswer>;
}

export const unfinishedText = (predictionId: string): TextView => ({
  kind: 'unfinished',
  predictionId,
  providerStatus: 'processing',
});
export const writtenText = (predictionId: string, text: string | null = 'A home.'): TextView => ({
  kind: 'succeeded',
  predictionId,
  providerStatus: 'succeeded',
  text,
});
export const textIdOf = (jobId: string): string => `t-${jobId}`;
export const listedText = (jobId: string): ListedPrediction => ({
  predictionId: textIdOf(jobId),
  providerStatus: 'processing',
  attemptIds: [],
  textJobId: jobId,
});

/** Accepts every create, and has written at the first look. */
export function createFakeTexts(): FakeTexts {
  const texts: FakeTexts = {
    creates: [],
    gets: [],
    cancels: [],
    answerCreate: (jobId) => ({ kind: 'created', prediction: unfinishedText(textIdOf(jobId)) }),
    answerGet: (predictionId) => ({ kind: 'found', prediction: writtenText(predictionId) }),
    async create({ jobId, mayBuy }) {
      if (!mayBuy()) return { kind: 'withheld' };
      texts.creates.push(jobId);
      return texts.answerCreate(jobId);
    },
    async get(predictionId) {
      texts.gets.push(predictionId);
      return texts.answerGet(predictionId);
    },
    async cancel(predictionId) {
      texts.cancels.push(predictionId);
    },
  };
  return texts;
}

/** One worker process in miniature, for description jobs. */
export interface DescriptionWorld {
  time: ManualTime;
  texts: FakeTexts;
  lister: FakeLister;
  reporter: RecordingReporter;
  leases: LeaseKeeper;
  runner: JobRunner;
  start(jobId: string): Promise<unknown>;
  read(jobId: string): Promise<DescriptionJobActor>;
  reaches(jobId: string, state: string): Promise<void>;
  /** One look of the prediction scanner, whose turn it always is. */
  scan(): Promise<void>;
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
    store,
    clock: time,
    timers: time,
    reporter,
    owner,
    timings: { ttlMs: 15_000, heartbeatMs: 5_000 },
  });
  const ports = {
    localWork: new LocalWorkGate(),
    store,
    leases,
    timers: time,
    clock: time,
    reporter,
    concurrency: 2,
    descriptions,
    texts,
    chance,
    descriptionService: createDescriptionService({
      descriptions,
      reporter,
      timers: noWaiting,
      chance,
      queue: createRecordingQueue(),
    }),
    checkText:
      options.checkText ??
      ((text) =>
        text === null
          ? ({ kind: 'refused', errorCode: 'DESCRIPTION_EMPTY', why: 'none' } as const)
          : ({ kind: 'good', text } as const)),
    checkpoint: options.checkpoint ?? (() => {}),
    startsAllowed: () => enabled,
    pollIntervalMs: POLL_MS,
  } as const;
  const runner = createRunner(ports, descriptionWork(ports));
  const read = async (jobId: string) => {
    const job = await createDescriptionStore(database.pool).read(jobId);
    if (!job) throw new Error(`job ${jobId} is gone`);
    return job;
  };
  const lister = createFakeLister();
  const world: DescriptionWorld = {
    time,
    texts,
    lister,
    reporter,
    leases,
    runner,
    read,
    start: (jobId) => runner.startFromQueue(jobId, { queueAttempt: 1, queuedAt: time.now() }),
    async reaches(jobId, state) {
      await eventually(async () => (await read(jobId)).state === state, {
        what: `job in ${state}, not ${(await read(jobId)).state}`,
      });
    },
    async scan() {
      const deliver = () => Promise.reject(new Error('there are no attempts'));
      const scanner = scannerPorts(database, { time, lister, reporter, actorSystem: { deliver } });
      await scanInTurn(scanner, new AbortController().signal);
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

/** Stops every runner that the test has opened; sleeps that are not ended early run out. */
export async function closeDescriptionWorlds(): Promise<void> {
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
