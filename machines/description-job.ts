import { assign, setup } from 'xstate';
import { countCrash, isLastCrash, type RunnerCrash } from './crashes.ts';
import { asData, type EffectParams, emitterFor } from './effects.ts';
import type { AttemptErrorCode } from './failure-classes.ts';
import {
  decidingScanFrom,
  sendWait,
  throttledSendsAfter,
  type UnconfirmedCause,
} from './provider-attempt-model.ts';

/**
 * The description job: one text about a listing, bought at most once (`ai_jobs` + `ai_description_jobs`). It is
 * the job and its only purchase in one, because there is no second attempt and no review: the inner states of
 * PROCESSING are the purchase. Always true: SENT is entered only by a claim that its sender can prove; a text whose
 * POST may have been accepted is never sent again; a prediction id never changes once it is known; what is over
 * stays over. After a crash SENT becomes UNCONFIRMED and every other state has its effect run again.
 * Source: docs/contract.md#descriptions; ARCHITECTURE.md#buying-at-most-once.
 */
/** Ways a description fails beside those of any purchase: no text came, or one that breaks the rules. */
export const DESCRIPTION_FAILURES = ['DESCRIPTION_EMPTY', 'DESCRIPTION_REJECTED'] as const;
export type DescriptionFailure = (typeof DESCRIPTION_FAILURES)[number];
export type DescriptionErrorCode = AttemptErrorCode;

export interface DescriptionJobContext {
  errorCode: DescriptionErrorCode | null;
  startedAt: number | null;
  finishedAt: number | null;
  canceledAt: number | null;
  /** Since the submission, as far as the job could be started; the whole of it from its start on. */
  queueWaitMs: number | null;
  /** Crashes while local work on the job was under way, since it last moved. */
  crashCount: number;
  /** As the provider attempt's. */
  sendTries: number;
  throttledSends: number;
  nextSendAt: number | null;
  sentAt: number | null;
  unconfirmedSince: number | null;
  unconfirmedCause: UnconfirmedCause | null;
  /** As in a provider attempt: since when the provider says 404, and the scan that decides. */
  goneSince: number | null;
  notListedAt: number | null;
  providerPredictionId: string | null;
  /** A second, different prediction id that turned up; never overwrites the first. */
  strayPredictionId: string | null;
  providerStatus: string | null;
  /** The draft, checked. */
  text: string | null;
}

interface Bearer {
  at: number;
  predictionId: string;
  providerStatus: string | null;
}
export type DescriptionJobEvent =
  | { type: 'WORKER_STARTED'; at: number; enabled: boolean; queueAttempt: number; waitedMs: number }
  /** `token` lets the sender prove, after a lost commit answer, that the claim is its own. */
  | { type: 'SEND_CLAIMED'; at: number; token: string }
  | {
      type: 'SEND_REFUSED';
      at: number;
      errorCode: AttemptErrorCode;
      retryAfterMs: number | null;
      jitter: number;
    }
  /** Journals older than the field have none; everything was counted as `transport` then. */
  | { type: 'SEND_UNKNOWN'; at: number; cause?: UnconfirmedCause }
  /** The sender stops, or may not buy any more, and knows that its claim was not followed by a create. */
  | { type: 'SEND_WITHDRAWN'; at: number }
  | { type: 'RUNNER_RESTARTED'; at: number }
  | ({ type: 'PREDICTION_CREATED' } & Bearer)
  | ({ type: 'PREDICTION_FOUND' } & Bearer)
  | { type: 'NOT_LISTED'; at: number; scanBeganAt: number }
  | { type: 'WINDOW_PASSED'; at: number }
  | { type: 'PREDICTION_GONE'; at: number }
  | { type: 'PREDICTION_SEEN'; at: number }
  | { type: 'PREDICTION_SUCCEEDED'; at: number; providerStatus: string; text: string }
  | { type: 'TEXT_REFUSED'; at: number; providerStatus: string; errorCode: DescriptionFailure }
  | { type: 'PREDICTION_FAILED'; at: number; providerStatus: string | null; errorCode: AttemptErrorCode }
  /** There is no listing any more that the text could be about. */
  | { type: 'LISTING_GONE'; at: number }
  | RunnerCrash
  /** Heard only while nothing is bought; a text that is bought comes within minutes and costs no more. */
  | { type: 'CANCEL_ASKED'; at: number }
  /** A person puts back a job that was set aside; whether it is, is read in the deciding transaction. */
  | { type: 'RELEASE_ASKED'; at: number; quarantined: boolean }
  /** A person has the queue bring a waiting job again. */
  | { type: 'OFFER_ASKED'; at: number };

