import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { NO_STAGING_LIMITS } from '../../../persistence/jobs/staging-quotas.ts';
import type { StagingSubmission, SubmissionCall } from '../../../persistence/jobs/staging-submissions.ts';

/** What both candidates of the `job` bench are given and how what they did is read. */
export const AT_ONCE = 16;

/** What a turn came to. */
export interface JobTurn {
  /** Jobs a second with `AT_ONCE` under way. */
  readonly perSecond: number;
  /** Milliseconds from the submission to the result's transaction of jobs that were alone; the median. */
  readonly aloneMs: number;
}

export interface TurnOrder {
  /** Originals that are staged all together. */
  readonly together: readonly string[];
  /** Originals that are staged one after the other. */
  readonly alone: readonly string[];
}

/** One for each job under way: the calls of one agent wait for each other. */
export async function seedAgents(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO "user" (id, name, email, "emailVerified", role, "createdAt", "updatedAt")
     SELECT id, 'Bench', id || '@example.com', true, 'agent', now(), now()
     FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1)) made RETURNING id`,
    [AT_ONCE],
  );
  return rows.map(({ id }) => id);
}

/**
 * Photos of one listing, each to be staged once. Their content is not read: the simulator makes flat pictures. All
 * places of the start rate are free again: a turn starts fewer jobs than there are places, and the peer has no rate.
 */
export async function seedOriginals(pool: Pool, agentId: string, count: number): Promise<string[]> {
  await pool.query(`UPDATE start_places SET "usedAt" = '-infinity'`);
  const { rows: listings } = await pool.query<{ id: string }>(
    `INSERT INTO properties (id, "ownerAgentId", "listPrice", address, city)
     VALUES (gen_random_uuid(), $1, 250000, '1 Bench Lane', 'Springfield') RETURNING id`,
    [agentId],
  );
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO property_images (id, "propertyId", "objectKey", "providerInputKey", "roomType", position)
     SELECT id, $1, 'originals/' || id || '.jpg', 'inputs/' || id || '.jpg', 'LIVING_ROOM', n
     FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, $2) n) made RETURNING id`,
    [listings[0]?.id, count],
  );
  return rows.map(({ id }) => id);
}

/** One photo as a call of its own, without limits. */
export function callOf(agentId: string, order: StagingSubmission): SubmissionCall {
  return { agentId, submissions: [order], limits: NO_STAGING_LIMITS, approvedOnly: false, at: order.at };
}

export function orderOf(agentId: string, originalImageId: string): StagingSubmission {
  return {
    aiJobId: randomUUID(),
    originalImageId,
    requestedByUserId: agentId,
    at: Date.now(),
    canonicalRoomType: 'LIVING_ROOM',
    canonicalStyle: 'MODERN',
    submittedStyle: 'MODERN',
    styleModifier: null,
    legacyStyle: null,
    prompt: 'Stage this living room.',
    promptVersion: 'room-staging-v2.0',
    providerModel: 'openai/gpt-image-2',
    quality: 'medium',
    framing: 'fixed',
    aspectRatio: '1:1',
    outputFormat: 'jpeg',
    outputCompression: 92,
  };
}

/** Between the two instants that each candidate writes into the job's row; @throws when one did not succeed. */
export async function medianMs(pool: Pool, jobIds: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ jobs: number; median: number }>(
    `SELECT count(*)::int AS jobs, percentile_cont(0.5) WITHIN GROUP (
         ORDER BY extract(epoch FROM j."finishedAt" - j."createdAt") * 1000)::float8 AS median
     FROM ai_jobs j JOIN property_images i ON i."aiJobId" = j.id AND i."reviewStatus" = 'PENDING_REVIEW'
     WHERE j.id = ANY($1) AND j.status = 'SUCCESS'`,
    [jobIds],
  );
  const { jobs = 0, median = 0 } = rows[0] ?? {};
  if (jobs !== jobIds.length) throw new Error(`${jobs} of ${jobIds.length} jobs brought a picture`);
  return median;
}
