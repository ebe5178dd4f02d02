import type { SqlValues } from '../database/sql-values.ts';
import { type CellBox, cellsAround, STRIPE_BITS, TILE_BITS } from './map-cells.ts';
import type { Area, GeoBox, Position } from './search-index.ts';

/**
 * Areas of the globe as conditions on `search_listings`. A box is a range of an index's parts of the grid, and of
 * degrees, which are exact. Circles and polygons use the box around them.
 */

/** How an index finds a box: stripes are exact, tiles are read whole. */
export interface Grid {
  readonly columnBits: number;
  readonly rowBits: number;
}
export type GridOf = (box: GeoBox) => Grid;
export const STRIPES: Grid = { columnBits: STRIPE_BITS, rowBits: 0 };
export const TILES: Grid = { columnBits: TILE_BITS, rowBits: TILE_BITS };

/** Mean radius of the earth in metres (IUGG). */
const EARTH_RADIUS = 6_371_008.8;
const METERS_PER_DEGREE = (EARTH_RADIUS * Math.PI) / 180;
/** Keeps listings on the very edge of a circle inside the box around it. */
const ROUNDING = 1e-9;

/** Numbers near 0 become 0, as in 0013: PostgreSQL rejects calculations with the smallest numbers. */
const plain = (degrees: number): number => (Math.abs(degrees) < 1e-9 ? 0 : degrees);

/** @param gridOf of the index that is to find a box */
export function areaSql(area: Area, gridOf: GridOf, values: SqlValues): string {
  if ('box' in area) return boxSql(area.box, gridOf, values);
  if ('circle' in area) return circleSql(area.circle, gridOf, values);
  return polygonSql(area.polygon, gridOf, values);
}

function boxSql(box: GeoBox, gridOf: GridOf, values: SqlValues): string {
  const parts = flatParts(box).map((part) => flatBoxSql(part, gridOf(part), values));
  return parts.length === 1 ? parts.join() : `(${parts.join(' OR ')})`;
}

/** One box, or the two on either side of the antimeridian. */
function flatParts(box: GeoBox): GeoBox[] {
  if (box.west <= box.east) return [box];
  return [
    { ...box, east: 180 },
    { ...box, west: -180 },
  ];
}

/** The box that everything in the area lies in. */
export function boxOfArea(area: Area): GeoBox {
  if ('box' in area) return area.box;
  if ('circle' in area) return boxAround(area.circle);
  const { south, north, first, last } = edgesOf(unroll(area.polygon));
  if (last - first >= 360) return { west: -180, south, east: 180, north };
  return { west: wrapped(first - ROUNDING), south, east: wrapped(last + ROUNDING), north };
}

/** Boxes that hold everything in the area, none over the antimeridian. */
export const boxesAround = (area: Area): GeoBox[] => flatParts(boxOfArea(area));

/** Of fewer tiles, those at the edges are most, and reading them whole takes longer than the filters save. */
const LEAST_TILES = 16;

export const hasManyTiles = (box: GeoBox): boolean =>
  sizeOf(cellsAround(box)) >= LEAST_TILES * 4 ** TILE_BITS;

const sizeOf = ({ west, east, north, south }: CellBox): number => (east - west + 1) * (south - north + 1);

function flatBoxSql(box: GeoBox, { columnBits, rowBits }: Grid, values: SqlValues): string {
  const cells = cellsAround(box);
  const row = rowBits === 0 ? '"cellY"' : `("cellY" >> ${rowBits})`;
  const between = (what: string, [from, to]: readonly [number, number], type: 'int' | 'float8') =>
    `${what} BETWEEN ${values.add(from, type)} AND ${values.add(to, type)}`;
  // The planner takes degrees and cells for independent and would expect far too few listings (326 of 14,914 in a dense
  // neighborhood). Of a `coalesce` it expects half to be true.
  const degrees = [
    between('longitude', [box.west, box.east], 'float8'),
    between('latitude', [box.south, box.north], 'float8'),
  ];
  return `(${[
    between(`("cellX" >> ${columnBits})`, [cells.west >> columnBits, cells.east >> columnBits], 'int'),
    between(row, [cells.north >> rowBits, cells.south >> rowBits], 'int'),
    `coalesce(${degrees.join(' AND ')}, false)`,
  ].join(' AND ')})`;
}

/** Metres along the great circle; null for a listing without a position. */
export function distanceSql({ latitude, longitude }: Position, values: SqlValues): string {
  const [lat, lng] = [latitude, longitude].map((degrees) => values.add(plain(degrees), 'float8'));
  return distanceFormula({ lat: lat ?? '', lng: lng ?? '' }, { lat: 'latitude', lng: 'longitude' });
}

