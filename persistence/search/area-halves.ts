import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import { hasManyTiles, TILES } from './area-sql.ts';
import { criteriaSql, gridsOf } from './criteria-sql.ts';
import { cellsAround, DEEPEST_ZOOM, TILE_BITS } from './map-cells.ts';
import type { Criteria } from './search-index.ts';

/** SQL whose values are added as it is written. */
export type Sql = (values: SqlValues) => string;

/**
 * The criteria as conditions that have no listing in common. A wide box that is read from the index of tiles comes in two
 * halves: a process of PostgreSQL reads with one core, and a helper that it starts comes too late. A half is every second
 * column of marks, because listings are not spread evenly, and nobody knows where the middle of them is. Anything else is
 * one condition: without that index, each half would read all of it.
 * @param zoom of the marks: none is in both halves
 */
export function halvesOf(criteria: Criteria, zoom: number): Sql[] {
  const halves = columnsOfHalves(criteria, zoom);
  if (halves === null) return [(values) => criteriaSql(criteria, values)];
  return halves.map((columns) => (values) => {
    const condition = criteriaSql(criteria, values);
    return `${condition} AND ("cellX" >> ${TILE_BITS}) = ANY (${values.add(columns, 'int[]')})`;
  });
}

/** Null where halves do not pay. */
function columnsOfHalves(criteria: Criteria, zoom: number): number[][] | null {
  const [area, ...others] = criteria.areas;
  if (area === undefined || !('box' in area) || others.length > 0) return null;
  if (!hasManyTiles(area.box) || gridsOf(criteria)(area.box) !== TILES) return null;
  const { west, east } = cellsAround(area.box);
  const first = west >> TILE_BITS;
  // At most 13,108, round the world. The planner looks at each: 1.2 ms for 2,000.
  const columns = Array.from({ length: (east >> TILE_BITS) - first + 1 }, (_, index) => first + index);
  const markBits = Math.max(0, DEEPEST_ZOOM - zoom - TILE_BITS);
  return [0, 1]
    .map((parity) => columns.filter((column) => ((column >> markBits) & 1) === parity))
    .filter((half) => half.length > 0);
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
