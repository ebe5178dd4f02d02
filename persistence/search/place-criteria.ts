import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import type { Place } from '../entities/place.ts';
import { wrapped } from './area-sql.ts';
import type { GeoBox, PlaceCriterion, Region } from './search-index.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WORD = /^[\p{L}\p{N}]+$/u;
/** For a place that is only a point: about three miles each way. */
const NEAR_DEGREES = 0.05;

/** A place that is known only by its name: no listing has it in its address. */
const NOWHERE: Region = {
  country: '',
  state: undefined,
  words: [],
  named: { column: 'city', names: [] },
};

/** Null when no suggestion has this id. */
export async function placeCriterion(pool: Reader, placeId: string): Promise<PlaceCriterion | null> {
  const id = placeId.toLowerCase();
  if (UUID.test(id)) return { of: 'listing', propertyId: id };
  const region = await regionOf(pool, id);
  if (region !== null) return { of: 'region', region };
  return boxOf(pool, placeId);
}

/** Null when the id is of another kind, or when no listing has the place in its address. */
async function regionOf(pool: Reader, id: string): Promise<Region | null> {
  const [kind, country = '', ...rest] = id.split(':');
  const slug = rest.pop() ?? '';
  if (kind === 'state' && rest.length === 0) {
    const region = { country, state: slug, named: null, words: [] };
    return (await hasListings(pool, region)) ? region : null;
  }
  const isCity = kind === 'city' && rest.length <= 1;
  if (!isCity && !(kind === 'postal_code' && rest.length === 0)) return null;
  const words = slug.split('-');
  if (!words.every((word) => WORD.test(word))) return null;
  const state = isCity ? (rest[0] ?? null) : undefined;
  const column = isCity ? 'city' : 'postalCode';
  const names = await namesOf(pool, { country, state, words, column, slug });
  return names.length === 0 ? null : { country, state, named: { column, names }, words };
}

/** The spellings of the name in the listings: `St. Louis` and `St Louis` are one place. */
async function namesOf(
  pool: Reader,
  given: Pick<Region, 'country' | 'state' | 'words'> & { column: 'city' | 'postalCode'; slug: string },
): Promise<string[]> {
  const values = new SqlValues();
  const { rows } = await pool.query<{ name: string }>(
    `SELECT name FROM (SELECT DISTINCT a."${given.column}" AS name FROM listing_addresses a
       WHERE ${addressSql({ ...given, named: null }, values)}) known
     WHERE place_slug(name) = ${values.add(given.slug, 'text')} ORDER BY name`,
    values.list,
  );
  return rows.map(({ name }) => name);
}

async function hasListings(pool: Reader, region: Region): Promise<boolean> {
  const values = new SqlValues();
  const { rowCount } = await pool.query(
    `SELECT FROM listing_addresses a WHERE ${addressSql(region, values)} LIMIT 1`,
    values.list,
  );
  return rowCount === 1;
}

async function boxOf(pool: Reader, id: string): Promise<PlaceCriterion | null> {
  const { rows } = await pool.query<Edges & Pick<Place, 'latitude' | 'longitude'>>(
    'SELECT west, south, east, north, latitude, longitude FROM places WHERE id = $1',
    [id],
  );
  const [place] = rows;
  if (place === undefined) return null;
  const extent = extentOf(place);
  if (extent !== null) return { of: 'box', box: extent };
  const { latitude, longitude } = place;
  if (latitude === null || longitude === null) return { of: 'region', region: NOWHERE };
  const point = { west: longitude, south: latitude, east: longitude, north: latitude };
  return { of: 'box', box: widened(point, NEAR_DEGREES) };
}

/** About a kilometre each way. */
const POINT_DEGREES = 0.01;

export type Edges = Pick<Place, 'west' | 'south' | 'east' | 'north'>;

/** Null when it is unknown. The extent of a single listing includes its surroundings. */
export function extentOf({ west, south, east, north }: Edges): GeoBox | null {
  if (west === null || south === null || east === null || north === null) return null;
  return widened({ west, south, east, north }, POINT_DEGREES);
}

/** A box that is a point gets room on every side; other boxes stay as they are. */
function widened(box: GeoBox, by: number): GeoBox {
  const { west, south, east, north } = box;
  if (west !== east || south !== north) return box;
  const wide = Math.min(by / Math.max(Math.cos((south * Math.PI) / 180), 0.01), 1);
  return {
    west: wrapped(west - wide),
    south: Math.max(-90, south - by),
    east: wrapped(east + wide),
    north: Math.min(90, north + by),
  };
}

/** The condition on `search_listings`. A box is not a place here but one of the areas. */
export function placeSql(place: Exclude<PlaceCriterion, { of: 'box' }>, values: SqlValues): string {
  if (place.of === 'listing') return `"propertyId" = ${values.add(place.propertyId, 'uuid')}`;
  return `"propertyId" IN (
    SELECT a."propertyId" FROM listing_addresses a WHERE ${addressSql(place.region, values)})`;
}

function addressSql({ country, state, named, words }: Region, values: SqlValues): string {
  const conditions = [
    `a.country = ${values.add(country.toUpperCase(), 'text')}`,
    state !== undefined && `lower(a."stateOrProvince") IS NOT DISTINCT FROM ${values.add(state, 'text')}`,
    named !== null && `a."${named.column}" = ANY (${values.add([...named.names], 'text[]')})`,
    ...words.map((word) => `a."regionText" LIKE ${values.add(`% ${word}%`, 'text')}`),
  ];
  return conditions.filter((condition) => typeof condition === 'string').join(' AND ');
}
