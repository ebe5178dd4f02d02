import type { Pool } from 'pg';

/** What the provider's copy needs of the job's original; null when the original is gone. */
export async function originalOfJob(
  pool: Pool,
  originalImageId: string,
): Promise<{ imageId: string; objectKey: string; providerInputKey: string | null } | null> {
  const { rows } = await pool.query<{ imageId: string; objectKey: string; providerInputKey: string | null }>(
    `SELECT id AS "imageId", "objectKey", "providerInputKey" FROM property_images
     WHERE id = $1 AND NOT "isStyled"`,
    [originalImageId],
  );
  return rows[0] ?? null;
}

/** Sets the original's copy as the job's input, once; false while the original has no copy. */
export async function adoptInputOfOriginal(pool: Pool, jobId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE ai_room_staging_jobs s SET "providerInputKey" = coalesce(s."providerInputKey", o."providerInputKey")
     FROM property_images o
     WHERE s."aiJobId" = $1 AND o.id = s."originalImageId" AND o."providerInputKey" IS NOT NULL`,
    [jobId],
  );
  return rowCount === 1;
}
