import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { columnList, named } from '../database/sql-values.ts';
import type { StandardStatus } from '../entities/values.ts';
import { endMedia, type MediaRow, putMedia } from './feed-media.ts';
import { announcedHouses, type OpenHouseRow, putOpenHouses } from './feed-open-houses.ts';
import {
  isOnMarket,
  LISTING_COLUMN_NAMES,
  LISTING_COLUMNS,
  LISTING_HASH,
  type ListingRow,
  TIME_COLUMNS,
} from './listing-columns.ts';

/**
 * The one transaction of a page of a feed: its records, what follows for listings and their prices, and the cursor. Always
 * true: either all of it is there, or none; of two workers that read the same page, the second one writes nothing,
 * because the row of the feed is locked and has moved.
 */
export interface SeenFeed {
  id: string;
  version: number;
  pages: number;
}

export interface RecordRow {
  resource: string;
  key: string;
  /** JSON. */
  raw: string;
  /** Of `raw`, in hexadecimal digits. */
  hash: string;
  modifiedAt: string | null;
  state: 'CURRENT' | 'REFUSED';
  /** JSON. */
  unmapped: string;
}
export interface KnownRecord {
  resource: string;
  key: string;
  hash: string;
  state: 'CURRENT' | 'GONE' | 'REFUSED';
  propertyId: string | null;
  /** Of its listing; null without one. */
  standardStatus: StandardStatus | null;
  listPrice: number | null;
  wasListed: boolean | null;
}
interface PriceRow {
  propertyId: string;
  event: string;
  at: string;
  price: number;
  previousPrice: number | null;
}
interface Key {
  resource: string;
  key: string;
}

export type FeedPageWriter = ReturnType<typeof writerOf>;

/** Null, and nothing written, when the feed has moved since it was seen. */
export function inFeedPage<T>(
  pool: Pool,
  seen: SeenFeed,
  work: (writer: FeedPageWriter) => Promise<T>,
): Promise<T | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ isSame: boolean; at: Date }>(
      `SELECT version = $2 AND pages = $3::bigint AS "isSame", clock_timestamp() AS at FROM feeds WHERE id = $1 FOR UPDATE`,
      [seen.id, seen.version, seen.pages],
    );
    if (rows[0]?.isSame !== true) return null;
    return work(writerOf(client, seen.id, rows[0].at.getTime()));
  });
}

const given = `jsonb_to_recordset(:listings::jsonb) as g(id uuid, key text, "isHidden" boolean,
  ${LISTING_COLUMN_NAMES.map((name) => `"${name}" ${LISTING_COLUMNS[name]}`).join(', ')},
  ${TIME_COLUMNS.map((name) => `"${name}" timestamptz`).join(', ')})`;
const SALE = `((g."closeDate" + time '12:00') at time zone 'UTC')`;

const INSERT_LISTINGS = `
  insert into properties (id, "feedId", "ownerAgentId", "originatingSystemName", "originatingSystemKey",
    ${columnList(LISTING_COLUMN_NAMES)}, "hiddenFor", currency, "listedAt", "statusChangedAt", "offMarketAt", "feedUpdatedAt",
    "createdAt", "updatedAt")
  select g.id, f.id, f."userId", f.name, g.key, ${columnList(LISTING_COLUMN_NAMES, 'g.')},
    case when g."isHidden" then array['FEED_RULE'] else '{}' end, :currency,
    coalesce(g."listedAt", case when ${isOnMarket('g."standardStatus"')} then :at::timestamptz end),
    coalesce(g."statusChangedAt", g."feedUpdatedAt", :at::timestamptz),
    case when not ${isOnMarket('g."standardStatus"')} and g."listedAt" is not null
      then coalesce(g."offMarketAt", ${SALE}, g."statusChangedAt", :at::timestamptz) end,
    g."feedUpdatedAt", :at::timestamptz, :at::timestamptz
  from ${given} join feeds f on f.id = :feedId
  on conflict ("originatingSystemName", "originatingSystemKey") do nothing
  returning id`;

const UPDATED = `p."hiddenFor" @> '{FEED_RULE}'`;
const UPDATE_LISTINGS = `
  update properties p set ${LISTING_COLUMN_NAMES.map((name) => `"${name}" = g."${name}"`).join(', ')},
    "hiddenFor" = case when g."isHidden" = (${UPDATED}) then p."hiddenFor" when g."isHidden"
      then p."hiddenFor" || '{FEED_RULE}'::text[] else array_remove(p."hiddenFor", 'FEED_RULE') end,
    "listedAt" = coalesce(g."listedAt", p."listedAt",
      case when ${isOnMarket('g."standardStatus"')} then :at::timestamptz end),
    "statusChangedAt" = coalesce(g."statusChangedAt",
      case when g."standardStatus" = p."standardStatus" then p."statusChangedAt" else :at::timestamptz end),
    "offMarketAt" = case when not ${isOnMarket('g."standardStatus"')}
      and coalesce(g."listedAt", p."listedAt") is not null
      then coalesce(g."offMarketAt", ${SALE}, p."offMarketAt", :at::timestamptz) end,
    "feedUpdatedAt" = g."feedUpdatedAt", "updatedAt" = :at::timestamptz
  from ${given}
  where p.id = g.id and p."feedId" = :feedId and ((${UPDATED}) <> g."isHidden" or
    (${columnList(LISTING_COLUMN_NAMES, 'p.')}) is distinct from (${columnList(LISTING_COLUMN_NAMES, 'g.')}))`;

