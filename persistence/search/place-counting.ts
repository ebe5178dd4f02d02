import type { Reader } from '../database/reader.ts';
import type { Place } from '../entities/place.ts';
import { cellsAround, STRIPE_BITS } from './map-cells.ts';
import { namedPlace, surroundings } from './place-criteria.ts';
import type { GeoBox } from './search-index.ts';

/** A suggestion says no more than this; a place with more homes is large anyway. */
export const MOST_COUNTED = 50_000;

interface PlaceArea extends Pick<Place, 'id' | 'latitude' | 'longitude'> {
  readonly box: GeoBox | null;
}

/**
 * How many homes on the market each place has, by its id: as many as a search of the place finds (`place-criteria.ts`), up to
 * `MOST_COUNTED`. One statement, which reads indexes alone and at most so many entries a place.
 */
export async function homesIn(pool: Reader, places: readonly PlaceArea[]): Promise<Map<string, number>> {
  const parts = places.flatMap(partsOf);
  if (parts.length === 0) return new Map();
  const columns = parts[0]?.values.map((_, place) => parts.map(({ values }) => values[place]));
  const { rows } = await pool.query<{ nth: number; homes: number }>(COUNT, columns);
  const homes = new Map<string, number>();
  for (const { nth, homes: found } of rows) {
    const id = parts[nth - 1]?.id ?? '';
    homes.set(id, Math.min(MOST_COUNTED, (homes.get(id) ?? 0) + found));
  }
  return homes;
}

/** What `COUNT` asks about a place: its name in addresses, and its box, which is two boxes across the antimeridian. */
function partsOf({ id, box, ...place }: PlaceArea) {
  const named = namedPlace(id.toLowerCase());
  const area = box ?? surroundings(place);
  const boxes = area === null ? [null] : area.west <= area.east ? [area] : halvesOf(area);
  return boxes.map((half, index) => {
    const cells = half && cellsAround(half);
    return {
      id,
      values: [
        named?.of ?? null,
        named?.key ?? null,
        index === 0,
        half?.west ?? null,
        half?.east ?? null,
        half?.south ?? null,
        half?.north ?? null,
        cells && cells.west >> STRIPE_BITS,
        cells && cells.east >> STRIPE_BITS,
        cells?.north ?? null,
        cells?.south ?? null,
      ],
    };
  });
}

const halvesOf = (box: GeoBox): GeoBox[] => [
  { ...box, east: 180 },
  { ...box, west: -180 },
];

const CONDITIONS = {
  city: `l."cityKey" = a.key`,
  postalCode: `l."postalCodeKey" = a.key`,
  state: `l."cityKey" >= a.key || ':' AND l."cityKey" < a.key || ';'`,
};
const counted = (condition: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM search_listings l WHERE l."onMarket" AND ${condition} LIMIT ${MOST_COUNTED}) l)`;
const ofEach = (sql: (condition: string) => string) =>
  Object.entries(CONDITIONS)
    .map(([of, condition]) => `WHEN '${of}' THEN ${sql(condition)}`)
    .join(' ');
const IN_BOX = `(l."cellX" >> ${STRIPE_BITS}) BETWEEN a.first AND a.last AND l."cellY" BETWEEN a.top AND a.bottom
  AND l.longitude BETWEEN a.west AND a.east AND l.latitude BETWEEN a.south AND a.north`;

/** A place that addresses name is counted by them, also when none of its homes is on the market. */
const COUNT = `
  SELECT a.nth::int, CASE
    WHEN CASE a.of ${ofEach(
      (condition) =>
        `EXISTS (SELECT FROM search_listings l WHERE l."onMarket" IN (true, false) AND ${condition})`,
    )} ELSE false END
    THEN CASE WHEN a.whole THEN CASE a.of ${ofEach(counted)} END ELSE 0 END
    WHEN a.first IS NULL THEN 0 ELSE ${counted(IN_BOX)} END AS homes
  FROM unnest($1::text[], $2::text[], $3::bool[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::int[], $9::int[],
    $10::int[], $11::int[]) WITH ORDINALITY AS a (of, key, whole, west, east, south, north, first, last, top, bottom, nth)`;
