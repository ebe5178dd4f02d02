import type { Pool } from 'pg';
import { SqlValues } from '../../../persistence/database/sql-values.ts';
import { areaSql, STRIPES } from '../../../persistence/search/area-sql.ts';
import type { GeoBox } from '../../../persistence/search/search-index.ts';
import { type PlainRequest, requestBytes } from '../load/request-bytes.ts';

/** The parts of the county that are queried, as a map shows them. */
export interface SearchArea {
  readonly name: string;
  readonly box: GeoBox;
  readonly zoom: number;
  /** Of a suggestion that was chosen: then lists are asked for by it, and maps too. */
  readonly placeId?: string;
}

export const PLACES: readonly SearchArea[] = [
  { name: 'neighbourhood', box: { west: -122.33, south: 47.61, east: -122.3, north: 47.64 }, zoom: 14 },
  { name: 'city', box: { west: -122.44, south: 47.49, east: -122.24, north: 47.74 }, zoom: 11 },
  { name: 'county', box: { west: -122.55, south: 47.1, east: -121.3, north: 47.82 }, zoom: 9 },
];

/** The largest city by its name. */
export const CHOSEN_CITY: SearchArea = {
  name: 'city by its name',
  box: { west: -122.44, south: 47.49, east: -122.24, north: 47.74 },
  zoom: 11,
  placeId: 'city:us:wa:seattle',
};

/** What the site's map shows before anyone has moved it. */
export const OPENING: SearchArea = {
  name: 'country',
  box: { west: -125, south: 24, east: -66, north: 50 },
  zoom: 4,
};

export type Question = 'map' | 'list';
const PAGE = 50;
/** A price, a number of rooms and a feature: a tenth of the listings. */
export const FILTERS = { price: { max: 500_000 }, beds: { min: 3 }, features: ['GARAGE'] } as const;
/** A size and a year, which fewer people ask for. */
export const OTHER_FILTERS = { livingArea: { min: 1_500 }, yearBuilt: { min: 1_990 } } as const;

/** What else people ask for, by how the index finds it: compared in the index of an area, in a table of words, among sales. */
export const FURTHER_FILTERS = {
  'a garage, a fee and a kind': {
    garage: { min: 2 },
    maxMonthlyFee: 300,
    propertyTypes: ['Condominium', 'Townhouse'],
  },
  'words of the description': { words: 'garden view' },
  'homes sold': { soldWithinDays: 90 },
  'homes with photos': { onlyWithPhotos: true },
} as const;

export function requestOf(
  question: Question,
  { box, zoom, placeId }: SearchArea,
  filters = {},
): PlainRequest {
  const { west, south, east, north } = box;
  const place = placeId === undefined ? { location: { box } } : { placeId };
  const input =
    question === 'map'
      ? { filters: { ...filters, placeId }, bbox: [west, south, east, north], zoom }
      : { filters: { ...filters, ...place }, limit: PAGE };
  const query = encodeURIComponent(JSON.stringify({ json: input }));
  return { method: 'GET', path: `/api/trpc/search.${question}?input=${query}` };
}

/** What people type in the search field, from few matches to all. */
export const TYPED_TEXTS = {
  'one address': '12345 bench street',
  'a postal code': '98043',
  'a city': 'seattle',
  'the state of all': 'wa',
  'a word of all addresses': 'st',
  'the same with a typing error': 'bench stret',
};

/** What the field asks while one types. */
export function suggestionsOf(text: string): PlainRequest {
  const input = encodeURIComponent(JSON.stringify({ json: { text } }));
  return { method: 'GET', path: `/api/trpc/search.suggestLocations?input=${input}` };
}

export const bytesOf = (question: Question, area: SearchArea, filters = {}): Buffer =>
  Buffer.from(requestBytes(requestOf(question, area, filters)), 'latin1');

/** The minimum cost of a search in a box: a count with the same condition on the same index. */
export async function countIn(pool: Pool, { box }: SearchArea): Promise<number> {
  const values = new SqlValues();
  const { rows } = await pool.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM search_listings WHERE "onMarket" AND ${areaSql({ box }, () => STRIPES, values)}`,
    values.list,
  );
  return rows[0]?.total ?? 0;
}
