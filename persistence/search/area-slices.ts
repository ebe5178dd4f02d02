import { expectedRows } from '../database/expected-rows.ts';
import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import { areaSql, type Grid, hasManyTiles, STRIPES, TILES } from './area-sql.ts';
import { criteriaSql, gridsOf, marketSideSql } from './criteria-sql.ts';
import { cellsAround, DEEPEST_ZOOM } from './map-cells.ts';
import { placeSql } from './place-criteria.ts';
import type { Area, Criteria, NamedPlace } from './search-index.ts';

/** SQL whose values are added as it is written. */
export type Sql = (values: SqlValues) => string;

export interface SlicePorts {
  readonly pool: Reader;
  /**
   * With so many listings in an area for each that matches anywhere, an index of what is asked finds them sooner than the
   * area can be read.
   */
  readonly rare: number;
  /** A city with up to so many listings is read by one statement. */
  readonly smallCity: number;
}

/**
 * The planner takes a page that an index finds for four pages of the table (`random_page_cost`), and the index of stripes is
 * nearly as large as the table, so it is only taken for a quarter. Four slices also keep two cores busy to the end, and the
 * marks of each are few enough to be grouped without sorting the listings.
 */
const SLICES = 4;

/**
 * The criteria as conditions that have no listing in common. A wide box with filters, or a large city, comes in slices that
 * are read at once: a process of PostgreSQL reads with one core, and a parallel worker that it starts comes too late
 * (`in_one_process` of 0089 prevents it). A slice is every fourth column of marks, because listings are not spread evenly,
 * and no one knows where the middle is.
 * @param zoom of the marks: none is in two slices
 */
export async function slicesOf(ports: SlicePorts, criteria: Criteria, zoom: number): Promise<Sql[]> {
  const slices = await conditionsOfSlices(ports, criteria, zoom);
  if (slices === null) return [(values) => criteriaSql(criteria, values, true)];
  return slices.map((inSlice) => (values) => `${criteriaSql(criteria, values)} AND ${inSlice(values)}`);
}

/** Null where slices do not pay. */
async function conditionsOfSlices(
  ports: SlicePorts,
  criteria: Criteria,
  zoom: number,
): Promise<Sql[] | null> {
  const { place, areas } = criteria;
  const [area, ...others] = areas;
  if (area === undefined)
    return place?.of === 'city' && marketSideSql(criteria) === '"onMarket"'
      ? conditionsOfCity(ports, place)
      : null;
  if (!('box' in area) || others.length > 0 || !hasManyTiles(area.box)) return null;
  // Each slice would read all of a postal code or state.
  if (place !== null && place.of !== 'city') return null;
  const grid = gridsOf(criteria)(area.box);
  if (grid === STRIPES && (await isRare(ports, criteria, area))) return null;
  const { west, east } = cellsAround(area.box);
  return sliced({ west: west >> grid.columnBits, east: east >> grid.columnBits }, grid, zoom);
}

/** Of a city's listings on the market, with those that have no place on the map. */
async function conditionsOfCity(ports: SlicePorts, city: NamedPlace): Promise<Sql[] | null> {
  const inCity: Sql = (values) => `"onMarket" AND ${placeSql(city, values)}`;
  if ((await expected(ports, inCity)) <= ports.smallCity) return null;
  const column = `("cellX" >> ${TILES.columnBits})`;
  // Two ends of an index.
  const values = new SqlValues();
  const { rows } = await ports.pool.query<{ west: number | null; east: number | null }>(
    `SELECT min(${column}) AS west, max(${column}) AS east FROM search_listings WHERE ${inCity(values)}`,
    values.list,
  );
  const { west, east } = rows[0] ?? { west: null, east: null };
  if (west === null || east === null) return null;
  return [...sliced({ west, east }, TILES, DEEPEST_ZOOM), () => `${column} IS NULL`];
}

/** Whether the filters let so few listings through that the area need not be read. */
async function isRare(ports: SlicePorts, criteria: Criteria, area: Area): Promise<boolean> {
  const [matching, there] = await Promise.all([
    expected(ports, (values) => criteriaSql({ ...criteria, areas: [] }, values)),
    expected(
      ports,
      (values) => `${marketSideSql(criteria) ?? 'true'} AND ${areaSql(area, () => TILES, values)}`,
    ),
  ]);
  return matching * ports.rare <= there;
}

/** How many listings the planner expects. */
function expected({ pool }: SlicePorts, condition: Sql): Promise<number> {
  const values = new SqlValues();
  const sql = `SELECT FROM search_listings WHERE ${condition(values)}`;
  return expectedRows(pool, sql, values.list);
}

function sliced({ west, east }: { west: number; east: number }, grid: Grid, zoom: number): Sql[] {
  // At most 52,430, round the world. The planner looks at each: 1.2 ms for 2,000.
  const columns = Array.from({ length: east - west + 1 }, (_, index) => west + index);
  const markBits = Math.max(0, DEEPEST_ZOOM - zoom - grid.columnBits);
  return Array.from({ length: SLICES }, (_, slice) =>
    columns.filter((column) => (column >> markBits) % SLICES === slice),
  )
    .filter((slice) => slice.length > 0)
    .map(
      (slice) => (values) =>
        `("cellX" >> ${grid.columnBits}) = ANY (${values.add(slice, 'int[]')}) AND in_one_process()`,
    );
}

/** The rows of all statements, which are asked at once: each has a connection. */
export async function rowsOfAll<Row extends object>(
  pool: Reader,
  statements: readonly Sql[],
): Promise<Row[]> {
  const answers = await Promise.all(
    statements.map((sql) => {
      const values = new SqlValues();
      return pool.query<Row>(sql(values), values.list);
    }),
  );
  return answers.flatMap(({ rows }) => rows);
}
