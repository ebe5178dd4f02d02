import { failureCategory } from '../../machines/failure-classes.ts';
import { type Column, fixed, instant, plain, rowsOfTable, under } from './actor-kind.ts';
import type { ProviderAttemptActor } from './actor-store.ts';

/** A bigint; the driver may give it as text. */
const count: Column = { ...plain, read: (value) => (value === null ? null : Number(value)) };
/** Its category stands beside it, for people who look at the table. */
const errorCode: Column = {
  names: ['errorCode', 'errorCategory'],
  read: (code) => code,
  write: (code) => [code, code === null ? null : failureCategory(code)],
};

/** One row of `ai_provider_attempts`. Its lock is the job's. */
export const attemptRows = rowsOfTable<ProviderAttemptActor>('providerAttempt', {
  table: 'ai_provider_attempts',
  context: {
    attemptNumber: fixed(plain),
    providerPredictionId: plain,
    strayPredictionId: plain,
    providerStatus: plain,
    errorCode,
    sendTries: plain,
    throttledSends: plain,
    nextSendAt: instant,
    sentAt: instant,
    unconfirmedSince: instant,
    unconfirmedCause: plain,
    goneSince: instant,
    notListedAt: instant,
    cancelAsked: plain,
    nextPollAt: instant,
    objectKey: plain,
    downloadTries: plain,
    storageFailingSince: instant,
    downloadBytes: count,
    outputWidth: plain,
    outputHeight: plain,
    outputFormat: plain,
    outputChecksum: plain,
    finishedAt: instant,
  },
  beside: { jobId: fixed(under('aiJobId', plain)) },
  stamp: 'updatedAt',
  bornAt: ['createdAt', 'updatedAt'],
});
