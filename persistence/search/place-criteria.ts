import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import type { Place } from '../entities/place.ts';
import { wrapped } from './area-sql.ts';
import type { GeoBox, NamedPlace, PlaceCriterion } from './search-index.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The kinds that addresses name, and the form of their ids. */
const NAMED = [
  { of: 'city', id: /^city:([^:]+(?::[^:]*)?:[^:]*)$/ },
  { of: 'postalCode', id: /^postal_code:([^:]+:[^:]*)$/ },
  { of: 'state', id: /^state:([^:]+:[^:]*)$/ },
] as const;
/** For a place that is only a point: about three miles each way. */
const NEAR_DEGREES = 0.05;

/** Null when this is no id of a place. A city, postal code or state that nothing has is a place without listings. */
export async function placeCriterion(pool: Reader, placeId: string): Promise<PlaceCriterion | null> {
  const id = placeId.toLowerCase();
  if (UUID.test(id)) return { of: 'listing', propertyId: id };
  const named = namedPlace(id);
  if (named !== null && (await hasListings(pool, named))) return named;
  return (await boxOf(pool, placeId)) ?? named;
}

/** Null for an id of another kind. */
export function namedPlace(id: string): NamedPlace | null {
  for (const { of, id: form } of NAMED) {
    const key = form.exec(id)?.[1];
    if (key !== undefined) return { of, key };
  }
  return null;
}

/** Whether addresses name the place. Else it may lie where listings with other addresses are. */
async function hasListings(pool: Reader, place: NamedPlace): Promise<boolean> {
  const values = new SqlValues();
  const { rowCount } = await pool.query(
    `SELECT FROM search_listings WHERE "onMarket" IN (true, false) AND ${placeSql(place, values)} LIMIT 1`,
    values.list,
  );
  return rowCount === 1;
}

/** Null when no imported place has this id. */
async function boxOf(pool: Reader, id: string): Promise<PlaceCriterion | null> {
  const { rows } = await pool.query<Edges & Pick<Place, 'latitude' | 'longitude'>>(
    'SELECT west, south, east, north, latitude, longitude FROM places WHERE id = $1',
    [id],
  );
  const [place] = rows;
  if (place === undefined) return null;
  const box = extentOf(place) ?? surroundings(place);
  return box === null ? { of: 'nowhere' } : { of: 'box', box };
}

/** The area of an imported place; null for any other, and for one of which only the name is known. */
export async function boxOfPlace(pool: Reader, id: string): Promise<GeoBox | null> {
  const place = await boxOf(pool, id);
  return place?.of === 'box' ? place.box : null;
}

/** The area of a place that is only a point; null without one. */
export function surroundings({ latitude, longitude }: Pick<Place, 'latitude' | 'longitude'>): GeoBox | null {
  if (latitude === null || longitude === null) return null;
  const point = { west: longitude, south: latitude, east: longitude, north: latitude };
  return widened(point, NEAR_DEGREES);
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
  const key = (text: string) => values.add(text, 'text');
  switch (place.of) {
    case 'listing':
      return `"propertyId" = ${values.add(place.propertyId, 'uuid')}`;
    case 'city':
      return `"cityKey" = ${key(place.key)}`;
    case 'postalCode':
      return `"postalCodeKey" = ${key(place.key)}`;
    case 'state':
      // The keys of its cities begin with its own and a colon; a semicolon comes next.
      return `"cityKey" >= ${key(`${place.key}:`)} AND "cityKey" < ${key(`${place.key};`)}`;
    case 'nowhere':
      return 'false';
  }
}
