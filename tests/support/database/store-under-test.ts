import { randomUUID } from 'node:crypto';
import type { EffectParams } from '../../../machines/effects.ts';
import type { StagingJobContext } from '../../../machines/staging-job.ts';
import type { ActorKind, AnyActor } from '../../../persistence/actors/actor-kinds.ts';
import type {
  ActorStore,
  ActorTransaction,
  AttemptMove,
  JournalEntry,
  StagedImageOrigin,
} from '../../../persistence/actors/actor-store.ts';
import { birthOf } from '../../../persistence/actors/birth.ts';
import type { ProviderAttemptActor } from '../../../persistence/actors/rows/attempt-row.ts';
import type { JobActor } from '../../../persistence/actors/rows/job-row.ts';
import { MANUAL_EPOCH } from '../manual-time.ts';
import type { JournalRow } from './store-database.ts';

/** A store to test against the contract, with initial rows and the journal, which no port offers. */
export interface StoreUnderTest {
  store: ActorStore;
  /** A listing's original photo. */
  original(): Promise<{ imageId: string; objectKey: string; providerInputKey: string }>;
  /** A submitted job in PENDING.QUEUED, version 0, of an original of its own unless one is named. */
  job(seed?: {
    createdAt?: number;
    originalImageId?: string;
    canonicalStyle?: 'MODERN' | 'LUXURY';
  }): Promise<string>;
  /** A private staged image of style MODERN. */
  variant(originalImageId: string): Promise<string>;
  journal(
    kind: ActorKind,
    id: string,
  ): Promise<Pick<JournalRow, 'seq' | 'eventType' | 'fromState' | 'toState' | 'leaseEpoch'>[]>;
  deleteOriginal(imageId: string): Promise<void>;
}

/** An arbitrary event: stores do not validate events. */
export function entryFor(
  actor: AnyActor,
  to: string,
  event: { type: string; [field: string]: unknown },
): JournalEntry {
  return {
    kind: actor.kind,
    id: actor.id,
    seq: actor.version + 1,
    event: { at: MANUAL_EPOCH, ...event },
    from: actor.state,
    to,
    by: 'worker:node-a',
    leaseEpoch: null,
  };
}

/** Writes a job's next state without its machine, with its journal row. */
export function moveJob(
  store: ActorStore,
  jobId: string,
  next: { state: string; context?: Partial<StagingJobContext> },
): Promise<JobActor> {
  return store.transaction(async (tx) => {
    const aggregate = await tx.lockJob(jobId);
    if (!aggregate) throw new Error(`no job ${jobId}`);
    const { job } = aggregate;
    const context = { ...job.context, ...next.context };
    return tx.save(job, { state: next.state, context }, entryFor(job, next.state, { type: 'MOVED' }));
  });
}

/** The same for an attempt. */
export function moveAttempt(
  store: ActorStore,
  jobId: string,
  next: {
    state: string;
    context?: Partial<ProviderAttemptActor['context']>;
    event?: { type: string; token?: string };
  },
): Promise<ProviderAttemptActor> {
  return store.transaction(async (tx) => {
    const attempt = (await tx.lockJob(jobId))?.attempts.at(-1);
    if (!attempt) throw new Error(`job ${jobId} has no attempt`);
    const context = { ...attempt.context, ...next.context };
    const entry = entryFor(attempt, next.state, next.event ?? { type: 'MOVED' });
    return tx.save(attempt, { state: next.state, context }, entry);
  });
}

/** The purchase of a new job, about to be sent, as its holder has just read it: the move RESERVED -> SENT. */
export async function sightOfSend({ store, job }: Pick<StoreUnderTest, 'store' | 'job'>): Promise<{
  jobId: string;
  move: AttemptMove & { underLease: { owner: string; epoch: number } };
}> {
  const at = MANUAL_EPOCH;
  const jobId = await job();
  await moveJob(store, jobId, { state: 'PROCESSING.ATTEMPT' });
  await store.transaction((tx) =>
    createAttempt(tx, jobId, { attemptId: randomUUID(), attemptNumber: 1, at }),
  );
  const lease = (await store.acquireLease({ jobId, owner: 'a', at, ttlMs: 15_000 }))?.lease;
  const seen = await store.readJob(jobId);
  const attempt = seen?.attempts[0];
  if (!seen || !attempt || !lease) throw new Error('nothing to see');
  const { leaseEpoch: _, ...entry } = entryFor(attempt, 'SENT', { type: 'SEND_CLAIMED', token: 't-1' });
  const next = { state: 'SENT', context: { ...attempt.context, sentAt: at, sendTries: 1 } };
  return { jobId, move: { seen, attempt, next, entry, underLease: lease, buys: true, receipt: null } };
}

const BY = { by: 'worker:node-a' };

/** The births that a job's effects cause. */
export function createAttempt(
  tx: ActorTransaction,
  jobId: string,
  { attemptId: id, attemptNumber, at }: EffectParams['reserveAttempt'],
): Promise<void> {
  const event = { type: 'CREATED', at, attemptNumber } as const;
  const { actor, entry } = birthOf({ kind: 'providerAttempt', id, event }, BY);
  return tx.create({ actor: { ...actor, jobId }, entry });
}
/** Its id. */
export async function createDeletion(
  tx: ActorTransaction,
  { objectKey, reason, notBefore, at }: EffectParams['scheduleDeletion'] & { objectKey: string },
): Promise<string> {
  const event = { type: 'CREATED', at, nextAttemptAt: notBefore } as const;
  const { actor, entry } = birthOf({ kind: 'deletionItem', id: randomUUID(), event }, BY);
  await tx.create({ actor: { ...actor, objectKey, reason }, entry });
  return actor.id;
}
export function createStagedImage(
  tx: ActorTransaction,
  made: StagedImageOrigin,
  { imageId: id, at }: EffectParams['insertStagedImage'],
): Promise<void> {
  const event = { type: 'CREATED', at } as const;
  return tx.createStagedImage(birthOf({ kind: 'imageReview', id, event }, BY), made);
}
