import { Migration } from '@mikro-orm/migrations';

/**
 * The city and the postal code of a listing as searches name them: the id that suggestions give, without its kind. All
 * spellings of a place have the same key. The key of a city begins with that of its state. 0086 makes them searchable.
 */
export class PlaceKeys extends Migration {
  override up(): void {
    for (const statement of [...COLUMNS_OF_KEYS, ROW_OF_LISTING, FOLLOW]) this.addSql(statement);
  }
}

/** Compared byte by byte, so that all keys with one beginning are neighbours in an index. Null in rows from before. */
const COLUMNS_OF_KEYS = ['cityKey', 'postalCodeKey'].map(
  (name) => `alter table search_listings add column "${name}" text collate "C"`,
);

const ROW_OF_LISTING = `
  create or replace function search_listing_of(listing properties) returns setof search_listings language sql stable as $$
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
      date_trunc('milliseconds', listing."updatedAt"),
      search_feature_bits(listing.features),
      concat_ws(':', lower(listing.country), lower(listing."stateOrProvince"), place_slug(listing.city)),
      lower(listing.country) || ':' || place_slug(listing."postalCode")
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
  '"cellX", "cellY", "listedAt", "offMarketAt", "updatedAt", "featureBits", "cityKey", "postalCodeKey"',
].join(', ');

const FOLLOW = `
  create or replace function properties_follow_search() returns trigger language plpgsql as $$
  begin
    insert into search_listings as known select * from search_listing_of(new)
    on conflict ("propertyId") do update set (${COLUMNS}) = row(excluded.${COLUMNS.replaceAll(', ', ', excluded.')})
      where known.* is distinct from excluded.*;
    if not found then
      delete from search_listings where "propertyId" = new.id and not exists (select from search_listing_of(new));
    end if;
    return null;
  end $$`;
