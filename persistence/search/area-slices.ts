import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import { type Grid, hasManyTiles, STRIPES, TILES } from './area-sql.ts';
import { criteriaSql, gridsOf } from './criteria-sql.ts';
import { cellsAround, DEEPEST_ZOOM } from './map-cells.ts';
import type { Criteria, GeoBox } from './search-index.ts';

/** SQL whose values are added as it is written. */
export type Sql = (values: SqlValues) => string;

export interface SlicePorts {
  readonly pool: Reader;
  /** Up to so many listings that match anywhere are found by their own index. */
  readonly rare: number;
}

/**
 * So many for each grid. The planner takes a page that an index finds for four pages of the table (`random_page_cost`); the
 * index of stripes is nearly as large as the table, so it is only taken for a slice.
 */
const SLICES = new Map<Grid, number>([
  [TILES, 2],
  [STRIPES, 4],
]);

/**
 * The criteria as conditions that have no listing in common. A wide box with filters comes in slices that are read at once:
 * a process of PostgreSQL reads with one core, and a helper that it starts comes too late. A slice is every second or fourth
 * column of marks, because listings are not spread evenly, and nobody knows where the middle of them is.
 * @param zoom of the marks: none is in two slices
 */
export async function slicesOf({ pool, rare }: SlicePorts, criteria: Criteria, zoom: number): Promise<Sql[]> {
  const whole = [(values: SqlValues) => criteriaSql(criteria, values)];
  const [area, ...others] = criteria.areas;
  if (area === undefined || !('box' in area) || others.length > 0 || !hasManyTiles(area.box)) return whole;
  // Each slice would read all of a postal code or state.
  if (criteria.place !== null && criteria.place.of !== 'city') return whole;
  const grid = gridsOf(criteria)(area.box);
  if (grid === STRIPES && (await expectedAnywhere(pool, criteria)) <= rare) return whole;
  return columnsOfSlices(area.box, grid, zoom).map((columns) => (values) => {
    const condition = criteriaSql(criteria, values);
    return `${condition} AND ("cellX" >> ${grid.columnBits}) = ANY (${values.add(columns, 'int[]')})`;
  });
}

/** How many listings the planner expects to match in any area. It knows from its statistics and reads no listing. */
async function expectedAnywhere(pool: Reader, criteria: Criteria): Promise<number> {
  const values = new SqlValues();
  const condition = criteriaSql({ ...criteria, areas: [] }, values);
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) SELECT FROM search_listings WHERE ${condition}`,
    values.list,
  );
  if (rows[0] === undefined) throw new Error('no plan was told');
  return rows[0]['QUERY PLAN'][0].Plan['Plan Rows'];
}

function columnsOfSlices(box: GeoBox, grid: Grid, zoom: number): number[][] {
  const bits = grid.columnBits;
  const { west, east } = cellsAround(box);
  const first = west >> bits;
  // At most 52,430, round the world. The planner looks at each: 1.2 ms for 2,000.
  const columns = Array.from({ length: (east >> bits) - first + 1 }, (_, index) => first + index);
  const markBits = Math.max(0, DEEPEST_ZOOM - zoom - bits);
  const count = SLICES.get(grid) ?? 1;
  return Array.from({ length: count }, (_, slice) =>
    columns.filter((column) => (column >> markBits) % count === slice),
  ).filter((slice) => slice.length > 0);
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
