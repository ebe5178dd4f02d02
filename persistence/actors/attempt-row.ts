import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import { failureCategory } from '../../machines/failure-classes.ts';
import type { ProviderAttemptContext } from '../../machines/provider-attempt-model.ts';
import type { ActorState } from '../../machines/step.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import type { ProviderAttemptActor } from './actor-store.ts';

/** One row of `ai_provider_attempts`: status is the state value, the rest its context. */
export interface AttemptRow {
  id: string;
  aiJobId: string;
  attemptNumber: 1 | 2;
  status: string;
  providerPredictionId: string | null;
  strayPredictionId: string | null;
  providerStatus: string | null;
  errorCode: AttemptErrorCode | null;
  sendTries: number;
  throttledSends: number;
  nextSendAt: Instant | null;
  sentAt: Instant | null;
  unconfirmedSince: Instant | null;
  unconfirmedCause: 'transport' | 'restart' | null;
  goneSince: Instant | null;
  notListedAt: Instant | null;
  cancelAsked: boolean;
  nextPollAt: Instant | null;
  objectKey: string | null;
  downloadTries: number;
  storageFailingSince: Instant | null;
  downloadBytes: string | number | null;
  outputWidth: number | null;
  outputHeight: number | null;
  outputFormat: string | null;
  outputChecksum: string | null;
  finishedAt: Instant | null;
  version: number;
}

export const ATTEMPT_COLUMNS = `
  id, "aiJobId", "attemptNumber", status, "providerPredictionId", "strayPredictionId", "providerStatus",
  "errorCode", "sendTries", "throttledSends", "nextSendAt", "sentAt", "unconfirmedSince", "unconfirmedCause", "cancelAsked",
  "nextPollAt", "objectKey", "downloadTries", "storageFailingSince", "downloadBytes", "outputWidth",
  "outputHeight", "outputFormat", "outputChecksum", "finishedAt", "goneSince", "notListedAt", version`;

export function attemptFromRow(row: AttemptRow): ProviderAttemptActor {
  return {
    kind: 'providerAttempt',
    id: row.id,
    jobId: row.aiJobId,
    version: row.version,
    state: row.status,
    context: {
      attemptNumber: row.attemptNumber,
      providerPredictionId: row.providerPredictionId,
      strayPredictionId: row.strayPredictionId,
      providerStatus: row.providerStatus,
      errorCode: row.errorCode,
      sendTries: row.sendTries,
      throttledSends: row.throttledSends,
      nextSendAt: toMillis(row.nextSendAt),
      sentAt: toMillis(row.sentAt),
      unconfirmedSince: toMillis(row.unconfirmedSince),
      unconfirmedCause: row.unconfirmedCause,
      goneSince: toMillis(row.goneSince),
      notListedAt: toMillis(row.notListedAt),
      cancelAsked: row.cancelAsked,
      nextPollAt: toMillis(row.nextPollAt),
      objectKey: row.objectKey,
      downloadTries: row.downloadTries,
      storageFailingSince: toMillis(row.storageFailingSince),
      downloadBytes: row.downloadBytes === null ? null : Number(row.downloadBytes),
      outputWidth: row.outputWidth,
      outputHeight: row.outputHeight,
      outputFormat: row.outputFormat,
      outputChecksum: row.outputChecksum,
      finishedAt: toMillis(row.finishedAt),
    },
  };
}

/** The columns for a state, in the order of UPDATE_ATTEMPT's parameters after id, version and at. */
export function attemptColumns({ state, context }: ActorState<ProviderAttemptContext>): unknown[] {
  return [
    state,
    context.providerPredictionId,
    context.strayPredictionId,
    context.providerStatus,
    context.errorCode,
    context.errorCode === null ? null : failureCategory(context.errorCode),
    context.sendTries,
    toDate(context.nextSendAt),
    toDate(context.sentAt),
    toDate(context.unconfirmedSince),
    context.unconfirmedCause,
    context.cancelAsked,
    toDate(context.nextPollAt),
    context.objectKey,
    context.downloadTries,
    toDate(context.storageFailingSince),
    context.downloadBytes,
    context.outputWidth,
    context.outputHeight,
    context.outputFormat,
    context.outputChecksum,
    toDate(context.finishedAt),
    context.throttledSends,
    toDate(context.goneSince),
    toDate(context.notListedAt),
  ];
}
