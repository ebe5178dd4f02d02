import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import type { AlertCadence, AlertChannel } from '../entities/values.ts';
import { nextRunOf } from './cadences.ts';

/** A person's alerts about saved homes: price changes, under contract, sold. */
export interface AlertSettings {
  cadence: AlertCadence;
  channels: AlertChannel[];
}

/** Of a person who has set none. */
const DEFAULT_SETTINGS: AlertSettings = { cadence: 'INSTANT', channels: ['MAIL', 'PUSH'] };

export async function readAlertSettings(db: Pool | PoolClient, userId: string): Promise<AlertSettings> {
  const { rows } = await db.query<AlertSettings>(
    'SELECT cadence, channels FROM alert_settings WHERE "userId" = $1',
    [userId],
  );
  return rows[0] ?? DEFAULT_SETTINGS;
}

/**
 * Changes them. Undefined fields stay as they are. Another cadence counts from the next event on; between days and weeks from
 * the last run on. Matches that wait are still sent, unless the person wants no alerts.
 */
export async function changeAlertSettings(
  client: PoolClient,
  {
    userId,
    at,
    ...change
  }: { userId: string; at: number } & {
    [Field in keyof AlertSettings]?: AlertSettings[Field] | undefined;
  },
): Promise<AlertSettings> {
  // Two changes at once: the later one sees the earlier.
  await client.query('SELECT FROM "user" WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const before = await readAlertSettings(client, userId);
  const { cadence = before.cadence, channels = before.channels } = change;
  const runsAt = cadence === 'INSTANT' ? null : nextRunOf(cadence, at);
  await client.query(
    `INSERT INTO alert_settings AS s ("userId", cadence, channels, "runSeq", "nextRunAt")
     SELECT $1, $2, $3, c."lastSeq", $4 FROM alert_cursor c
     ON CONFLICT ("userId") DO UPDATE SET cadence = excluded.cadence, channels = excluded.channels,
       "runSeq" = CASE WHEN s.cadence IN ('DAILY', 'WEEKLY') AND excluded.cadence IN ('DAILY', 'WEEKLY') THEN s."runSeq"
         ELSE excluded."runSeq" END,
       "nextRunAt" = CASE WHEN s.cadence = excluded.cadence THEN s."nextRunAt" ELSE excluded."nextRunAt" END`,
    [userId, cadence, channels, toDate(runsAt)],
  );
  if (cadence === 'NONE')
    await client.query('DELETE FROM favorite_matches WHERE "userId" = $1 AND "alertId" IS NULL', [userId]);
  return { cadence, channels };
}
