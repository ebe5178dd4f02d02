import type { Pool } from 'pg';
import type { JournalKind } from './invariant-queries.ts';

/** Something that bears an id which an operator looks for. */
export interface Found {
  /** An actor of this kind; or what has actors: a listing, an original photo. */
  what: JournalKind | 'property' | 'original';
  id: string;
  /** Which of its ids it was found by. */
  by: string;
}

/** A look-up by an index each; `$1` is the id. */
const BY_UUID = `
  SELECT CASE WHEN type = 'DESCRIPTION' THEN 'descriptionJob' ELSE 'stagingJob' END AS what, id, 'job' AS by
    FROM ai_jobs WHERE id = $1
  UNION ALL SELECT 'providerAttempt', id, 'attempt' FROM ai_provider_attempts WHERE id = $1
  UNION ALL SELECT CASE WHEN "isStyled" THEN 'imageReview' ELSE 'original' END, id, 'image'
    FROM property_images WHERE id = $1
  UNION ALL SELECT 'deletionItem', id, 'deletion' FROM storage_deletion_outbox WHERE id = $1
  UNION ALL SELECT 'tour', id, 'tour' FROM tours WHERE id = $1
  UNION ALL SELECT 'property', id, 'property' FROM properties WHERE id = $1`;

/** What is gone but for its journal; a staged image that was rejected, say. */
const BY_JOURNAL = `
  SELECT kind AS what, $1::uuid AS id, 'journal' AS by FROM unnest($2::text[]) AS kind
  WHERE EXISTS (SELECT FROM actor_transitions WHERE "actorKind" = kind AND "actorId" = $1::uuid)`;

const BY_TEXT = `
  SELECT 'providerAttempt' AS what, id, 'prediction' AS by FROM ai_provider_attempts
    WHERE "providerPredictionId" = $1
  UNION ALL SELECT 'descriptionJob', "aiJobId", 'prediction' FROM ai_description_jobs
    WHERE "providerPredictionId" = $1
  UNION ALL SELECT 'deletionItem', id, 'object key' FROM storage_deletion_outbox WHERE "objectKey" = $1
  UNION ALL SELECT CASE WHEN "isStyled" THEN 'imageReview' ELSE 'original' END, id, 'object key'
    FROM property_images WHERE "objectKey" = $1
  LIMIT 50`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const KINDS: readonly JournalKind[] = [
  ...(['imageReview', 'stagingJob', 'providerAttempt', 'deletionItem'] as const),
  ...(['descriptionJob', 'tour', 'searchDocument'] as const),
];

export const isUuid = (text: string): boolean => UUID.test(text);

/** Everything that bears this id: of a job, attempt, image, deletion, tour or listing, a prediction id or an object key. */
export async function findById(pool: Pool, text: string): Promise<Found[]> {
  if (!isUuid(text)) return (await pool.query<Found>(BY_TEXT, [text])).rows;
  const { rows } = await pool.query<Found>(BY_UUID, [text]);
  return rows.length > 0 ? rows : (await pool.query<Found>(BY_JOURNAL, [text, KINDS])).rows;
}

/** The staging jobs of an original photo, newest first. */
export async function jobsOfOriginal(pool: Pool, imageId: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT "aiJobId" AS id FROM ai_room_staging_jobs WHERE "originalImageId" = $1
     ORDER BY "createdAt" DESC, "aiJobId" DESC LIMIT $2`,
    [imageId, limit],
  );
  return rows.map(({ id }) => id);
}
