import {
  abandon,
  abandoned,
  afterGone,
  afterTheEnd,
  afterTheResult,
  alertHost,
  alertStorage,
  attemptLost,
  discardObject,
  finish,
  finishFailed,
  learned,
  learnedUnsent,
  machineSetup,
  noteCancelAsked,
  noteCollectedAgain,
  noteDisproved,
  noteDownloaded,
  noteDownloadFailed,
  noteLost,
  noteNotListed,
  noteObjectKey,
  noteOutput,
  notePollNow,
  noteProviderStatus,
  noteRefusedSend,
  noteSeen,
  noteSent,
  noteStorageFailing,
  noteUnconfirmed,
  noteWithdrawn,
  notListedThere,
  reportTerminal,
  reportText,
  reportValidated,
  reportVariantExists,
  seenAgain,
  sendCanceled,
  sendDiscarded,
  sendLost,
  sendSucceeded,
  sendVariantExists,
  storeImage,
  storeText,
  stray,
} from './provider-attempt-actions.ts';
import { initialProviderAttempt } from './provider-attempt-model.ts';

/**
 * The provider attempt: one purchase (`ai_provider_attempts`). It owns the only path to spending money. RESERVED ->
 * SENT happens again only after the provider certainly did not buy, and only the worker that saw its own SENT commit
 * may POST. Always true: a prediction id never changes once set; an attempt is never sent again if its POST may have
 * been accepted. After a crash SENT becomes UNCONFIRMED, and every other state runs its activity again. Source:
 * docs/charts/provider-attempt.md, ARCHITECTURE.md#buying-at-most-once.
 */
