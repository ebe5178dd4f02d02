import type { Effect, EffectParams } from '../../machines/effects.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import type { ProviderAttemptEvent } from '../../machines/provider-attempt-model.ts';
import type { CollectAsked } from '../../machines/refused-output.ts';
import { type CountedStart, jobMachine, type StagingJobEvent } from '../../machines/staging-job.ts';
import { isFinalState, step } from '../../machines/step.ts';
import type { JobWrites } from '../../persistence/actors/actor-store.ts';
import { birthOf } from '../../persistence/actors/birth.ts';
import type { ProviderAttemptActor } from '../../persistence/actors/rows/attempt-row.ts';
import type { JobActor, JobAggregate, StagingJobActor } from '../../persistence/actors/rows/job-row.ts';
import { createDeletion } from './advance-single.ts';
import type { AfterCommit } from './after-commit.ts';
import { signatureOf } from './journal-signature.ts';
import { needsLease, precedesPurchase } from './leased-events.ts';
import { crashOf } from './local-pass.ts';
import type { AttemptMessage, CollectMessage, Delivery, JobMessage, Origin } from './messages.ts';
import { stagedObjectKey } from './staged-object-key.ts';

/**
 * Moves a locked job aggregate by one event and by the messages between its two kinds of actors, inside the caller's
 * transaction. The aggregate in the scope is updated on the way, so that later messages see earlier writes.
 */
export interface JobScope {
  tx: JobWrites;
  after: AfterCommit;
  origin: Origin;
  newId(): string;
  aggregate: JobAggregate;
}

export async function advanceJob(scope: JobScope, message: JobMessage): Promise<Delivery> {
  const { job } = scope.aggregate;
  if (isStale(scope, message)) return refused(scope, job, { event: message, outcome: 'stale' });
  const event = await eventOf(scope, message);
  if (event === null) return refused(scope, job, { event: message, outcome: 'ignored' });
  const decided = step(jobMachine, job, event);
  if (decided.outcome === 'ignored') return refused(scope, job, { event, outcome: 'ignored' });
  if (
    'startsPerMinute' in message &&
    message.startsPerMinute !== null &&
    decided.effects.some(({ type }) => type === 'reserveAttempt')
  ) {
    const perMinute = message.startsPerMinute;
    const place = await scope.tx.takeStartPlace(perMinute);
    if ('waitMs' in place) return limited(scope, job, { event, waitMs: place.waitMs });
    Object.assign(event, { started: { at: place.at, perMinute } satisfies CountedStart });
  }
  const saved = await scope.tx.save(
    job,
    decided.next,
    journalOf(scope, job, { event, to: decided.next.state }),
  );
  const lease = decided.final ? null : saved.lease;
  scope.aggregate.job = { ...saved, localPass: null, lease, heartbeatAt: event.at };
  scope.after.transition(job.kind, event.type, 'applied');
  for (const effect of decided.effects) await applyToJob(scope, effect);
  settleQueue(scope, job, event);
  const { state, version } = scope.aggregate.job;
  return { outcome: 'applied', state, version };
}

/** Until the pause switch has closed on a database server that may have forgotten purchases. */
const UNTRUSTED_WAIT_MS = 1_000;

export async function advanceAttempt(
  scope: JobScope,
  attemptId: string,
  message: AttemptMessage,
): Promise<Delivery> {
  await passOnCancellation(scope, message.at);
  const attempt = scope.aggregate.attempts.find(({ id }) => id === attemptId);
  if (!attempt) return { outcome: 'missing' };
  if (isStale(scope, message)) return refused(scope, attempt, { event: message, outcome: 'stale' });
  // The sender has read a cancellation on a server whose successor has forgotten it.
  if (message.type === 'CANCEL' && scope.aggregate.job.state !== 'CANCEL_REQUESTED')
    return refused(scope, attempt, { event: message, outcome: 'ignored' });
  if (precedesPurchase(message.type) && !(await scope.tx.isOnTrustedServer()))
    return limited(scope, attempt, { event: message, waitMs: UNTRUSTED_WAIT_MS });
  return moveAttempt(scope, attempt, await complete(scope, message));
}

/** The attempt that is not over yet. There is at most one, because attempt 2 follows the end of attempt 1. */
export function liveAttempt({
  attempts,
}: {
  readonly attempts: readonly ProviderAttemptActor[];
}): ProviderAttemptActor | null {
  return attempts.find(({ state }) => !isFinalState(providerAttemptMachine, state)) ?? null;
}

/** The attempt that a message of its job is for. An attempt that is to collect again is over, like its job. */
export function receiverOf(
  aggregate: { readonly attempts: readonly ProviderAttemptActor[] },
  { type }: EffectParams['sendToAttempt'],
): ProviderAttemptActor | null {
  return type === 'COLLECT_ASKED' ? (aggregate.attempts.at(-1) ?? null) : liveAttempt(aggregate);
}

