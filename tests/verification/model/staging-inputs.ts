import { initialImageReview } from '../../../machines/image-review.ts';
import type { ProviderAttemptEvent } from '../../../machines/provider-attempt-model.ts';
import type { StagingJobEvent } from '../../../machines/staging-job.ts';
import type { AttemptMessage, Delivery } from '../../../supervisors/actors/messages.ts';
import { PROVIDER_ATTEMPT_EVENTS, STAGING_JOB_EVENTS } from '../../support/machines/event-catalogues.ts';
import {
  type AttemptModel,
  liveAttempt,
  newJob,
  newOriginal,
  type StagingModel,
  sendToAttempt,
  sendToJob,
} from './staging-model.ts';
import { deleteOriginal } from './staging-people.ts';

/**
 * The events that can be sent to one job with its attempts from outside; messages between the job and its
 * attempts are left out.
 */
export type PathEvent =
  | { to: 'job'; event: Exclude<StagingJobEvent, { type: `ATTEMPT_${string}` }> }
  | { to: 'attempt'; number: 1 | 2; event: AttemptMessage }
  /** Another writer's result of the same style, such as one of an old worker. */
  | { to: 'world'; event: { type: 'VARIANT_APPEARS' } };

/** The path's runner holds the job from its beginning to its end. */
export const LEASE = { owner: 'node-a', epoch: 1 };
const HELD = { ...LEASE, expiresAt: Number.POSITIVE_INFINITY };

/** `version` 0: a job of an older release, whose journal does not begin with its birth. */
export function newScene(ids: {
  job: string;
  objectKey: string;
  providerInputKey: string;
  version?: 0;
}): StagingModel {
  const model = newOriginal(ids);
  const job = newJob(ids.job, 'MODERN');
  model.jobs.push({ ...job, version: ids.version ?? job.version, lease: HELD, leaseEpoch: 1 });
  return model;
}

/** Moves the model by one event. Returns the actor system's answer; null for actions outside of it. */
export function tell(model: StagingModel, told: PathEvent, variantId = 'elsewhere'): Delivery | null {
  const [job] = model.jobs;
  if (!job) throw new Error('a path is about one job');
  if (told.to === 'world') {
    model.images.push({
      id: variantId,
      version: 0,
      state: 'PENDING_REVIEW',
      style: job.style,
      jobId: null,
      objectKey: `staged/${variantId}.jpg`,
      context: initialImageReview,
    });
    return null;
  }
  if (told.to === 'job') {
    if (told.event.type === 'ORIGINAL_DELETED') {
      deleteOriginal(model, { at: told.event.at });
      return null;
    }
    return sendToJob(model, job, told.event, LEASE);
  }
  const attempt = job.attempts[told.number - 1];
  if (!attempt) throw new Error(`no attempt ${told.number}`);
  return sendToAttempt(model, job, attempt, told.event, LEASE);
}

/** A crash of a runner that ran this job alone. */
const CRASHES: PathEvent[] = STAGING_JOB_EVENTS.flatMap((event) =>
  event.type === 'RUNNER_CRASHED' && event.alone ? [{ to: 'job', event }] : [],
);
const JOB_WORDS: PathEvent[] = STAGING_JOB_EVENTS.flatMap((event) =>
  event.type.startsWith('ATTEMPT_') || event.type === 'RUNNER_CRASHED'
    ? []
    : [{ to: 'job', event } as PathEvent],
);
/** Messages of the job. */
const FROM_JOB = ['CANCEL', 'ABANDONED', 'COLLECT_ASKED'];
/** Whether a variant exists is read from the rows. */
const asMessage = (event: ProviderAttemptEvent): AttemptMessage[] => {
  if (event.type === 'COLLECT_ASKED') return [];
  if (event.type !== 'OUTPUT_STORED') return [event];
  const { variantExists, ...message } = event;
  return variantExists ? [] : [message];
};
const ATTEMPT_MESSAGES = PROVIDER_ATTEMPT_EVENTS.filter(({ type }) => !FROM_JOB.includes(type)).flatMap(
  asMessage,
);
/** Events that reach an attempt after its end. */
const LATE = ['PREDICTION_CREATED', 'PREDICTION_FOUND', 'CALLBACK_RECEIVED'];

/** All events worth sending here, applied or ignored. */
export function wordsFor({ jobs, images }: StagingModel): PathEvent[] {
  const [job] = jobs;
  if (!job) return [];
  const latest = job.attempts.at(-1);
  const live = liveAttempt(job);
  // Crashes come five in a row, in every state of the attempt, without other events between them.
  if (job.context.crashCount > 0) return CRASHES;
  const words = JOB_WORDS.filter(({ event }) => event.type !== 'NOTHING_TO_CANCEL' || !live);
  if (!latest) return words;
  const number = latest.context.attemptNumber;
  const messages = ATTEMPT_MESSAGES.filter(({ type }) => live !== undefined || LATE.includes(type)).map(
    (event): PathEvent => ({ to: 'attempt', number, event }),
  );
  const appears: PathEvent[] =
    live?.state === 'COLLECTING' && images.length === 0
      ? [{ to: 'world', event: { type: 'VARIANT_APPEARS' } }]
      : [];
  return [...words, ...messages, ...(number === 1 ? CRASHES : []), ...appears];
}

/** The fields that decide the further paths: of each state only those that its transitions read. */
export function vertexOf({ original, jobs: [job], images }: StagingModel): string {
  if (!job) return '';
  const last = job.attempts.length - 1;
  const attempts = job.attempts.map((attempt, index) => (index < last ? attempt.state : figuresOf(attempt)));
  const latest = job.attempts[last];
  const mayStore = latest?.state === 'COLLECTING' || latest?.context.errorCode === 'OUTPUT_HOST_REFUSED';
  const world = mayStore ? images.length : 0;
  return [job.state, job.context.crashCount, original !== null, world, ...attempts].join(' ');
}
function figuresOf({ state, context }: AttemptModel): string {
  const known = [context.providerPredictionId !== null, context.strayPredictionId !== null];
  known.push(context.errorCode === 'OUTPUT_HOST_REFUSED');
  known.push(context.sentAt !== null, context.goneSince !== null, context.notListedAt !== null);
  if (context.attemptNumber === 2) return [state, ...known].join();
  const figures: Record<string, unknown[]> = {
    RESERVED: [context.sendTries],
    SENT: [context.sendTries, context.cancelAsked],
    UNCONFIRMED: [context.unconfirmedCause, context.cancelAsked],
    COLLECTING: [context.downloadTries, context.storageFailingSince !== null],
  };
  return [state, ...known, ...(figures[state] ?? [])].join();
}
