import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { AI_JOB_STATUSES } from '../../machines/vocabulary.ts';

export const AI_JOB_TYPES = ['ROOM_STAGING', 'DESCRIPTION'] as const;
export type AiJobType = (typeof AI_JOB_TYPES)[number];
export const AI_JOB_PHASES = ['QUEUED', 'PROVIDER_DISABLED', 'ATTEMPT', 'BACKOFF'] as const;
export type AiJobPhase = (typeof AI_JOB_PHASES)[number];

/** One logical job: `status` and `phase` are the state of its machine, the rest is its context and its lease. */
export const AiJobEntity = defineEntity({
  name: 'AiJob',
  tableName: 'ai_jobs',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    type: p.enum(AI_JOB_TYPES).nativeEnumName('ai_job_type'),
    status: p.enum(AI_JOB_STATUSES).nativeEnumName('ai_job_status'),
    phase: p.enum(AI_JOB_PHASES).nativeEnumName('ai_job_phase').nullable(),
    errorCode: p.text().nullable(),
    dedupeKey: p.text(),
    requestedByUserId: p.uuid().nullable(),
    propertyId: p.uuid().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
    heartbeatAt: p.datetime().nullable(),
    cancelRequestedAt: p.datetime().nullable(),
    canceledAt: p.datetime().nullable(),
    retryAt: p.datetime().nullable(),
    crashCount: p.integer().default(0),
    crashMark: p.integer().nullable(),
    startOrder: p.integer().default(0),
    queueWaitMs: p.bigint('number').nullable(),
    version: p.integer().default(0),
    leaseOwner: p.text().nullable(),
    leaseEpoch: p.integer().default(0),
    leaseExpiresAt: p.datetime().nullable(),
    localPass: p.text().nullable(),
    localPassVersion: p.integer().nullable(),
    localPassAlone: p.boolean().nullable(),
    failures: p.integer().default(0),
    quarantinedAt: p.datetime().nullable(),
    quarantineError: p.text().nullable(),
  },
});
export type AiJob = InferEntity<typeof AiJobEntity>;
