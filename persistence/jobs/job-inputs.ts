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

/**
 * Removes the second input of a job whose picture is gone or not approved; true when it did. What a job names is what
 * its next purchase sends, and what is recorded with the result.
 */
export async function dropLostReference(pool: Pool, jobId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE ai_room_staging_jobs s SET "referenceImageKey" = NULL
     WHERE s."aiJobId" = $1 AND s."referenceImageKey" IS NOT NULL AND NOT EXISTS (
       SELECT FROM property_images i WHERE i."objectKey" = s."referenceImageKey" AND i."reviewStatus" = 'APPROVED')`,
    [jobId],
  );
  return rowCount === 1;
}
