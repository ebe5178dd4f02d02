import { type DeletionItemContext, initialDeletionItem } from '../../../machines/deletion-item.ts';
import type { Effect } from '../../../machines/effects.ts';
import { type ImageReviewContext, initialImageReview } from '../../../machines/image-review.ts';
import { providerAttemptMachine } from '../../../machines/provider-attempt.ts';
import {
  initialProviderAttempt,
  type ProviderAttemptContext,
  type ProviderAttemptEvent,
} from '../../../machines/provider-attempt-model.ts';
import type { CollectAsked } from '../../../machines/refused-output.ts';
import {
  initialJob,
  jobMachine,
  type StagingJobContext,
  type StagingJobEvent,
} from '../../../machines/staging-job.ts';
import { type ActorState, isFinalState, step } from '../../../machines/step.ts';
import type { CanonicalStyle } from '../../../machines/vocabulary.ts';
import type { AttemptMessage, Delivery } from '../../../supervisors/actors/messages.ts';

/**
 * The expected rows of one original with its jobs, staged images and deletions: the machines, and an
 * independent implementation of the charts' column "written in the same transaction", without stores, locks
 * and supervisors. It is plain data, so that a copy is an independent model.
 */
interface Modelled<C> extends ActorState<C> {
  id: string;
  version: number;
}
export type AttemptModel = Modelled<ProviderAttemptContext>;
export interface JobModel extends Modelled<StagingJobContext> {
  style: CanonicalStyle;
  attempts: AttemptModel[];
  lease: { owner: string; epoch: number; expiresAt: number } | null;
  leaseEpoch: number;
  groupId: string | null;
  /** Object key of the group's approved picture. */
  secondInput: string | null;
}
/** A group of the original and another photo of its room, whose picture is the second input once it is approved. */
export interface GroupModel {
  id: string;
  style: CanonicalStyle;
  other: { id: string; keys: readonly string[] };
  /** Null when it went with its photo. */
  picture: ImageModel | null;
}
export interface ImageModel extends Modelled<ImageReviewContext> {
  style: CanonicalStyle;
  jobId: string | null;
  objectKey: string;
}
export interface DeletionModel extends ActorState<DeletionItemContext> {
  objectKey: string;
  reason: 'STAGED_IMAGE_DELETED' | 'ORIGINAL_IMAGE_DELETED';
  version: number;
}
export interface StagingModel {
  /** Null once it is deleted. */
  original: { objectKey: string; providerInputKey: string } | null;
  jobs: JobModel[];
  images: ImageModel[];
  deletions: DeletionModel[];
  /** Lines of the audit: kind, image and who. */
  reviews: { kind: 'APPROVED' | 'REJECTED'; imageId: string; by: string }[];
  group: GroupModel | null;
  notices: Notices;
}

/** What follows the commits: worker events and alerts, and what becomes of the jobs' queue entries. */
export interface Notices {
  reports: { jobId: string; event: string; fields: object }[];
  alerts: { id: string; alert: string; fields: object }[];
  enqueued: { jobId: string; delayMs: number }[];
  removed: string[];
}

/** Placeholder for a time of the database clock, which is not known in advance. */
export const DATABASE_CLOCK = -1;

/** The lease that an event carries; null for a sender without one. */
export type Bearer = { owner: string; epoch: number } | null;

/**
 * Events that need no lease: requests of people, and facts that only the sender knows
 * (docs/contract.md#purchases).
 */
const FREE = new Set([
  'CANCEL_ASKED',
  'PURCHASE_FOUND',
  'RELEASE_ASKED',
  'OFFER_ASKED',
  'COLLECT_ASKED',
  'ORIGINAL_DELETED',
  'PREDICTION_CREATED',
  'PREDICTION_FOUND',
  'CALLBACK_RECEIVED',
  'NOT_LISTED',
  'CLAIM_DISPROVED',
  'CANCEL',
]);

/** As a submission leaves it. */
export const newJob = (
  id: string,
  style: CanonicalStyle,
  { groupId = null, secondInput = null }: Partial<Pick<JobModel, 'groupId' | 'secondInput'>> = {},
): JobModel => ({
  id,
  style,
  version: 1,
  state: 'PENDING.QUEUED',
  context: initialJob('stagingJob'),
  attempts: [],
  lease: null,
  leaseEpoch: 0,
  groupId,
  secondInput,
});
export const newOriginal = (
  original: { objectKey: string; providerInputKey: string },
  group: GroupModel | null = null,
): StagingModel => ({
  original,
  jobs: [],
  images: [],
  deletions: [],
  reviews: [],
  group,
  notices: { reports: [], alerts: [], enqueued: [], removed: [] },
});

export const isOver = ({ state }: Pick<JobModel, 'state'>): boolean => isFinalState(jobMachine, state);
export const liveAttempt = ({ attempts }: JobModel): AttemptModel | undefined =>
  attempts.find(({ state }) => !isFinalState(providerAttemptMachine, state));

/** Moves the model; returns the expected answer of the actor system. */
export function sendToJob(model: StagingModel, job: JobModel, event: StagingJobEvent, by: Bearer): Delivery {
  if (isStale(job, event.type, by)) return answer('stale', job);
  return moveJob(
    model,
    job,
    event.type === 'COLLECT_ASKED' ? { ...event, obstacle: obstacleOf(model, job) } : event,
  );
}

