import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { changeAlertSettings, readAlertSettings } from './alert-settings.ts';

/** Ends a person's alerts by mail. Idempotent; nothing happens for a deleted account or a removed search. */

/** Of one search. @returns its name; null when it is there no more */
export async function endSearchMails(
  pool: Pool,
  { userId, searchId }: { userId: string; searchId: string },
): Promise<string | null> {
  const { rows } = await pool.query<{ name: string }>(
    `UPDATE saved_searches SET ${WITHOUT_MAIL} WHERE "userId" = $1 AND id = $2 RETURNING name`,
    [userId, searchId],
  );
  return rows[0]?.name ?? null;
}

/** Of saved homes. */
export function endSavedHomesMails(
  pool: Pool,
  { userId, at }: { userId: string; at: number },
): Promise<void> {
  return inTransaction(pool, (client) => endOfSavedHomes(client, { userId, at }));
}

/** Of all searches, and of saved homes. */
export function endAllAlertMails(pool: Pool, { userId, at }: { userId: string; at: number }): Promise<void> {
  return inTransaction(pool, async (client) => {
    await endOfSavedHomes(client, { userId, at });
    await client.query(`UPDATE saved_searches SET ${WITHOUT_MAIL} WHERE "userId" = $1`, [userId]);
  });
}

/** Without mail, a search with no other channel has no alerts; the person may turn them on again. */
const WITHOUT_MAIL = `
  "nextRunAt" = CASE WHEN channels = '{MAIL}' THEN NULL ELSE "nextRunAt" END,
  cadence = CASE WHEN channels = '{MAIL}' THEN 'NONE' ELSE cadence END,
  channels = CASE WHEN channels = '{MAIL}' THEN channels ELSE array_remove(channels, 'MAIL') END`;

async function endOfSavedHomes(
  client: PoolClient,
  { userId, at }: { userId: string; at: number },
): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM "user" WHERE id = $1 AND email IS NOT NULL', [userId]);
  if (rowCount === 0) return;
  const { channels } = await readAlertSettings(client, userId);
  const others = channels.filter((channel) => channel !== 'MAIL');
  if (others.length === channels.length) return;
  const change = others.length === 0 ? { cadence: 'NONE' as const } : { channels: others };
  await changeAlertSettings(client, { userId, at, ...change });
}
