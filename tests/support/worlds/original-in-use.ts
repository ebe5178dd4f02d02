import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { NO_STAGING_LIMITS } from '../../../persistence/jobs/staging-quotas.ts';
import { submitStagingJobs } from '../../../persistence/jobs/staging-submissions.ts';
import { type SeededOriginal, seedStagingJob } from '../database/seed.ts';
import { MANUAL_EPOCH } from '../manual-time.ts';

/** A waiting job of the original, and one whose purchase is under way. */
export async function seedOpenJobs(pool: Pool, original: SeededOriginal) {
  const pending = await seedStagingJob(pool, { original, canonicalStyle: 'MODERN' });
  const running = await seedStagingJob(pool, {
    original,
    canonicalStyle: 'LUXURY',
    job: { status: 'PROCESSING', phase: 'ATTEMPT', startedAt: new Date(MANUAL_EPOCH) },
  });
  await pool.query(
    `insert into ai_provider_attempts ("aiJobId", "attemptNumber", status, "providerPredictionId")
     values ($1, 1, 'RUNNING', 'p-1')`,
    [running.jobId],
  );
  return { pending, running };
}

/** An agent's submission of one photo, as the API makes it. */
export const submitOffice = (pool: Pool, agentId: string, originalImageId: string) =>
  submitStagingJobs(pool, {
    agentId,
    submissions: [
      {
        aiJobId: randomUUID(),
        originalImageId,
        requestedByUserId: agentId,
        canonicalRoomType: 'OFFICE',
        canonicalStyle: 'MODERN',
        styleModifier: null,
        submittedStyle: 'MODERN',
        legacyStyle: null,
        prompt: 'p',
        promptVersion: 'v',
        providerModel: 'm',
        quality: 'medium',
        framing: 'fixed',
        aspectRatio: '1:1',
        outputFormat: 'jpeg',
        outputCompression: 92,
        at: MANUAL_EPOCH,
      },
    ],
    limits: NO_STAGING_LIMITS,
    approvedOnly: false,
    at: MANUAL_EPOCH,
  });