/**
 * A database trigger may have moved the job to CANCEL_REQUESTED (its original was deleted). The attempt gets the
 * cancellation before any other event; a second one changes nothing.
 */
async function passOnCancellation(scope: JobScope, at: number): Promise<void> {
  if (scope.aggregate.job.state !== 'CANCEL_REQUESTED') return;
  const attempt = liveAttempt(scope.aggregate);
  if (attempt) await moveAttempt(scope, attempt, { type: 'CANCEL', at });
}

async function moveAttempt(
  scope: JobScope,
  attempt: ProviderAttemptActor,
  event: ProviderAttemptEvent,
): Promise<Delivery> {
  const decided = step(providerAttemptMachine, attempt, event);
  if (decided.outcome === 'ignored') return refused(scope, attempt, { event, outcome: 'ignored' });
  const entry = journalOf(scope, attempt, { event, to: decided.next.state });
  const saved = await scope.tx.save(attempt, decided.next, entry);
  scope.aggregate.attempts = scope.aggregate.attempts.map((one) => (one.id === saved.id ? saved : one));
  scope.after.transition('providerAttempt', event.type, 'applied');
  // A fact that needs no lease may come from anyone, or from a holder before the present one.
  if (!needsLease(event.type)) nudgeHolder(scope, scope.aggregate.job);
  for (const effect of decided.effects) await applyToAttempt(scope, saved, effect);
  return { outcome: 'applied', state: saved.state, version: saved.version };
}

async function applyToJob(scope: JobScope, effect: Effect): Promise<void> {
  const { tx, aggregate, after, origin } = scope;
  switch (effect.type) {
    case 'reserveAttempt': {
      const { attemptId: id, ...given } = effect.params;
      const event = { type: 'CREATED', ...given } as const;
      const { actor, entry } = birthOf({ kind: 'providerAttempt', id, event }, signatureOf(origin));
      const attempt = { ...actor, jobId: aggregate.job.id };
      await tx.create({ actor: attempt, entry });
      after.transition(attempt.kind, event.type, 'applied');
      aggregate.attempts = [...aggregate.attempts, attempt];
      return;
    }
    case 'sendToAttempt': {
      const attempt = receiverOf(aggregate, effect.params);
      if (attempt) await moveAttempt(scope, attempt, effect.params);
      return;
    }
    case 'liftQuarantine':
      aggregate.job = { ...aggregate.job, quarantined: false };
      return tx.liftQuarantine(aggregate.job.id);
    case 'enqueue':
      return after.enqueue(aggregate.job, effect.params.delayMs);
    case 'report':
      return after.report(aggregate.job.id, withPurchase(aggregate, effect.params));
    case 'alert':
      return after.alert(aggregate.job, effect.params);
    default:
      throw new Error(`a job does not emit ${effect.type}`);
  }
}

async function applyToAttempt(scope: JobScope, attempt: ProviderAttemptActor, effect: Effect): Promise<void> {
  const { tx, aggregate, after, origin } = scope;
  switch (effect.type) {
    case 'sendToJob':
      await advanceJob(scope, effect.params);
      return;
    case 'insertStagedImage': {
      const { imageId: id, at } = effect.params;
      const made = { job: stagingJobOf(aggregate), attempt };
      const event = { type: 'CREATED', at } as const;
      after.transition('imageReview', event.type, 'applied');
      return tx.createStagedImage(birthOf({ kind: 'imageReview', id, event }, signatureOf(origin)), made);
    }
    case 'scheduleDeletion': {
      const { objectKey, reason, notBefore, at } = effect.params;
      // A text has no object.
      if (objectKey === null) return;
      const event = { type: 'CREATED', at, nextAttemptAt: notBefore } as const;
      await createDeletion(scope, { id: scope.newId(), details: { objectKey, reason }, event });
      return;
    }
    case 'storeText':
      return tx.storeText(aggregate.job.id, effect.params);
    case 'report':
      return after.reportAttempt(attempt, effect.params);
    case 'alert':
      return after.alert({ kind: 'providerAttempt', id: attempt.id }, effect.params);
    default:
      throw new Error(`a provider attempt does not emit ${effect.type}`);
  }
}

function stagingJobOf({ job }: JobAggregate): StagingJobActor {
  if (job.kind !== 'stagingJob') throw new Error(`job ${job.id} is about no picture`);
  return job;
}

/**
 * The fields that the job's last purchase adds to its events (docs/contract.md#events): the provider's time for
 * `completed`, the downloaded bytes for a rejected output.
 */