/** The same between two positions that are SQL. */
export function distanceFormula(
  from: { readonly lat: string; readonly lng: string },
  to: { readonly lat: string; readonly lng: string },
): string {
  return `(${2 * EARTH_RADIUS} * asin(least(1, sqrt(power(sin(radians(${to.lat} - ${from.lat}) / 2), 2)
    + cos(radians(${from.lat})) * cos(radians(${to.lat})) * power(sin(radians(${to.lng} - ${from.lng}) / 2), 2)))))`;
}

function circleSql(circle: Position & { radiusMeters: number }, gridOf: GridOf, values: SqlValues): string {
  const within = `${distanceSql(circle, values)} <= ${values.add(circle.radiusMeters, 'float8')}`;
  return `(${boxSql(boxAround(circle), gridOf, values)} AND ${within})`;
}

/** The smallest box that holds the circle; a circle around a pole needs every longitude. */
function boxAround({ latitude, longitude, radiusMeters }: Position & { radiusMeters: number }): GeoBox {
  const reach = radiusMeters / METERS_PER_DEGREE + ROUNDING;
  const south = Math.max(-90, latitude - reach);
  const north = Math.min(90, latitude + reach);
  const sine = Math.sin((reach * Math.PI) / 180) / Math.cos((latitude * Math.PI) / 180);
  const holdsPole = latitude - reach <= -90 || latitude + reach >= 90;
  const width = holdsPole || !(sine < 1) ? 180 : (Math.asin(sine) * 180) / Math.PI + ROUNDING;
  if (width >= 180) return { west: -180, south, east: 180, north };
  return { west: wrapped(longitude - width), south, east: wrapped(longitude + width), north };
}

/** A longitude beyond the antimeridian, converted to the range from -180 to 180. */
export const wrapped = (longitude: number): number =>
  longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude;

/**
 * PostgreSQL's polygons treat numbers that differ by a millionth as equal, which is too coarse for degrees. In
 * millionths of a degree that does not matter.
 */
const FINE = 1_000_000;

/**
 * PostgreSQL's polygon: a point that the outline winds round is inside. A polygon that is unrolled past 180 degrees is
 * searched on every turn of the globe that it touches.
 */
function polygonSql(points: readonly Position[], gridOf: GridOf, values: SqlValues): string {
  const unrolled = unroll(points);
  const polygon = values.add(polygonText(unrolled), 'polygon');
  const { south, north, first, last } = edgesOf(unrolled);
  const grid = gridOf({ west: first, south, east: last, north });
  const turns = [-360, 0, 360].flatMap((turn) => {
    const west = Math.max(-180, first - turn);
    const east = Math.min(180, last - turn);
    if (west > east) return [];
    const around = flatBoxSql({ west, south, east, north }, grid, values);
    return [`(${around} AND ${holdsPoint(polygon, turn, '')})`];
  });
  return `(${turns.join(' OR ')})`;
}

const polygonText = (unrolled: readonly Position[]): string =>
  `(${unrolled.map(({ longitude, latitude }) => `(${longitude * FINE},${latitude * FINE})`).join(',')})`;

/** A polygon as PostgreSQL's `polygon`, for `polygonHolds`. */
export const storedPolygon = (points: readonly Position[]): string => polygonText(unroll(points));

const holdsPoint = (polygon: string, turn: number, alias: string): string =>
  `${polygon} @> point((${alias}longitude + ${turn}) * ${FINE}, ${alias}latitude * ${FINE})`;

/** SQL condition: a stored polygon holds the position in the row with this alias. */
export const polygonHolds = (polygon: string, alias: string): string =>
  `(${[-360, 0, 360].map((turn) => holdsPoint(polygon, turn, `${alias}.`)).join(' OR ')})`;

/** Of an unrolled polygon. */
function edgesOf(unrolled: readonly Position[]) {
  const longitudes = unrolled.map(({ longitude }) => longitude);
  const latitudes = unrolled.map(({ latitude }) => latitude);
  return {
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
    first: Math.min(...longitudes),
    last: Math.max(...longitudes),
  };
}

/**
 * The same points with longitudes that never jump: an edge of more than half the globe goes the other way round.
 * An edge of exactly the whole globe stays, because people draw the world like that.
 */
function unroll(points: readonly Position[]): Position[] {
  let offset = 0;
  return points.map(({ latitude, longitude }, index) => {
    const step = index === 0 ? 0 : longitude - (points[index - 1] as Position).longitude;
    if (Math.abs(step) > 180 && Math.abs(step) < 360) offset -= Math.sign(step) * 360;
    return { latitude: plain(latitude), longitude: plain(longitude + offset) };
  });
}
