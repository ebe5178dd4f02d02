import type { Pool, PoolClient } from 'pg';
import { MAX_SAVED_SEARCHES, MOST_NEW_HOMES } from '../../machines/limits.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate, toMillis } from '../database/instants.ts';
import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import type { AlertCadence, AlertChannel } from '../entities/values.ts';
import { GrowthLimitReached } from '../growth/growth-counts.ts';
import { criteriaSql } from '../search/criteria-sql.ts';
import type { Criteria, SearchSort } from '../search/search-index.ts';
import { nextRunOf } from './cadences.ts';
import { removeKeys, writeKeys } from './search-keys.ts';

/** What a person searches for again and again (0161). `F` are the filters as the wire has them. */
export interface SavedSearch<F = unknown> {
  id: string;
  name: string;
  filters: F;
  sort: SearchSort;
  cadence: AlertCadence;
  channels: AlertChannel[];
  createdAt: number;
}

/** What finds the search by a change of a home. */
export interface SearchTerms {
  /** Without the place. */
  criteria: Criteria;
  placeId: string | null;
}

const COLUMNS = 's.id, s.name, s.filters, s.sort, s.cadence, s.channels, s."createdAt"';
type Row = Omit<SavedSearch, 'createdAt'> & { createdAt: Date };
const searchOf = (row: Row): SavedSearch => ({ ...row, createdAt: toMillis(row.createdAt) });

/**
 * Saves a search. One with the same filters stays the same search, with the sort, cadence and channels that are given now.
 * @throws GrowthLimitReached for a person who has as many as one may have
 */
export function saveSearch(
  pool: Pool,
  search: Omit<SavedSearch, 'createdAt'> &
    SearchTerms & { userId: string; filtersHash: string; isNamed: boolean; at: number },
): Promise<SavedSearch> {
  const { id, userId, name, filters, filtersHash, sort, cadence, channels, isNamed, at } = search;
  return inTransaction(pool, async (client) => {
    await client.query('SELECT FROM "user" WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    const { rows: counted } = await client.query<{ used: number; isKnown: boolean }>(
      `SELECT count(*)::int AS used, coalesce(bool_or("filtersHash" = $2), false) AS "isKnown"
       FROM saved_searches WHERE "userId" = $1`,
      [userId, filtersHash],
    );
    const { used = 0, isKnown = false } = counted[0] ?? {};
    if (!isKnown && used >= MAX_SAVED_SEARCHES)
      throw new GrowthLimitReached({ limit: MAX_SAVED_SEARCHES, used, resetsAt: null, at });
    const { rows } = await client.query<Row>(
      `INSERT INTO saved_searches AS s (id, "userId", name, filters, "filtersHash", sort, cadence, channels, "createdAt",
         "seenSeq", "runSeq", "nextRunAt")
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, c."lastSeq", c."lastSeq", $10 FROM alert_cursor c
       ON CONFLICT ("userId", "filtersHash") DO UPDATE SET sort = excluded.sort, channels = excluded.channels,
         name = CASE WHEN $11 THEN excluded.name ELSE s.name END
       RETURNING ${COLUMNS}`,
      [
        id,
        userId,
        name,
        JSON.stringify(filters),
        filtersHash,
        sort,
        cadence,
        channels,
        toDate(at),
        toDate(nextRunOf(cadence, at)),
        isNamed,
      ],
    );
    const saved = searchOf(rows[0] as Row);
    if (saved.cadence !== cadence) await changeCadence(client, { searchId: saved.id, cadence, at });
    if (cadence === 'INSTANT') await writeKeys(client, { ...search, searchId: saved.id });
    return { ...saved, cadence };
  });
}

/**
 * From the next event on; between days and weeks from the last run on. Matches that wait are still sent, unless the
 * search has no alerts any more.
 */
async function changeCadence(
  client: PoolClient,
  { searchId, cadence, at }: { searchId: string; cadence: AlertCadence; at: number },
): Promise<void> {
  await client.query(
    `UPDATE saved_searches SET cadence = $2, "nextRunAt" = $3,
       "runSeq" = CASE WHEN cadence IN ('DAILY', 'WEEKLY') AND $2 IN ('DAILY', 'WEEKLY') THEN "runSeq"
         ELSE (SELECT "lastSeq" FROM alert_cursor) END WHERE id = $1`,
    [searchId, cadence, toDate(nextRunOf(cadence, at))],
  );
  if (cadence === 'INSTANT') return;
  await removeKeys(client, searchId);
  if (cadence !== 'NONE') return;
  await client.query('DELETE FROM search_matches WHERE "searchId" = $1 AND "alertId" IS NULL', [searchId]);
}

