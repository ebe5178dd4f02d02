import type { Pool } from 'pg';
import { toDate } from './instants.ts';

/**
 * Each process publishes a hash of the settings that producers and workers must share (decisions.md section 6),
 * so that `/readyz` can show a roll-out that left the roles apart.
 */
export async function publishFingerprint(
  pool: Pool,
  entry: { role: string; nodeId: string; hash: string; at: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO role_fingerprints (role, "nodeId", hash, "publishedAt") VALUES ($1, $2, $3, $4)
     ON CONFLICT (role, "nodeId") DO UPDATE SET hash = excluded.hash, "publishedAt" = excluded."publishedAt"`,
    [entry.role, entry.nodeId, entry.hash, toDate(entry.at)],
  );
}

/** Roles whose latest start published another hash; empty when all agree. */
export async function otherFingerprints(pool: Pool, hash: string): Promise<string[]> {
  const { rows } = await pool.query<{ role: string }>(
    `SELECT role FROM (
       SELECT DISTINCT ON (role) role, hash FROM role_fingerprints ORDER BY role, "publishedAt" DESC
     ) latest WHERE hash <> $1 ORDER BY role`,
    [hash],
  );
  return rows.map(({ role }) => role);
}
