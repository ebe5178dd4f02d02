import type { Pool, PoolClient } from 'pg';
import { MOST_ALERT_HOMES } from '../../machines/limits.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import type { AlertChannel } from '../entities/values.ts';
import { writeAlertNotices } from '../push/push-notices.ts';
import { readAlertSettings } from './alert-settings.ts';

/**
 * Alerts: what is to be said to whom (0161). Each is written once, together with what it takes, and with one row for each way
 * on which it is sent. What no longer holds is left out where it is sent.
 */
export type AlertKind = 'NEW' | 'PRICE' | 'BACK' | 'OPEN_HOUSE' | 'PENDING' | 'SOLD';

/** A home in an alert, and what happened there. */
export interface AlertItem {
  propertyId: string;
  kinds: AlertKind[];
  /** The last event. */
  eventId: number;
  openHouseIds: string[];
}

interface NewAlert {
  alertId: string;
  userId: string;
  /** Null for saved homes. */
  searchId: string | null;
  /** The latest first; at most 50. */
  items: readonly AlertItem[];
  /** How many other homes there are. */
  more: number;
  channels: readonly AlertChannel[];
  at: number;
}

/** Writes an alert and the ways on which it is sent. */
export async function writeAlert(client: PoolClient, alert: NewAlert): Promise<void> {
  const { alertId, userId, searchId, items, more, channels, at } = alert;
  await client.query(
    `INSERT INTO alerts (id, "userId", "searchId", items, more, "createdAt") VALUES ($1, $2, $3, $4, $5, $6)`,
    [alertId, userId, searchId, JSON.stringify(items), more, toDate(at)],
  );
  if (channels.includes('MAIL'))
    await client.query('INSERT INTO alert_mails ("alertId", "nextAttemptAt") VALUES ($1, $2)', [
      alertId,
      toDate(at),
    ]);
  if (channels.includes('PUSH'))
    await writeAlertNotices(client, { userId, subjectId: searchId ?? userId, at });
}

/** Searches with a match that has waited long enough. */
export async function searchesDue(
  pool: Pool,
  { at, limit }: { at: number; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ searchId: string }>(
    `SELECT DISTINCT "searchId" FROM search_matches WHERE "alertId" IS NULL AND "dueAt" <= $1 LIMIT $2`,
    [toDate(at), limit],
  );
  return rows.map(({ searchId }) => searchId);
}

/** People with a change of a saved home that has waited long enough. */
export async function savedHomesDue(
  pool: Pool,
  { at, limit }: { at: number; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ userId: string }>(
    `SELECT DISTINCT "userId" FROM favorite_matches WHERE "alertId" IS NULL AND "dueAt" <= $1 LIMIT $2`,
    [toDate(at), limit],
  );
  return rows.map(({ userId }) => userId);
}

interface Waiting {
  propertyId: string;
  eventId: number;
  kind: AlertKind;
  openHouseId: string | null;
}

/** Makes one alert of what waits for a search: of each home with a match that is due, all matches. */
export function gatherSearch(
  pool: Pool,
  { searchId, alertId, at }: { searchId: string; alertId: string; at: number },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{
      userId: string;
      channels: AlertChannel[];
      unnamed: number;
      getsAlerts: boolean;
    }>(
      `SELECT s."userId", s.channels, s.unnamed, s.cadence <> 'NONE' AND u."suspendedAt" IS NULL AS "getsAlerts"
       FROM saved_searches s JOIN "user" u ON u.id = s."userId" WHERE s.id = $1 FOR UPDATE OF s`,
      [searchId],
    );
    const [search] = rows;
    if (search === undefined) return;
    const taken = await takeMatches(client, {
      table: 'search_matches',
      id: searchId,
      alertId,
      at,
    });
    if (taken.length === 0) return;
    if (!search.getsAlerts) return dropMatches(client, { table: 'search_matches', id: searchId, alertId });
    await client.query('UPDATE saved_searches SET unnamed = 0 WHERE id = $1', [searchId]);
    const { userId, channels, unnamed } = search;
    await writeAlert(client, { alertId, userId, searchId, channels, at, ...itemsOf(taken, unnamed) });
  });
}

/** Makes one alert of what waits for a person about saved homes. */
export function gatherSavedHomes(
  pool: Pool,
  { userId, alertId, at }: { userId: string; alertId: string; at: number },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ getsAlerts: boolean }>(
      `SELECT email IS NOT NULL AND "suspendedAt" IS NULL AS "getsAlerts" FROM "user" WHERE id = $1 FOR NO KEY UPDATE`,
      [userId],
    );
    const taken = await takeMatches(client, {
      table: 'favorite_matches',
      id: userId,
      alertId,
      at,
    });
    const { cadence, channels } = await readAlertSettings(client, userId);
    if (taken.length === 0) return;
    if (!rows[0]?.getsAlerts || cadence === 'NONE')
      return dropMatches(client, { table: 'favorite_matches', id: userId, alertId });
    await writeAlert(client, { alertId, userId, searchId: null, channels, at, ...itemsOf(taken, 0) });
  });
}

/** Whose matches are in a table. */
const OWNERS = { search_matches: 'searchId', favorite_matches: 'userId' } as const;
type MatchTable = keyof typeof OWNERS;

/** Matches name the alert that took them, so none is taken twice. */
async function takeMatches(
  client: PoolClient,
  { table, id, alertId, at }: { table: MatchTable; id: string; alertId: string; at: number },
): Promise<Waiting[]> {
  const { rows } = await client.query<Waiting>(
    `UPDATE ${table} m SET "alertId" = $2
     WHERE m."${OWNERS[table]}" = $1 AND m."alertId" IS NULL AND m."propertyId" IN (SELECT d."propertyId" FROM ${table} d
       WHERE d."${OWNERS[table]}" = $1 AND d."alertId" IS NULL AND d."dueAt" <= $3)
     RETURNING m."propertyId", m."eventId", m.kind,
       ${table === 'search_matches' ? 'm."openHouseId"' : 'NULL::uuid AS "openHouseId"'}`,
    [id, alertId, toDate(at)],
  );
  return rows;
}

/** Of a person who gets no alerts. */
async function dropMatches(
  client: PoolClient,
  { table, id, alertId }: { table: MatchTable; id: string; alertId: string },
): Promise<void> {
  await client.query(`DELETE FROM ${table} WHERE "${OWNERS[table]}" = $1 AND "alertId" = $2`, [id, alertId]);
}

/** Each home once, the latest event first. */
function itemsOf(matches: readonly Waiting[], unnamed: number): { items: AlertItem[]; more: number } {
  const homes = Map.groupBy(matches, ({ propertyId }) => propertyId);
  const items = [...homes].map(([propertyId, of]) => ({
    propertyId,
    kinds: [...new Set(of.map(({ kind }) => kind))],
    eventId: Math.max(...of.map(({ eventId }) => eventId)),
    openHouseIds: of.flatMap(({ openHouseId }) => openHouseId ?? []),
  }));
  items.sort((a, b) => b.eventId - a.eventId);
  return {
    items: items.slice(0, MOST_ALERT_HOMES),
    more: Math.max(items.length - MOST_ALERT_HOMES, 0) + unnamed,
  };
}
