import { Migration } from '@mikro-orm/migrations';

/**
 * The features of a listing as one number, a bit for each key of the catalog, so that an index can hold them: 0075. A key
 * keeps its place for ever; a new one is added at the end, by a migration that replaces the function and writes the rows
 * that have it.
 */
export class FeatureBits extends Migration {
  override up(): void {
    for (const statement of [BITS, COLUMN, ROW_OF_LISTING, FOLLOW]) this.addSql(statement);
  }
}

const KEYS =
  `OPEN_FLOORPLAN HIGH_CEILINGS FIREPLACE HARDWOOD_FLOORS WALK_IN_CLOSET BUILT_IN_STORAGE SKYLIGHTS FURNISHED
  EAT_IN_KITCHEN KITCHEN_ISLAND PANTRY STONE_COUNTERTOPS STAINLESS_APPLIANCES DISHWASHER GAS_COOKTOP ENSUITE_BATHROOM
  DOUBLE_VANITY SOAKING_TUB IN_UNIT_LAUNDRY LAUNDRY_ROOM CENTRAL_AIR CENTRAL_HEATING HEAT_PUMP UNDERFLOOR_HEATING
  CEILING_FANS SOLAR_PANELS DOUBLE_GLAZING ENERGY_EFFICIENT_APPLIANCES SMART_HOME HIGH_SPEED_INTERNET BACKUP_GENERATOR
  BALCONY TERRACE PATIO DECK GARDEN FENCED_YARD PRIVATE_POOL HOT_TUB WATERFRONT WATER_VIEW MOUNTAIN_VIEW CITY_VIEW GARAGE
  COVERED_PARKING ASSIGNED_PARKING EV_CHARGER STORAGE_ROOM ELEVATOR CONCIERGE GYM SHARED_POOL PETS_ALLOWED
  SECURITY_SYSTEM GATED_COMMUNITY STEP_FREE_ENTRANCE WHEELCHAIR_ACCESSIBLE`.split(/\s+/);

/** Keys that the catalog does not have, of older listings, have no bit: nobody can ask for them. */
const BITS = `
  create function search_feature_bits(features text[]) returns bigint language sql immutable parallel safe as $$
    select coalesce(bit_or(1::bigint << place - 1), 0)
    from unnest(features) as key, array_position(array[${KEYS.map((key) => `'${key}'`).join(', ')}], key) as place
  $$`;

/** Null in rows from before, until 0075 has written them. */
const COLUMN = 'alter table search_listings add column "featureBits" bigint';

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
      search_feature_bits(listing.features)
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
  '"cellX", "cellY", "listedAt", "offMarketAt", "updatedAt", "featureBits"',
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
