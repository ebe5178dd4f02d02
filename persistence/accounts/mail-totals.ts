import type { Pool } from 'pg';
import { toDate } from '../database/instants.ts';

/** How many mails about changes the installation has sent in an hour (UTC). Beyond a limit, alerts wait for the next one (0161). */

const HOUR_MS = 3_600_000;
const KEPT_HOURS = 24;
const hourOf = (at: number): number => at - (at % HOUR_MS);

export const nextHour = (at: number): number => hourOf(at) + HOUR_MS;

/**
 * Counts a mail that is about to be sent; hours of more than a day ago go. @param limit null for mails that never wait
 * @returns false when `limit` mails were sent in this hour
 */
export async function countMailOfAll(
  pool: Pool,
  { at, limit }: { at: number; limit: number | null },
): Promise<boolean> {
  const hour = hourOf(at);
  const { rowCount } = await pool.query(
    `WITH old AS (DELETE FROM mail_totals WHERE hour < $2)
     INSERT INTO mail_totals AS t (hour, sent) VALUES ($1, 1)
     ON CONFLICT (hour) DO UPDATE SET sent = t.sent + 1 WHERE $3::int IS NULL OR t.sent < $3`,
    [toDate(hour), toDate(hour - KEPT_HOURS * HOUR_MS), limit],
  );
  return rowCount === 1;
}
