import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { IS_SERVED, isServed, RESOURCES } from './served.ts';

/**
 * Gives committed changes their numbers (docs/feeds.md#the-order-of-changes). Writers note in their own transactions what
 * they change (0174), and one turn numbers it afterwards, under the lock of the cursor. So numbers and times become visible in
 * their own order, however late a transaction commits. A record has one number, that of its last change.
 */
/** How long consumers can read that a record is gone. One that was away for longer compares all keys. */
export const GONE_RECORDS_KEPT_DAYS = 90;
/** Records of a resource in one turn: no two have the same millisecond, so that pages by time never split a group. */
const MOST = 1_000;
/** When the clock was set back, times run ahead of it by this many records a turn at most. */
const LEAST = 50;
/** Waiting rows read for a turn. Those of one record are together one change. */
const ROWS = 4_000;
/** Listings from before there were changes, noted in one turn. */
const FILLED = 200;

/** SQL: the last change's row for each waiting record, at most `$1` of a resource; what waits to become private is first. */
const TAKEN = `
  waiting AS MATERIALIZED (
    SELECT id, resource, key, "isUrgent", "ofPhotos" FROM listing_changes
    ORDER BY "isUrgent" DESC, id LIMIT ${ROWS}
  ), records AS MATERIALIZED (
    SELECT resource, key, bool_or("ofPhotos") AS "ofPhotos",
      row_number() OVER (PARTITION BY resource ORDER BY bool_or("isUrgent") DESC, min(id)) AS place
    FROM waiting GROUP BY resource, key
  ), taken AS MATERIALIZED (
    SELECT t.*, CASE t.resource ${RESOURCES.map((name) => `WHEN '${name}' THEN ${IS_SERVED[name]('t.key')}`).join('\n')}
      END AS "isServed"
    FROM records t WHERE t.place <= $1
  )`;

/**
 * Records that no consumer knows, and that none may know, have no number. `$2` is the last time so far, `$3` the last number.
 * The rows that are removed were read by this statement: what a writer adds meanwhile stays for the next turn.
 */
const NUMBER = `
  WITH ${TAKEN}, numbered AS MATERIALIZED (
    SELECT t.*, $3::bigint + row_number() OVER (
        ORDER BY array_position(ARRAY['${RESOURCES.join("','")}'], t.resource), t.place) AS seq,
      $2::timestamptz + t.place * interval '1 millisecond' AS at
    FROM taken t WHERE t."isServed" OR EXISTS (SELECT FROM published_records r
      WHERE r.resource = t.resource AND r.key = t.key AND r."goneAt" IS NULL)
  ), gone AS (
    DELETE FROM listing_changes c USING waiting w, taken t
    WHERE c.id = w.id AND t.resource = w.resource AND t.key = w.key RETURNING 1
  ), written AS (
    INSERT INTO published_records AS r (resource, key, seq, "modifiedAt", "photosAt", "goneAt")
    SELECT resource, key, seq, at, CASE WHEN "ofPhotos" THEN at END, CASE WHEN NOT "isServed" THEN at END FROM numbered
    ON CONFLICT (resource, key) DO UPDATE SET seq = excluded.seq, "modifiedAt" = excluded."modifiedAt",
      "photosAt" = coalesce(excluded."photosAt", r."photosAt"), "goneAt" = excluded."goneAt"
    RETURNING seq, "modifiedAt"
  ), moved AS (
    UPDATE listing_change_cursor SET "lastSeq" = w.seq, "lastAt" = w.at
    FROM (SELECT max(seq) AS seq, max("modifiedAt") AS at FROM written) w WHERE w.seq IS NOT NULL
  )
  SELECT (SELECT count(*) FROM gone)::int AS removed, (SELECT count(*) FROM written)::int AS numbered`;

/** The milliseconds from the last time until now, by the database's clock. */
const CURSOR = `
  SELECT "lastSeq", "isFilled",
    (SELECT count(*) FROM (SELECT FROM listing_changes LIMIT ${ROWS}) waiting) < ${ROWS} AS "hasRoom",
    greatest(${LEAST}, least(${MOST}, extract(epoch FROM clock_timestamp() - "lastAt") * 1000))::int AS room,
    date_trunc('milliseconds', greatest("lastAt", clock_timestamp() - interval '${MOST} milliseconds')) AS base
  FROM listing_change_cursor FOR UPDATE SKIP LOCKED`;

const HAS_WORK = `
  SELECT EXISTS (SELECT FROM listing_changes) OR NOT (SELECT "isFilled" FROM listing_change_cursor) AS "hasWork"`;

/** @returns how many records were numbered and whether something may be left; zero and false while another turn is at it */
export async function numberChanges(pool: Pool): Promise<{ numbered: number; isMore: boolean }> {
  const { rows: work } = await pool.query<{ hasWork: boolean }>(HAS_WORK);
  if (work[0]?.hasWork !== true) return { numbered: 0, isMore: false };
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{
      lastSeq: number;
      base: Date;
      room: number;
      isFilled: boolean;
      hasRoom: boolean;
    }>(CURSOR);
    const [cursor] = rows;
    if (cursor === undefined) return { numbered: 0, isMore: false };
    const isFilled = cursor.isFilled || (cursor.hasRoom && (await noteOlderListings(client)));
    // Its cost estimate is far too high for a statement of milliseconds.
    await client.query('SET LOCAL jit = off');
    const { rows: done } = await client.query<{ removed: number; numbered: number }>(NUMBER, [
      cursor.room,
      cursor.base,
      cursor.lastSeq,
    ]);
    const { removed = 0, numbered = 0 } = done[0] ?? {};
    return { numbered, isMore: !isFilled || removed > 0 };
  });
}

/** Notes the next listings that were here before the triggers. True when there are no more. */
async function noteOlderListings(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ last: string | null; found: number }>(
    `WITH page AS MATERIALIZED (
       SELECT p.id, p."ownerAgentId", ${isServed('p')} AS "isServed" FROM properties p, listing_change_cursor c
       WHERE c."filledTo" IS NULL OR p.id > c."filledTo" ORDER BY p.id LIMIT ${FILLED}),
     found AS (
       SELECT 'Property' AS resource, p.id AS key FROM page p WHERE p."isServed"
       UNION SELECT 'Member', p."ownerAgentId" FROM page p WHERE p."isServed"
       UNION SELECT 'Office', office_key(u."officeName") FROM page p JOIN "user" u ON u.id = p."ownerAgentId"
         WHERE p."isServed" AND u."officeName" IS NOT NULL
       UNION SELECT 'Media', i.id FROM page p JOIN property_images i ON i."propertyId" = p.id WHERE p."isServed"
       UNION SELECT 'OpenHouse', o.id FROM page p JOIN open_houses o ON o."propertyId" = p.id WHERE p."isServed"),
     noted AS (
       INSERT INTO listing_changes (resource, key, "isUrgent", "ofPhotos")
       SELECT resource, key, false, resource = 'Property' FROM found ON CONFLICT DO NOTHING)
     SELECT (SELECT max(id::text) FROM page) AS last, (SELECT count(*) FROM page)::int AS found`,
  );
  const { last = null, found = 0 } = rows[0] ?? {};
  const isFilled = found < FILLED;
  await client.query(
    'UPDATE listing_change_cursor SET "filledTo" = coalesce($1::uuid, "filledTo"), "isFilled" = $2',
    [last, isFilled],
  );
  return isFilled;
}
