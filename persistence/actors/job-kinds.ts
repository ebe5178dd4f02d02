import type { AnyStateMachine } from 'xstate';
import type { EffectType } from '../../machines/effects.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { PURCHASE_KINDS, type PurchaseKind } from '../../machines/purchase-kinds.ts';
import { jobMachine } from '../../machines/staging-job.ts';
import { AI_JOB_STATUSES, AI_PROVIDER_ATTEMPT_STATUSES } from '../../machines/vocabulary.ts';
import type { KindDescription, KindList } from './actor-kind.ts';

/** The kinds of actors that make up a job, which is one aggregate under one lock: see `job-row.ts` for its rows. */

const JOBS: KindList = {
  status: { column: 't.status', type: 'ai_job_status', values: AI_JOB_STATUSES },
  createdAt: 't."createdAt"',
  columns: {
    errorCode: 't."errorCode"',
    propertyId: 't."propertyId"',
    worker: 't."leaseOwner"',
    quarantined: 't."quarantinedAt" IS NOT NULL',
  },
  narrow: {
    property: (id) => `t."propertyId" = ${id}`,
    // Leases are few: as many as there are slots.
    worker: (node) => `t."leaseOwner" = ${node}`,
    quarantined: 't."quarantinedAt" IS NOT NULL',
  },
  failed: ['FAILED'],
};
const ofJob = (column: string) => `(SELECT j."${column}" FROM ai_jobs j WHERE j.id = t."aiJobId")`;
const ofJobs = (jobs: string) => `t."aiJobId" IN (SELECT j.id FROM ai_jobs j WHERE ${jobs})`;

/** Both kinds have one machine and one table. */
const jobKind = <K extends PurchaseKind>(kind: K, label: KindDescription<AnyStateMachine>['label']) => ({
  kind,
  machine: jobMachine,
  effects: [
    'reserveAttempt',
    'sendToAttempt',
    'liftQuarantine',
    'enqueue',
    'report',
    'alert',
  ] satisfies EffectType[],
  rows: {
    from: 'ai_jobs t',
    base: `t.type = '${PURCHASE_KINDS[kind].type}'`,
    state: `concat_ws('.', t.status, t.phase)`,
    version: 't.version',
  },
  keptIn: '`ai_jobs.status` and `.phase`',
  endedAt: 'finishedAt',
  list: JOBS,
  label,
  foundBy: { job: 'id' },
});

export const JOB_KINDS = {
  stagingJob: jobKind('stagingJob', { one: 'Staging job', many: 'Staging jobs' }),
  descriptionJob: jobKind('descriptionJob', { one: 'Description job', many: 'Description jobs' }),
  providerAttempt: {
    kind: 'providerAttempt',
    machine: providerAttemptMachine,
    effects: ['sendToJob', 'insertStagedImage', 'storeText', 'scheduleDeletion', 'report', 'alert'],
    rows: { from: 'ai_provider_attempts t', base: 'true', state: 't.status::text', version: 't.version' },
    keptIn: '`ai_provider_attempts.status`',
    endedAt: 'finishedAt',
    list: {
      status: {
        column: 't.status',
        type: 'ai_provider_attempt_status',
        values: AI_PROVIDER_ATTEMPT_STATUSES,
      },
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
  },
} satisfies Record<string, KindDescription<AnyStateMachine>>;
