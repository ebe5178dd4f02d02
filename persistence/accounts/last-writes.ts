import type { Pool } from 'pg';
import { prepared } from '../database/prepared.ts';
import { logPosition } from '../standbys/standbys.ts';

/**
 * How far the log must be replayed on a standby for a person to find their own writes there. Kept with the session on
 * the primary, so every process knows it, and no client has to carry it. In a database that was restored from a backup a
 * position may lie ahead of the log: until the log passes it, the person reads from the primary.
 */

/** To be called after the commit: the position is past it, also for a role that commits asynchronously. */
export async function noteLastWrite(pool: Pool, sessionTokens: readonly string[]): Promise<void> {
  await pool.query(
    prepared(`UPDATE session SET "lastWriteLsn" = pg_current_wal_insert_lsn() WHERE token = ANY ($1)`, [
      sessionTokens,
    ]),
  );
}

/** The person's last write in any session; null when there was none. */
export async function lastWriteOf(pool: Pool, userId: string): Promise<bigint | null> {
  const { rows } = await pool.query<{ position: string | null }>(
    prepared(`SELECT max("lastWriteLsn")::text AS position FROM session WHERE "userId" = $1`, [userId]),
  );
  const position = rows[0]?.position;
  return position == null ? null : logPosition(position);
}
