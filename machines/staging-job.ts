import { assign, setup } from 'xstate';
import { countCrash, crashesBeforeAttempt2, isLastCrash, type RunnerCrash } from './crashes.ts';
import { type AttemptOutcome, asData, type EffectParams, emitterFor } from './effects.ts';
import type { AttemptErrorCode } from './failure-classes.ts';
import { RETRY_BACKOFF_MS, spread } from './limits.ts';
import type { AttemptNumber } from './provider-attempt-model.ts';
import { PURCHASE_KINDS, type PurchaseKind } from './purchase-kinds.ts';
import { type CollectAsked, whyNotCollected } from './refused-output.ts';

/**
 * The job: one order of an agent (`ai_jobs`), for one style of one original (`ai_room_staging_jobs`) or for one text
 * about a listing (`ai_description_jobs`). It owns how often a purchase may be tried and when the order is over; the
 * provider attempt owns the purchase itself. Always true: at most as many attempts as the kind allows are reserved, the
 * second only after a retryable failure of the first; a final state never changes, except that an operator has a picture
 * collected that was refused for its host. After a crash the row is read again; nothing is lost.
 * Source: docs/charts/staging-job.md, docs/contract.md#jobs.
 */
export interface StagingJobContext {
  /** Fixed by the kind of the job. */
  attemptsAllowed: AttemptNumber;
  attemptCount: number;
  errorCode: string | null;
  retryAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  cancelRequestedAt: number | null;
  canceledAt: number | null;
  /** Null for a text. */
  resultImageId: string | null;
  /** Crashes while local work on the attempt was under way. */
  crashCount: number;
  /** Only jobs that crashed under the old rule have one (`crashes.ts`). */
  crashMark: number | null;
  /** Time since the submission in which the job could have started; final from its start on. */
  queueWaitMs: number | null;
}

/**
 * How a start was counted against the start rate, in the journal, to verify the rate (I32). The machine does not read
 * it: the database decides in the transaction that starts the job.
 */
export interface CountedStart {
  /** By the database's clock. */
  at: number;
  perMinute: number;
}

export type StagingJobEvent =
  | {
      type: 'WORKER_STARTED';
      at: number;
      enabled: boolean;
      attemptId: string;
      queueAttempt: number;
      /** Time since the submission in which the job could have started. */
      waitedMs: number;
      started?: CountedStart;
    }
  | { type: 'RETRY_DUE'; at: number; enabled: boolean; attemptId: string; started?: CountedStart }
  /** The provider shows a purchase for this job under that attempt's id, and the rows have no such attempt. */
  | { type: 'PURCHASE_FOUND'; at: number; attemptId: string }
  | { type: 'CANCEL_ASKED'; at: number }
  | { type: 'ORIGINAL_DELETED'; at: number }
  /** The listing of the text was deleted. */
  | { type: 'LISTING_GONE'; at: number }
  | { type: 'NOTHING_TO_CANCEL'; at: number }
  | RunnerCrash
  /** A person releases a job. `quarantined` is read in the deciding transaction. */
  | { type: 'RELEASE_ASKED'; at: number; quarantined: boolean }
  /** A person enqueues a waiting job again. */
  | { type: 'OFFER_ASKED'; at: number }
  | CollectAsked
  | AttemptOutcome;

export const initialJob = (kind: PurchaseKind): StagingJobContext => ({
  attemptsAllowed: PURCHASE_KINDS[kind].attempts,
  attemptCount: 0,
  errorCode: null,
  retryAt: null,
  startedAt: null,
  finishedAt: null,
  cancelRequestedAt: null,
  canceledAt: null,
  resultImageId: null,
  crashCount: 0,
  crashMark: null,
  queueWaitMs: null,
});

