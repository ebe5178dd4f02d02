import type { Reader } from '../database/reader.ts';
import type { NamedPlace, Position } from './search-index.ts';

/** A city or postal code of our own listings, named as suggestions name it. */
export interface OwnPlace {
  readonly id: string;
  readonly label: string;
  readonly criterion: NamedPlace;
}

interface PlaceRow {
  readonly of: 'city' | 'postalCode';
  readonly key: string;
  readonly label: string;
}

/** The keys are those of 0085. */
const CITIES = `
  select 'city' as of, concat_ws(':', lower(country), lower("stateOrProvince"), place_slug(min(city))) as key,
    concat_ws(', ', min(city), "stateOrProvince") as label, sum(listings) as listings,
    sum(latitudes) / nullif(sum(placed), 0) as latitude, sum(longitudes) / nullif(sum(placed), 0) as longitude
  from listing_regions group by country, "stateOrProvince", "cityText"`;
const CODES = `
  select 'postalCode', lower(country) || ':' || place_slug(min("postalCode")),
    concat_ws(', ', min("postalCode"), min(city), min("stateOrProvince")), sum(listings), null::float8, null::float8
  from listing_regions where "codeText" is not null group by country, "codeText"`;

/**
 * The cities and postal codes with the most public pages, the largest first. The counters may be seconds behind and count
 * sold homes too, so they only choose the places.
 */
export async function largestPlaces(pool: Reader, limit: number): Promise<OwnPlace[]> {
  const { rows } = await pool.query<PlaceRow>(
    `select of, key, label from (${CITIES} union all ${CODES}) own order by listings desc, of, key limit $1`,
    [limit],
  );
  return rows.map(toPlace);
}

/** Kilometres of a degree of latitude. */
const DEGREE = 111.2;

/** The city with the most public pages within so many kilometres of a position; null where there is none. */
export async function largestCityNear(
  pool: Reader,
  { latitude, longitude, km }: Position & { km: number },
): Promise<OwnPlace | null> {
  const { rows } = await pool.query<PlaceRow>(
    `with cities as (${CITIES}), near as (
      select *, abs(longitude - $2) as turn from cities where abs(latitude - $1) < $3)
    select of, key, label from near
    where (latitude - $1) ^ 2 + (least(turn, 360 - turn) * cos(radians($1))) ^ 2 < $3 ^ 2
    order by listings desc, key limit 1`,
    [latitude, longitude, km / DEGREE],
  );
  const [row] = rows;
  return row === undefined ? null : toPlace(row);
}

const toPlace = ({ of, key, label }: PlaceRow): OwnPlace => ({
  id: `${of === 'city' ? 'city' : 'postal_code'}:${key}`,
  label,
  criterion: { of, key },
});