/** The person's searches, the latest first. */
export async function searchesOf(db: Reader, userId: string): Promise<(SavedSearch & { seenSeq: number })[]> {
  const { rows } = await db.query<Row & { seenSeq: number }>(
    `SELECT ${COLUMNS}, s."seenSeq" FROM saved_searches s WHERE s."userId" = $1
     ORDER BY s."createdAt" DESC, s.id LIMIT ${MAX_SAVED_SEARCHES}`,
    [userId],
  );
  return rows.map((row) => ({ ...row, ...searchOf(row) }));
}

/** One search of the person; null for any other. */
export async function searchOfPerson(
  db: Reader,
  { userId, id }: { userId: string; id: string },
): Promise<(SavedSearch & { seenSeq: number }) | null> {
  const { rows } = await db.query<Row & { seenSeq: number }>(
    `SELECT ${COLUMNS}, s."seenSeq" FROM saved_searches s WHERE s.id = $2 AND s."userId" = $1`,
    [userId, id],
  );
  const [row] = rows;
  return row === undefined ? null : { ...row, ...searchOf(row) };
}

/** Changes a search of the person. Undefined fields stay as they are. False for any other search. */
export function changeSearch(
  pool: Pool,
  {
    userId,
    id,
    name,
    cadence,
    channels,
    at,
    ...terms
  }: SearchTerms & {
    userId: string;
    id: string;
    name?: string | undefined;
    cadence?: AlertCadence | undefined;
    channels?: AlertChannel[] | undefined;
    at: number;
  },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ cadence: AlertCadence }>(
      `UPDATE saved_searches SET name = coalesce($3, name), channels = coalesce($4, channels)
       WHERE id = $2 AND "userId" = $1 RETURNING cadence`,
      [userId, id, name ?? null, channels ?? null],
    );
    const [before] = rows;
    if (before === undefined) return false;
    if (cadence === undefined || cadence === before.cadence) return true;
    await changeCadence(client, { searchId: id, cadence, at });
    if (cadence === 'INSTANT') await writeKeys(client, { ...terms, searchId: id, at });
    return true;
  });
}

/** Idempotent, for any id. */
export async function removeSearch(
  pool: Pool,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await pool.query('DELETE FROM saved_searches WHERE id = $2 AND "userId" = $1', [userId, id]);
}

/** The homes of the search are seen, up to the last event. False for a search of someone else. */
export async function markSearchSeen(
  pool: Pool,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE saved_searches SET "seenSeq" = greatest("seenSeq", (SELECT "lastSeq" FROM alert_cursor))
     WHERE id = $2 AND "userId" = $1`,
    [userId, id],
  );
  return rowCount === 1;
}

/** SQL condition: the event with this alias is one that a search tells of. */
export const isForSearches = (event: string): string =>
  `(${event}.kind IN ('NEW', 'BACK', 'OPEN_HOUSE') OR ${event}."isCut")`;

/** Of each search: how many homes that it finds had an event since it was seen, up to 99. In one statement. */
export async function countNewHomes(
  reader: Reader,
  searches: readonly { id: string; seenSeq: number; criteria: Criteria }[],
): Promise<Map<string, number>> {
  if (searches.length === 0) return new Map();
  const values = new SqlValues();
  const counts = searches.map(
    ({ id, seenSeq, criteria }) => `
      SELECT ${values.add(id, 'text')} AS id, (SELECT count(*)::int FROM (
        SELECT FROM search_listings WHERE ${criteriaSql(criteria, values)}
          AND "propertyId" IN (SELECT e."propertyId" FROM alert_events e
            WHERE e.seq > ${values.add(seenSeq, 'bigint')} AND ${isForSearches('e')})
        LIMIT ${MOST_NEW_HOMES}) found) AS count`,
  );
  const { rows } = await reader.query<{ id: string; count: number }>(counts.join(' UNION ALL '), values.list);
  return new Map(rows.map(({ id, count }) => [id, count]));
}