const machineSetup = setup({
  types: {
    context: {} as StagingJobContext,
    events: {} as StagingJobEvent,
    input: {} as { kind: PurchaseKind },
  },
  actions: {
    reserveAttempt: asData<EffectParams['reserveAttempt']>,
    sendToAttempt: asData<EffectParams['sendToAttempt']>,
    report: asData<EffectParams['report']>,
    alert: asData<EffectParams['alert']>,
    liftQuarantine: asData<EffectParams['liftQuarantine']>,
    enqueue: asData<EffectParams['enqueue']>,
    noteCanceled: assign({
      cancelRequestedAt: ({ context, event }) => context.cancelRequestedAt ?? event.at,
      canceledAt: ({ event }) => event.at,
      finishedAt: ({ event }) => event.at,
      retryAt: null,
    }),
    noteCancelRequested: assign({
      cancelRequestedAt: ({ context, event }) => context.cancelRequestedAt ?? event.at,
      retryAt: null,
    }),
    noteCrash: assign({ crashCount: ({ context }) => countCrash(context.crashCount), crashMark: null }),
    // The events of older journals do not have this value.
    noteWait: assign({
      queueWaitMs: ({ context, event }) =>
        event.type === 'WORKER_STARTED' ? (event.waitedMs ?? null) : context.queueWaitMs,
    }),
    forgetCrashes: assign({ crashCount: 0, crashMark: null }),
  },
  guards: {
    enabled: ({ event }) => 'enabled' in event && event.enabled,
    isQuarantined: ({ event }) => event.type === 'RELEASE_ASKED' && event.quarantined,
    // A picture that is collected for an operator was refused for good: whatever becomes of it, nothing is bought again.
    mayTryAgain: ({ context, event }) =>
      event.type === 'ATTEMPT_FAILED' &&
      event.retryable &&
      context.errorCode !== 'OUTPUT_HOST_REFUSED' &&
      context.attemptCount < context.attemptsAllowed,
    mayCollect: ({ context, event }) =>
      event.type === 'COLLECT_ASKED' && whyNotCollected(context, event) === null,
    attemptsLeft: ({ context }) => context.attemptCount < context.attemptsAllowed,
    retryIsDue: ({ context, event }) =>
      event.type === 'RETRY_DUE' &&
      event.enabled &&
      context.attemptCount < context.attemptsAllowed &&
      context.retryAt !== null &&
      event.at >= context.retryAt,
    crashedTooOften: ({ context, event }) => event.type === 'RUNNER_CRASHED' && isLastCrash(context, event),
  },
});

const emit = emitterFor<StagingJobContext, StagingJobEvent>();
const reserveFirst = emit('reserveAttempt', ({ event }) => ({
  attemptId: attemptIdOf(event),
  attemptNumber: 1,
  at: event.at,
}));
const reserveSecond = emit('reserveAttempt', ({ event }) => ({
  attemptId: attemptIdOf(event),
  attemptNumber: 2,
  at: event.at,
}));
const cancelAttempt = emit('sendToAttempt', ({ event }) => ({ type: 'CANCEL' as const, at: event.at }));
const abandonAttempt = emit('sendToAttempt', ({ event }) => ({ type: 'ABANDONED' as const, at: event.at }));
const collectAgain = emit('sendToAttempt', ({ event }) => ({
  type: 'COLLECT_ASKED' as const,
  at: event.at,
  objectKey: objectKeyOf(event),
}));
const reportStarted = emit('report', ({ event }) => ({
  event: 'worker_started' as const,
  fields: queueFields(event),
}));
const reportCompleted = emit('report', ({ context, event }) => ({
  event: 'completed' as const,
  fields: {
    attemptCount: context.attemptCount,
    queueWaitMs: context.queueWaitMs,
    processingMs: context.startedAt === null ? null : event.at - context.startedAt,
  },
}));
const reportCanceled = emit('report', () => ({ event: 'canceled' as const, fields: {} }));
const reportDiscarded = emit('report', () => ({
  event: 'output_discarded' as const,
  fields: { reason: 'canceled' },
}));
const reportRetry = emit('report', ({ context, event }) => ({
  event: 'retry_scheduled' as const,
  fields: { ...failureFields(event), retryAt: context.retryAt },
}));
const reportFailure = emit('report', ({ event }) => ({
  event: 'terminal_error' as const,
  fields: failureFields(event),
}));
const alertCrashed = emit('alert', () => ({
  alert: 'runner_crashed',
  fields: { errorCode: 'RUNNER_CRASHED' },
}));