const END_LISTINGS = `
  update properties p set "standardStatus" = 'Delete', "updatedAt" = :at::timestamptz,
    "statusChangedAt" = :at::timestamptz,
    "offMarketAt" = case when p."listedAt" is not null then coalesce(p."offMarketAt", :at::timestamptz) end
  where p.id = any(:ids::uuid[]) and p."feedId" = :feedId and p."standardStatus" <> 'Delete'`;

function writerOf(client: PoolClient, feedId: string, at: number) {
  const now = toDate(at);
  const run = (sql: string, values: Record<string, unknown>) =>
    client.query(named(sql, { feedId, at: now, ...values }));
  return {
    /** The database's time, in milliseconds. */
    at,
    /** What happens to listings is news for those who wait for it, or nothing (a first load). */
    async announce(mode: 'feed' | 'none'): Promise<void> {
      await client.query(`select set_config('proscenium.events', $1, true)`, [mode]);
    },
    async known(keys: readonly Key[]): Promise<KnownRecord[]> {
      const { rows } = await client.query<KnownRecord>(
        named(
          `select r.resource, r.key, encode(r.hash, 'hex') as hash, r.state, r."propertyId", p."standardStatus",
             p."listPrice"::float8 as "listPrice", p."listedAt" is not null as "wasListed"
           from unnest(:resources::text[], :keys::text[]) as asked(resource, key)
             join feed_records r on r."feedId" = :feedId and r.resource = asked.resource and r.key = asked.key
             left join properties p on p.id = r."propertyId"
           order by p.id for update of r`,
          { feedId, resources: keys.map(({ resource }) => resource), keys: keys.map(({ key }) => key) },
        ),
      );
      return rows;
    },
    /** The people and offices with these keys, as their records say. */
    async named(keys: readonly Key[]): Promise<(Key & { raw: Readonly<Record<string, unknown>> })[]> {
      const { rows } = await run(
        `select r.resource, r.key, r.raw from unnest(:resources::text[], :keys::text[]) as asked(resource, key)
           join feed_records r on r."feedId" = :feedId and r.resource = asked.resource and r.key = asked.key
         where r.state = 'CURRENT'`,
        { resources: keys.map(({ resource }) => resource), keys: keys.map(({ key }) => key) },
      );
      return rows as (Key & { raw: Readonly<Record<string, unknown>> })[];
    },
    /** Records that came again as they are. */
    async touch(keys: readonly Key[]): Promise<void> {
      await run(
        `update feed_records r set "seenAt" = :at::timestamptz
         from unnest(:resources::text[], :keys::text[]) as asked(resource, key)
         where r."feedId" = :feedId and r.resource = asked.resource and r.key = asked.key`,
        { resources: keys.map(({ resource }) => resource), keys: keys.map(({ key }) => key) },
      );
    },
    async putRecords(records: readonly RecordRow[]): Promise<void> {
      await run(
        `insert into feed_records as r ("feedId", resource, key, raw, hash, "modifiedAt", state, unmapped, "seenAt")
         select :feedId, g.resource, g.key, g.raw::jsonb, decode(g.hash, 'hex'), g."modifiedAt", g.state, g.unmapped::jsonb,
           :at::timestamptz
         from jsonb_to_recordset(:records::jsonb) as g(resource text, key text, raw text, hash text,
           "modifiedAt" timestamptz, state text, unmapped text)
         on conflict ("feedId", resource, key) do update set raw = excluded.raw, hash = excluded.hash,
           "modifiedAt" = excluded."modifiedAt", state = excluded.state, unmapped = excluded.unmapped,
           "seenAt" = excluded."seenAt"`,
        { records: JSON.stringify(records) },
      );
    },
    /** The ids of those that were made: a listing of another source may have the key. */
    async insertListings(listings: readonly ListingRow[], currency: string): Promise<Set<string>> {
      const { rows } = await run(INSERT_LISTINGS, { listings: JSON.stringify(listings), currency });
      return new Set((rows as { id: string }[]).map(({ id }) => id));
    },
    async updateListings(listings: readonly ListingRow[]): Promise<void> {
      await run(UPDATE_LISTINGS, { listings: JSON.stringify(listings) });
    },
    /** After the listings: which is whose, and what of it is the record's. */
    async linkListings(links: readonly { key: string; propertyId: string }[]): Promise<void> {
      await run(
        `update feed_records r set "propertyId" = p.id, "mappedHash" = ${LISTING_HASH}
         from unnest(:keys::text[], :ids::uuid[]) as g(key, id) join properties p on p.id = g.id
         where r."feedId" = :feedId and r.resource = 'Property' and r.key = g.key`,
        { keys: links.map(({ key }) => key), ids: links.map(({ propertyId }) => propertyId) },
      );
    },
    async appendPrices(prices: readonly PriceRow[]): Promise<void> {
      await run(
        `insert into property_price_events ("propertyId", event, at, price, "previousPrice", "changePct", currency,
           "pricePerArea", "areaUnits", source, "listingKey", "recordedAt")
         select p.id, g.event::property_price_event, g.at, g.price, g."previousPrice",
           case when g."previousPrice" > 0 then round((g.price - g."previousPrice") / g."previousPrice" * 100, 2) end,
           p.currency, case when p."livingArea" > 0 then round(g.price / p."livingArea", 2) end, p."livingAreaUnits",
           'import', p."originatingSystemKey", :at::timestamptz
         from jsonb_to_recordset(:prices::jsonb) as g("propertyId" uuid, event text, at timestamptz,
             price numeric, "previousPrice" numeric, number bigint) join properties p on p.id = g."propertyId"
         order by g.number
         on conflict ("propertyId", event, at, price) where source = 'import' do nothing`,
        { prices: JSON.stringify(prices.map((one, number) => ({ ...one, number }))) },
      );
    },
    /** Records that left; returns the listings of theirs. */
    async endRecords(keys: readonly Key[]): Promise<string[]> {
      const { rows } = await run(
        `update feed_records r set state = 'GONE', "mappedHash" = null
         from unnest(:resources::text[], :keys::text[]) as asked(resource, key)
         where r."feedId" = :feedId and r.resource = asked.resource and r.key = asked.key and r.state <> 'GONE'
         returning r.resource, r."propertyId"`,
        { resources: keys.map(({ resource }) => resource), keys: keys.map(({ key }) => key) },
      );
      return (rows as { resource: string; propertyId: string | null }[]).flatMap(
        ({ resource, propertyId }) => (resource === 'Property' && propertyId !== null ? propertyId : []),
      );
    },
    /** Listings whose record has left: they have no page any more, search leaves them out, and their pictures go. */
    async endListings(ids: readonly string[]): Promise<void> {
      await run(END_LISTINGS, { ids });
      if (ids.length > 0) await endMedia(client, ids);
    },
    /** After the listings: all pictures that their records name. */
    putMedia: (listings: readonly { propertyId: string; media: readonly MediaRow[] }[]): Promise<void> =>
      putMedia(client, { feedId, at: now }, listings),
    /** Of the listings with these keys, and of those that had the open houses with these keys. */
    announcedHouses: (listingKeys: readonly string[], houseKeys: readonly string[]) =>
      announcedHouses(client, { feedId, listingKeys, houseKeys }),
    /** After the records: all that are ahead of these listings. */
    putOpenHouses: (ids: readonly string[], houses: readonly OpenHouseRow[]): Promise<void> =>
      putOpenHouses(client, { ids, houses, at: now }),
    /** Keys of a list of all keys; those that are not known, or changed since, are returned. */
    async noteListed(
      resource: string,
      listed: readonly { key: string; modifiedAt: string | null }[],
      listBegan: number,
    ): Promise<string[]> {
      const { rows } = await run(
        `with asked as (
           select * from jsonb_to_recordset(:listed::jsonb) as g(key text, "modifiedAt" timestamptz)
         ), noted as (
           update feed_records r set "listedAt" = :listBegan::timestamptz from asked
           where r."feedId" = :feedId and r.resource = :resource and r.key = asked.key
           returning r.key, r.state, r."modifiedAt"
         )
         select asked.key from asked left join noted on noted.key = asked.key
         where noted.key is null or noted.state = 'GONE' or noted."modifiedAt" < asked."modifiedAt"`,
        { resource, listed: JSON.stringify(listed), listBegan: toDate(listBegan) },
      );
      return (rows as { key: string }[]).map(({ key }) => key);
    },
    /** The cursor of the next request; `look` when all that there is was read. */
    async moveCursor(cursor: unknown, look: { nextAt: number } | null): Promise<void> {
      await run(
        `update feeds set cursor = :cursor::jsonb, pages = pages + 1,
           "nextLookAt" = :nextAt::timestamptz,
           "lastSeenAt" = case when :ended then :at::timestamptz else "lastSeenAt" end,
           "loadedAt" = case when :ended then coalesce("loadedAt", :at::timestamptz) else "loadedAt" end
         where id = :feedId`,
        {
          cursor: JSON.stringify(cursor),
          ended: look !== null,
          nextAt: look === null ? null : toDate(look.nextAt),
        },
      );
    },
  };
}