export const providerAttemptMachine = machineSetup.createMachine({
  id: 'providerAttempt',
  context: ({ input }) => initialProviderAttempt(input?.attemptNumber ?? 1),
  initial: 'RESERVED',
  states: {
    RESERVED: {
      description: 'Reserved, not sent: nothing was bought, sending is safe.',
      meta: { activity: 'sendPrediction' },
      on: {
        SEND_CLAIMED: {
          target: 'SENT',
          actions: noteSent,
        },
        // A send error that allows another send is ignored here: it was recorded before, and is delivered again only
        // because the answer to that commit was lost.
        SEND_REFUSED: { target: 'FAILED', guard: 'refusedForGood', actions: finishFailed() },
        // The attempt counts as not bought, but the callback proves the purchase: the attempt is never sent again.
        CALLBACK_RECEIVED: learnedUnsent,
        // The claim was forgotten by a database server that was promoted without it.
        PREDICTION_FOUND: learnedUnsent,
        CANCEL: { target: 'CANCELED', actions: [finish, sendCanceled] },
        ABANDONED: abandoned,
      },
    },
    SENT: {
      description: 'The create call is on the wire; only the runner that claimed it may make it.',
      on: {
        PREDICTION_CREATED: learned,
        CALLBACK_RECEIVED: learned,
        PREDICTION_FOUND: learned,
        SEND_REFUSED: [
          { target: 'CANCELED', guard: 'maySendAgainButCanceled', actions: [finish, sendCanceled] },
          { target: 'RESERVED', guard: 'maySendAgain', actions: noteRefusedSend },
          { target: 'FAILED', guard: 'endsThisClaim', actions: finishFailed() },
        ],
        SEND_WITHDRAWN: [
          { target: 'CANCELED', guard: 'endsThisClaimCanceled', actions: [finish, sendCanceled] },
          { target: 'RESERVED', guard: 'endsThisClaim', actions: noteWithdrawn },
        ],
        SEND_UNKNOWN: { target: 'UNCONFIRMED', actions: noteUnconfirmed },
        RUNNER_RESTARTED: { target: 'UNCONFIRMED', actions: noteUnconfirmed },
        CANCEL: { guard: 'notYetAsked', actions: noteCancelAsked },
        ABANDONED: abandoned,
      },
    },
    UNCONFIRMED: {
      description: 'The create may have been accepted; it is looked for and never sent again.',
      meta: { activity: 'reconcilePrediction' },
      on: {
        PREDICTION_FOUND: learned,
        CALLBACK_RECEIVED: learned,
        PREDICTION_CREATED: learned,
        NOT_LISTED: { guard: 'decidesLoss', actions: noteNotListed },
        CLAIM_DISPROVED: [
          { target: 'CANCELED', guard: 'isDisprovedAndCanceled', actions: [finish, sendCanceled] },
          { target: 'RESERVED', guard: 'isDisproved', actions: noteDisproved },
        ],
        WINDOW_PASSED: [
          {
            target: 'LOST',
            guard: 'isNotListedAndCanceled',
            actions: [noteLost, sendLost, attemptLost()],
          },
          {
            target: 'LOST',
            guard: 'isNotListed',
            actions: [...finishFailed('PREDICTION_UNCONFIRMED'), attemptLost()],
          },
        ],
        CANCEL: { guard: 'notYetAsked', actions: noteCancelAsked },
        ABANDONED: abandoned,
      },
    },
    RUNNING: {
      description: 'Bought and known by its prediction id; the provider works on it.',
      meta: { activity: 'pollPrediction' },
      on: {
        PREDICTION_SUCCEEDED: {
          target: 'COLLECTING',
          actions: [noteProviderStatus, noteObjectKey, noteSeen, reportTerminal],
        },
        PREDICTION_FAILED: { target: 'FAILED', actions: [reportTerminal, ...finishFailed()] },
        PREDICTION_GONE: [
          {
            target: 'FAILED',
            guard: 'isGone',
            actions: [reportTerminal, ...finishFailed('OUTPUT_UNAVAILABLE')],
          },
          afterGone,
        ],
        PREDICTION_SEEN: seenAgain,
        NOT_LISTED: notListedThere,
        CALLBACK_RECEIVED: { guard: 'isOwnCallback', actions: notePollNow },
        PREDICTION_CREATED: stray,
        PREDICTION_FOUND: stray,
        CANCEL: { target: 'CANCELING' },
        ABANDONED: abandoned,
      },
    },
    COLLECTING: {
      description: 'The provider finished; its output is fetched, checked and stored.',
      meta: { activity: 'collectOutput' },
      on: {
        OUTPUT_STORED: [
          {
            target: 'DISCARDED',
            guard: 'variantExists',
            actions: [noteDownloaded, finish, discardObject, reportVariantExists, sendVariantExists],
          },
          {
            target: 'SUCCEEDED',
            actions: [noteDownloaded, noteOutput, storeImage, reportValidated, sendSucceeded],
          },
        ],
        TEXT_STORED: { target: 'SUCCEEDED', actions: [finish, storeText, reportText, sendSucceeded] },
        OUTPUT_REFUSED: [
          { target: 'FAILED', guard: 'hostRefused', actions: [...finishFailed(), alertHost, discardObject] },
          { target: 'FAILED', actions: [noteDownloaded, ...finishFailed(), discardObject] },
        ],
        DOWNLOAD_FAILED: [
          { guard: 'downloadsLeft', actions: noteDownloadFailed },
          { target: 'FAILED', actions: [...finishFailed('OUTPUT_UNAVAILABLE'), discardObject] },
        ],
        // Storage that refuses is ours: the output is there for as long as the provider keeps it.
        STORAGE_FAILED: [
          { guard: 'isFirstRefusal', actions: [noteStorageFailing, alertStorage] },
          { actions: noteStorageFailing },
        ],
        PREDICTION_GONE: [
          {
            target: 'FAILED',
            guard: 'isGone',
            actions: [...finishFailed('OUTPUT_UNAVAILABLE'), discardObject],
          },
          afterGone,
        ],
        PREDICTION_SEEN: seenAgain,
        NOT_LISTED: notListedThere,
        CANCEL: { target: 'DISCARDED', actions: [finish, discardObject, sendDiscarded] },
        PREDICTION_CREATED: stray,
        PREDICTION_FOUND: stray,
        ABANDONED: { target: 'FAILED', actions: [abandon(), finish, discardObject] },
      },
    },
    CANCELING: {
      description: 'The provider is asked to stop; only what it then says counts.',
      meta: { activity: 'cancelPrediction' },
      on: {
        PREDICTION_CANCELED: {
          target: 'CANCELED',
          actions: [noteProviderStatus, finish, reportTerminal, sendCanceled],
        },
        PREDICTION_FAILED: {
          target: 'CANCELED',
          actions: [noteProviderStatus, finish, reportTerminal, sendCanceled],
        },
        PREDICTION_SUCCEEDED: {
          target: 'DISCARDED',
          actions: [noteProviderStatus, finish, reportTerminal, sendDiscarded],
        },
        PREDICTION_GONE: [
          { target: 'CANCELED', guard: 'isGone', actions: [finish, reportTerminal, sendCanceled] },
          afterGone,
        ],
        PREDICTION_SEEN: seenAgain,
        NOT_LISTED: notListedThere,
        CALLBACK_RECEIVED: { guard: 'isOwnCallback', actions: notePollNow },
        PREDICTION_CREATED: stray,
        PREDICTION_FOUND: stray,
        ABANDONED: abandoned,
      },
    },
    SUCCEEDED: {
      tags: 'final',
      description: 'The result is stored: a picture with its image row, or a text.',
      on: afterTheResult,
    },
    FAILED: {
      tags: 'final',
      description: 'The purchase brought nothing; errorCode says why.',
      on: {
        ...afterTheEnd,
        // The only way back from an end: the picture is paid for, and it was refused for a setting of ours.
        COLLECT_ASKED: { target: 'COLLECTING', guard: 'wasHostRefused', actions: noteCollectedAgain },
      },
    },
    CANCELED: { tags: 'final', description: 'Called off before it brought anything.', on: afterTheEnd },
    DISCARDED: {
      tags: 'final',
      description: 'The provider delivered, but the result is not wanted any more.',
      on: afterTheResult,
    },
    LOST: { tags: 'final', description: 'Never found again; counts as bought.', on: afterTheEnd },
  },
});
