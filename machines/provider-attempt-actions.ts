import { setup } from 'xstate';
import { asData, type EffectParams, emitterFor } from './effects.ts';
import { type AttemptErrorCode, allowsSecondAttempt, failureCategory } from './failure-classes.ts';
import { DISCARD_DELAY_MS } from './limits.ts';
import {
  type AttemptNumber,
  decidingScanFrom,
  downloadWait,
  endsThisClaim,
  isDisproved,
  isFinally404,
  missingAfter,
  type ProviderAttemptContext,
  type ProviderAttemptEvent,
  sendWait,
  throttledSendsAfter,
} from './provider-attempt-model.ts';

/** The guards, context changes and effects of the provider attempt's chart. */
export const machineSetup = setup({
  types: {
    context: {} as ProviderAttemptContext,
    events: {} as ProviderAttemptEvent,
    input: {} as { attemptNumber: AttemptNumber },
  },
  actions: {
    sendToJob: asData<EffectParams['sendToJob']>,
    insertStagedImage: asData<EffectParams['insertStagedImage']>,
    storeText: asData<EffectParams['storeText']>,
    scheduleDeletion: asData<EffectParams['scheduleDeletion']>,
    report: asData<EffectParams['report']>,
    alert: asData<EffectParams['alert']>,
  },
  guards: {
    cancelAsked: ({ context }) => context.cancelAsked,
    endsThisClaim: ({ context, event }) => endsThisClaim(context, event),
    endsThisClaimCanceled: ({ context, event }) => endsThisClaim(context, event) && context.cancelAsked,
    maySendAgain: ({ context, event }) =>
      event.type === 'SEND_REFUSED' && endsThisClaim(context, event) && sendWait(context, event) !== null,
    refusedForGood: ({ event }) =>
      event.type === 'SEND_REFUSED' && failureCategory(event.errorCode) !== 'notBought',
    maySendAgainButCanceled: ({ context, event }) =>
      context.cancelAsked &&
      event.type === 'SEND_REFUSED' &&
      endsThisClaim(context, event) &&
      failureCategory(event.errorCode) === 'notBought',
    isStray: ({ context, event }) =>
      'predictionId' in event &&
      context.providerPredictionId !== null &&
      event.predictionId !== context.providerPredictionId &&
      event.predictionId !== context.strayPredictionId,
    isOwnCallback: ({ context, event }) =>
      event.type === 'CALLBACK_RECEIVED' &&
      event.predictionId === context.providerPredictionId &&
      (context.nextPollAt === null || context.nextPollAt < event.at),
    notYetAsked: ({ context }) => !context.cancelAsked,
    isFirstId: ({ context }) => context.providerPredictionId === null,
    variantExists: ({ event }) => event.type === 'OUTPUT_STORED' && event.variantExists,
    downloadsLeft: ({ context, event }) =>
      event.type === 'DOWNLOAD_FAILED' &&
      !isFinally404(context, event) &&
      downloadWait(context, event) !== null,
    isDisproved: ({ context, event }) => event.type === 'CLAIM_DISPROVED' && isDisproved(context, event),
    isDisprovedAndCanceled: ({ context, event }) =>
      context.cancelAsked && event.type === 'CLAIM_DISPROVED' && isDisproved(context, event),
    decidesLoss: ({ context, event }) => decides('UNCONFIRMED', context, event),
    decidesGone: ({ context, event }) => decides('RUNNING', context, event),
    isNotListed: ({ context }) => context.notListedAt !== null,
    isNotListedAndCanceled: ({ context }) => context.notListedAt !== null && context.cancelAsked,
    isFirstRefusal: ({ context }) => context.storageFailingSince === null,
    hostRefused: ({ event }) => event.type === 'OUTPUT_REFUSED' && event.errorCode === 'OUTPUT_HOST_REFUSED',
    wasHostRefused: ({ context }) => context.errorCode === 'OUTPUT_HOST_REFUSED',
    isGone: ({ context }) => context.goneSince !== null && context.notListedAt !== null,
    isFirst404: ({ context }) => context.goneSince === null,
    wasGone: ({ context }) => context.goneSince !== null,
  },
});

