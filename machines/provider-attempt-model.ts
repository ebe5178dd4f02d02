import type { AttemptErrorCode } from './failure-classes.ts';
import {
  DEFAULT_THROTTLE_WAIT_MS,
  DOWNLOAD_BACKOFF_BASE_MS,
  DOWNLOAD_BACKOFF_MAX_MS,
  GONE_PATIENCE_MS,
  MAX_THROTTLED_SENDS,
  MISSING_APART_MS,
  MISSING_TRIES,
  PREDICTION_FORGOTTEN_MS,
  RECONCILE_WINDOW_MS,
  SERVER_SETTLE_MS,
  spread,
  throttleWithinBounds,
  UNREACHABLE_BACKOFF_MS,
} from './limits.ts';

/**
 * Why it is unknown whether a create was accepted. `transport`: the connection failed. `restart`: our process ended,
 * stalled or lost its lease. A restart alone never leads to attempt 2.
 */
export type UnconfirmedCause = 'transport' | 'restart';

export type AttemptNumber = 1 | 2;

/** The context of a provider attempt: the columns of `ai_provider_attempts` except its status. */
export interface ProviderAttemptContext {
  attemptNumber: AttemptNumber;
  providerPredictionId: string | null;
  /** A second, different prediction id that turned up for this attempt; never overwrites the first. */
  strayPredictionId: string | null;
  providerStatus: string | null;
  errorCode: AttemptErrorCode | null;
  /** Creates that were sent, including those that never reached the provider. */
  sendTries: number;
  /** How many of these sends the provider throttled. */
  throttledSends: number;
  nextSendAt: number | null;
  sentAt: number | null;
  unconfirmedSince: number | null;
  unconfirmedCause: UnconfirmedCause | null;
  /** Since when the provider has answered 404 for the prediction without interruption. */
  goneSince: number | null;
  /** When the deciding scan began: a complete scan of the provider's list that does not show the purchase. */
  notListedAt: number | null;
  cancelAsked: boolean;
  /** Set by a callback: poll now instead of at the next interval. */
  nextPollAt: number | null;
  /** Null for a text, which is not stored as an object. */
  objectKey: string | null;
  downloadTries: number;
  /** How often the output's address has answered 404, as `missingAfter` counts. */
  missingTries: number;
  /** The last 404 that counted. */
  missingAt: number | null;
  storageFailingSince: number | null;
  downloadBytes: number | null;
  outputWidth: number | null;
  outputHeight: number | null;
  outputFormat: string | null;
  outputChecksum: string | null;
  finishedAt: number | null;
}

interface Bearer {
  at: number;
  predictionId: string;
  providerStatus: string | null;
}
/**
 * `claimedAt` is the instant of the claim that the event ends: after a failover the row may hold another one, in the
 * same version and state. Absent in older journals, and where nothing was claimed. SEND_UNKNOWN names no claim: a create
 * may be on its way, whichever claim the row holds.
 */
interface OfClaim {
  claimedAt?: number;
}
interface Failure {
  at: number;
  errorCode: AttemptErrorCode;
  jitter: number;
  providerStatus?: string | null;
}
export interface StoredOutput {
  bytes: number;
  width: number;
  height: number;
  format: string;
  checksum: string;
}

