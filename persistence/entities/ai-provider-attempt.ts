import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { AI_PROVIDER_ATTEMPT_STATUSES } from '../../machines/vocabulary.ts';

export const UNCONFIRMED_CAUSES = ['transport', 'restart'] as const;
export type UnconfirmedCause = (typeof UNCONFIRMED_CAUSES)[number];

/** One purchase of a picture; its id is the `providerAttemptId` of the webhook path. Cost is telemetry in micro-US-dollars. */
export const AiProviderAttemptEntity = defineEntity({
  name: 'AiProviderAttempt',
  tableName: 'ai_provider_attempts',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    aiJobId: p.uuid(),
    attemptNumber: p.integer(),
    status: p.enum(AI_PROVIDER_ATTEMPT_STATUSES).nativeEnumName('ai_provider_attempt_status'),
    providerPredictionId: p.text().nullable().unique(),
    strayPredictionId: p.text().nullable(),
    providerStatus: p.text().nullable(),
    errorCode: p.text().nullable(),
    errorCategory: p.text().nullable(),
    sendTries: p.integer().default(0),
    throttledSends: p.integer().default(0),
    nextSendAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    unconfirmedSince: p.datetime().nullable(),
    unconfirmedCause: p.enum(UNCONFIRMED_CAUSES).nullable(),
    goneSince: p.datetime().nullable(),
    notListedAt: p.datetime().nullable(),
    cancelAsked: p.boolean().default(false),
    nextPollAt: p.datetime().nullable(),
    objectKey: p.text().nullable().unique(),
    downloadTries: p.integer().default(0),
    storageFailingSince: p.datetime().nullable(),
    downloadBytes: p.bigint('number').nullable(),
    outputWidth: p.integer().nullable(),
    outputHeight: p.integer().nullable(),
    outputFormat: p.text().nullable(),
    outputChecksum: p.text().nullable(),
    costMicrousd: p.bigint('number').nullable(),
    costKind: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
    version: p.integer().default(0),
  },
});
export type AiProviderAttempt = InferEntity<typeof AiProviderAttemptEntity>;