export const initialDescriptionJob: DescriptionJobContext = {
  errorCode: null,
  startedAt: null,
  finishedAt: null,
  canceledAt: null,
  queueWaitMs: null,
  crashCount: 0,
  sendTries: 0,
  throttledSends: 0,
  nextSendAt: null,
  sentAt: null,
  unconfirmedSince: null,
  unconfirmedCause: null,
  goneSince: null,
  notListedAt: null,
  providerPredictionId: null,
  strayPredictionId: null,
  providerStatus: null,
  text: null,
};

const machineSetup = setup({
  types: { context: {} as DescriptionJobContext, events: {} as DescriptionJobEvent },
  actions: {
    report: asData<EffectParams['report']>,
    alert: asData<EffectParams['alert']>,
    liftQuarantine: asData<EffectParams['liftQuarantine']>,
    enqueue: asData<EffectParams['enqueue']>,
    noteStarted: assign({ startedAt: ({ context, event }) => context.startedAt ?? event.at, crashCount: 0 }),
    // Journals from before this was kept have it in no event.
    noteWait: assign({
      queueWaitMs: ({ context, event }) =>
        event.type === 'WORKER_STARTED' ? (event.waitedMs ?? null) : context.queueWaitMs,
    }),
    noteSent: assign({
      sentAt: ({ event }) => event.at,
      sendTries: ({ context }) => context.sendTries + 1,
      nextSendAt: null,
      errorCode: null,
      crashCount: 0,
    }),
    noteWithdrawn: assign({ sendTries: ({ context }) => context.sendTries - 1, crashCount: 0 }),
    noteRefusal: assign(({ context, event }) =>
      event.type === 'SEND_REFUSED'
        ? {
            errorCode: event.errorCode,
            nextSendAt: event.at + (sendWait(context, event) ?? 0),
            throttledSends: throttledSendsAfter(context, event),
            crashCount: 0,
          }
        : {},
    ),
    noteUnconfirmed: assign({
      unconfirmedSince: ({ event }) => event.at,
      unconfirmedCause: ({ event }) =>
        event.type === 'SEND_UNKNOWN' ? (event.cause ?? 'transport') : ('restart' as const),
      crashCount: 0,
    }),
    noteId: assign(({ context, event }) =>
      'predictionId' in event
        ? {
            providerPredictionId: context.providerPredictionId ?? event.predictionId,
            providerStatus: event.providerStatus ?? context.providerStatus,
            notListedAt: null,
            crashCount: 0,
          }
        : {},
    ),
    noteNotListed: assign(({ event }) =>
      event.type === 'NOT_LISTED' ? { notListedAt: event.scanBeganAt } : {},
    ),
    noteGone: assign({ goneSince: ({ event }) => event.at, notListedAt: null }),
    noteSeen: assign({ goneSince: null, notListedAt: null }),
    noteStray: assign(({ event }) =>
      'predictionId' in event ? { strayPredictionId: event.predictionId } : {},
    ),
    noteText: assign(({ event }) =>
      event.type === 'PREDICTION_SUCCEEDED'
        ? { text: event.text, providerStatus: event.providerStatus, finishedAt: event.at }
        : {},
    ),
    noteFailed: assign({
      errorCode: ({ event }) => errorCodeOf(event),
      providerStatus: ({ context, event }) =>
        'providerStatus' in event ? (event.providerStatus ?? context.providerStatus) : context.providerStatus,
      finishedAt: ({ event }) => event.at,
      nextSendAt: null,
    }),
    noteCanceled: assign({
      canceledAt: ({ event }) => event.at,
      finishedAt: ({ event }) => event.at,
      nextSendAt: null,
    }),
    noteCrash: assign({ crashCount: ({ context }) => countCrash(context.crashCount) }),
    forgetCrashes: assign({ crashCount: 0 }),
  },
  guards: {
    enabled: ({ event }) => event.type === 'WORKER_STARTED' && event.enabled,
    isQuarantined: ({ event }) => event.type === 'RELEASE_ASKED' && event.quarantined,
    maySendAgain: ({ context, event }) => event.type === 'SEND_REFUSED' && sendWait(context, event) !== null,
    decidesLoss: ({ context, event }) => decides('UNCONFIRMED', context, event),
    decidesGone: ({ context, event }) => decides('RUNNING', context, event),
    isNotListed: ({ context }) => context.notListedAt !== null,
    isGone: ({ context }) => context.goneSince !== null && context.notListedAt !== null,
    isFirst404: ({ context }) => context.goneSince === null,
    wasGone: ({ context }) => context.goneSince !== null,
    isFirstId: ({ context }) => context.providerPredictionId === null,
    isStray: ({ context, event }) =>
      'predictionId' in event &&
      context.providerPredictionId !== null &&
      event.predictionId !== context.providerPredictionId &&
      event.predictionId !== context.strayPredictionId,
    crashedTooOften: ({ context, event }) => event.type === 'RUNNER_CRASHED' && isLastCrash(context, event),
  },
});

