import { type AttemptErrorCode, failureCategory } from '../../../machines/failure-classes.ts';
import { providerAttemptMachine } from '../../../machines/provider-attempt.ts';
import type { ProviderAttemptContext } from '../../../machines/provider-attempt-model.ts';
import { PURCHASE_KINDS, purchaseKindOf } from '../../../machines/purchase-kinds.ts';
import { AI_PROVIDER_ATTEMPT_STATUSES } from '../../../machines/vocabulary.ts';
import {
  type ActorKindDefinition,
  type Column,
  fixed,
  instant,
  type KindList,
  plain,
  rowsOfTable,
  type StoredActor,
  under,
} from '../actor-kind.ts';

export interface ProviderAttemptActor extends StoredActor<'providerAttempt', ProviderAttemptContext> {
  jobId: string;
}

/** A bigint; the driver may give it as text. */
export const bigint = {
  ...plain,
  read: (value: number | string | null) => (value === null ? null : Number(value)),
};
/** Its category is stored as well, for people who read the table. */
const errorCode: Column<AttemptErrorCode | null> = {
  names: ['errorCode', 'errorCategory'],
  read: (code) => code,
  write: (code) => [code, code === null ? null : failureCategory(code)],
};

const ofJob = (column: string) => `(SELECT j."${column}" FROM ai_jobs j WHERE j.id = t."aiJobId")`;
const ofJobs = (jobs: string) => `t."aiJobId" IN (SELECT j.id FROM ai_jobs j WHERE ${jobs})`;

/** One row of `ai_provider_attempts`. The job's lock protects it. */
export const providerAttemptKind: ActorKindDefinition<
  ProviderAttemptActor,
  typeof providerAttemptMachine,
  KindList
> = {
  kind: 'providerAttempt',
  machine: providerAttemptMachine,
  file: 'provider-attempt',
  effects: ['sendToJob', 'insertStagedImage', 'storeText', 'scheduleDeletion', 'report', 'alert'],
  keptIn: '`ai_provider_attempts.status`',
  rows: rowsOfTable<ProviderAttemptActor>('providerAttempt', {
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
      missingTries: plain,
      missingAt: instant,
      storageFailingSince: instant,
      downloadBytes: bigint,
      outputWidth: plain,
      outputHeight: plain,
      outputFormat: plain,
      outputChecksum: plain,
      finishedAt: instant,
    },
    beside: { jobId: fixed(under('aiJobId', plain)) },
    stamps: ['updatedAt'],
    bornAt: ['createdAt', 'updatedAt'],
  }),
  endedAt: 'finishedAt',
  list: {
    status: { column: 't.status', type: 'ai_provider_attempt_status', values: AI_PROVIDER_ATTEMPT_STATUSES },
    createdAt: 't."createdAt"',
    columns: {
      errorCode: 't."errorCode"',
      propertyId: ofJob('propertyId'),
      worker: ofJob('leaseOwner'),
      jobId: 't."aiJobId"',
    },
    narrow: {
      property: (id) => ofJobs(`j."propertyId" = ${id}`),
      worker: (node) => ofJobs(`j."leaseOwner" = ${node}`),
    },
    failed: ['FAILED', 'LOST'],
  },
  label: { one: 'Provider attempt', many: 'Provider attempts' },
  foundBy: { attempt: 'id', prediction: 'providerPredictionId' },
  page: {
    beside: { jobType: ofJob('type'), costMicrousd: 't."costMicrousd"' },
    createdAt: 't."createdAt"',
    facts: ({ jobId, context }, { jobType, costMicrousd }) => {
      const kind = purchaseKindOf(jobType);
      const { errorCode, providerPredictionId, sentAt, objectKey } = context;
      return {
        Error: errorCode === null ? null : { errorCode },
        Job: { actor: { kind, id: jobId } },
        Attempt: `${context.attemptNumber} of ${PURCHASE_KINDS[kind].attempts}`,
        Prediction: providerPredictionId === null ? 'not known' : { code: providerPredictionId },
        'Provider says': context.providerStatus ?? 'nothing yet',
        Sent: sentAt === null ? 'never' : { instant: sentAt, note: `(try ${context.sendTries})` },
        Object: objectKey === null ? 'none' : { code: objectKey },
        'Estimated cost': costMicrousd === null ? null : { microusd: Number(costMicrousd) },
      };
    },
    wait: ({ context }) => (context.finishedAt === null ? 'job' : null),
  },
};
