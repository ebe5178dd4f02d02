import type { Pool, PoolClient } from 'pg';
import { MOST_ALERT_HOMES, OTHER_ALERT_WAIT_MS, PRICE_ALERT_WAIT_MS } from '../../machines/limits.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { answersFor } from '../listings/agent-access.ts';
import { isSampleListing } from '../sample/sample-town.ts';
import { distanceFormula, polygonHolds } from '../search/area-sql.ts';
import { isForSearches } from './saved-searches.ts';
import { COMPARED, LISTING_COLUMNS } from './search-keys.ts';

/**
 * Matches events with instant alerts: one turn numbers the next events, in the order of their ids, and writes a match
 * for each search and each person who saved the home, all in one transaction. The lock of the cursor makes numbers visible in
 * their order. An event whose transaction commits late gets a later number, and none is left out.
 * @param limit of events in one transaction
 * @returns how many events were taken
 */
export function matchEvents(pool: Pool, { at, limit }: { at: number; limit: number }): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT FROM alert_cursor FOR UPDATE');
    const { rows } = await client.query<{ id: number }>(
      'SELECT id FROM alert_events WHERE seq IS NULL ORDER BY id LIMIT $1 FOR UPDATE',
      [limit],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await client.query(FORGET_SAMPLES, [ids]);
    await client.query(NUMBER, [ids, toDate(at)]);
    // Its cost estimate is far too high for a statement of milliseconds.
    await client.query('SET LOCAL jit = off');
    await matchSearches(client, ids, at);
    await client.query(MATCH_FAVORITES, [ids, ...times(at)]);
    return ids.length;
  });
}

/** No alert is made of a sample. */
const FORGET_SAMPLES = `
  DELETE FROM alert_events e USING properties p
  WHERE e.id = ANY ($1::bigint[]) AND p.id = e."propertyId" AND ${isSampleListing('p')}`;

const NUMBER = `
  WITH numbered AS (
    UPDATE alert_events e SET seq = n.seq, "matchedAt" = $2
    FROM (SELECT e.id, c."lastSeq" + row_number() OVER (ORDER BY e.id) AS seq
      FROM alert_events e CROSS JOIN alert_cursor c WHERE e.id = ANY ($1::bigint[])) n
    WHERE e.id = n.id RETURNING e.seq)
  UPDATE alert_cursor SET "lastSeq" = greatest("lastSeq", (SELECT max(seq) FROM numbered))`;

const times = (at: number) => [
  toDate(at),
  toDate(at + PRICE_ALERT_WAIT_MS),
  toDate(at + OTHER_ALERT_WAIT_MS),
];

/** SQL condition: the area `r` of a search holds the home `l`. Of a place, its name or its box is enough. */
const AREA_HOLDS = `
  (r."cityKey" = l."cityKey" OR r."postalCodeKey" = l."postalCodeKey" OR r."stateKey" = l."stateKey"
    OR r."propertyId" = l."propertyId" OR CASE
      WHEN r.polygon IS NOT NULL THEN ${polygonHolds('r.polygon', 'l')}
      WHEN r.radius IS NOT NULL THEN ${distanceFormula(
        { lat: 'r.latitude', lng: 'r.longitude' },
        { lat: 'l.latitude', lng: 'l.longitude' },
      )} <= r.radius
      ELSE l.latitude BETWEEN r.south AND r.north AND (CASE WHEN r.west <= r.east
        THEN l.longitude BETWEEN r.west AND r.east ELSE l.longitude >= r.west OR l.longitude <= r.east END) END)`;

/**
 * SQL: which searches by their keys find the homes of these events (`$1`). \`OFFSET 0\`: without it the planner, which takes
 * keys for evenly spread, reads the whole index and joins by hash.
 */
