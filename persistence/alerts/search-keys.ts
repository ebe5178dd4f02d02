import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import type { Reader } from '../database/reader.ts';
import { boxesAround, boxOfArea, storedPolygon } from '../search/area-sql.ts';
import { cellsAround, WORLD_CELLS } from '../search/map-cells.ts';
import { boxOfPlace, namedPlace, placeCriterion } from '../search/place-criteria.ts';
import type { Area, Criteria, GeoBox, NamedPlace, Range } from '../search/search-index.ts';

/**
 * The keys by which a change of a home finds saved searches (0161). A search has the key of its place, or the cells that cover
 * its area; a home has a few of each. What both are compared by stands in the same row of the index. The keys may find more
 * than the search does and never less: the search itself is asked before anything is sent.
 */
const KEYS_VERSION = 1;

/** Shifts of the grid at zoom 16; the finest at which few cells cover an area is its own. */
const KEY_SHIFTS = [4, 6, 8, 10, 12, 14, 16, 18, 20] as const;
const MOST_CELLS = 16;
const STATUS_BITS = {
  Active: 1,
  'Active Under Contract': 2,
  'Coming Soon': 4,
  Pending: 8,
  Closed: 16,
} as const;

/** SQL: the bit of a status. */
const statusBit = (status: string): string =>
  `CASE ${status} ${Object.entries(STATUS_BITS)
    .map(([name, bit]) => `WHEN '${name}' THEN ${bit}`)
    .join(' ')} ELSE 0 END`;

/** The bit above all cells keeps places apart from them. */
const placeKey = (id: string): string => `(hashtextextended(${id}, 0) | (1::bigint << 62))`;
const cellKey = (shift: number, x: string, y: string): string =>
  `((${shift}::bigint << 42) + ((${x})::bigint << 21) + (${y})::bigint)`;

/** SQL columns of the listing with alias `l`, as `COMPARED` compares them. */
export const LISTING_COLUMNS = `
  l."propertyId", l."cityKey", l."postalCodeKey", regexp_replace(l."cityKey", ':[^:]*$', '') AS "stateKey",
  l.latitude, l.longitude, l."listPrice", l.currency, l."priceReduced", l."propertyType", l."propertySubType",
  ${statusBit('l."standardStatus"')} AS status, coalesce(l."bedroomsTotal", -1) AS beds,
  coalesce(l."bathroomsTotal", -1) AS baths, coalesce(l."livingArea", -1) AS living,
  coalesce(l."yearBuilt", -1) AS year, coalesce(l."lotSize", -1) AS lot, coalesce(l."garageSpaces", 0) AS garage,
  coalesce(l."monthlyFee", 0) AS fee, coalesce(l."featureBits", 0) AS bits,
  ARRAY[${placeKey("'anywhere'")}, ${placeKey(`'city:' || l."cityKey"`)}, ${placeKey(`'postal:' || l."postalCodeKey"`)},
    ${placeKey(`'state:' || regexp_replace(l."cityKey", ':[^:]*$', '')`)}, ${placeKey(`'listing:' || l."propertyId"`)},
    ${KEY_SHIFTS.map((shift) => cellKey(shift, `l."cellX" >> ${shift}`, `l."cellY" >> ${shift}`)).join(', ')}] AS keys`;

/** SQL condition: the row of keys `a` may be of a search that finds the listing `l` with this key. */
export const COMPARED = `
  a.key = l.key AND a."bedsMin" <= l.beds AND a."priceMax" >= l."listPrice" AND a."priceMin" <= l."listPrice"
  AND a."bathsMin" <= l.baths AND a."livingMin" <= l.living AND a."yearMin" <= l.year AND a."lotMin" <= l.lot
  AND a."bedsMax" >= l.beds AND a."bathsMax" >= l.baths AND a."livingMax" >= l.living AND a."yearMax" >= l.year
  AND a."lotMax" >= l.lot AND a.statuses & l.status <> 0 AND a."featureBits" & l.bits = a."featureBits"
  AND a."garageMin" <= l.garage AND a."feeMax" >= l.fee AND (NOT a."priceReduced" OR l."priceReduced")
  AND (a.currency IS NULL OR a.currency = l.currency)
  AND (a.types IS NULL OR l."propertyType" = ANY (a.types) OR l."propertySubType" = ANY (a.types))
  AND CASE WHEN a.words IS NULL THEN true ELSE EXISTS (SELECT FROM search_words w
    WHERE w."propertyId" = l."propertyId" AND w.words @@ plainto_tsquery('simple', search_text(a.words))) END`;

/** What a place is known by: its name and its box, whichever homes there will have. */
interface KnownPlace {
  readonly named: NamedPlace | null;
  readonly box: GeoBox | null;
  readonly propertyId: string | null;
}

