import type { Pool, PoolClient } from 'pg';

/**
 * Gives photos that wait their verdict: photos. For tests without a worker that looks them up.
 * @param imageId only this one
 */
export async function giveVerdicts(pool: Pool | PoolClient, imageId: string | null = null): Promise<void> {
  await pool.query(
    `update photo_checks set verdict = 'PHOTO', "checkedAt" = now(), "nextTryAt" = null
     where verdict is null and ($1::uuid is null or "imageId" = $1)`,
    [imageId],
  );
}

/** Gives up the fingerprints that are still to be made, so that no file waits for one before it is deleted. */
export const GIVE_UP_FINGERPRINTS = `
  update staged_fingerprints set "nextTryAt" = null, claim = null, "givenUp" = 'TRIES' where "nextTryAt" is not null`;
