import { Migration } from '@mikro-orm/migrations';

/**
 * What more filters compare: places in the garage, the association's fee as a month's amount, the date of a sale, and the
 * kind of a home. A listing's photos count for `rank` from when the public may see them. The words of the description and
 * the address have a table of their own, so that the rows that every search reads stay narrow; only listings that search
 * shows are in it, and a row goes with its listing's row. It repeats what `properties` has, so it is in no export and has no
 * age of its own. Rows from before are written by 0140.
 */
export class SearchFilters extends Migration {
  override up(): void {
    for (const statement of [...COLUMNS_OF_FILTERS, MONTHLY, ROW_OF_LISTING, FOLLOW, ...WORDS])
      this.addSql(statement);
  }
}

/** `garageSpaces` is null in rows from before. A fee of 0 is null: most homes have none. */
const COLUMNS_OF_FILTERS = [
  'alter table search_listings add column "garageSpaces" smallint',
  'alter table search_listings add column "monthlyFee" double precision',
  'alter table search_listings add column "soldAt" timestamptz',
  'alter table search_listings add column "propertySubType" text',
];

/** What is paid once is no monthly fee. */
const MONTHLY = `
  create function monthly_fee(amount double precision, frequency text) returns double precision
    language sql immutable parallel safe
  return amount * case frequency when 'Annually' then 1 / 12.0 when 'Semi-Annually' then 2 / 12.0
    when 'Seasonal' then 4 / 12.0 when 'Quarterly' then 4 / 12.0 when 'Bi-Monthly' then 6 / 12.0 when 'Monthly' then 1
    when 'Semi-Monthly' then 2 when 'Bi-Weekly' then 26 / 12.0 when 'Weekly' then 52 / 12.0 when 'Daily' then 365 / 12.0
    else 0 end`;

const ROW_OF_LISTING = `
  create or replace function search_listing_by_status(listing properties) returns setof search_listings
    language sql stable as $$
    select listing.id,
      listing."standardStatus" <> 'Closed',
      listing."standardStatus",
      (case when exists (select from property_images i where i."propertyId" = listing.id and not i."isStyled"
          and coalesce(i."photoState", 'PHOTO') in ('PHOTO', 'SUSPECT')) then 2 else 0 end
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
      lower(listing.country) || ':' || place_slug(listing."postalCode"),
      least(coalesce(listing."garageSpaces", 0), 32767)::smallint,
      nullif(monthly_fee(listing."associationFee"::float8, listing."associationFeeFrequency"), 0),
      listing."closeDate"::timestamp at time zone 'UTC',
      listing."propertySubType"
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
  '"garageSpaces", "monthlyFee", "soldAt", "propertySubType"',
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

const WORDED = ['"publicRemarks"', 'address', '"unitNumber"', 'city', '"stateOrProvince"', '"postalCode"'];
const of = (name: string) => WORDED.map((column) => `${name}.${column}`).join(', ');

const WORDS = [
  `create table search_words (
    "propertyId" uuid primary key references search_listings ("propertyId") on delete cascade,
    words tsvector not null
  )`,
  'create index search_words_words_idx on search_words using gin (words) with (fastupdate = off)',
  `create function search_words_of(listing properties) returns tsvector language sql stable
   return strip(to_tsvector('simple', search_text(concat_ws(' ', ${of('listing')}))))`,
  `create function search_listings_keep_words() returns trigger language plpgsql as $function$
   begin
     insert into search_words select p.id, search_words_of(p) from added a join properties p on p.id = a."propertyId";
     return null;
   end $function$`,
  `create trigger search_listings_inserted_keep_words after insert on search_listings referencing new table as added
   for each statement execute function search_listings_keep_words()`,
  // Of a row from before, when it gets the columns above: from 0140 or from a change of its listing, whichever comes first.
  `create function search_listings_fill_words() returns trigger language plpgsql as $function$
   begin
     insert into search_words select p.id, search_words_of(p) from properties p where p.id = new."propertyId";
     return null;
   end $function$`,
  `create trigger search_listings_updated_fill_words after update on search_listings for each row
   when (old."garageSpaces" is null and new."garageSpaces" is not null) execute function search_listings_fill_words()`,
  `create function properties_follow_words() returns trigger language plpgsql as $function$
   begin
     update search_words set words = search_words_of(new) where "propertyId" = new.id;
     return null;
   end $function$`,
  `create trigger properties_updated_follow_words after update on properties for each row
   when ((${of('old')}) is distinct from (${of('new')})) execute function properties_follow_words()`,
];