function withPurchase({ attempts }: JobAggregate, report: EffectParams['report']): EffectParams['report'] {
  const purchase = attempts.at(-1)?.context;
  if (report.event === 'retry_scheduled' || report.event === 'terminal_error') {
    const { downloadBytes = null } = purchase ?? {};
    return downloadBytes === null ? report : { ...report, fields: { ...report.fields, downloadBytes } };
  }
  if (report.event !== 'completed') return report;
  const { sentAt = null, finishedAt = null } = purchase ?? {};
  const providerMs = sentAt === null || finishedAt === null ? null : finishedAt - sentAt;
  return { ...report, fields: { ...report.fields, providerMs } };
}

async function complete(scope: JobScope, message: AttemptMessage): Promise<ProviderAttemptEvent> {
  if (message.type !== 'OUTPUT_STORED') return message;
  const { details } = stagingJobOf(scope.aggregate);
  const variantExists = await scope.tx.variantExists(details.originalImageId, details.canonicalStyle);
  return { ...message, variantExists };
}

/**
 * The message with the values read in the deciding transaction; null for a crash that does not count for this job, and
 * for a job that has no picture to collect.
 */
async function eventOf(scope: JobScope, message: JobMessage): Promise<StagingJobEvent | null> {
  const { aggregate } = scope;
  if (message.type === 'COLLECT_ASKED') return collectingOf(scope, message);
  if (message.type === 'RUNNER_CRASHED')
    return crashOf(message, aggregate.job.localPass, { version: liveAttempt(aggregate)?.version });
  if (message.type === 'RELEASE_ASKED') return { ...message, quarantined: aggregate.job.quarantined };
  if (!('startsPerMinute' in message)) return message;
  const { startsPerMinute: _, ...event } = message;
  return event;
}

/** A new key: the object under the first one is queued for deletion. */
async function collectingOf(
  { tx, aggregate: { job }, newId }: JobScope,
  { type, at, host, hostAllowed }: CollectMessage,
): Promise<CollectAsked | null> {
  if (job.kind !== 'stagingJob') return null;
  const { completedAt, obstacle } = await tx.refusedOutput(job.id);
  const objectKey = stagedObjectKey(newId(), job.details.outputFormat);
  return { type, at, host, hostAllowed, completedAt, obstacle, objectKey };
}

const isStale = (scope: JobScope, event: { type: string }): boolean =>
  needsLease(event.type) && !isOfHolder(scope, scope.aggregate.job);

/** True when the event comes from the present holder of the job's lease. */
export const isOfHolder = ({ origin }: Pick<JobScope, 'origin'>, { lease }: JobActor): boolean =>
  lease !== null && lease.owner === origin.lease?.owner && lease.epoch === origin.lease.epoch;

/** The holder knows of its own events, and reads the job again after a nudge. */
function nudgeHolder(scope: JobScope, job: JobActor): void {
  if (!isOfHolder(scope, job)) scope.after.nudge(job.id);
}

/** Keeps queue entries in line with the job's state: none once it is over, a delayed one while it backs off. */
function settleQueue(scope: JobScope, before: JobActor, event: StagingJobEvent): void {
  const {
    after,
    aggregate: { job },
  } = scope;
  nudgeHolder(scope, before);
  // The entry of a job that ends during an attempt ends by itself. A job that only waited has left an entry, perhaps
  // delayed.
  const waited = before.state.startsWith('PENDING') || event.type === 'NOTHING_TO_CANCEL';
  if (waited && isFinalState(jobMachine, job.state)) after.dequeue(job);
  if (job.state === 'RETRYING.BACKOFF' && before.state !== job.state && job.context.retryAt !== null)
    after.enqueue(job, Math.max(0, job.context.retryAt - event.at));
}

function refused(
  { after }: JobScope,
  actor: { kind: string; state: string; version: number },
  { event, outcome }: { event: { type: string }; outcome: 'ignored' | 'stale' },
): Delivery {
  after.transition(actor.kind, event.type, outcome);
  return { outcome, state: actor.state, version: actor.version };
}

function limited(
  { after }: JobScope,
  { kind, state, version }: JobActor | ProviderAttemptActor,
  { event, waitMs }: { event: { type: string }; waitMs: number },
): Delivery {
  after.transition(kind, event.type, 'limited');
  return { outcome: 'limited', state, version, waitMs };
}

function journalOf(
  { origin, aggregate }: JobScope,
  actor: JobActor | ProviderAttemptActor,
  { event, to }: { event: { type: string; at: number }; to: string },
) {
  return {
    kind: actor.kind,
    id: actor.id,
    seq: actor.version + 1,
    event,
    from: actor.state,
    to,
    ...signatureOf(origin),
    // The sender's lease, so that the journal would show a late write.
    leaseEpoch: (needsLease(event.type) ? origin.lease?.epoch : aggregate.job.lease?.epoch) ?? null,
  };
}