export type ProviderAttemptEvent =
  /** `token` proves that the claim is the sender's when the answer to its commit was lost. */
  | { type: 'SEND_CLAIMED'; at: number; token: string }
  | ({ type: 'SEND_REFUSED'; retryAfterMs: number | null } & OfClaim & Failure)
  /** Absent in older journals; then the cause counts as `transport`. */
  | { type: 'SEND_UNKNOWN'; at: number; cause?: UnconfirmedCause }
  /** The sender stops or may no longer buy, and it is certain that no create followed its claim. */
  | ({ type: 'SEND_WITHDRAWN'; at: number } & OfClaim)
  | { type: 'RUNNER_RESTARTED'; at: number }
  | ({ type: 'PREDICTION_CREATED' } & Bearer)
  | ({ type: 'PREDICTION_FOUND' } & Bearer)
  | ({ type: 'CALLBACK_RECEIVED' } & Bearer)
  /** A complete scan of the provider's list, begun at `scanBeganAt`, does not show the purchase. */
  | { type: 'NOT_LISTED'; at: number; scanBeganAt: number }
  /** After a failover, a complete list of what was made since `listedFrom`, read at `listBeganAt`, has no purchase. */
  | { type: 'CLAIM_DISPROVED'; at: number; listedFrom: number; listBeganAt: number }
  | { type: 'WINDOW_PASSED'; at: number; jitter: number }
  /** The provider answered 404. */
  | { type: 'PREDICTION_GONE'; at: number; jitter: number }
  /** The provider finds the prediction after all. */
  | { type: 'PREDICTION_SEEN'; at: number }
  | { type: 'PREDICTION_SUCCEEDED'; at: number; providerStatus: string; objectKey: string | null }
  | ({ type: 'PREDICTION_FAILED' } & Failure)
  | { type: 'PREDICTION_CANCELED'; at: number; providerStatus: string }
  | {
      type: 'OUTPUT_STORED';
      at: number;
      jitter: number;
      imageId: string;
      output: StoredOutput;
      /** Read in the deciding transaction: another live variant of the same original and style exists. */
      variantExists: boolean;
    }
  /** A draft that has passed its check. */
  | { type: 'TEXT_STORED'; at: number; text: string }
  /** `downloadBytes` is null or absent when nothing was downloaded; `host` is that of an address that is not allowed. */
  | ({ type: 'OUTPUT_REFUSED'; downloadBytes?: number | null; host?: string } & Failure)
  /** `missing`: the output's address answered 404. Absent in older journals. */
  | { type: 'DOWNLOAD_FAILED'; at: number; jitter: number; missing?: boolean }
  | { type: 'STORAGE_FAILED'; at: number; jitter: number }
  /** An operator has the output collected that was refused for its host, under a new key. */
  | { type: 'COLLECT_ASKED'; at: number; objectKey: string }
  | { type: 'CANCEL'; at: number }
  | { type: 'ABANDONED'; at: number };

export function initialProviderAttempt(attemptNumber: AttemptNumber): ProviderAttemptContext {
  return {
    attemptNumber,
    providerPredictionId: null,
    strayPredictionId: null,
    providerStatus: null,
    errorCode: null,
    sendTries: 0,
    throttledSends: 0,
    nextSendAt: null,
    sentAt: null,
    unconfirmedSince: null,
    unconfirmedCause: null,
    goneSince: null,
    notListedAt: null,
    cancelAsked: false,
    nextPollAt: null,
    objectKey: null,
    downloadTries: 0,
    missingTries: 0,
    missingAt: null,
    storageFailingSince: null,
    downloadBytes: null,
    outputWidth: null,
    outputHeight: null,
    outputFormat: null,
    outputChecksum: null,
    finishedAt: null,
  };
}

/** The earliest start of a scan that may decide by not showing the purchase; null when none may. */
export function decidingScanFrom(
  state: string,
  context: Pick<ProviderAttemptContext, 'unconfirmedSince' | 'goneSince'>,
): number | null {
  if (state === 'UNCONFIRMED')
    return context.unconfirmedSince === null ? null : context.unconfirmedSince + RECONCILE_WINDOW_MS;
  return context.goneSince === null ? null : context.goneSince + GONE_PATIENCE_MS;
}

/** Whether the event ends the claim that the row holds. */
export const endsThisClaim = ({ sentAt }: Pick<ProviderAttemptContext, 'sentAt'>, event: object): boolean =>
  !('claimedAt' in event) || event.claimedAt === sentAt;

