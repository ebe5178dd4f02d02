import type { Reader } from '../database/reader.ts';
import type { Place } from '../entities/place.ts';
import { namedPlace } from './place-criteria.ts';
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

/** The key of a place as listings have it; null for an id of another kind. */
function keyOf(id: string, kind: 'city' | 'postalCode'): string | null {
  const named = namedPlace(id.toLowerCase());
  return named?.of === kind ? named.key : null;
}

/**
 * What places are called, by their ids, as suggestions call them: imported places, and cities and postal codes of our own
 * listings. Ids of other things have none. One statement.
 */
export async function placeLabels(reader: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<{ id: string; label: string }>(
    `SELECT id, label FROM (
       SELECT asked.id, coalesce(
         (SELECT p.label FROM places p WHERE p.id = asked.id),
         (SELECT concat_ws(', ', h.city, h."stateOrProvince") FROM search_listings s JOIN properties h ON h.id = s."propertyId"
          WHERE s."onMarket" IN (true, false) AND s."cityKey" = asked."cityKey" LIMIT 1),
         (SELECT concat_ws(', ', h."postalCode", h.city, h."stateOrProvince")
          FROM search_listings s JOIN properties h ON h.id = s."propertyId"
          WHERE s."onMarket" IN (true, false) AND s."postalCodeKey" = asked."postalCodeKey" LIMIT 1)) AS label
       FROM unnest($1::text[], $2::text[], $3::text[]) AS asked(id, "cityKey", "postalCodeKey")) named
     WHERE label IS NOT NULL`,
    [ids, ids.map((id) => keyOf(id, 'city')), ids.map((id) => keyOf(id, 'postalCode'))],
  );
  return new Map(rows.map(({ id, label }) => [id, label]));
}
