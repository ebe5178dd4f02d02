import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';

/** Of the transactions' locks; any numbers that no other lock has. */
const LOCKS = { cells: 7_431_902, regions: 7_431_903 };

/**
 * Counts in a transaction of its own. One at a time, because an older view of the listings must not be written over a
 * newer one.
 * @returns null when another worker is counting
 */
export function asOnlyCounter<T>(
  pool: Pool,
  what: keyof typeof LOCKS,
  count: (client: PoolClient) => Promise<T>,
): Promise<T | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ isAlone: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1) AS "isAlone"',
      [LOCKS[what]],
    );
    return rows[0]?.isAlone ? count(client) : null;
  });
}
