import { Migration } from '@mikro-orm/migrations';

/**
 * The cities and postal codes of the listings with a public page, counted. What a change since 0087 makes untrue is noted
 * there, so the counts may be made while writers go on.
 */
export class ListingRegions extends Migration {
  override up(): void {
    for (const statement of [TABLE, ...INDEXES, COUNT]) this.addSql(statement);
  }
}

const TABLE = `
  create table listing_regions (
    -- As in the addresses of these listings; spellings that it makes equal have rows of their own.
    "regionText" text not null,
    city text not null,
    "stateOrProvince" text,
    "postalCode" text,
    country char(2) not null,
    listings integer not null,
    -- Of those that have a position: how many, their extent, and sums of degrees.
    placed integer not null,
    west double precision,
    south double precision,
    east double precision,
    north double precision,
    latitudes double precision,
    longitudes double precision,
    "cityText" text not null,
    "codeText" text
  )`;

const INDEXES = [
  'create index listing_regions_region_idx on listing_regions ("regionText")',
  'create index listing_regions_words_idx on listing_regions using gin ("regionText" gin_trgm_ops)',
];

const COUNT = `
  insert into listing_regions
  select "regionText", city, "stateOrProvince", "postalCode", country, count(*), count(latitude),
    min(longitude), min(latitude), max(longitude), max(latitude), sum(latitude), sum(longitude),
    search_text(city), search_text("postalCode")
  from listing_addresses group by "regionText", city, "stateOrProvince", "postalCode", country`;
