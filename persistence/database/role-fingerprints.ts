import type { Pool } from 'pg';
import { toDate } from './instants.ts';

/**
 * The hash of the settings that must be equal in all roles. Each process publishes it when it starts
 * (docs/contract.md#settings). Only the latest process of a role counts, so rows of dead processes do not matter. The
 * next process of the role removes old rows.
 */
const KEPT = '30 days';

export async function publishFingerprint(
  pool: Pool,
  { role, nodeId, hash, at }: { role: string; nodeId: string; hash: string; at: number },
): Promise<void> {
  await pool.query(
    `WITH pruned AS (
       DELETE FROM role_fingerprints
       WHERE role = $1 AND "nodeId" <> $2 AND "publishedAt" < $4::timestamptz - interval '${KEPT}'
     )
     INSERT INTO role_fingerprints (role, "nodeId", hash, "publishedAt") VALUES ($1, $2, $3, $4)
     ON CONFLICT (role, "nodeId") DO UPDATE SET hash = excluded.hash, "publishedAt" = excluded."publishedAt"`,
    [role, nodeId, hash, toDate(at)],
  );
}

/** The roles whose latest process has other settings; empty when all agree. */
export async function otherFingerprints(pool: Pool, hash: string): Promise<string[]> {
  const { rows } = await pool.query<{ role: string }>(
    `SELECT role FROM (
       SELECT DISTINCT ON (role) role, hash FROM role_fingerprints ORDER BY role, "publishedAt" DESC, "nodeId"
     ) AS latest WHERE hash <> $1 ORDER BY role`,
    [hash],
  );
  return rows.map(({ role }) => role);
}