const FOUND = `
  WITH happened AS MATERIALIZED (
    SELECT e.id AS "eventId", e.kind, e."openHouseId", ${LISTING_COLUMNS}
    FROM alert_events e JOIN search_listings l ON l."propertyId" = e."propertyId"
    WHERE e.id = ANY ($1::bigint[]) AND NOT e."isBulk" AND ${isForSearches('e')}
  ), keyed AS MATERIALIZED (SELECT h.*, unnest(h.keys) AS key FROM happened h),
  found AS (
    SELECT DISTINCT l."eventId", l.kind, l."openHouseId", l."propertyId", m."searchId"
    FROM keyed l CROSS JOIN LATERAL (
      SELECT a."searchId" FROM saved_search_keys a
      WHERE ${COMPARED} AND (NOT a."hasAreas" OR NOT EXISTS (SELECT FROM saved_search_areas r
        WHERE r."searchId" = a."searchId" AND ${AREA_HOLDS} IS NOT TRUE))
      OFFSET 0) m)`;

/** The pairs of searches and homes that the keys find for these events. For tests of what they find. */
export async function foundByKeys(
  client: PoolClient,
  eventIds: readonly number[],
): Promise<{ searchId: string; propertyId: string }[]> {
  const { rows } = await client.query<{ searchId: string; propertyId: string }>(
    `${FOUND} SELECT "searchId", "propertyId" FROM found`,
    [eventIds],
  );
  return rows;
}

/**
 * Few matches of a search wait at a time; the others are counted. A search that is removed meanwhile has none.
 */
const MATCH_SEARCHES = `${FOUND}, allowed AS (
    SELECT f.* FROM found f JOIN saved_searches s ON s.id = f."searchId" JOIN "user" u ON u.id = s."userId"
      JOIN properties p ON p.id = f."propertyId"
    WHERE s.cadence = 'INSTANT' AND u."suspendedAt" IS NULL AND NOT ${answersFor('p', 's."userId"')}
    FOR KEY SHARE OF s
  ), placed AS (
    SELECT a.*, row_number() OVER (PARTITION BY a."searchId" ORDER BY a."eventId" DESC)
      + (SELECT count(*) FROM (SELECT FROM search_matches w
          WHERE w."searchId" = a."searchId" AND w."alertId" IS NULL LIMIT ${MOST_ALERT_HOMES}) waiting) AS place
    FROM allowed a
  ), kept AS (
    INSERT INTO search_matches ("searchId", "propertyId", "eventId", kind, "openHouseId", "createdAt", "dueAt")
    SELECT "searchId", "propertyId", "eventId", kind, "openHouseId", $2::timestamptz,
      CASE kind WHEN 'PRICE' THEN $3::timestamptz ELSE $4::timestamptz END
    FROM placed WHERE place <= ${MOST_ALERT_HOMES} ON CONFLICT DO NOTHING)
  SELECT "searchId", count(DISTINCT "propertyId")::int AS more FROM placed WHERE place > ${MOST_ALERT_HOMES}
  GROUP BY "searchId" ORDER BY "searchId"`;

async function matchSearches(client: PoolClient, ids: readonly number[], at: number): Promise<void> {
  const { rows } = await client.query<{ searchId: string; more: number }>(MATCH_SEARCHES, [
    ids,
    ...times(at),
  ]);
  if (rows.length === 0) return;
  await client.query(
    `UPDATE saved_searches s SET unnamed = s.unnamed + m.more
     FROM unnest($1::uuid[], $2::int[]) AS m (id, more) WHERE s.id = m.id`,
    [rows.map(({ searchId }) => searchId), rows.map(({ more }) => more)],
  );
}

const MATCH_FAVORITES = `
  INSERT INTO favorite_matches ("userId", "propertyId", "eventId", kind, "createdAt", "dueAt")
  SELECT f."userId", e."propertyId", e.id, e.kind, $2::timestamptz,
    CASE e.kind WHEN 'PRICE' THEN $3::timestamptz ELSE $4::timestamptz END
  FROM alert_events e JOIN favorites f ON f."propertyId" = e."propertyId" JOIN "user" u ON u.id = f."userId"
    JOIN properties p ON p.id = e."propertyId" LEFT JOIN alert_settings s ON s."userId" = f."userId"
  WHERE e.id = ANY ($1::bigint[]) AND e.kind IN ('PRICE', 'PENDING', 'SOLD')
    AND coalesce(s.cadence, 'INSTANT') = 'INSTANT' AND u.email IS NOT NULL AND u."suspendedAt" IS NULL
    AND NOT ${answersFor('p', 'f."userId"')}
  ON CONFLICT DO NOTHING`;
