import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { AttemptErrorCode } from '../../../machines/failure-classes.ts';
import type { StagingJobEvent } from '../../../machines/staging-job.ts';
import type { ProviderAttemptActor } from '../../../persistence/actors/rows/attempt-row.ts';
import type { JobAggregate, Lease } from '../../../persistence/actors/rows/job-row.ts';
import { MAX_STARTS_PER_MINUTE } from '../../../persistence/actors/start-rate.ts';
import { type ActorSystem, createActorSystem } from '../../../supervisors/actors/deliver.ts';
import type { AttemptMessage, Delivery, JobMessage } from '../../../supervisors/actors/messages.ts';
import { type JobSeed, type SeededJob, seedStagingJob } from '../database/seed.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { MANUAL_EPOCH, noWaiting } from '../manual-time.ts';
import {
  createRecordingQueue,
  createRecordingReporter,
  type RecordingQueue,
  type RecordingReporter,
} from './recording-ports.ts';

/** An actor system on a real store with recording ports. */
export interface TestRuntime {
  database: StoreDatabase;
  actorSystem: ActorSystem;
  queue: RecordingQueue;
  descriptionQueue: RecordingQueue;
  reporter: RecordingReporter;
  nudged: string[];
}

export function openTestRuntime(database: StoreDatabase, store = database.store): TestRuntime {
  const queue = createRecordingQueue();
  const descriptionQueue = createRecordingQueue();
  const reporter = createRecordingReporter();
  const nudged: string[] = [];
  const actorSystem = createActorSystem({
    store,
    queues: { stagingJob: queue, descriptionJob: descriptionQueue },
    reporter,
    nudges: { publish: (jobId) => void nudged.push(jobId) },
    timers: noWaiting,
    chance: { id: randomUUID, jitter: () => 0 },
  });
  return { database, actorSystem, queue, descriptionQueue, reporter, nudged };
}

/** More than any test starts in a minute. */
export const MANY_STARTS = MAX_STARTS_PER_MINUTE;
/** The event as its sender knows it. */
export const asMessage = (event: StagingJobEvent): JobMessage =>
  event.type === 'WORKER_STARTED' || event.type === 'RETRY_DUE'
    ? { ...event, startsPerMinute: MANY_STARTS }
    : event.type === 'RUNNER_CRASHED'
      ? { type: event.type, at: event.at, certain: event.alone }
      : event.type === 'COLLECT_ASKED'
        ? { type: event.type, at: event.at, host: event.host, hostAllowed: event.hostAllowed }
        : event;

/** Only the row says which pass the crashed worker had in progress. */
export async function markPass(pool: Pool, jobId: string, { type }: { type: string }): Promise<void> {
  if (type !== 'RUNNER_CRASHED') return;
  await pool.query(
    `update ai_jobs j set "localPass" = 'collect-output', "localPassAlone" = false, "localPassVersion" = coalesce(
       (select a.version from ai_provider_attempts a
        where a."aiJobId" = j.id order by a."attemptNumber" desc limit 1), j.version)
     where id = $1`,
    [jobId],
  );
}

type WithoutTime<E> = E extends { at: number } ? Omit<E, 'at'> : never;
export type JobInput = WithoutTime<StagingJobEvent>;
export type AttemptInput = WithoutTime<AttemptMessage>;

export const OUTPUT = {
  bytes: 123_456,
  width: 1024,
  height: 1024,
  format: 'jpeg',
  checksum: 'ab'.repeat(32),
};

/** Plays the runner that holds a job's lease, one second an event. */
export class JobDriver {
  readonly runtime: TestRuntime;
  readonly seeded: SeededJob;
  lease: Lease;
  at = MANUAL_EPOCH;

  constructor(runtime: TestRuntime, { seeded, lease }: { seeded: SeededJob; lease: Lease }) {
    this.runtime = runtime;
    this.seeded = seeded;
    this.lease = lease;
  }

  static async open(runtime: TestRuntime, seed: JobSeed = {}): Promise<JobDriver> {
    const seeded = await seedStagingJob(runtime.database.pool, seed);
    return new JobDriver(runtime, { seeded, lease: await takeLease(runtime, seeded.jobId) });
  }

  get jobId(): string {
    return this.seeded.jobId;
  }