/** The place of a search; null without one. */
async function knownPlace(reader: Reader, placeId: string | null): Promise<KnownPlace | null> {
  if (placeId === null) return null;
  const place = await placeCriterion(reader, placeId);
  const propertyId = place?.of === 'listing' ? place.propertyId : null;
  return { named: namedPlace(placeId.toLowerCase()), box: await boxOfPlace(reader, placeId), propertyId };
}

/** A row of `saved_search_areas`, without the search. */
interface AreaRow {
  cityKey?: string;
  postalCodeKey?: string;
  stateKey?: string;
  propertyId?: string;
  west?: number;
  south?: number;
  east?: number;
  north?: number;
  latitude?: number;
  longitude?: number;
  radius?: number;
  polygon?: string;
}

const NAME_COLUMNS = { city: 'cityKey', postalCode: 'postalCodeKey', state: 'stateKey' } as const;
const NAME_KEYS = { city: 'city', postalCode: 'postal', state: 'state' } as const;

function rowOfPlace({ named, box, propertyId }: KnownPlace): AreaRow {
  return {
    ...(named === null ? {} : { [NAME_COLUMNS[named.of]]: named.key }),
    ...(box ?? {}),
    ...(propertyId === null ? {} : { propertyId }),
  };
}

function rowOfArea(area: Area): AreaRow {
  if ('box' in area) return area.box;
  const box = boxOfArea(area);
  if ('polygon' in area) return { ...box, polygon: storedPolygon(area.polygon) };
  const { latitude, longitude, radiusMeters: radius } = area.circle;
  return { ...box, latitude, longitude, radius };
}

/** Keys of places by name, and of cells. A place comes before an area: its condition is compared with the homes there. */
function keysOf(place: KnownPlace | null, areas: readonly Area[]): { names: string[]; cells: string[] } {
  if (place !== null) {
    const { named, box, propertyId } = place;
    const names = named === null ? [] : [`${NAME_KEYS[named.of]}:${named.key}`];
    return {
      names: propertyId === null ? names : [...names, `listing:${propertyId}`],
      cells: box === null ? [] : cellsCovering(boxesAround({ box })),
    };
  }
  const [area] = areas;
  if (area === undefined) return { names: ['anywhere'], cells: [] };
  return { names: [], cells: cellsCovering(boxesAround(area)) };
}

/** The keys of the finest cells of which few cover the boxes. */
function cellsCovering(boxes: readonly GeoBox[]): string[] {
  for (const shift of KEY_SHIFTS) {
    const covers = boxes.map((box) => coverOf(box, shift));
    const size = covers.reduce((sum, { columns, rows }) => sum + columns.length * rows.length, 0);
    if (size <= MOST_CELLS || shift === KEY_SHIFTS.at(-1))
      return [
        ...new Set(
          covers.flatMap(({ columns, rows }) =>
            columns.flatMap((x) =>
              rows.map((y) => String((BigInt(shift) << 42n) + (BigInt(x) << 21n) + BigInt(y))),
            ),
          ),
        ),
      ];
  }
  return [];
}

const LAST_CELL = Math.floor(WORLD_CELLS);
const inWorld = (cell: number): number => Math.min(Math.max(cell, 0), LAST_CELL);

function coverOf(box: GeoBox, shift: number): { columns: number[]; rows: number[] } {
  const { west, east, north, south } = cellsAround(box);
  const between = (from: number, to: number): number[] => {
    const first = inWorld(from) >> shift;
    // More than enough is as good as all.
    const length = Math.min((inWorld(to) >> shift) - first + 1, MOST_CELLS + 1);
    return Array.from({ length }, (_, index) => first + index);
  };
  return { columns: between(west, east), rows: between(north, south) };
}

/** No condition is a range that holds unknown values, which are -1. */
const least = (range: Range | null): number => (range === null ? -1 : (range.min ?? 0));
const most = (range: Range | null, endless: number): number => range?.max ?? endless;
const MOST_INT = 2_147_483_647;

/**
 * Writes the keys of a search with instant alerts, in place of those that it had.
 * @param criteria without the place
 */
export async function writeKeys(
  client: PoolClient,
  {
    searchId,
    criteria,
    placeId,
    at,
  }: { searchId: string; criteria: Criteria; placeId: string | null; at: number },
): Promise<void> {
  const place = await knownPlace(client, placeId);
  const { names, cells } = keysOf(place, criteria.areas);
  const rows = [...(place === null ? [] : [rowOfPlace(place)]), ...criteria.areas.map(rowOfArea)];
  await removeKeys(client, searchId);
  await client.query(WRITE_KEYS, [searchId, names, cells, ...comparedValues(criteria), rows.length > 0]);
  await client.query(WRITE_AREAS, [searchId, JSON.stringify(rows)]);
  await client.query('UPDATE saved_searches SET "keysAt" = $2, "keysVersion" = $3 WHERE id = $1', [
    searchId,
    toDate(at),
    KEYS_VERSION,
  ]);
}

