import pg from 'pg';
import type { Reader } from '../../../persistence/database/reader.ts';
import {
  createPostgresSearchIndex,
  SEARCH_LIMITS,
  type SearchIndex,
  type SearchLimits,
} from '../../../persistence/search/postgres-search-index.ts';
import type { Criteria } from '../../../persistence/search/search-index.ts';
import { toCriteria } from '../../../src/search/criteria.ts';
import { searchFilters } from '../../../src/wire/listings/search.ts';
import { createDatabase } from './database.ts';
import { insertListings, type NewListing, PRESENT } from './search-listings.ts';
import { type Filters, type ListingRow, readListings } from './search-model.ts';

const SLICED = { rare: Number.POSITIVE_INFINITY, smallCity: 0 };

/** A database with listings, the index on it, and the same listings as rows. */
export interface SearchDatabase {
  pool: pg.Pool;
  /** The pool, of which `statements` tells. */
  reader: Reader;
  index: SearchIndex;
  /** The same index with small limits: few listings count as many, and a walk is short. */
  walking(limits: Pick<SearchLimits, 'many' | 'steps'>): SearchIndex;
  /** The same index without rare listings and small cities: every wide area is read in slices. */
  sliced: SearchIndex;
  /** The same index, to which all that match are rare. */
  unsliced: SearchIndex;
  rows: ListingRow[];
  /** The statements since the last call, with their values. */
  statements(): { sql: string; values: unknown[] }[];
  drop(): Promise<void>;
}

export async function createSearchDatabase(listings: readonly NewListing[]): Promise<SearchDatabase> {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  await insertListings(pool, listings);
  await pool.query('vacuum analyze search_listings, search_words');
  const asked: { sql: string; values: unknown[] }[] = [];
  const query = (sql: string, values: unknown[] = []) => {
    asked.push({ sql, values });
    return pool.query(sql, values);
  };
  const recording = { query } as unknown as pg.Pool;
  return {
    pool,
    reader: recording,
    index: createPostgresSearchIndex(recording),
    walking: (limits) => createPostgresSearchIndex(recording, { ...SEARCH_LIMITS, ...SLICED, ...limits }),
    sliced: createPostgresSearchIndex(recording, { ...SEARCH_LIMITS, ...SLICED }),
    unsliced: createPostgresSearchIndex(recording, { ...SEARCH_LIMITS, rare: 0 }),
    rows: await readListings(pool),
    statements: () => asked.splice(0),
    async drop() {
      await pool.end();
      await database.drop();
    },
  };
}

const TERMS = { at: PRESENT, site: { currency: 'USD', areaUnits: 'Square Feet' } } as const;

/** Parsed filters, on the date for which the listings were made. */
export function criteriaOf({ place, ...filters }: Filters): Criteria {
  const criteria = toCriteria(searchFilters.parse(JSON.parse(JSON.stringify(filters))), TERMS);
  return { ...criteria, place: place ?? null };
}
export const WORLD = { west: -180, south: -90, east: 180, north: 90 };
