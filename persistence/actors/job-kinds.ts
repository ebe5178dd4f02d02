import type { AnyStateMachine } from 'xstate';
import { descriptionJobMachine } from '../../machines/description-job.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { jobMachine } from '../../machines/staging-job.ts';
import { AI_JOB_STATUSES, AI_PROVIDER_ATTEMPT_STATUSES } from '../../machines/vocabulary.ts';
import type { KindDescription, KindList } from './actor-kind.ts';

/** The kinds of actors that make up a job, which is one aggregate under one lock: see `job-row.ts` for its rows. */

const JOBS: KindList = {
  status: { column: 't.status', type: 'ai_job_status', values: AI_JOB_STATUSES },
  createdAt: 't."createdAt"',
  columns: {
    updatedAt: 't."updatedAt"',
    errorCode: 't."errorCode"',
    propertyId: 't."propertyId"',
    worker: 't."leaseOwner"',
    quarantined: 't."quarantinedAt" IS NOT NULL',
  },
  narrow: {
    property: 't."propertyId" = $7',
    // Leases are few: as many as there are slots.
    worker: 't."leaseOwner" = $8',
    quarantined: 't."quarantinedAt" IS NOT NULL',
  },
  failed: ['FAILED'],
};
/** Only what is under way is looked up beside its job. */
const SEND_STATE = `CASE WHEN t.status = 'PROCESSING'
  THEN 'PROCESSING.' || (SELECT d."sendState" FROM ai_description_jobs d WHERE d."aiJobId" = t.id)
  ELSE concat_ws('.', t.status, t.phase) END`;
const ofJob = (column: string) => `(SELECT j."${column}" FROM ai_jobs j WHERE j.id = t."aiJobId")`;
const ofJobs = (jobs: string) => `t."aiJobId" IN (SELECT j.id FROM ai_jobs j WHERE ${jobs})`;

const jobPlace = (type: string, state: string) => ({
  from: 'ai_jobs t',
  base: `t.type = '${type}'`,
  state,
  version: 't.version',
});

export const JOB_KINDS = {
  stagingJob: {
    kind: 'stagingJob',
    machine: jobMachine,
    effects: ['reserveAttempt', 'sendToAttempt', 'liftQuarantine', 'enqueue', 'report', 'alert'],
    rows: jobPlace('ROOM_STAGING', `concat_ws('.', t.status, t.phase)`),
    keptIn: '`ai_jobs.status` and `.phase`',
    endedAt: 'finishedAt',
    list: JOBS,
    label: { one: 'Staging job', many: 'Staging jobs' },
    foundBy: { job: 'id' },
  },
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
        updatedAt: 't."updatedAt"',
        errorCode: 't."errorCode"',
        propertyId: ofJob('propertyId'),
        worker: ofJob('leaseOwner'),
        jobId: 't."aiJobId"',
      },
      narrow: { property: ofJobs('j."propertyId" = $7'), worker: ofJobs('j."leaseOwner" = $8') },
      failed: ['FAILED', 'LOST'],
    },
    label: { one: 'Provider attempt', many: 'Provider attempts' },
    foundBy: { attempt: 'id', prediction: 'providerPredictionId' },
  },
  descriptionJob: {
    kind: 'descriptionJob',
    machine: descriptionJobMachine,
    effects: ['liftQuarantine', 'enqueue', 'report', 'alert'],
    rows: jobPlace('DESCRIPTION', SEND_STATE),
    keptIn: '`ai_jobs.status`, `.phase` and `ai_description_jobs."sendState"`',
    endedAt: 'finishedAt',
    list: JOBS,
    label: { one: 'Description job', many: 'Description jobs' },
    foundBy: { job: 'id' },
  },
} satisfies Record<string, KindDescription<AnyStateMachine>>;