/** What the deciding transaction finds in the way of a refused picture. Photos are not declared altered here. */
function obstacleOf(model: StagingModel, job: JobModel): CollectAsked['obstacle'] {
  if (model.original === null) return 'PHOTO_GONE';
  const later = model.jobs.slice(model.jobs.indexOf(job) + 1);
  return hasVariant(model, job.style) || later.some(({ style }) => style === job.style)
    ? 'SUBMITTED_AGAIN'
    : null;
}

export function sendToAttempt(
  model: StagingModel,
  job: JobModel,
  attempt: AttemptModel,
  event: AttemptMessage,
  by: Bearer,
): Delivery {
  // A job canceled by a trigger sends the cancellation to its attempt before any other event.
  const live = liveAttempt(job);
  if (job.state === 'CANCEL_REQUESTED' && live)
    moveAttempt(model, job, live, { type: 'CANCEL', at: event.at });
  if (isStale(job, event.type, by)) return answer('stale', attempt);
  if (event.type !== 'OUTPUT_STORED') return moveAttempt(model, job, attempt, event);
  return moveAttempt(model, job, attempt, { ...event, variantExists: hasVariant(model, job.style) });
}

const hasVariant = ({ images }: StagingModel, style: CanonicalStyle): boolean =>
  images.some((image) => image.style === style && image.state !== 'WITHDRAWN');

function moveJob(model: StagingModel, job: JobModel, event: StagingJobEvent): Delivery {
  const decided = step(jobMachine, job, event);
  if (decided.outcome === 'ignored') return answer('ignored', job);
  const { state: before } = job;
  take(job, decided.next);
  if (decided.final) job.lease = null;
  const { notices } = model;
  // A job that ends while it waits has left an entry; any other ends with its entry.
  if (decided.final && (before.startsWith('PENDING') || event.type === 'NOTHING_TO_CANCEL'))
    notices.removed.push(job.id);
  if (job.state === 'RETRYING.BACKOFF' && before !== job.state)
    notices.enqueued.push({ jobId: job.id, delayMs: (job.context.retryAt ?? 0) - event.at });
  for (const effect of decided.effects) {
    if (effect.type === 'enqueue') notices.enqueued.push({ jobId: job.id, ...effect.params });
    if (effect.type === 'report') notices.reports.push({ jobId: job.id, ...effect.params });
    if (effect.type === 'alert') notices.alerts.push({ id: job.id, ...effect.params });
    if (effect.type === 'reserveAttempt') {
      const { attemptId, attemptNumber } = effect.params;
      const context = initialProviderAttempt(attemptNumber);
      job.attempts.push({ id: attemptId, version: 1, state: 'RESERVED', context });
    }
    if (effect.type !== 'sendToAttempt') continue;
    const receiver = effect.params.type === 'COLLECT_ASKED' ? job.attempts.at(-1) : liveAttempt(job);
    if (receiver) moveAttempt(model, job, receiver, effect.params);
  }
  return answer('applied', job);
}

function moveAttempt(
  model: StagingModel,
  job: JobModel,
  attempt: AttemptModel,
  event: ProviderAttemptEvent,
): Delivery {
  const decided = step(providerAttemptMachine, attempt, event);
  if (decided.outcome === 'ignored') return answer('ignored', attempt);
  take(attempt, decided.next);
  for (const effect of decided.effects) apply(model, { job, attempt }, effect);
  return answer('applied', attempt);
}

function apply(
  model: StagingModel,
  { job, attempt }: { job: JobModel; attempt: AttemptModel },
  effect: Effect,
): void {
  const { notices } = model;
  if (effect.type === 'report') {
    const fields = { providerAttemptId: attempt.id, ...effect.params.fields };
    notices.reports.push({ jobId: job.id, event: effect.params.event, fields });
  }
  if (effect.type === 'alert') notices.alerts.push({ id: attempt.id, ...effect.params });
  if (effect.type === 'sendToJob') moveJob(model, job, effect.params);
  if (effect.type === 'insertStagedImage')
    model.images.push({
      id: effect.params.imageId,
      version: 1,
      state: 'PENDING_REVIEW',
      context: initialImageReview,
      style: job.style,
      jobId: job.id,
      objectKey: attempt.context.objectKey ?? '',
    });
  if (effect.type === 'scheduleDeletion' && effect.params.objectKey !== null) {
    const { objectKey, notBefore } = effect.params;
    const reason = 'STAGED_IMAGE_DELETED';
    const context = { ...initialDeletionItem, nextAttemptAt: notBefore };
    model.deletions.push({ objectKey, reason, version: 1, state: 'PENDING', context });
  }
}

/** Inserted by a trigger, so without a birth in the journal. */
export function queueDeletion(model: StagingModel, objectKey: string, reason: DeletionModel['reason']): void {
  const context = { ...initialDeletionItem, nextAttemptAt: DATABASE_CLOCK };
  model.deletions.push({ objectKey, reason, version: 0, state: 'PENDING', context });
}

export function take<C>(actor: Modelled<C> | DeletionModel, next: ActorState<C>): void {
  Object.assign(actor, { state: next.state, context: next.context, version: actor.version + 1 });
}

export function answer(
  outcome: 'applied' | 'ignored' | 'stale',
  { state, version }: { state: string; version: number },
): Delivery {
  return { outcome, state, version };
}

function isStale({ lease }: JobModel, type: string, by: Bearer): boolean {
  if (FREE.has(type)) return false;
  return lease === null || lease.owner !== by?.owner || lease.epoch !== by.epoch;
}
