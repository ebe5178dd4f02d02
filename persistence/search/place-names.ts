import type { Reader } from '../database/reader.ts';
import type { Place } from '../entities/place.ts';
import type { GeoBox } from './search-index.ts';

/** Places without a position are on no map. */
interface PlaceName extends Pick<Place, 'id' | 'name'> {
  readonly kind: 'city' | 'neighborhood';
  readonly latitude: number;
  readonly longitude: number;
}

/** A map has room for no more. */
export const MOST_NAMES = 40;
/** From farther away a map shows a country, and no one looks for a town. */
const CITIES_FROM_ZOOM = 6;
const NEIGHBORHOODS_FROM_ZOOM = 12;

/** The name of an imported place; null without one. */
export async function readPlaceName(pool: Reader, placeId: string): Promise<string | null> {
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM places WHERE id = $1', [placeId]);
  return rows[0]?.name ?? null;
}

/** The imported places whose names a map of this box shows: cities, and from near neighborhoods; the largest first. */
export async function placeNames(
  pool: Reader,
  { box, zoom }: { box: GeoBox; zoom: number },
): Promise<PlaceName[]> {
  if (zoom < CITIES_FROM_ZOOM) return [];
  const kinds = zoom < NEIGHBORHOODS_FROM_ZOOM ? ['city'] : ['city', 'neighborhood'];
  const { west, south, east, north } = box;
  const { rows } = await pool.query<PlaceName>(
    `SELECT id, kind, name, latitude, longitude FROM places
     WHERE kind = ANY($1) AND latitude BETWEEN $2 AND $3
       AND CASE WHEN $4::float8 <= $5 THEN longitude BETWEEN $4 AND $5 ELSE longitude >= $4 OR longitude <= $5 END
     ORDER BY weight DESC, id LIMIT ${MOST_NAMES}`,
    [kinds, south, north, west, east],
  );
  return rows;
}
