import type { SqlValues } from '../database/sql-values.ts';
import { type CellCover, coverOf, type Level, SMALLEST, STEP } from './cell-levels.ts';
import { isWholeMarket } from './criteria-sql.ts';
import { type CellBox, STRIPE_BITS } from './map-cells.ts';
import type { Criteria, GeoBox } from './search-index.ts';

/**
 * Answers from counted cells for questions without filters, which most are: everything on the market in a box. A cell whose
 * listings changed after it was counted has a row in `search_cell_changes`, written with the change. Such a cell is left
 * out, as is every larger one round it, and its listings are read instead. All parts are read by one statement. So the
 * answer is that of the listings themselves at every moment, however late the cells are counted again
 * (`cell-counting.ts`); the delay costs time only.
 */
export interface CountedArea {
  readonly box: GeoBox;
  readonly cover: CellCover;
}

/** Null when the listings themselves must be read. @param zoom as for `coverOf` */
export function countedArea(criteria: Criteria, zoom: number | null): CountedArea | null {
  const box = isWholeMarket(criteria) ? commonBox(criteria) : null;
  const cover = box === null ? null : coverOf(box, zoom);
  return box === null || cover === null ? null : { box, cover };
}

const WORLD: GeoBox = { west: -180, south: -90, east: 180, north: 90 };

/** The box in all areas; null when one is no box, or crosses the antimeridian. */
function commonBox({ areas }: Criteria): GeoBox | null {
  let common = WORLD;
  for (const area of areas) {
    if (!('box' in area) || area.box.west > area.box.east) return null;
    const { west, south, east, north } = area.box;
    common = {
      west: Math.max(west, common.west),
      south: Math.max(south, common.south),
      east: Math.min(east, common.east),
      north: Math.min(north, common.north),
    };
  }
  return common.south > common.north ? null : common;
}

/** The columns of the parts: those of `search_cells`, of one listing or of many. */
const COLUMNS = [
  'count',
  '"propertyId"',
  'currency',
  'latitude',
  'longitude',
  '"minPrice"',
  '"maxPrice"',
  '"westCell"',
  '"eastCell"',
  '"northCell"',
  '"southCell"',
];
const CELL = COLUMNS.map((column) => `c.${column}`).join(', ');
const LISTING = `1, l."propertyId", l.currency, l.latitude, l.longitude, l."listPrice", l."listPrice",
  l."cellX", l."cellX", l."cellY", l."cellY"`;

/** @returns the start of a statement: `WITH ... parts (count, "propertyId", ...)`, the area as cells and listings */
export function partsSql({ box, cover }: CountedArea, values: SqlValues): string {
  const { levels, edge, around } = cover;
  const parts = levels.flatMap((level, index) => [
    restSql(level, values),
    ...(index === 0 ? [] : [childrenSql(levels[index - 1] as Level, level)]),
  ]);
  return `
    WITH changed AS MATERIALIZED (
      SELECT DISTINCT x, y FROM search_cell_changes WHERE ${insideSql('x', 'y', around)}),
    parts (${COLUMNS.join(', ')}) AS (${[
      ...parts,
      ...(edge.length === 0 ? [] : edgeSql(box, edge, values)),
      changedSql((levels.at(-1) as Level).inside),
    ].join('\n    UNION ALL ')})`;
}

/** Whole numbers of our own, so they may stand in the text. */
function insideSql(x: string, y: string, { west, east, north, south }: CellBox): string {
  return `${x} BETWEEN ${west} AND ${east} AND ${y} BETWEEN ${north} AND ${south}`;
}

function boxesSql(boxes: readonly CellBox[], values: SqlValues): string {
  const sides = (['west', 'east', 'north', 'south'] as const).map((side) =>
    values.add(
      boxes.map((each) => each[side]),
      'int[]',
    ),
  );
  return `unnest(${sides.join(', ')}) AS r (west, east, north, south)`;
}

function unchangedSql(shift: number): string {
  const bits = shift - SMALLEST;
  return `NOT EXISTS (SELECT FROM changed WHERE changed.x >> ${bits} = c.x AND changed.y >> ${bits} = c.y)`;
}

function restSql({ shift, rest }: Level, values: SqlValues): string {
  return `SELECT ${CELL} FROM ${boxesSql(rest, values)} JOIN search_cells c
      ON c.shift = ${shift} AND c.x BETWEEN r.west AND r.east AND c.y BETWEEN r.north AND r.south
    WHERE ${unchangedSql(shift)}`;
}

/** The unchanged cells inside the changed ones of the next larger size. */
function childrenSql(larger: Level, { shift }: Level): string {
  const bits = larger.shift - SMALLEST;
  const [x, y] = [`changed.x >> ${bits}`, `changed.y >> ${bits}`];
  const last = (1 << STEP) - 1;
  return `SELECT ${CELL} FROM (SELECT DISTINCT ${x} AS x, ${y} AS y FROM changed WHERE ${insideSql(x, y, larger.inside)}) p
    JOIN search_cells c ON c.shift = ${shift} AND c.x BETWEEN p.x << ${STEP} AND (p.x << ${STEP}) + ${last}
      AND c.y BETWEEN p.y << ${STEP} AND (p.y << ${STEP}) + ${last}
    WHERE ${unchangedSql(shift)}`;
}

/** Each part by itself, so that the planner can estimate it. */
function edgeSql(box: GeoBox, edge: readonly CellBox[], values: SqlValues): string[] {
  const [w, e, s, n] = [box.west, box.east, box.south, box.north].map((side) => values.add(side, 'float8'));
  return edge.map(
    (part) => `SELECT ${LISTING} FROM search_listings l WHERE l."onMarket"
      AND (l."cellX" >> ${STRIPE_BITS}) BETWEEN ${part.west >> STRIPE_BITS} AND ${part.east >> STRIPE_BITS}
      AND ${insideSql('l."cellX"', 'l."cellY"', part)}
      AND l.longitude BETWEEN ${w} AND ${e} AND l.latitude BETWEEN ${s} AND ${n}`,
  );
}

function changedSql(inside: CellBox): string {
  return `SELECT ${LISTING} FROM changed d JOIN search_listings l ON ${listingsOfCellSql('d')}
    WHERE ${insideSql('d.x', 'd.y', inside)}`;
}

/** The listings `l` on the market in the smallest cell of a row with `x` and `y`. */
export function listingsOfCellSql(cell: string): string {
  const last = (1 << SMALLEST) - 1;
  return `l."onMarket" AND (l."cellX" >> ${STRIPE_BITS}) = ${cell}.x >> ${STRIPE_BITS - SMALLEST}
    AND l."cellY" BETWEEN ${cell}.y << ${SMALLEST} AND (${cell}.y << ${SMALLEST}) + ${last}
    AND l."cellX" BETWEEN ${cell}.x << ${SMALLEST} AND (${cell}.x << ${SMALLEST}) + ${last}`;
}
