import type { Pool } from 'pg';
import { FINAL_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { isShownVariant } from '../database/listing-visibility.ts';
import { oneOf } from '../database/sql-values.ts';

/**
 * What the rows say about the outside world: objects, queue entries and images in search documents. Each query reads
 * the current rows. The caller reads the outside world before this, or once more afterwards.
 */
async function texts(pool: Pool, sql: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await pool.query<[string]>({ text: sql, values: [...values], rowMode: 'array' });
  return rows.map(([text]) => text);
}

/** The given jobs that are over; a job that is over stays so. */
export const jobsThatAreOver = (pool: Pool, ids: readonly string[]): Promise<string[]> =>
  texts(
    pool,
    `SELECT id FROM ai_jobs WHERE id = ANY($1::uuid[]) AND status IN ${oneOf(FINAL_JOB_STATUSES)}`,
    [ids],
  );

/** The given images that wait for their review. */
export const imagesToReview = (pool: Pool, ids: readonly string[]): Promise<string[]> =>
  texts(
    pool,
    `SELECT id FROM property_images WHERE id = ANY($1::uuid[]) AND "isStyled" AND NOT ${isShownVariant('property_images')}`,
    [ids],
  );

/** Every key that a row shows or sends. */
const NEEDED = `
  SELECT "objectKey" AS key FROM property_images
  UNION ALL SELECT "providerInputKey" FROM property_images WHERE "providerInputKey" IS NOT NULL
  UNION ALL SELECT "paddedInputKey" FROM property_images WHERE "paddedInputKey" IS NOT NULL
  UNION ALL SELECT "objectKey" FROM image_renditions
  UNION ALL SELECT "heatMapKey" FROM drift_comparisons WHERE "heatMapKey" IS NOT NULL
  UNION ALL SELECT "objectKey" FROM photo_credentials
  UNION ALL SELECT "objectKey" FROM avatars`;

/** The keys that rows need, in order, starting after `afterKey`. */
export const neededKeys = (
  pool: Pool,
  { afterKey, limit }: { afterKey: string | null; limit: number },
): Promise<string[]> =>
  texts(
    pool,
    `SELECT key FROM (${NEEDED}) needed WHERE ($1::text IS NULL OR key > $1) ORDER BY key LIMIT $2`,
    [afterKey, limit],
  );

/** The given keys that a row needs. */
export const neededAmong = (pool: Pool, keys: readonly string[]): Promise<string[]> =>
  texts(pool, `SELECT key FROM (${NEEDED}) needed WHERE key = ANY($1::text[])`, [keys]);

/** The given keys that no row needs, collects or is about to delete (I19). */
export const unaccountedAmong = (pool: Pool, keys: readonly string[]): Promise<string[]> =>
  texts(
    pool,
    `SELECT key FROM unnest($1::text[]) AS key
     WHERE NOT EXISTS (SELECT FROM (${NEEDED}) needed WHERE needed.key = key.key)
       AND NOT EXISTS (SELECT FROM ai_provider_attempts a WHERE a."objectKey" = key.key AND a.status = 'COLLECTING')
       AND NOT EXISTS (SELECT FROM storage_deletion_outbox d WHERE d."objectKey" = key.key AND d.status <> 'DELETED')`,
    [keys],
  );
