import { Migration } from '@mikro-orm/migrations';

/**
 * The search index: one narrow row for each searchable listing. A trigger writes it in the transaction that changes the
 * listing, so search is correct from the commit on. It is a separate table for two reasons: the bookkeeping of
 * `properties` (dirty marks, versions) would otherwise write every index of it again, and a count reads a tenth of the
 * pages. Listings that search never shows (Incomplete, Delete, withdrawn) are not in it. It can be rebuilt at any time
 * from `search_listing_of(properties)`.
 *
 * Areas are in square feet. Positions are also stored as the cell of the map's grid at zoom 16, 40 pixels wide in a
 * world of 512 * 2^16 (`persistence/search/search-grid.ts`). Instants are whole milliseconds, as in cursors.
 */
export class SearchIndex extends Migration {
  override up(): void {
    for (const statement of [TABLE, ROW_OF_LISTING, TRIGGER, BACKFILL]) this.addSql(statement);
    for (const statement of INDEXES) this.addSql(statement);
  }
}

const TABLE = `
  create table search_listings (
    "propertyId" uuid primary key references properties (id) on delete cascade,
    "onMarket" boolean not null,
    "standardStatus" text not null,
    -- What RELEVANCE looks at before the date: 2 for a photo, 1 for a listing that is still to be had.
    rank smallint not null,
    "listPrice" double precision not null,
    currency text not null,
    "priceReduced" boolean not null,
    "bedroomsTotal" integer,
    "bathroomsTotal" double precision,
    "livingArea" double precision,
    "lotSize" double precision,
    "pricePerArea" double precision,
    "yearBuilt" integer,
    "propertyType" text,
    features text[] not null,
    latitude double precision,
    longitude double precision,
    "cellX" integer,
    "cellY" integer,
    "listedAt" timestamptz,
    "offMarketAt" timestamptz,
    "updatedAt" timestamptz not null
  )`;

const ROW_OF_LISTING = `
  create function search_listing_of(listing properties) returns setof search_listings language sql stable as $$
    select listing.id,
      listing."standardStatus" <> 'Closed',
      listing."standardStatus",
      (case when exists (select from property_images i where i."propertyId" = listing.id and not i."isStyled")
        then 2 else 0 end
        + case when listing."standardStatus" in ('Active', 'Coming Soon') then 1 else 0 end)::smallint,
      listing."listPrice"::float8,
      listing.currency::text,
      coalesce(listing."originalListPrice" > listing."listPrice", false),
      listing."bedroomsTotal",
      listing."bathroomsTotal"::float8,
      area.living,
      area.lot,
      case when area.living > 0 then listing."listPrice"::float8 / area.living end,
      listing."yearBuilt",
      listing."propertyType",
      listing.features,
      place.latitude,
      place.longitude,
      case when place.latitude is not null
        then floor((place.longitude / 360 + 0.5) * 838860.8)::integer end,
      case when place.latitude is not null then floor(least(greatest(
        0.5 - ln(tan(pi() / 4 + radians(least(greatest(place.latitude, -85.06), 85.06)) / 2)) / (2 * pi()),
        0), 1) * 838860.8)::integer end,
      date_trunc('milliseconds', listing."listedAt"),
      date_trunc('milliseconds', listing."offMarketAt"),
      date_trunc('milliseconds', listing."updatedAt")
    from (select
        listing."livingArea"::float8
          / case listing."livingAreaUnits" when 'Square Meters' then 0.09290304::float8 else 1 end as living,
        listing."lotSizeArea"::float8
          * case listing."lotSizeUnits" when 'Acres' then 43560 when 'Hectares' then 10000 else 1 end
          / case when listing."lotSizeUnits" in ('Hectares', 'Square Meters') then 0.09290304::float8
            else 1 end as lot) area
      -- Half a position is none. What is nearly 0 is 0: PostgreSQL refuses to reckon with the smallest numbers.
      left join lateral (select
          case when abs(listing.latitude) < 1e-9 then 0 else listing.latitude end as latitude,
          case when abs(listing.longitude) < 1e-9 then 0 else listing.longitude end as longitude) place
        on listing.latitude is not null and listing.longitude is not null
    where listing."standardStatus" in ('Active', 'Active Under Contract', 'Coming Soon', 'Pending', 'Closed')
  $$`;

/** A row with the same values is not written, whatever else of the listing has changed. */
const COLUMNS = [
  '"onMarket", "standardStatus", rank, "listPrice", currency, "priceReduced", "bedroomsTotal", "bathroomsTotal"',
  '"livingArea", "lotSize", "pricePerArea", "yearBuilt", "propertyType", features, latitude, longitude',
  '"cellX", "cellY", "listedAt", "offMarketAt", "updatedAt"',
].join(', ');

const TRIGGER = `
  create function properties_follow_search() returns trigger language plpgsql as $$
  begin
    insert into search_listings as known select * from search_listing_of(new)
    on conflict ("propertyId") do update set (${COLUMNS}) = row(excluded.${COLUMNS.replaceAll(', ', ', excluded.')})
      where known.* is distinct from excluded.*;
    if not found then
      delete from search_listings where "propertyId" = new.id and not exists (select from search_listing_of(new));
    end if;
    return null;
  end $$;
  create trigger properties_inserted_follow_search after insert on properties
    for each row execute function properties_follow_search();
  -- Every change that the public can see, of the listing or of its images, grows the version.
  create trigger properties_updated_follow_search after update on properties for each row
    when (old."searchVersion" is distinct from new."searchVersion" or old."updatedAt" is distinct from new."updatedAt")
    execute function properties_follow_search()`;

const BACKFILL = `
  insert into search_listings select s.* from properties p, search_listing_of(p) s`;

/** Each sort's key with the id as tie-break; nulls last. */
const sortIndex = (name: string, key: string) =>
  `create index search_listings_${name}_idx on search_listings ("onMarket", ${key}, "propertyId")`;

const INDEXES = [
  sortIndex('relevance', `rank, coalesce("listedAt", '-infinity')`),
  sortIndex('newest', `coalesce("listedAt", '-infinity')`),
  sortIndex('price', '"listPrice"'),
  sortIndex('changed', '"updatedAt"'),
  sortIndex('living_area', 'coalesce("livingArea", -1)'),
  sortIndex('lot', 'coalesce("lotSize", -1)'),
  sortIndex('beds', 'coalesce("bedroomsTotal", -1)'),
  sortIndex('baths', 'coalesce("bathroomsTotal", -1)'),
  sortIndex('price_per_area', `coalesce("pricePerArea", 'infinity')`),
  sortIndex('year', 'coalesce("yearBuilt", -1)'),
  'create index search_listings_type_idx on search_listings ("onMarket", "propertyType")',
  'create index search_listings_features_idx on search_listings using gin (features) with (fastupdate = off)',
  `create index search_listings_place_idx on search_listings using gist (point(longitude, latitude))
     include (longitude, latitude, "onMarket")`,
];