function decides(state: string, context: ProviderAttemptContext, event: ProviderAttemptEvent): boolean {
  if (event.type !== 'NOT_LISTED' || context.notListedAt !== null) return false;
  const from = decidingScanFrom(state, context);
  return from !== null && event.scanBeganAt >= from;
}

/** Keeps the evidence that ended the attempt and clears other evidence. */
function evidence({ goneSince, notListedAt }: ProviderAttemptContext, { type }: ProviderAttemptEvent) {
  const decided = type === 'PREDICTION_GONE' || type === 'WINDOW_PASSED';
  return decided ? { goneSince, notListedAt } : { goneSince: null, notListedAt: null };
}

type Args = { context: ProviderAttemptContext; event: ProviderAttemptEvent };
const emit = emitterFor<ProviderAttemptContext, ProviderAttemptEvent>();

function failure({ context, event }: Args, code: AttemptErrorCode) {
  return {
    type: 'ATTEMPT_FAILED' as const,
    at: event.at,
    attemptNumber: context.attemptNumber,
    errorCode: code,
    category: failureCategory(code),
    // What the provider has twice is paid twice.
    retryable: context.strayPredictionId === null && allowsSecondAttempt(code, context.unconfirmedCause),
    jitter: 'jitter' in event ? event.jitter : 0,
  };
}

function codeOf(event: ProviderAttemptEvent): AttemptErrorCode {
  if ('errorCode' in event) return event.errorCode;
  throw new Error(`${event.type} carries no error code`);
}

function textOf(event: ProviderAttemptEvent): string {
  if (event.type === 'TEXT_STORED') return event.text;
  throw new Error(`${event.type} carries no text`);
}

function imageIdOf(event: ProviderAttemptEvent): string {
  if (event.type === 'OUTPUT_STORED') return event.imageId;
  throw new Error(`${event.type} carries no image`);
}