const liftQuarantine = emit('liftQuarantine', ({ event }) => ({ at: event.at }));
const enqueueAgain = emit('enqueue', ({ context, event }) => ({
  delayMs: Math.max(0, (context.retryAt ?? 0) - event.at),
}));

const begun = {
  target: '#job.PROCESSING.ATTEMPT',
  actions: [
    machineSetup.assign({
      attemptCount: 1,
      startedAt: ({ context, event }) => context.startedAt ?? event.at,
      crashCount: 0,
      crashMark: null,
    }),
    'noteWait',
    reserveFirst,
    reportStarted,
  ],
} as const;
const start = { ...begun, guard: { type: 'enabled' } } as const;
const secondBegun = {
  target: '#job.PROCESSING.ATTEMPT',
  actions: [
    machineSetup.assign({
      attemptCount: ({ context }) => context.attemptCount + 1,
      errorCode: null,
      retryAt: null,
      crashCount: ({ context }) => crashesBeforeAttempt2(context),
    }),
    reserveSecond,
  ],
} as const;
const cancelBeforeStart = {
  target: '#job.CANCELED',
  actions: ['noteCanceled', reportCanceled],
} as const;
const cancelLater = {
  target: '#job.CANCEL_REQUESTED',
  actions: ['noteCancelRequested', cancelAttempt],
} as const;
/** The counts start again: an operator who releases a job has fixed the cause of its crashes. */
const release = { guard: 'isQuarantined', actions: ['forgetCrashes', liftQuarantine] } as const;
const canceled = { target: 'CANCELED', actions: ['noteCanceled', reportCanceled] } as const;

