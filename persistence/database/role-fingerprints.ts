import type { Pool } from 'pg';

/**
 * Hashes of the settings that must be equal in all running processes (docs/contract.md#settings): a difference can be
 * named without revealing a value. Each process refreshes its row; one that is older than `RUNNING_SECONDS`, by the
 * database's clock, belongs to a process that has ended. Operators can read those rows until they are pruned.
 */
const RUNNING_SECONDS = 60;
const KEPT = '30 days';

/** @param given.settings a hash for each setting, by its variable */
export async function beatFingerprint(
  pool: Pool,
  { role, nodeId, hash, settings }: { role: string; nodeId: string; hash: string; settings: object },
): Promise<void> {
  await pool.query(
    `WITH pruned AS (
       DELETE FROM role_fingerprints
       WHERE "nodeId" <> $2 AND greatest("publishedAt", "beatAt") < clock_timestamp() - interval '${KEPT}'
     )
     INSERT INTO role_fingerprints (role, "nodeId", hash, settings, "publishedAt", "beatAt")
     VALUES ($1, $2, $3, $4, clock_timestamp(), clock_timestamp())
     ON CONFLICT (role, "nodeId") DO UPDATE
     SET hash = excluded.hash, settings = excluded.settings, "beatAt" = excluded."beatAt"`,
    [role, nodeId, hash, JSON.stringify(settings)],
  );
}

/** The variables that are not equal in all running processes, in alphabetical order. */
export async function differingSettings(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ variable: string }>(
    `SELECT variable FROM role_fingerprints, jsonb_each_text(settings) AS one (variable, hash)
     WHERE "beatAt" > clock_timestamp() - interval '${RUNNING_SECONDS} seconds'
     GROUP BY variable HAVING count(DISTINCT one.hash) > 1 ORDER BY variable`,
  );
  return rows.map(({ variable }) => variable);
}