const adoptId = machineSetup.assign({
  providerPredictionId: ({ context, event }) =>
    'predictionId' in event ? (context.providerPredictionId ?? event.predictionId) : null,
  providerStatus: ({ context, event }) =>
    'predictionId' in event ? (event.providerStatus ?? context.providerStatus) : context.providerStatus,
  nextPollAt: ({ event }) => event.at,
  notListedAt: null,
});
export const noteNotListed = machineSetup.assign({
  notListedAt: ({ context, event }) =>
    event.type === 'NOT_LISTED' ? event.scanBeganAt : context.notListedAt,
});
const noteGone = machineSetup.assign({ goneSince: ({ event }) => event.at, notListedAt: null });
export const noteSeen = machineSetup.assign({ goneSince: null, notListedAt: null });
const reportCreated = emit('report', ({ context, event }) => ({
  event: 'prediction_created',
  fields: {
    attemptNumber: context.attemptNumber,
    predictionId: 'predictionId' in event ? event.predictionId : null,
    learnedFrom: event.type,
  },
}));
export const reportTerminal = emit('report', ({ context, event }) => ({
  event: 'provider_terminal',
  fields: {
    attemptNumber: context.attemptNumber,
    predictionId: context.providerPredictionId,
    providerStatus: 'providerStatus' in event ? (event.providerStatus ?? null) : null,
    providerMs: context.sentAt === null ? null : event.at - context.sentAt,
  },
}));
const noteStray = [
  machineSetup.assign({
    strayPredictionId: ({ context, event }) =>
      'predictionId' in event ? event.predictionId : context.strayPredictionId,
  }),
  emit('alert', ({ context, event }) => ({
    alert: 'stray_prediction',
    fields: {
      attemptNumber: context.attemptNumber,
      predictionId: 'predictionId' in event ? event.predictionId : null,
      knownPredictionId: context.providerPredictionId,
    },
  })),
];
export const finish = machineSetup.assign(({ context, event }) => ({
  finishedAt: event.at,
  ...evidence(context, event),
}));
export const finishFailed = (code?: AttemptErrorCode) => [
  machineSetup.assign({
    errorCode: ({ event }) => code ?? codeOf(event),
    providerStatus: ({ context, event }) =>
      'providerStatus' in event ? (event.providerStatus ?? context.providerStatus) : context.providerStatus,
    finishedAt: ({ event }) => event.at,
  }),
  machineSetup.assign(({ context, event }) => evidence(context, event)),
  emit('sendToJob', (args) => failure(args, code ?? codeOf(args.event))),
];
export const noteProviderStatus = machineSetup.assign({
  providerStatus: ({ context, event }) =>
    'providerStatus' in event ? (event.providerStatus ?? context.providerStatus) : context.providerStatus,
});
export const noteObjectKey = machineSetup.assign({
  objectKey: ({ context, event }) => ('objectKey' in event ? event.objectKey : context.objectKey),
});
export const noteOutput = machineSetup.assign(({ event }) =>
  event.type === 'OUTPUT_STORED'
    ? {
        outputWidth: event.output.width,
        outputHeight: event.output.height,
        outputFormat: event.output.format,
        outputChecksum: event.output.checksum,
        storageFailingSince: null,
        finishedAt: event.at,
      }
    : {},
);
/** A setting of ours is too narrow, or the provider's answer is not the provider's. */
export const alertHost = emit('alert', ({ context, event }) => ({
  alert: 'output_host_refused',
  fields: {
    attemptNumber: context.attemptNumber,
    host: event.type === 'OUTPUT_REFUSED' ? (event.host ?? null) : null,
  },
}));
/** The downloads begin again. The key is a new one, because the deletion of the first may be under way. */
export const noteCollectedAgain = machineSetup.assign({
  errorCode: null,
  finishedAt: null,
  objectKey: ({ context, event }) => (event.type === 'COLLECT_ASKED' ? event.objectKey : context.objectKey),
  downloadTries: 0,
  missingTries: 0,
  missingAt: null,
  storageFailingSince: null,
});
/** For every downloaded output, accepted or not. */
export const noteDownloaded = machineSetup.assign({
  downloadBytes: ({ context, event }) => {
    if (event.type === 'OUTPUT_STORED') return event.output.bytes;
    if (event.type === 'OUTPUT_REFUSED') return event.downloadBytes ?? context.downloadBytes;
    return context.downloadBytes;
  },
});
export const noteSent = machineSetup.assign({
  sentAt: ({ event }) => event.at,
  sendTries: ({ context }) => context.sendTries + 1,
  nextSendAt: null,
  errorCode: null,
});
/** Takes back the claim: no create was sent. */
export const noteWithdrawn = machineSetup.assign({ sendTries: ({ context }) => context.sendTries - 1 });
/** Takes back a claim that the provider's list disproves, and the search for its purchase. */
export const noteDisproved = machineSetup.assign({
  sendTries: ({ context }) => context.sendTries - 1,
  unconfirmedSince: null,
  unconfirmedCause: null,
  notListedAt: null,
});
export const noteCancelAsked = machineSetup.assign({ cancelAsked: true });
export const notePollNow = machineSetup.assign({ nextPollAt: ({ event }) => event.at });
export const noteDownloadFailed = machineSetup.assign(({ context, event }) => ({
  downloadTries: context.downloadTries + 1,
  ...(event.type === 'DOWNLOAD_FAILED' ? missingAfter(context, event) : {}),
}));
export const noteStorageFailing = machineSetup.assign({
  storageFailingSince: ({ context, event }) => context.storageFailingSince ?? event.at,
});
export const alertStorage = emit('alert', ({ context }) => ({
  alert: 'storage_unavailable',
  fields: { attemptNumber: context.attemptNumber },
}));
export const noteLost = machineSetup.assign({
  errorCode: 'PREDICTION_UNCONFIRMED',
  finishedAt: ({ event }) => event.at,
});
export const sendLost = emit('sendToJob', ({ event }) => ({ type: 'ATTEMPT_LOST', at: event.at }));
export const storeImage = emit('insertStagedImage', ({ event }) => ({
  imageId: imageIdOf(event),
  at: event.at,
}));
export const sendSucceeded = emit('sendToJob', ({ event }) => ({
  type: 'ATTEMPT_SUCCEEDED',
  at: event.at,
  imageId: event.type === 'TEXT_STORED' ? null : imageIdOf(event),
}));
export const storeText = emit('storeText', ({ event }) => ({ text: textOf(event), at: event.at }));
export const reportText = emit('report', ({ context, event }) => ({
  event: 'output_validated',
  fields: { attemptNumber: context.attemptNumber, characters: textOf(event).length },
}));
export const reportValidated = emit('report', ({ context }) => ({
  event: 'output_validated',
  fields: {
    attemptNumber: context.attemptNumber,
    bytes: context.downloadBytes,
    format: context.outputFormat,
    width: context.outputWidth,
    height: context.outputHeight,
  },
}));
export const reportVariantExists = emit('report', ({ context }) => ({
  event: 'output_discarded',
  fields: {
    attemptNumber: context.attemptNumber,
    reason: 'VARIANT_EXISTS',
    downloadBytes: context.downloadBytes,
  },
}));
export const sendVariantExists = emit('sendToJob', (args) => failure(args, 'VARIANT_EXISTS'));
export const sendCanceled = emit('sendToJob', ({ event }) => ({ type: 'ATTEMPT_CANCELED', at: event.at }));
export const sendDiscarded = emit('sendToJob', ({ event }) => ({ type: 'ATTEMPT_DISCARDED', at: event.at }));
/** A put may still be in flight, so the key is deleted only after twice the put timeout. A text has no key. */
export const discardObject = emit('scheduleDeletion', ({ context, event }) => ({
  objectKey: context.objectKey,
  reason: 'STAGED_IMAGE_DELETED',
  notBefore: event.at + DISCARD_DELAY_MS,
  at: event.at,
}));

