import type { Pool, PoolClient } from 'pg';

/** Gives all photos that wait their verdict: photos. For tests without a worker that looks them up. */
export async function giveVerdicts(pool: Pool | PoolClient): Promise<void> {
  await pool.query(
    `update photo_checks set verdict = 'PHOTO', "checkedAt" = now(), "nextTryAt" = null where verdict is null`,
  );
}
