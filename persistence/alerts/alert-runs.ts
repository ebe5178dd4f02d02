import type { Pool, PoolClient } from 'pg';
import { MOST_ALERT_HOMES } from '../../machines/limits.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate, toMillis } from '../database/instants.ts';
import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import type { AlertCadence, AlertChannel } from '../entities/values.ts';
import { answersFor } from '../listings/agent-access.ts';
import { criteriaSql } from '../search/criteria-sql.ts';
import type { Criteria } from '../search/search-index.ts';
import { type AlertItem, writeAlert } from './alert-writes.ts';
import { periodOf } from './cadences.ts';
import { isForSearches } from './saved-searches.ts';

/**
 * Daily and weekly alerts: each run asks the search itself, over the events since its last one. A search
 * with instant alerts runs daily over what imports bring. A run writes its alert and how far it came in one transaction.
 */

/** The filters of a stored search as criteria, read with the same connection. */
export type ReadCriteria = (reader: Reader, filters: unknown) => Promise<Criteria>;

interface DueRun {
  cadence: AlertCadence;
  channels: AlertChannel[];
  runSeq: number;
  nextRunAt: Date;
}

interface Run {
  at: number;
  alertId: string;
}

/** Searches whose run is due, the longest due first. */
export async function runsDue(
  pool: Pool,
  { table, at, limit }: { table: 'saved_searches' | 'alert_settings'; at: number; limit: number },
): Promise<string[]> {
  const key = table === 'saved_searches' ? 'id' : '"userId"';
  const { rows } = await pool.query<{ id: string }>(
    `SELECT ${key} AS id FROM ${table} WHERE "nextRunAt" <= $1 ORDER BY "nextRunAt" LIMIT $2`,
    [toDate(at), limit],
  );
  return rows.map(({ id }) => id);
}

/** A whole number of periods after the last run that is due, so that the time of day stays. */
function runAfter({ nextRunAt, cadence }: DueRun, at: number): Date {
  const due = toMillis(nextRunAt);
  const period = periodOf(cadence) ?? 0;
  return toDate(due + (Math.floor((at - due) / period) + 1) * period);
}

const LAST_SEQ = '(SELECT "lastSeq" FROM alert_cursor)';

/** Runs a search once, if it is due. */
export function runSearch(
  pool: Pool,
  { id, at, alertId, readCriteria }: Run & { id: string; readCriteria: ReadCriteria },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<
      DueRun & { userId: string; filters: unknown; upTo: number; getsAlerts: boolean }
    >(
      `SELECT s."userId", s.filters, s.cadence, s.channels, s."runSeq", s."nextRunAt", ${LAST_SEQ} AS "upTo",
         u."suspendedAt" IS NULL AS "getsAlerts"
       FROM saved_searches s JOIN "user" u ON u.id = s."userId"
       WHERE s.id = $1 AND s."nextRunAt" <= $2 FOR UPDATE OF s`,
      [id, toDate(at)],
    );
    const [run] = rows;
    if (run === undefined) return;
    const { userId, channels } = run;
    const { items, more } = run.getsAlerts
      ? await happened(client, { ...run, criteria: await readCriteria(client, run.filters) })
      : { items: [], more: 0 };
    if (items.length > 0)
      await writeAlert(client, { alertId, userId, searchId: id, items, more, channels, at });
    await client.query('UPDATE saved_searches SET "runSeq" = $2, "nextRunAt" = $3 WHERE id = $1', [
      id,
      run.upTo,
      runAfter(run, at),
    ]);
  });
}

/** A search that could not be asked is asked again later, so that it keeps no other waiting. */
export async function putOffRun(
  pool: Pool,
  { id, at, byMs }: { id: string; at: number; byMs: number },
): Promise<void> {
  await pool.query('UPDATE saved_searches SET "nextRunAt" = $2 WHERE id = $1 AND "nextRunAt" IS NOT NULL', [
    id,
    toDate(at + byMs),
  ]);
}