export const learned = [
  { target: 'CANCELING', guard: 'cancelAsked' as const, actions: [adoptId, reportCreated] },
  { target: 'RUNNING', actions: [adoptId, reportCreated] },
];
/**
 * The purchase exists, although its create counts as refused or as never sent. When it was sent is forgotten, so it
 * counts as sent now: its age decides how long it is waited for and downloaded.
 */
export const learnedUnsent = {
  target: 'RUNNING',
  actions: [
    machineSetup.assign({
      errorCode: null,
      nextSendAt: null,
      sentAt: ({ context, event }) => context.sentAt ?? event.at,
    }),
    adoptId,
    reportCreated,
  ],
};
/** A first 404 is only recorded. It decides once it has lasted and a scan agrees. */
export const afterGone = { guard: 'isFirst404' as const, actions: noteGone };
export const seenAgain = { guard: 'wasGone' as const, actions: noteSeen };
export const notListedThere = { guard: 'decidesGone' as const, actions: noteNotListed };
export const abandoned = { target: 'FAILED', actions: [abandon(), finish] };
export const stray = { guard: 'isStray' as const, actions: noteStray };
/** A second purchase that appears after the attempt's result is recorded. */
export const afterTheResult = { PREDICTION_CREATED: stray, PREDICTION_FOUND: stray };
const late = { guard: 'isFirstId' as const, actions: [adoptId, lateAlert()] };
/** A purchase that appears after the attempt's end is always recorded. */
export const afterTheEnd = {
  PREDICTION_CREATED: [late, stray],
  PREDICTION_FOUND: [late, stray],
  CALLBACK_RECEIVED: late,
};

export function abandon() {
  return machineSetup.assign({ errorCode: 'RUNNER_CRASHED' satisfies AttemptErrorCode });
}
function lateAlert() {
  return emit('alert', ({ context, event }) => ({
    alert: 'late_prediction',
    fields: {
      attemptNumber: context.attemptNumber,
      predictionId: 'predictionId' in event ? event.predictionId : null,
    },
  }));
}
export const noteRefusedSend = machineSetup.assign(({ context, event }) =>
  event.type === 'SEND_REFUSED'
    ? {
        errorCode: event.errorCode,
        nextSendAt: event.at + (sendWait(context, event) ?? 0),
        throttledSends: throttledSendsAfter(context, event),
      }
    : {},
);
export const noteUnconfirmed = machineSetup.assign({
  unconfirmedSince: ({ event }) => event.at,
  unconfirmedCause: ({ event }) =>
    event.type === 'SEND_UNKNOWN' ? (event.cause ?? 'transport') : ('restart' as const),
});

export function attemptLost() {
  return emit('alert', ({ context }) => ({
    alert: 'attempt_lost',
    fields: { attemptNumber: context.attemptNumber },
  }));
}
