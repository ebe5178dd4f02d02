import type { Pool } from 'pg';
import type { FeedActor } from '../actors/rows/feed-row.ts';
import { feedKind } from '../actors/rows/feed-row.ts';
import { toDate, toMillis } from '../database/instants.ts';
import type { Reader } from '../database/reader.ts';

/** Reads of feeds, and the listings that no list names. */
export interface FeedPosition {
  actor: FeedActor;
  cursor: unknown;
  pages: number;
  nextLookAt: number | null;
  loadedAt: number | null;
  lastSeenAt: number | null;
}

const POSITION = feedKind.rows.select({
  cursor: 't.cursor',
  pages: 't.pages::float8',
  nextLookAt: 't."nextLookAt"',
  loadedAt: 't."loadedAt"',
  lastSeenAt: 't."lastSeenAt"',
});
interface PositionRow {
  cursor: unknown;
  pages: number;
  nextLookAt: Date | null;
  loadedAt: Date | null;
  lastSeenAt: Date | null;
}
const positionOf = (row: PositionRow): FeedPosition => ({
  actor: feedKind.rows.fromRow(row as never),
  cursor: row.cursor,
  pages: row.pages,
  nextLookAt: toMillis(row.nextLookAt),
  loadedAt: toMillis(row.loadedAt),
  lastSeenAt: toMillis(row.lastSeenAt),
});

export async function readFeed(pool: Reader, id: string): Promise<FeedPosition | null> {
  const { rows } = await pool.query<PositionRow>(`${POSITION} WHERE t.id = $1`, [id]);
  return rows[0] === undefined ? null : positionOf(rows[0]);
}

/** All feeds by their names: an installation has few. */
export async function listFeeds(pool: Reader): Promise<FeedPosition[]> {
  const { rows } = await pool.query<PositionRow>(`${POSITION} ORDER BY t.name LIMIT 100`);
  return rows.map(positionOf);
}

/** Feeds that a worker may have something to do for. */
export async function feedsAtWork(pool: Reader): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM feeds WHERE status IN ('REPLICATING', 'RECONCILING', 'WAITING') ORDER BY id LIMIT 100`,
  );
  return rows.map(({ id }) => id);
}

export interface FeedCounts {
  state: string;
  resource: string;
  count: number;
}
export async function feedCounts(pool: Reader, feedId: string): Promise<FeedCounts[]> {
  const { rows } = await pool.query<FeedCounts>(
    `SELECT resource, state, count(*)::int AS count FROM feed_records WHERE "feedId" = $1
     GROUP BY resource, state ORDER BY resource, state`,
    [feedId],
  );
  return rows;
}

/**
 * A record that the list did not name, and that was not read since the list was begun. Of listings an operator decides when
 * they are many; people, offices and open houses stay when the list named none of them, because feeds also answer with
 * nothing by mistake.
 */
const UNLISTED = `"feedId" = $1 AND state <> 'GONE' AND "seenAt" < $2 AND "listedAt" IS DISTINCT FROM $2
  AND (resource = 'Property' OR resource IN (
    SELECT named.resource FROM feed_records named WHERE named."feedId" = $1 AND named."listedAt" = $2))`;

/** Of the listings that are here: how many the list begun at that instant did not name. */
export async function unlistedCounts(
  pool: Pick<Pool, 'query'>,
  { feedId, listBegan, resources }: { feedId: string; listBegan: number; resources: readonly string[] },
): Promise<{ missing: number; listings: number; others: number }> {
  const { rows } = await pool.query<{ missing: number; listings: number; others: number }>(
    `SELECT count(*) FILTER (WHERE resource = 'Property' AND ${UNLISTED})::int AS missing,
       count(*) FILTER (WHERE resource = 'Property' AND state <> 'GONE')::int AS listings,
       count(*) FILTER (WHERE resource <> 'Property' AND ${UNLISTED})::int AS others
     FROM feed_records WHERE "feedId" = $1 AND resource = ANY ($3)`,
    [feedId, toDate(listBegan), resources],
  );
  return rows[0] ?? { missing: 0, listings: 0, others: 0 };
}

/** The next records that must leave, in the order of their keys. */
export async function unlistedRecords(
  pool: Pick<Pool, 'query'>,
  {
    feedId,
    listBegan,
    resources,
    limit,
  }: { feedId: string; listBegan: number; resources: readonly string[]; limit: number },
): Promise<{ resource: string; key: string }[]> {
  const { rows } = await pool.query<{ resource: string; key: string }>(
    `SELECT resource, key FROM feed_records WHERE ${UNLISTED} AND resource = ANY ($3)
     ORDER BY resource, key LIMIT $4`,
    [feedId, toDate(listBegan), resources, limit],
  );
  return rows;
}

/** The feed's own values of lookups that the Data Dictionary has under another name. */
export async function standardValues(
  pool: Reader,
  feedId: string,
): Promise<{ lookup: string; value: string; standard: string }[]> {
  const { rows } = await pool.query<{ lookup: string; value: string; standard: string }>(
    `SELECT raw ->> 'LookupName' AS lookup, raw ->> 'LookupValue' AS value, raw ->> 'StandardLookupValue' AS standard
     FROM feed_records WHERE "feedId" = $1 AND resource = 'Lookup' AND state = 'CURRENT'
       AND raw ->> 'StandardLookupValue' <> '' AND raw ->> 'StandardLookupValue' IS DISTINCT FROM raw ->> 'LookupValue'
     ORDER BY key LIMIT 20000`,
    [feedId],
  );
  return rows;
}