/**
 * Whether a list that does not show a claimed purchase proves that there is none. It can be said only of a claim whose
 * sender is gone and whose answer may have been forgotten with the server (cause `restart`); which was made within the
 * list's time; and whose create must have ended before the list was read. What the wire lost may still arrive.
 */
export function isDisproved(
  { unconfirmedCause, sentAt }: Pick<ProviderAttemptContext, 'unconfirmedCause' | 'sentAt'>,
  { listedFrom, listBeganAt }: { listedFrom: number; listBeganAt: number },
): boolean {
  return (
    unconfirmedCause === 'restart' &&
    sentAt !== null &&
    sentAt >= listedFrom &&
    listBeganAt >= sentAt + SERVER_SETTLE_MS
  );
}

type Missing = Pick<ProviderAttemptContext, 'missingTries' | 'missingAt'>;

/**
 * The count of 404s after this download. Two that count are MISSING_APART_MS apart; after twice that time, counting
 * begins again. So three of them come within two minutes.
 */
export function missingAfter(
  { missingTries, missingAt }: Missing,
  { at, missing = false }: { at: number; missing?: boolean },
): Missing {
  const since = at - (missingAt ?? Number.NEGATIVE_INFINITY);
  if (!missing || since < MISSING_APART_MS) return { missingTries, missingAt };
  return { missingTries: since > 2 * MISSING_APART_MS ? 1 : missingTries + 1, missingAt: at };
}

/** Whether the provider no longer has the output. */
export const isFinally404 = (context: Missing, event: { at: number; missing?: boolean }): boolean =>
  missingAfter(context, event).missingTries >= MISSING_TRIES;

/** The wait after this many failed downloads; null when the provider will have deleted the picture by then. */
export function downloadWait(
  { sentAt, downloadTries }: Pick<ProviderAttemptContext, 'sentAt' | 'downloadTries'>,
  { at, jitter, missing = false }: { at: number; jitter: number; missing?: boolean },
): number | null {
  const doubled = DOWNLOAD_BACKOFF_BASE_MS * 2 ** Math.min(downloadTries, 20);
  const wait = spread(missing ? MISSING_APART_MS : Math.min(doubled, DOWNLOAD_BACKOFF_MAX_MS), jitter);
  return sentAt !== null && at + wait < sentAt + PREDICTION_FORGOTTEN_MS ? wait : null;
}

/**
 * The wait before the same attempt may be sent again; null when its sends are used up or another send is not allowed.
 * Throttled and unreachable sends are counted separately, so a busy provider does not use up the tries for an
 * unreachable one. The wait that a throttling provider names doubles with each throttle.
 */
export function sendWait(
  context: Pick<ProviderAttemptContext, 'sendTries' | 'throttledSends'>,
  event: Pick<
    Extract<ProviderAttemptEvent, { type: 'SEND_REFUSED' }>,
    'errorCode' | 'retryAfterMs' | 'jitter'
  >,
): number | null {
  const { sendTries, throttledSends } = context;
  if (event.errorCode === 'PROVIDER_UNREACHABLE') {
    const wait = UNREACHABLE_BACKOFF_MS[sendTries - throttledSends - 1];
    return wait === undefined ? null : spread(wait, event.jitter);
  }
  if (event.errorCode === 'PROVIDER_THROTTLED') {
    if (throttledSends + 1 >= MAX_THROTTLED_SENDS) return null;
    const named = throttleWithinBounds(event.retryAfterMs ?? DEFAULT_THROTTLE_WAIT_MS);
    return throttleWithinBounds(spread(named * 2 ** throttledSends, event.jitter));
  }
  return null;
}

/** The number of throttled sends, this one included. */
export function throttledSendsAfter(
  { throttledSends }: Pick<ProviderAttemptContext, 'throttledSends'>,
  { errorCode }: { errorCode: AttemptErrorCode },
): number {
  return throttledSends + (errorCode === 'PROVIDER_THROTTLED' ? 1 : 0);
}