const emit = emitterFor<DescriptionJobContext, DescriptionJobEvent>();
const reportStarted = emit('report', ({ event }) => ({
  event: 'worker_started' as const,
  fields: queueFields(event),
}));
const reportCreated = emit('report', ({ event }) => ({
  event: 'prediction_created' as const,
  fields: { predictionId: 'predictionId' in event ? event.predictionId : null, learnedFrom: event.type },
}));
const reportTerminal = emit('report', ({ context, event }) => ({
  event: 'provider_terminal' as const,
  fields: {
    predictionId: context.providerPredictionId,
    providerStatus: 'providerStatus' in event ? event.providerStatus : null,
    providerMs: context.sentAt === null ? null : event.at - context.sentAt,
  },
}));
const reportCompleted = emit('report', ({ context, event }) => ({
  event: 'completed' as const,
  fields: {
    characters: event.type === 'PREDICTION_SUCCEEDED' ? event.text.length : null,
    queueWaitMs: context.queueWaitMs,
    processingMs: context.startedAt === null ? null : event.at - context.startedAt,
  },
}));
const reportCanceled = emit('report', ({ event }) => ({
  event: 'canceled' as const,
  fields: { reason: event.type === 'CANCEL_ASKED' ? 'asked' : 'listing gone' },
}));
const reportFailure = emit('report', ({ event }) => ({
  event: 'terminal_error' as const,
  fields: { errorCode: errorCodeOf(event), category: 'permanent' },
}));
const alertOf = (alert: string) =>
  emit('alert', ({ context, event }) => ({
    alert,
    fields: {
      predictionId: 'predictionId' in event ? event.predictionId : null,
      knownPredictionId: context.providerPredictionId,
    },
  }));

const liftQuarantine = emit('liftQuarantine', ({ event }) => ({ at: event.at }));
const enqueueAgain = emit('enqueue', () => ({ delayMs: 0 }));

const failed = { target: '#descriptionJob.FAILED', actions: ['noteFailed', reportFailure] } as const;
const failedThere = {
  target: '#descriptionJob.FAILED',
  actions: [reportTerminal, 'noteFailed', reportFailure],
} as const;
const canceled = {
  target: '#descriptionJob.CANCELED',
  actions: ['noteCanceled', reportCanceled],
} as const;
const learned = {
  target: '#descriptionJob.PROCESSING.RUNNING',
  actions: ['noteId', reportCreated],
} as const;
const stray = { guard: 'isStray', actions: ['noteStray', alertOf('stray_prediction')] } as const;
/** The counts begin anew: an operator who releases a job has fixed what crashed its runners. */
const release = { guard: 'isQuarantined', actions: ['forgetCrashes', liftQuarantine] } as const;
const crashed = [
  {
    target: '#descriptionJob.FAILED',
    guard: 'crashedTooOften',
    actions: ['noteCrash', 'noteFailed', reportFailure, alertOf('runner_crashed')],
  },
  { actions: 'noteCrash' },
] as const;
/** A purchase that turns up when the job is over is recorded, never forgotten. */
const afterTheEnd = [{ guard: 'isFirstId', actions: ['noteId', alertOf('late_prediction')] }, stray] as const;
const start = {
  target: '#descriptionJob.PROCESSING.RESERVED',
  guard: 'enabled',
  actions: ['noteStarted', 'noteWait', reportStarted],
} as const;

