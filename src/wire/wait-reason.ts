import type { AttemptView, StagingJobView } from '../../persistence/jobs/staging-queries.ts';

/**
 * What a job waits for, as a code that clients can show (`ai.getStagingJob`). `queue`: a worker and the start rate.
 * `flag-off`: new purchases are switched off. `back-off`: the pause before a retry. `provider`: the picture is
 * being made. `output`: it is being fetched and checked. `cancellation`: it is being canceled. `operator`: it was
 * quarantined for a person. `review`: the agent has to review it.
 */
export const WAIT_REASONS = [
  'queue',
  'flag-off',
  'back-off',
  'provider',
  'output',
  'cancellation',
  'operator',
  'review',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** The fields of a job that decide what it waits for. */
export type WaitingJob = Pick<
  StagingJobView,
  'status' | 'phase' | 'quarantined' | 'retryAt' | 'resultReviewStatus'
> & { attempts: readonly Pick<AttemptView, 'status' | 'nextSendAt'>[] };

/** Null when the job waits for nothing. */
export function waitReason(
  job: WaitingJob,
  { at, enabled }: { at: number; enabled: boolean },
): WaitReason | null {
  switch (job.status) {
    case 'FAILED':
    case 'CANCELED':
      return null;
    case 'SUCCESS':
      return job.resultReviewStatus === 'PENDING_REVIEW' ? 'review' : null;
    default:
      return job.quarantined ? 'operator' : openReason(job, { at, enabled });
  }
}

function openReason(job: WaitingJob, { at, enabled }: { at: number; enabled: boolean }): WaitReason {
  switch (job.status) {
    case 'PENDING':
      return job.phase === 'PROVIDER_DISABLED' ? 'flag-off' : 'queue';
    case 'RETRYING':
      if (job.retryAt !== null && job.retryAt > at) return 'back-off';
      return enabled ? 'queue' : 'flag-off';
    case 'CANCEL_REQUESTED':
      return 'cancellation';
    default:
      return attemptReason(job, at);
  }
}

function attemptReason({ attempts }: WaitingJob, at: number): WaitReason {
  const attempt = attempts.at(-1);
  if (attempt?.status === 'COLLECTING') return 'output';
  if (attempt?.status === 'RESERVED' && attempt.nextSendAt !== null && attempt.nextSendAt > at)
    return 'back-off';
  return 'provider';
}