/** Of a search without instant alerts. */
export async function removeKeys(client: PoolClient, searchId: string): Promise<void> {
  await client.query('DELETE FROM saved_search_keys WHERE "searchId" = $1', [searchId]);
  await client.query('DELETE FROM saved_search_areas WHERE "searchId" = $1', [searchId]);
}

const WRITE_KEYS = `
  INSERT INTO saved_search_keys ("searchId", key, "bedsMin", "priceMax", "priceMin", "bathsMin", "livingMin", "yearMin",
    "lotMin", statuses, "bedsMax", "bathsMax", "livingMax", "yearMax", "lotMax", "garageMin", "feeMax", "featureBits",
    "priceReduced", currency, types, words, "hasAreas")
  SELECT $1::uuid, k.key, $4::int, $5::float8, $6::float8, $7::float8, $8::float8, $9::int, $10::float8, $11::smallint,
    $12::int, $13::float8, $14::float8, $15::int, $16::float8, $17::int, $18::float8,
    search_feature_bits($19::text[]), $20::boolean, $21::text, $22::text[], $23::text, $24::boolean
  FROM (SELECT ${placeKey('n.id')} AS key FROM unnest($2::text[]) AS n (id) UNION SELECT unnest($3::bigint[])) k`;

function comparedValues(criteria: Criteria): unknown[] {
  const { bedroomsTotal, listPrice, bathroomsTotal, livingArea, yearBuilt, lotSize, propertyTypes } =
    criteria;
  return [
    least(bedroomsTotal),
    most(listPrice, Infinity),
    least(listPrice),
    least(bathroomsTotal),
    least(livingArea),
    least(yearBuilt),
    least(lotSize),
    criteria.statuses.reduce((bits, status) => bits | STATUS_BITS[status], 0),
    most(bedroomsTotal, MOST_INT),
    most(bathroomsTotal, Infinity),
    most(livingArea, Infinity),
    most(yearBuilt, MOST_INT),
    most(lotSize, Infinity),
    criteria.leastGarage ?? -1,
    criteria.maxMonthlyFee ?? Infinity,
    criteria.features,
    criteria.priceReduced,
    criteria.currency,
    propertyTypes.length === 0 ? null : propertyTypes,
    criteria.words,
  ];
}

const WRITE_AREAS = `
  INSERT INTO saved_search_areas ("searchId", number, "cityKey", "postalCodeKey", "stateKey", "propertyId", west, south,
    east, north, latitude, longitude, radius, polygon)
  SELECT $1, r.number, a."cityKey", a."postalCodeKey", a."stateKey", a."propertyId", a.west, a.south, a.east, a.north,
    a.latitude, a.longitude, a.radius, a.polygon
  FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS r (area, number)
    CROSS JOIN LATERAL jsonb_to_record(r.area) AS a ("cityKey" text, "postalCodeKey" text, "stateKey" text,
      "propertyId" uuid, west float8, south float8, east float8, north float8, latitude float8, longitude float8,
      radius float8, polygon polygon)`;

/** Searches whose keys are of an earlier kind, or of a place that an import may have changed since. */
export async function searchesToDerive(
  pool: Pool,
  { at, limit }: { at: number; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM saved_searches WHERE cadence = 'INSTANT'
       AND ("keysVersion" < $1 OR "keysVersion" = $1 AND "keysAt" < $2 AND filters ? 'placeId') LIMIT $3`,
    [KEYS_VERSION, toDate(at - KEYS_KEPT_MS), limit],
  );
  return rows.map(({ id }) => id);
}

const KEYS_KEPT_MS = 86_400_000;

/** Writes the keys of a search again. */
export function deriveKeys(
  pool: Pool,
  {
    searchId,
    at,
    read,
  }: {
    searchId: string;
    at: number;
    read(filters: unknown): { criteria: Criteria; placeId: string | null };
  },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ filters: unknown }>(
      `SELECT filters FROM saved_searches WHERE id = $1 AND cadence = 'INSTANT' FOR UPDATE`,
      [searchId],
    );
    const [search] = rows;
    if (search !== undefined) await writeKeys(client, { ...read(search.filters), searchId, at });
  });
}

/** A search whose keys could not be derived keeps those that it has, so that it is not tried again with each turn. */
export async function putOffKeys(
  pool: Pool,
  { searchId, at }: { searchId: string; at: number },
): Promise<void> {
  await pool.query('UPDATE saved_searches SET "keysAt" = $2, "keysVersion" = $3 WHERE id = $1', [
    searchId,
    toDate(at),
    KEYS_VERSION,
  ]);
}