export const descriptionJobMachine = machineSetup.createMachine({
  id: 'descriptionJob',
  context: initialDescriptionJob,
  initial: 'PENDING',
  states: {
    PENDING: {
      initial: 'QUEUED',
      on: {
        LISTING_GONE: canceled,
        CANCEL_ASKED: canceled,
        RELEASE_ASKED: release,
        OFFER_ASKED: { actions: enqueueAgain },
      },
      states: {
        QUEUED: {
          description: 'Waits in the queue for a worker.',
          on: { WORKER_STARTED: [start, { target: 'PROVIDER_DISABLED', actions: 'noteWait' }] },
        },
        PROVIDER_DISABLED: {
          description: 'Waits because new purchases are switched off; starts when they are on again.',
          on: { WORKER_STARTED: [start] },
        },
      },
    },
    PROCESSING: {
      initial: 'RESERVED',
      on: { RUNNER_CRASHED: crashed, RELEASE_ASKED: release },
      states: {
        RESERVED: {
          description: 'Not sent: nothing was bought, sending is safe.',
          meta: { activity: 'sendDescription' },
          on: {
            SEND_CLAIMED: { target: 'SENT', actions: 'noteSent' },
            LISTING_GONE: canceled,
            CANCEL_ASKED: canceled,
          },
        },
        SENT: {
          description: 'The create call is on the wire; only the runner that claimed it may make it.',
          on: {
            PREDICTION_CREATED: learned,
            SEND_REFUSED: [{ target: 'RESERVED', guard: 'maySendAgain', actions: 'noteRefusal' }, failed],
            SEND_WITHDRAWN: { target: 'RESERVED', actions: 'noteWithdrawn' },
            SEND_UNKNOWN: { target: 'UNCONFIRMED', actions: 'noteUnconfirmed' },
            RUNNER_RESTARTED: { target: 'UNCONFIRMED', actions: 'noteUnconfirmed' },
          },
        },
        UNCONFIRMED: {
          description: 'The create may have been accepted; it is looked for and never sent again.',
          meta: { activity: 'findDescription' },
          on: {
            PREDICTION_CREATED: learned,
            PREDICTION_FOUND: learned,
            NOT_LISTED: { guard: 'decidesLoss', actions: 'noteNotListed' },
            WINDOW_PASSED: {
              ...failed,
              guard: 'isNotListed',
              actions: [...failed.actions, alertOf('description_lost')],
            },
            LISTING_GONE: canceled,
          },
        },
        RUNNING: {
          description: 'Bought and known by its prediction id; the provider writes.',
          meta: { activity: 'pollDescription' },
          on: {
            PREDICTION_SUCCEEDED: {
              target: '#descriptionJob.SUCCESS',
              actions: [reportTerminal, 'noteText', reportCompleted],
            },
            TEXT_REFUSED: failedThere,
            PREDICTION_FAILED: failedThere,
            PREDICTION_GONE: [
              { ...failedThere, guard: 'isGone' },
              { guard: 'isFirst404', actions: 'noteGone' },
            ],
            PREDICTION_SEEN: { guard: 'wasGone', actions: 'noteSeen' },
            NOT_LISTED: { guard: 'decidesGone', actions: 'noteNotListed' },
            PREDICTION_CREATED: stray,
            PREDICTION_FOUND: stray,
            LISTING_GONE: canceled,
          },
        },
      },
    },
    SUCCESS: {
      tags: 'final',
      description: 'The draft is stored; the agent may put what they like of it into the listing.',
      on: { PREDICTION_CREATED: stray, PREDICTION_FOUND: stray },
    },
    FAILED: {
      tags: 'final',
      description: 'There is no text; errorCode says why.',
      on: { PREDICTION_CREATED: afterTheEnd, PREDICTION_FOUND: afterTheEnd },
    },
    CANCELED: {
      tags: 'final',
      description: 'Stopped on request, or because its listing is gone.',
      on: { PREDICTION_CREATED: afterTheEnd, PREDICTION_FOUND: afterTheEnd },
    },
  },
});

function queueFields(event: DescriptionJobEvent): Record<string, number> {
  if (event.type !== 'WORKER_STARTED') return {};
  return { queueAttempt: event.queueAttempt, queueWaitMs: event.waitedMs };
}

function errorCodeOf(event: DescriptionJobEvent): DescriptionErrorCode {
  if ('errorCode' in event) return event.errorCode;
  if (event.type === 'PREDICTION_GONE') return 'OUTPUT_UNAVAILABLE';
  return event.type === 'WINDOW_PASSED' ? 'PREDICTION_UNCONFIRMED' : 'RUNNER_CRASHED';
}

function decides(state: string, context: DescriptionJobContext, event: DescriptionJobEvent): boolean {
  if (event.type !== 'NOT_LISTED' || context.notListedAt !== null) return false;
  const from = decidingScanFrom(state, context);
  return from !== null && event.scanBeganAt >= from;
}