export const jobMachine = machineSetup.createMachine({
  id: 'job',
  context: ({ input }) => initialJob(input?.kind ?? 'stagingJob'),
  initial: 'PENDING',
  states: {
    PENDING: {
      initial: 'QUEUED',
      on: {
        // What was bought is neither off nor waited for.
        PURCHASE_FOUND: begun,
        CANCEL_ASKED: cancelBeforeStart,
        ORIGINAL_DELETED: cancelBeforeStart,
        LISTING_GONE: cancelBeforeStart,
        RELEASE_ASKED: release,
        OFFER_ASKED: { actions: enqueueAgain },
      },
      states: {
        QUEUED: {
          description: 'Waits in the queue for a worker and for the start rate.',
          on: { WORKER_STARTED: [start, { target: 'PROVIDER_DISABLED', actions: 'noteWait' }] },
        },
        PROVIDER_DISABLED: {
          description: 'Waits because new purchases are switched off; starts when they are on again.',
          on: { WORKER_STARTED: [start] },
        },
      },
    },
    PROCESSING: {
      initial: 'ATTEMPT',
      on: { RELEASE_ASKED: release },
      states: {
        ATTEMPT: {
          description: 'A purchase is under way; the attempt says how far it is.',
          on: {
            ATTEMPT_SUCCEEDED: {
              target: '#job.SUCCESS',
              actions: [
                machineSetup.assign({
                  resultImageId: ({ event }) => (event.type === 'ATTEMPT_SUCCEEDED' ? event.imageId : null),
                  errorCode: null,
                  finishedAt: ({ event }) => event.at,
                }),
                reportCompleted,
              ],
            },
            ATTEMPT_FAILED: [
              {
                target: '#job.RETRYING.BACKOFF',
                guard: 'mayTryAgain',
                actions: [
                  machineSetup.assign({
                    errorCode: ({ event }) => errorCodeOf(event),
                    retryAt: ({ event }) =>
                      event.at + spread(RETRY_BACKOFF_MS, 'jitter' in event ? event.jitter : 0),
                  }),
                  reportRetry,
                ],
              },
              {
                target: '#job.FAILED',
                actions: [
                  machineSetup.assign({
                    errorCode: ({ event }) => errorCodeOf(event),
                    finishedAt: ({ event }) => event.at,
                  }),
                  reportFailure,
                ],
              },
            ],
            CANCEL_ASKED: cancelLater,
            ORIGINAL_DELETED: cancelLater,
            LISTING_GONE: cancelLater,
            RUNNER_CRASHED: [
              {
                target: '#job.FAILED',
                guard: 'crashedTooOften',
                actions: [
                  'noteCrash',
                  machineSetup.assign({
                    errorCode: 'RUNNER_CRASHED' satisfies AttemptErrorCode,
                    finishedAt: ({ event }) => event.at,
                  }),
                  abandonAttempt,
                  reportFailure,
                  alertCrashed,
                ],
              },
              { actions: 'noteCrash' },
            ],
          },
        },
      },
    },
    RETRYING: {
      initial: 'BACKOFF',
      on: { RELEASE_ASKED: release, OFFER_ASKED: { actions: enqueueAgain } },
      states: {
        BACKOFF: {
          description: 'Attempt 1 failed in a way that may pass; waits before attempt 2.',
          on: {
            RETRY_DUE: { ...secondBegun, guard: 'retryIsDue' },
            PURCHASE_FOUND: { ...secondBegun, guard: 'attemptsLeft' },
            CANCEL_ASKED: { target: '#job.CANCEL_REQUESTED', actions: 'noteCancelRequested' },
            ORIGINAL_DELETED: { target: '#job.CANCEL_REQUESTED', actions: 'noteCancelRequested' },
          },
        },
      },
    },
    CANCEL_REQUESTED: {
      description: 'Cancellation was requested; the purchase under way is being canceled.',
      on: {
        ATTEMPT_CANCELED: canceled,
        ATTEMPT_FAILED: canceled,
        ATTEMPT_LOST: canceled,
        NOTHING_TO_CANCEL: canceled,
        ATTEMPT_DISCARDED: { target: 'CANCELED', actions: ['noteCanceled', reportDiscarded, reportCanceled] },
        RELEASE_ASKED: release,
      },
    },
    SUCCESS: {
      type: 'final',
      description: 'The result is stored: a picture waits for its review, a text is a draft.',
    },
    FAILED: {
      tags: 'final',
      description: 'Nothing came of it; errorCode says why.',
      on: {
        // The error code stays until the picture is stored: it says that nothing may be bought again.
        COLLECT_ASKED: {
          target: '#job.PROCESSING.ATTEMPT',
          guard: 'mayCollect',
          actions: [machineSetup.assign({ finishedAt: null }), 'forgetCrashes', collectAgain],
        },
      },
    },
    CANCELED: { type: 'final', description: 'Stopped on request, or because what it was about is gone.' },
  },
});

function attemptIdOf(event: StagingJobEvent): string {
  if ('attemptId' in event) return event.attemptId;
  throw new Error(`${event.type} does not reserve an attempt`);
}

function objectKeyOf(event: StagingJobEvent): string {
  if (event.type === 'COLLECT_ASKED') return event.objectKey;
  throw new Error(`${event.type} names no object`);
}

function queueFields(event: StagingJobEvent): Record<string, number> {
  if (event.type !== 'WORKER_STARTED') return {};
  return { queueAttempt: event.queueAttempt, queueWaitMs: event.waitedMs };
}

function errorCodeOf(event: StagingJobEvent): string | null {
  return event.type === 'ATTEMPT_FAILED' ? event.errorCode : null;
}

function failureFields(event: StagingJobEvent): Record<string, string | number | null> {
  if (event.type === 'ATTEMPT_FAILED')
    return { errorCode: event.errorCode, category: event.category, attemptNumber: event.attemptNumber };
  return { errorCode: 'RUNNER_CRASHED', category: 'permanent' };
}
