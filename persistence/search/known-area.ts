import type { Reader } from '../database/reader.ts';
import { type Edges, extentOf } from './place-criteria.ts';
import type { GeoBox, Position } from './search-index.ts';

/** Where a postal code or a city lies, as far as this installation knows: imported places, and listings with a public page. */
export interface KnownArea {
  readonly of: 'POSTAL_CODE' | 'CITY';
  readonly center: Position;
  /** Null when only a point is known. */
  readonly box: GeoBox | null;
}

interface AreaQuestion {
  readonly country: string;
  readonly stateOrProvince: string | null;
  readonly city: string;
  readonly postalCode: string | null;
  /** Its own position says nothing about where it should be. */
  readonly exceptPropertyId: string | null;
}

/** Listings of a postal code that are read; more change little. */
const SAMPLE = 1_000;
/** Fewer listings say where a postal code is, but not how far it reaches. */
const LEAST_LISTINGS = 3;

/**
 * The postal code before the city, an imported place before listings. The middle of the listings, without the outermost
 * ones: some may have a wrong position themselves.
 */
const AREAS = `
  with own as (
    select latitude, longitude from listing_addresses
    where "regionText" = search_text(concat_ws(' ', $3::text, $2::text, $4::text)) and country = $1::text and $4 is not null
      and latitude is not null and "propertyId" is distinct from $5::uuid
    limit ${SAMPLE}
  ), found as (
    select 1 as rank, 'POSTAL_CODE' as of, west, south, east, north, latitude, longitude, null::bigint as listings
    from places where id = 'postal_code:' || lower($1::text) || ':' || place_slug($4)
    union all
    select 2, 'POSTAL_CODE',
      percentile_cont(0.05) within group (order by longitude), percentile_cont(0.05) within group (order by latitude),
      percentile_cont(0.95) within group (order by longitude), percentile_cont(0.95) within group (order by latitude),
      percentile_cont(0.5) within group (order by latitude), percentile_cont(0.5) within group (order by longitude),
      count(*)
    from own having count(*) > 0
    union all
    select 3, 'CITY', west, south, east, north, latitude, longitude, null
    from places where id = concat_ws(':', 'city', lower($1::text), lower($2), place_slug($3))
    union all
    select 4, 'CITY', min(west), min(south), max(east), max(north), sum(latitudes) / sum(placed),
      sum(longitudes) / sum(placed), sum(listings)
    from listing_regions
    where "cityText" = search_text($3) and country = $1::text and lower("stateOrProvince") is not distinct from lower($2)
    having sum(placed) > 0
  )
  select * from found where latitude is not null or west is not null order by rank limit 1`;

type AreaRow = Edges & { of: KnownArea['of']; listings: number | null } & {
  [Axis in keyof Position]: number | null;
};

/** Null when nothing is known of either. */
export async function knownArea(reader: Reader, question: AreaQuestion): Promise<KnownArea | null> {
  const { country, stateOrProvince, city, postalCode, exceptPropertyId } = question;
  const { rows } = await reader.query<AreaRow>(AREAS, [
    country,
    stateOrProvince,
    city,
    postalCode,
    exceptPropertyId,
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  const isTooFew = row.listings !== null && row.listings < LEAST_LISTINGS;
  const box = isTooFew ? null : extentOf(row);
  const { latitude, longitude } = row;
  if (latitude !== null && longitude !== null) return { of: row.of, center: { latitude, longitude }, box };
  return box === null ? null : { of: row.of, center: middleOf(box), box };
}

function middleOf({ west, south, east, north }: GeoBox): Position {
  const middle = (west + (east < west ? east + 360 : east)) / 2;
  return { latitude: (south + north) / 2, longitude: middle > 180 ? middle - 360 : middle };
}

const METERS_PER_DEGREE = 111_200;
/** Meters outside the area: streets between its last home and its border, and as much again as it is large. */
const LEAST_MARGIN = 3_000;

/** Whether a home can hardly stand there. Only a postal code's area is exact enough to say so. */
export function isFarFrom({ of, box }: KnownArea, { latitude, longitude }: Position): boolean {
  if (of !== 'POSTAL_CODE' || box === null) return false;
  const narrow = Math.cos((box.south * Math.PI) / 180);
  const turned = (from: number, to: number): number => (((to - from) % 360) + 360) % 360;
  const width = turned(box.west, box.east);
  const fromWest = turned(box.west, longitude);
  const beyond = fromWest <= width ? 0 : Math.min(fromWest - width, 360 - fromWest);
  const above = Math.max(box.south - latitude, latitude - box.north, 0);
  const margin = LEAST_MARGIN + (METERS_PER_DEGREE * Math.hypot(width * narrow, box.north - box.south)) / 2;
  return METERS_PER_DEGREE * Math.hypot(beyond * narrow, above) > margin;
}
