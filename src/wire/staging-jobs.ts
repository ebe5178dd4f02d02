import { z } from 'zod';
import { MAX_ASSIGNMENTS } from '../../machines/limits.ts';
import {
  AI_JOB_PHASES,
  AI_JOB_STATUSES,
  AI_PROVIDER_ATTEMPT_STATUSES,
  CANONICAL_ROOM_TYPES,
  CANONICAL_STYLES,
} from '../../machines/vocabulary.ts';
import type { StagingJobView } from '../../persistence/jobs/staging-queries.ts';
import type { QuotaUse, StagingQuota } from '../../persistence/jobs/staging-quotas.ts';
import { furnitureCatalogue } from './room-groups.ts';
import { instant, iso, pageOutput, paging, uuid, viewOf } from './text.ts';
import { WAIT_REASONS, type WaitReason } from './wait-reason.ts';

export const DISPOSITIONS = ['ENQUEUED', 'EXISTING', 'style_exists'] as const;

/** Style and room are plain text here: the table of names resolves them and has separate errors. */
const name = z.string().min(1).max(64);
/** With `groupId`, all assignments are photos of that group, with its room type and style. */
export const submitInput = z.strictObject({
  groupId: uuid.nullish(),
  assignments: z
    .array(z.strictObject({ originalImageId: uuid, roomType: name, style: name }))
    .min(1)
    .max(MAX_ASSIGNMENTS),
});
export type Assignment = z.output<typeof submitInput>['assignments'][number];

export const submissionResult = z.object({
  originalImageId: z.string(),
  canonicalStyle: z.enum(CANONICAL_STYLES),
  /**
   * The room type of the job or of the staged image; the submitted one is used only for a new job. Null for old
   * images.
   */
  roomType: z.enum(CANONICAL_ROOM_TYPES).nullable(),
  aiJobId: z.string().nullable(),
  disposition: z.enum(DISPOSITIONS),
  stagedImageId: z.string().nullable(),
});
export const submitOutput = z.object({ results: z.array(submissionResult) });

export const catalogOutput = z.object({
  enabled: z.boolean(),
  roomTypes: z.array(z.enum(CANONICAL_ROOM_TYPES)),
  styles: z.array(z.enum(CANONICAL_STYLES)),
  disclosureLabel: z.string(),
  furniture: furnitureCatalogue,
});

export const quotaUse = z.object({
  used: z.int(),
  /** Null: no limit. */
  limit: z.int().nullable(),
  resetsAt: instant.nullable(),
});
export const quotaOutput = z.object({
  hour: quotaUse,
  day: quotaUse,
  platformDay: quotaUse,
  openJobs: quotaUse,
  /** The estimated price of one picture, in micro-US-dollars; null when no price is set. It decides nothing. */
  costMicrousd: z.int().nullable(),
});

export function toQuota(quota: StagingQuota, costMicrousd: number | null): z.output<typeof quotaOutput> {
  const use = ({ used, limit, resetsAt }: QuotaUse) => ({ used, limit, resetsAt: iso(resetsAt) });
  return {
    hour: use(quota.hour),
    day: use(quota.day),
    platformDay: use(quota.platformDay),
    openJobs: use(quota.openJobs),
    costMicrousd,
  };
}

export const jobInput = z.strictObject({ aiJobId: uuid });
const jobAttempt = z.object({
  attemptNumber: z.int(),
  status: z.enum(AI_PROVIDER_ATTEMPT_STATUSES),
  providerStatus: z.string().nullable(),
  createdAt: instant,
});
export const jobOutput = z.object({
  aiJobId: z.string(),
  status: z.enum(AI_JOB_STATUSES),
  phase: z.enum(AI_JOB_PHASES).nullable(),
  errorCode: z.string().nullable(),
  originalImageId: z.string(),
  /** The room group that it was ordered with; another order of the same picture names it again. */
  groupId: z.string().nullable(),
  resultImageId: z.string().nullable(),
  canonicalRoomType: z.enum(CANONICAL_ROOM_TYPES).nullable(),
  canonicalStyle: z.enum(CANONICAL_STYLES).nullable(),
  attempts: z.array(jobAttempt),
  waitReason: z.enum(WAIT_REASONS).nullable(),
  createdAt: instant,
  heartbeatAt: instant.nullable(),
  cancelRequestedAt: instant.nullable(),
  canceledAt: instant.nullable(),
});
export const listJobsInput = z.strictObject({
  propertyId: uuid,
  statuses: z.array(z.enum(AI_JOB_STATUSES)).min(1).max(AI_JOB_STATUSES.length).optional(),
  ...paging,
});
export const listJobsOutput = pageOutput(jobOutput);
export const cancelOutput = z.object({ aiJobId: z.string(), status: z.enum(AI_JOB_STATUSES) });

export function toJob(job: StagingJobView, waitReason: WaitReason | null): z.output<typeof jobOutput> {
  return viewOf(jobOutput, {
    ...job,
    attempts: job.attempts.map((attempt) =>
      viewOf(jobAttempt, { ...attempt, createdAt: iso(attempt.createdAt) }),
    ),
    waitReason,
    createdAt: iso(job.createdAt),
    heartbeatAt: iso(job.heartbeatAt),
    cancelRequestedAt: iso(job.cancelRequestedAt),
    canceledAt: iso(job.canceledAt),
  });
}
