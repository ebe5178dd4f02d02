import { Migration } from '@mikro-orm/migrations';

/**
 * Searchable places: imported cities, neighborhoods, postal codes, counties and states, found by normalised text
 * together with the addresses of our own listings. The id of a place is built from its kind and names
 * (`city:us:wa:seattle`), so that it is the same after a new import and in another database.
 */
export class Places extends Migration {
  override up(): void {
    // Both are trusted extensions: the owner of the database may create them.
    this.addSql(`create extension if not exists unaccent schema public`);
    this.addSql(`create extension if not exists pg_trgm schema public`);
    this.addSql(SEARCH_TEXT);
    this.addSql(TABLE);
    this.addSql(INDEXES);
    this.addSql(ADDRESSES);
  }
}

// One normal form for stored and typed text: no accents, no capitals, one space for each run of signs, and one before
// the first word, so that a word's beginning is ' word'. unaccent is only "stable", because its dictionary could be
// edited. It is never edited here, and an index needs an immutable function. The schema is named because indexes are
// built with an empty search path.
const SEARCH_TEXT = `
  create function search_text(given text) returns text language sql immutable strict parallel safe
  return ' ' || btrim(regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, given)),
    '[\\x01-\\x2f\\x3a-\\x60\\x7b-\\x7f]+', ' ', 'g'));

  create function place_slug(given text) returns text language sql immutable strict parallel safe
  return replace(btrim(search_text(given)), ' ', '-')`;

// "headText" is the place's own name; "searchText" also says where it lies. "sourceRank" decides which import may
// overwrite which; "weight" is the place's size, in the units of the source.
const TABLE = `
  create table places (
    id text primary key,
    kind text not null,
    name text not null,
    label text not null,
    city text,
    county text,
    "stateOrProvince" text,
    country char(2) not null,
    west double precision,
    south double precision,
    east double precision,
    north double precision,
    latitude double precision,
    longitude double precision,
    weight integer not null default 0,
    source text not null,
    "sourceRank" integer not null,
    "headText" text not null,
    "searchText" text not null,
    constraint places_kind_check
      check (kind in ('city', 'neighborhood', 'postal_code', 'county', 'state')),
    constraint places_weight_check check (weight >= 0),
    constraint places_position_check
      check ((latitude is null) = (longitude is null) and latitude between -90 and 90 and longitude between -180 and 180),
    constraint places_box_check check (num_nulls(west, south, east, north) in (0, 4)
      and west between -180 and 180 and east between -180 and 180 and south between -90 and 90
      and north between south and 90)
  )`;

const INDEXES = `
  create index "places_searchText_idx" on places using gin ("searchText" gin_trgm_ops);
  create index "places_headText_idx" on places using gin ("headText" gin_trgm_ops);`;

// The normal form is expensive, so it is stored. It has its own table because every column of "properties" is a fact of
// the listing. Listings without a public page are not in it.
const ADDRESSES = `
  create table listing_addresses (
    "propertyId" uuid primary key references properties (id) on delete cascade,
    "addressText" text not null,
    "regionText" text not null,
    city text not null,
    "stateOrProvince" text,
    "postalCode" text,
    country char(2) not null,
    latitude double precision,
    longitude double precision
  );
  create index "listing_addresses_addressText_idx" on listing_addresses using gin ("addressText" gin_trgm_ops);
  create index "listing_addresses_regionText_idx" on listing_addresses using gin ("regionText" gin_trgm_ops);

  create function listing_address_of(listing properties) returns setof listing_addresses language sql stable as $$
    select listing.id, search_text(concat_ws(' ', listing.address, listing."unitNumber")),
      search_text(concat_ws(' ', listing.city, listing."stateOrProvince", listing."postalCode")),
      listing.city, listing."stateOrProvince", listing."postalCode", listing.country,
      -- What is nearly 0 is 0: PostgreSQL refuses to reckon with the smallest numbers.
      case when listing.longitude is null then null when abs(listing.latitude) < 1e-9 then 0
        else listing.latitude end,
      case when listing.latitude is null then null when abs(listing.longitude) < 1e-9 then 0
        else listing.longitude end
    where listing."standardStatus" not in ('Incomplete', 'Delete')
  $$;

  create function properties_keep_address() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      delete from listing_addresses where "propertyId" = old.id;
    end if;
    insert into listing_addresses select * from listing_address_of(new);
    return null;
  end $$;
  create trigger properties_inserted_keep_address after insert on properties
    for each row execute function properties_keep_address();
  create trigger properties_updated_keep_address after update on properties
    for each row when ((old.address, old."unitNumber", old.city, old."stateOrProvince", old."postalCode", old.country,
        old.latitude, old.longitude, old."standardStatus" in ('Incomplete', 'Delete'))
      is distinct from (new.address, new."unitNumber", new.city, new."stateOrProvince", new."postalCode", new.country,
        new.latitude, new.longitude, new."standardStatus" in ('Incomplete', 'Delete')))
    execute function properties_keep_address();

  insert into listing_addresses select a.* from properties p, listing_address_of(p) a`;
