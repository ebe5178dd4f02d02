import type { Pool, PoolClient } from 'pg';
import type { CollectAsked } from '../../machines/refused-output.ts';
import { type Instant, toMillis } from '../database/instants.ts';
import { isAltered } from '../database/listing-visibility.ts';
import { prepared } from '../database/prepared.ts';
import { variantExists } from './actor-statements.ts';

/**
 * Pictures that were bought and refused for their host (docs/contract.md#failures), and whether an operator may still have
 * one collected. The provider's times and the host are only in the journal of the job's last attempt.
 */
export type RefusedOutput = Pick<CollectAsked, 'host' | 'completedAt' | 'obstacle'>;

/** As submissions lock it: none is made meanwhile, and the photo is neither deleted nor declared altered. */
const LOCK_ORIGINAL_OF_JOB = `
  SELECT FROM property_images o
  WHERE o.id = (SELECT "originalImageId" FROM ai_room_staging_jobs WHERE "aiJobId" = $1) FOR NO KEY UPDATE`;

const inJournal = (eventType: string, value: string): string => `
  (SELECT ${value} FROM actor_transitions t
   WHERE t."actorKind" = 'providerAttempt' AND t."actorId" = last.id AND t."eventType" = '${eventType}'
   ORDER BY t.seq DESC LIMIT 1)`;
/** A later job counts whatever became of it: its agent has decided about the photo and style again. */
const REFUSED_OUTPUT = `
  SELECT ${inJournal('OUTPUT_REFUSED', `t.event->>'host'`)} AS host,
    ${inJournal('PREDICTION_SUCCEEDED', 't.at')} AS "completedAt",
    CASE
      WHEN o.id IS NULL THEN 'PHOTO_GONE'
      WHEN ${isAltered('o')} THEN 'PHOTO_ALTERED'
      WHEN ${variantExists('o.id', 's."canonicalStyle"')} OR EXISTS (
        SELECT FROM ai_room_staging_jobs other JOIN ai_jobs later ON later.id = other."aiJobId"
        WHERE other."originalImageId" = o.id AND other."canonicalStyle" = s."canonicalStyle"
          AND later.id <> j.id AND later."createdAt" >= j."createdAt") THEN 'SUBMITTED_AGAIN'
    END AS obstacle
  FROM ai_jobs j JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id
    LEFT JOIN property_images o ON o.id = s."originalImageId"
    LEFT JOIN LATERAL (SELECT a.id FROM ai_provider_attempts a
      WHERE a."aiJobId" = j.id ORDER BY a."attemptNumber" DESC LIMIT 1) last ON true
  WHERE j.id = $1`;

/** As last committed, without a lock. */
export async function readRefusedOutput(db: Pool | PoolClient, jobId: string): Promise<RefusedOutput> {
  const { rows } = await db.query<Omit<RefusedOutput, 'completedAt'> & { completedAt: Instant | null }>(
    prepared(REFUSED_OUTPUT, [jobId]),
  );
  const [found] = rows;
  if (found === undefined) return { host: null, completedAt: null, obstacle: null };
  const { completedAt } = found;
  return { ...found, completedAt: completedAt === null ? null : toMillis(completedAt) };
}

/** Locks the original of a job that is locked. In the order of all locks, originals come after jobs. */
export async function lockRefusedOutput(client: PoolClient, jobId: string): Promise<RefusedOutput> {
  await client.query(prepared(LOCK_ORIGINAL_OF_JOB, [jobId]));
  return readRefusedOutput(client, jobId);
}