const ITEM_COLUMNS = `
  e."propertyId", array_agg(DISTINCT e.kind) AS kinds, max(e.id) AS "eventId",
  coalesce(array_agg(e."openHouseId") FILTER (WHERE e."openHouseId" IS NOT NULL), '{}') AS "openHouseIds"`;

type ItemRow = AlertItem & { total: number };
const withMore = (rows: ItemRow[]): { items: AlertItem[]; more: number } => ({
  items: rows.map(({ total: _, ...item }) => item),
  more: (rows[0]?.total ?? 0) - rows.length,
});

async function happened(
  client: PoolClient,
  {
    userId,
    cadence,
    runSeq,
    upTo,
    criteria,
  }: Pick<DueRun, 'cadence' | 'runSeq'> & {
    userId: string;
    upTo: number;
    criteria: Criteria;
  },
): Promise<{ items: AlertItem[]; more: number }> {
  const values = new SqlValues();
  const [from, to] = [runSeq, upTo].map((seq) => values.add(seq, 'bigint'));
  // What imports bring has an index; most runs of a search with instant alerts end there.
  const which = cadence === 'INSTANT' ? 'e."isBulk"' : 'true';
  const { rows } = await client.query<ItemRow>(
    `WITH happened AS (
       SELECT ${ITEM_COLUMNS} FROM alert_events e
       WHERE e.seq > ${from} AND e.seq <= ${to} AND ${which} AND ${isForSearches('e')} GROUP BY e."propertyId")
     SELECT h.*, count(*) OVER ()::int AS total FROM happened h JOIN properties p ON p.id = h."propertyId"
     WHERE NOT ${answersFor('p', values.add(userId, 'uuid'))} AND h."propertyId" IN (
       SELECT "propertyId" FROM search_listings WHERE ${criteriaSql(criteria, values)})
     ORDER BY h."eventId" DESC LIMIT ${MOST_ALERT_HOMES}`,
    values.list,
  );
  return withMore(rows);
}

/** Runs the saved homes of a person once, if they are due. */
export function runSavedHomes(pool: Pool, { userId, at, alertId }: Run & { userId: string }): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<DueRun & { upTo: number; getsAlerts: boolean }>(
      `SELECT s.cadence, s.channels, s."runSeq", s."nextRunAt", ${LAST_SEQ} AS "upTo",
         u."suspendedAt" IS NULL AS "getsAlerts"
       FROM alert_settings s JOIN "user" u ON u.id = s."userId"
       WHERE s."userId" = $1 AND s."nextRunAt" <= $2 FOR UPDATE OF s`,
      [userId, toDate(at)],
    );
    const [run] = rows;
    if (run === undefined) return;
    if (run.getsAlerts) {
      const { rows: homes } = await client.query<ItemRow>(SAVED_HOMES, [userId, run.runSeq, run.upTo]);
      const { channels } = run;
      if (homes.length > 0)
        await writeAlert(client, { alertId, userId, searchId: null, channels, at, ...withMore(homes) });
    }
    await client.query('UPDATE alert_settings SET "runSeq" = $2, "nextRunAt" = $3 WHERE "userId" = $1', [
      userId,
      run.upTo,
      runAfter(run, at),
    ]);
  });
}

const SAVED_HOMES = `
  WITH happened AS (
    SELECT ${ITEM_COLUMNS} FROM favorites f JOIN alert_events e ON e."propertyId" = f."propertyId"
    WHERE f."userId" = $1 AND e.seq > $2::bigint AND e.seq <= $3::bigint AND e.kind IN ('PRICE', 'PENDING', 'SOLD')
    GROUP BY e."propertyId")
  SELECT h.*, count(*) OVER ()::int AS total FROM happened h JOIN properties p ON p.id = h."propertyId"
  WHERE NOT ${answersFor('p', '$1')} ORDER BY h."eventId" DESC LIMIT ${MOST_ALERT_HOMES}`;
