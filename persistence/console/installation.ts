import type { Pool } from 'pg';
import { toMillis } from '../database/instants.ts';

/** What "Is it ready?" reads of the database itself. */
export interface Installation {
  /** Such as 160004. */
  serverVersion: number;
  lastCallbackAt: number | null;
  hasAgent: boolean;
  hasListing: boolean;
}

export async function readInstallation(pool: Pool): Promise<Installation> {
  const { rows } = await pool.query<Omit<Installation, 'lastCallbackAt'> & { lastCallbackAt: Date | null }>(
    `SELECT current_setting('server_version_num')::int AS "serverVersion",
       (SELECT max("receivedAt") FROM ai_provider_webhook_receipts) AS "lastCallbackAt",
       EXISTS (SELECT FROM "user" WHERE role = 'agent') AS "hasAgent",
       EXISTS (SELECT FROM properties) AS "hasListing"`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The database answered no row');
  return { ...row, lastCallbackAt: row.lastCallbackAt && toMillis(row.lastCallbackAt) };
}
