import type { Pool } from 'pg';

/** The longest that a cache keeps what it may keep, with room for a copy that was under way (docs/contract.md#caches). */
const WORTH_IT = `interval '2 minutes'`;
const FIRST_PAUSE = `interval '1 second'`;
const LONGEST_PAUSE = `interval '30 seconds'`;

export interface CachePurge {
  /** A bigint, as text. */
  id: number;
  propertyId: string;
}

/**
 * Takes purges that are due. Each is due again later, twice as late after each try, so that one whose sender dies is
 * sent again.
 */
export async function takePurges(pool: Pool, limit: number): Promise<CachePurge[]> {
  const { rows } = await pool.query<CachePurge>(
    `UPDATE cache_purges p SET tries = p.tries + 1,
       "nextTryAt" = clock_timestamp() + least(${LONGEST_PAUSE}, ${FIRST_PAUSE} * 2 ^ p.tries)
     FROM (SELECT id FROM cache_purges WHERE "nextTryAt" <= clock_timestamp()
           ORDER BY "nextTryAt" LIMIT $1 FOR UPDATE SKIP LOCKED) due
     WHERE p.id = due.id RETURNING p.id, p."propertyId"`,
    [limit],
  );
  return rows;
}

/** They were sent, or there is no one to send them to. */
export async function removePurges(pool: Pool, purges: readonly CachePurge[]): Promise<void> {
  await pool.query('DELETE FROM cache_purges WHERE id = ANY ($1::bigint[])', [purges.map(({ id }) => id)]);
}

/** Removes those after which no cache has an older copy any more, and returns their number. */
export async function removeOldPurges(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM cache_purges WHERE "requestedAt" < clock_timestamp() - ${WORTH_IT}`,
  );
  return rowCount ?? 0;
}
