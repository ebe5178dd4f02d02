import type { PoolClient } from 'pg';
import { named } from '../database/sql-values.ts';

/**
 * The pictures that a feed names (docs/feeds-in.md#pictures), as the transaction of a page writes them. Always true: a
 * picture that its record does not name, does not allow, or calls altered in another way, is gone with that transaction;
 * triggers queue its object for deletion. Listings are locked before their pictures, as the worker that takes pictures does.
 */
export interface MediaRow {
  propertyId: string;
  key: string;
  position: number;
  isPreferred: boolean;
  /** The first one that is shown of its listing: it is taken before those of other listings that are not. */
  isFirst: boolean;
  url: string | null;
  modifiedAt: string | null;
  roomType: string | null;
  imageOf: string | null;
  alteration: string | null;
  /** Why it is no picture here; null when it is to be taken. */
  reason: string | null;
}

const GIVEN = `
  given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:media::jsonb) AS g ("propertyId" uuid, key text, position int, "isPreferred" boolean,
      "isFirst" boolean, url text, "modifiedAt" timestamptz, "roomType" text, "imageOf" text, alteration text, reason text))`;

const LOCK = `SELECT FROM properties WHERE id = ANY (:ids::uuid[]) ORDER BY id FOR NO KEY UPDATE`;

const REMOVE_PICTURES = `
  WITH ${GIVEN}
  DELETE FROM property_images WHERE id IN (
    SELECT m."imageId" FROM feed_media m LEFT JOIN given g ON g."propertyId" = m."propertyId" AND g.key = m.key
    WHERE m."propertyId" = ANY (:ids::uuid[]) AND m."imageId" IS NOT NULL
      AND (g.key IS NULL OR g.reason IS NOT NULL OR g.alteration IS DISTINCT FROM m.alteration))`;

const REMOVE_ROWS = `
  WITH ${GIVEN}
  DELETE FROM feed_media m WHERE m."propertyId" = ANY (:ids::uuid[])
    AND NOT EXISTS (SELECT FROM given g WHERE g."propertyId" = m."propertyId" AND g.key = m.key)`;

/** What the feed says of a row; what became of it starts again only where that says something else. */
const SAID = ['position', 'isPreferred', 'isFirst', 'url', 'modifiedAt', 'roomType', 'imageOf', 'alteration'];
const saidOf = (row: string): string => SAID.map((name) => `${row}."${name}"`).join(', ');
const isAnother = `((m.url, m."modifiedAt", m.alteration) IS DISTINCT FROM (excluded.url, excluded."modifiedAt", excluded.alteration)
  OR m.reason IN ('PERMISSION', 'LISTING_HIDDEN', 'NO_ADDRESS'))`;
const onChange = (column: string, value: { refused: string; another: string }): string => `
  ${column} = CASE WHEN excluded.reason IS NOT NULL THEN ${value.refused}
    WHEN ${isAnother} THEN ${value.another} ELSE m.${column} END`;
const PUT = `
  WITH ${GIVEN}
  INSERT INTO feed_media AS m ("feedId", "propertyId", key, ${SAID.map((name) => `"${name}"`).join(', ')}, state, reason,
    "nextAttemptAt")
  SELECT :feedId, g."propertyId", g.key, ${saidOf('g')},
    CASE WHEN g.reason IS NULL THEN 'WAITING' ELSE 'REFUSED' END, g.reason,
    CASE WHEN g.reason IS NULL THEN :at::timestamptz END
  FROM given g
  ON CONFLICT ("propertyId", key) DO UPDATE SET
    ${SAID.map((name) => `"${name}" = excluded."${name}"`).join(', ')},
    ${onChange('state', { refused: `'REFUSED'`, another: `'WAITING'` })},
    ${onChange('reason', { refused: 'excluded.reason', another: 'NULL' })},
    ${onChange('attempts', { refused: '0', another: '0' })},
    ${onChange('claim', { refused: 'NULL', another: 'NULL' })},
    ${onChange('"nextAttemptAt"', { refused: 'NULL', another: 'excluded."nextAttemptAt"' })}
  WHERE (${saidOf('m')}) IS DISTINCT FROM (${saidOf('excluded')})
    OR (excluded.reason IS NOT NULL AND m.reason IS DISTINCT FROM excluded.reason)
    OR (excluded.reason IS NULL AND ${isAnother})`;

const ORDER = `
  WITH wanted AS (
    SELECT m."imageId" AS id, m."roomType"::canonical_room_type AS "roomType", m."imageOf",
      (row_number() OVER (PARTITION BY m."propertyId" ORDER BY m.position, m.key) - 1)::int AS position
    FROM feed_media m WHERE m."propertyId" = ANY ($1::uuid[]) AND m."imageId" IS NOT NULL)
  UPDATE property_images i SET position = w.position, "roomType" = w."roomType", "imageOf" = w."imageOf"
  FROM wanted w WHERE i.id = w.id
    AND (i.position, i."roomType", i."imageOf") IS DISTINCT FROM (w.position, w."roomType", w."imageOf")`;

/** The preferred one, else the first one, of those that may be a cover. */
const COVERS = `
  SELECT DISTINCT ON (m."propertyId") i.id FROM feed_media m JOIN property_images i ON i.id = m."imageId"
  WHERE m."propertyId" = ANY ($1::uuid[]) AND i.alteration IS NULL AND i."photoState" IS DISTINCT FROM 'STAGED_PICTURE'
  ORDER BY m."propertyId", m."isPreferred" DESC, m.position, m.key`;
const LEAVE_COVER = `
  UPDATE property_images SET "isMain" = false
  WHERE "propertyId" = ANY ($1::uuid[]) AND "isMain" AND id NOT IN (${COVERS})`;
const BECOME_COVER = `UPDATE property_images SET "isMain" = true WHERE id IN (${COVERS}) AND NOT "isMain"`;

/** The order and the cover of the feed, for the pictures that are here. The listings are locked. */
export async function arrangePictures(client: PoolClient, propertyIds: readonly string[]): Promise<void> {
  for (const sql of [ORDER, LEAVE_COVER, BECOME_COVER]) await client.query(sql, [propertyIds]);
}

/** All pictures of these listings, as their records name them now. */
export async function putMedia(
  client: PoolClient,
  { feedId, at }: { feedId: string; at: Date },
  listings: readonly { propertyId: string; media: readonly MediaRow[] }[],
): Promise<void> {
  const ids = listings.map(({ propertyId }) => propertyId);
  const media = JSON.stringify(listings.flatMap((one) => one.media));
  await client.query(named(LOCK, { ids }));
  for (const sql of [REMOVE_PICTURES, REMOVE_ROWS]) await client.query(named(sql, { ids, media }));
  await client.query(named(PUT, { feedId, at, media }));
  await arrangePictures(client, ids);
}

/** The listings have left, and their pictures leave with them. */
export async function endMedia(client: PoolClient, propertyIds: readonly string[]): Promise<void> {
  await client.query(
    `DELETE FROM property_images
     WHERE id IN (SELECT "imageId" FROM feed_media WHERE "propertyId" = ANY ($1::uuid[]) AND "imageId" IS NOT NULL)`,
    [propertyIds],
  );
  await client.query('DELETE FROM feed_media WHERE "propertyId" = ANY ($1::uuid[])', [propertyIds]);
}
