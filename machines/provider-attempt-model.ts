import type { AttemptErrorCode } from './failure-classes.ts';
import {
  DEFAULT_THROTTLE_WAIT_MS,
  MAX_THROTTLE_WAIT_MS,
  MAX_THROTTLED_SENDS,
  spread,
  UNREACHABLE_BACKOFF_MS,
} from './limits.ts';

/** What a provider attempt remembers: the columns of `ai_provider_attempts` beside its status. */
export interface ProviderAttemptContext {
  attemptNumber: 1 | 2;
  providerPredictionId: string | null;
  /** A second, different prediction id that turned up for this attempt; never overwrites the first. */
  strayPredictionId: string | null;
  providerStatus: string | null;
  errorCode: AttemptErrorCode | null;
  sendTries: number;
  nextSendAt: number | null;
  sentAt: number | null;
  unconfirmedSince: number | null;
  unconfirmedCause: 'transport' | 'restart' | null;
  cancelAsked: boolean;
  /** A callback came: ask the provider now instead of at the next interval. */
  nextPollAt: number | null;
  objectKey: string | null;
  downloadTries: number;
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
  /** `token` lets the sender prove, after a lost commit answer, that the claim is its own. */
  | { type: 'SEND_CLAIMED'; at: number; token: string }
  | ({ type: 'SEND_REFUSED'; retryAfterMs: number | null } & Failure)
  | { type: 'SEND_UNKNOWN'; at: number }
  | { type: 'RUNNER_RESTARTED'; at: number }
  | ({ type: 'PREDICTION_CREATED' } & Bearer)
  | ({ type: 'PREDICTION_FOUND' } & Bearer)
  | ({ type: 'CALLBACK_RECEIVED' } & Bearer)
  | { type: 'WINDOW_PASSED'; at: number; jitter: number }
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
  | ({ type: 'OUTPUT_REFUSED' } & Failure)
  | { type: 'DOWNLOAD_FAILED'; at: number; jitter: number }
  | { type: 'STORAGE_FAILED'; at: number; jitter: number }
  | { type: 'CANCEL'; at: number }
  | { type: 'ABANDONED'; at: number };

export function initialProviderAttempt(attemptNumber: 1 | 2): ProviderAttemptContext {
  return {
    attemptNumber,
    providerPredictionId: null,
    strayPredictionId: null,
    providerStatus: null,
    errorCode: null,
    sendTries: 0,
    nextSendAt: null,
    sentAt: null,
    unconfirmedSince: null,
    unconfirmedCause: null,
    cancelAsked: false,
    nextPollAt: null,
    objectKey: null,
    downloadTries: 0,
    storageFailingSince: null,
    downloadBytes: null,
    outputWidth: null,
    outputHeight: null,
    outputFormat: null,
    outputChecksum: null,
    finishedAt: null,
  };
}

/** The wait before the same attempt may be sent again, or null when its sends are used up or it may not. */
export function sendWait(
  context: Pick<ProviderAttemptContext, 'sendTries'>,
  event: Pick<
    Extract<ProviderAttemptEvent, { type: 'SEND_REFUSED' }>,
    'errorCode' | 'retryAfterMs' | 'jitter'
  >,
): number | null {
  if (event.errorCode === 'PROVIDER_UNREACHABLE') {
    const wait = UNREACHABLE_BACKOFF_MS[context.sendTries - 1];
    return wait === undefined ? null : spread(wait, event.jitter);
  }
  if (event.errorCode === 'PROVIDER_THROTTLED') {
    if (context.sendTries >= MAX_THROTTLED_SENDS) return null;
    return spread(
      Math.min(event.retryAfterMs ?? DEFAULT_THROTTLE_WAIT_MS, MAX_THROTTLE_WAIT_MS),
      event.jitter,
    );
  }
  return null;
}