  async sendToJob(word: JobInput, { leased = true } = {}): Promise<Delivery> {
    await markPass(this.runtime.database.pool, this.jobId, word);
    const event = asMessage({ ...word, at: this.#tick() } as StagingJobEvent);
    return this.runtime.actorSystem.deliver(
      { to: 'stagingJob', id: this.jobId, event },
      this.#origin(leased),
    );
  }

  async sendToAttempt(word: AttemptInput, { leased = true, number = 0 } = {}): Promise<Delivery> {
    const { attempts } = await this.aggregate();
    const attempt = number === 0 ? attempts.at(-1) : attempts[number - 1];
    const event = { ...word, at: this.#tick() } as AttemptMessage;
    return this.runtime.actorSystem.deliver(
      { to: 'providerAttempt', id: attempt?.id ?? randomUUID(), event },
      this.#origin(leased),
    );
  }

  async aggregate(): Promise<JobAggregate> {
    const found = await this.runtime.database.store.readJob(this.jobId);
    if (!found) throw new Error(`job ${this.jobId} is gone`);
    return found;
  }

  async attempt(number = 1): Promise<ProviderAttemptActor> {
    const attempt = (await this.aggregate()).attempts[number - 1];
    if (!attempt) throw new Error(`no attempt ${number}`);
    return attempt;
  }

  /** Job state and the states of its attempts. */
  async states(): Promise<[string, ...string[]]> {
    const { job, attempts } = await this.aggregate();
    return [job.state, ...attempts.map(({ state }) => state)];
  }

  /** Delivers events one after another; each must be applied. */
  async play(words: readonly Word[]): Promise<void> {
    for (const word of words) {
      const delivery =
        word.to === 'job' ? await this.sendToJob(word.say) : await this.sendToAttempt(word.say);
      if (delivery.outcome !== 'applied') throw new Error(`${word.say.type} was ${delivery.outcome}`);
    }
  }

  #tick(): number {
    this.at += 1_000;
    return this.at;
  }

  #origin(leased: boolean) {
    return leased ? { by: `worker:${this.lease.owner}`, lease: this.lease } : { by: 'somebody' };
  }
}

async function takeLease(runtime: TestRuntime, jobId: string, at: number = MANUAL_EPOCH): Promise<Lease> {
  const taken = await runtime.database.store.acquireLease({ jobId, owner: 'node-a', at, ttlMs: 86_400_000 });
  if (!taken) throw new Error('no lease');
  return taken.lease;
}

export type Word = { to: 'job'; say: JobInput } | { to: 'attempt'; say: AttemptInput };
const job = (say: JobInput): Word => ({ to: 'job', say });
const attempt = (say: AttemptInput): Word => ({ to: 'attempt', say });

export const startJob = (enabled = true): JobInput => ({
  type: 'WORKER_STARTED',
  enabled,
  attemptId: randomUUID(),
  queueAttempt: 1,
  waitedMs: 250,
});
export const retryDue = (): JobInput => ({ type: 'RETRY_DUE', enabled: true, attemptId: randomUUID() });
export const claimed = (): AttemptInput => ({ type: 'SEND_CLAIMED', token: randomUUID() });
export const created = (predictionId: string = randomUUID()): AttemptInput => ({
  type: 'PREDICTION_CREATED',
  predictionId,
  providerStatus: 'starting',
});
export const succeeded = (objectKey: string = `staged/${randomUUID()}.jpg`): AttemptInput => ({
  type: 'PREDICTION_SUCCEEDED',
  providerStatus: 'succeeded',
  objectKey,
});
export const stored = (imageId: string = randomUUID()): AttemptInput => ({
  type: 'OUTPUT_STORED',
  jitter: 0,
  imageId,
  output: OUTPUT,
});
export const failed = (errorCode: AttemptErrorCode = 'PROVIDER_FAILED'): AttemptInput => ({
  type: 'PREDICTION_FAILED',
  errorCode,
  jitter: 0,
  providerStatus: 'failed',
});

/** The shortest ordinary path of a new job to each state of the aggregate that is not final. */
export type Reachable =
  | 'PENDING.QUEUED'
  | 'PENDING.PROVIDER_DISABLED'
  | 'RESERVED'
  | 'SENT'
  | 'UNCONFIRMED'
  | 'RUNNING'
  | 'COLLECTING'
  | 'RETRYING.BACKOFF';
export const ROUTES: Record<Reachable, () => Word[]> = {
  'PENDING.QUEUED': () => [],
  'PENDING.PROVIDER_DISABLED': () => [job(startJob(false))],
  RESERVED: () => [job(startJob())],
  SENT: () => [...ROUTES.RESERVED(), attempt(claimed())],
  UNCONFIRMED: () => [...ROUTES.SENT(), attempt({ type: 'SEND_UNKNOWN', cause: 'transport' })],
  RUNNING: () => [...ROUTES.SENT(), attempt(created())],
  COLLECTING: () => [...ROUTES.RUNNING(), attempt(succeeded())],
  'RETRYING.BACKOFF': () => [...ROUTES.RUNNING(), attempt(failed())],
};
