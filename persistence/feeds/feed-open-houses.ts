import type { PoolClient } from 'pg';
import { MAX_PAST_OPEN_HOUSES } from '../../machines/limits.ts';
import { named } from '../database/sql-values.ts';

/**
 * The open houses of a feed's listings, as the transaction of a page writes them
 * (docs/feeds-in.md#people-offices-and-open-houses). Always true: those ahead of a listing are those of its records,
 * whichever of the two came first.
 */
export interface OpenHouseRow {
  id: string;
  propertyId: string;
  feedKey: string;
  startsAt: string;
  endsAt: string;
  remarks: string | null;
}

/** A listing, with its record and the records of its open houses. */
export interface AnnouncedHouses {
  propertyId: string;
  showAddress: boolean;
  listing: Readonly<Record<string, unknown>>;
  records: { key: string; raw: Readonly<Record<string, unknown>> }[];
}

/** More than a listing shows; the rest of its records stay records. */
const MOST_RECORDS = 200;

/** Of the listings with these keys, and of those that had the open houses with these keys. */
const ANNOUNCED = `
  WITH listings AS (
    SELECT r."propertyId" AS id FROM feed_records r
    WHERE r."feedId" = :feedId AND r.resource = 'Property' AND r.key = ANY (:listingKeys::text[])
    UNION
    SELECT o."propertyId" FROM open_houses o WHERE o."feedKey" = ANY (:houseKeys::text[]))
  SELECT p.id AS "propertyId", p."showAddress", r.raw AS listing, coalesce((
    SELECT jsonb_agg(jsonb_build_object('key', h.key, 'raw', h.raw)) FROM (
      SELECT h.key, h.raw FROM feed_records h
      WHERE h."feedId" = :feedId AND h.resource = 'OpenHouse' AND h.raw ->> 'ListingKey' = r.key AND h.state = 'CURRENT'
      ORDER BY h.key LIMIT ${MOST_RECORDS}) h), '[]') AS records
  FROM listings l JOIN properties p ON p.id = l.id AND p."feedId" = :feedId
    JOIN feed_records r ON r."propertyId" = p.id AND r.resource = 'Property'`;

export async function announcedHouses(
  client: PoolClient,
  asked: { feedId: string; listingKeys: readonly string[]; houseKeys: readonly string[] },
): Promise<AnnouncedHouses[]> {
  const { rows } = await client.query<AnnouncedHouses>(named(ANNOUNCED, asked));
  return rows;
}

const GIVEN = `
  given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:houses::jsonb) AS g (id uuid, "propertyId" uuid, "feedKey" text,
      "startsAt" timestamptz, "endsAt" timestamptz, remarks text))`;
const SAME_TIME = `g.id = o.id AND (g."propertyId", g."startsAt", g."endsAt") = (o."propertyId", o."startsAt", o."endsAt")`;
/** Those with another time, too: first all of them leave their times, so that they may exchange them. */
const LEAVE = `
  WITH ${GIVEN}
  UPDATE open_houses o SET "canceledAt" = :at::timestamptz, "changedAt" = :at::timestamptz, version = o.version + 1
  WHERE o."propertyId" = ANY (:ids::uuid[]) AND o."feedKey" IS NOT NULL AND o."canceledAt" IS NULL
    AND o."endsAt" > :at::timestamptz AND NOT EXISTS (SELECT FROM given g WHERE ${SAME_TIME})`;
const CHANGE = `
  WITH ${GIVEN}
  UPDATE open_houses o SET "propertyId" = g."propertyId", "startsAt" = g."startsAt", "endsAt" = g."endsAt",
    remarks = g.remarks, "canceledAt" = NULL, "changedAt" = :at::timestamptz, version = o.version + 1
  FROM given g WHERE g.id = o.id AND (o."canceledAt" IS NOT NULL OR o.remarks IS DISTINCT FROM g.remarks)`;
const ADD = `
  WITH ${GIVEN}
  INSERT INTO open_houses (id, "propertyId", "feedKey", "startsAt", "endsAt", remarks, "createdAt", "changedAt")
  SELECT g.id, g."propertyId", g."feedKey", g."startsAt", g."endsAt", g.remarks, :at::timestamptz, :at::timestamptz
  FROM given g WHERE NOT EXISTS (SELECT FROM open_houses o WHERE o.id = g.id)`;
const FORGET = `
  DELETE FROM open_houses WHERE id IN (
    SELECT id FROM (
      SELECT o.id, row_number() OVER (PARTITION BY o."propertyId"
        ORDER BY coalesce(o."canceledAt", o."endsAt") DESC, o.id) AS number
      FROM open_houses o WHERE o."propertyId" = ANY (:ids::uuid[]) AND o."feedKey" IS NOT NULL
        AND (o."canceledAt" IS NOT NULL OR o."endsAt" <= :at::timestamptz)) past
    WHERE number > ${MAX_PAST_OPEN_HOUSES})`;

/** All that are ahead of these listings. They do not overlap. */
export async function putOpenHouses(
  client: PoolClient,
  { ids, houses, at }: { ids: readonly string[]; houses: readonly OpenHouseRow[]; at: Date },
): Promise<void> {
  const values = { ids, houses: JSON.stringify(houses), at };
  await client.query(named(LEAVE, values));
  await client.query(named(CHANGE, { houses: values.houses, at }));
  await client.query(named(ADD, { houses: values.houses, at }));
  await client.query(named(FORGET, { ids, at }));
}
