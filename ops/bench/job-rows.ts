import type { Pool } from 'pg';

/**
 * Rows of staging jobs under way, made by the database itself: a listing, its photos, a job and one purchase for each
 * photo. They are what the pipeline would have written, apart from their history.
 */
export interface JobRows {
  readonly count: number;
  /** RESERVED is about to be sent; RUNNING has a prediction that the provider works on. */
  readonly attempt: 'RESERVED' | 'RUNNING';
  /** Who holds the leases, for an hour; null leaves jobs that a dead worker held until a minute ago. */
  readonly heldBy: string | null;
}

const DEAD_WORKER = 'a-worker-that-died';

export async function seedJobRows(pool: Pool, { count, attempt, heldBy }: JobRows): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      'TRUNCATE ai_jobs, ai_room_staging_jobs, ai_provider_attempts, actor_transitions, property_images CASCADE',
    );
    await client.query(
      `INSERT INTO ai_jobs (id, type, status, phase, "dedupeKey", "createdAt", "updatedAt", "startedAt",
         "heartbeatAt", version, "leaseOwner", "leaseEpoch", "leaseExpiresAt")
       SELECT id, 'ROOM_STAGING', 'PROCESSING', 'ATTEMPT', 'staging:' || id || ':MODERN', now() - interval '5 min',
         now(), now() - interval '5 min', now() - interval '1 min', 1, $2, 1, now() + $3::interval
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1)) made`,
      [count, heldBy ?? DEAD_WORKER, heldBy === null ? '-1 min' : '1 hour'],
    );
    await client.query(
      `INSERT INTO ai_room_staging_jobs ("aiJobId", "originalImageId", "canonicalRoomType", "canonicalStyle", prompt,
         "promptVersion", "providerModel", quality, "aspectRatio", "outputFormat", "outputCompression",
         "providerInputKey")
       SELECT id, gen_random_uuid(), 'LIVING_ROOM', 'MODERN', repeat('Stage this living room. ', 40),
         'room-staging-v2.0', 'openai/gpt-image-2', 'medium', '1:1', 'jpeg', 92, 'inputs/' || id || '.jpg'
       FROM ai_jobs`,
    );
    await client.query(
      `INSERT INTO ai_provider_attempts (id, "aiJobId", "attemptNumber", status, "providerPredictionId",
         "providerStatus", "sentAt", "nextPollAt", version)
       SELECT gen_random_uuid(), id, 1, $1::ai_provider_attempt_status, CASE WHEN $2 THEN 'p-' || id END,
         CASE WHEN $2 THEN 'processing' END, CASE WHEN $2 THEN now() - interval '4 min' END,
         CASE WHEN $2 THEN now() - interval '4 min' END, $3
       FROM ai_jobs`,
      [attempt, attempt === 'RUNNING', attempt === 'RUNNING' ? 2 : 0],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await pool.query('VACUUM (ANALYZE) ai_jobs, ai_room_staging_jobs, ai_provider_attempts, actor_transitions');
}
