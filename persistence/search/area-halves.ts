import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import { gridOf, TILES } from './area-sql.ts';
import { wideGrid } from './criteria-sql.ts';
import { cellsAround, DEEPEST_ZOOM, TILE_BITS } from './map-cells.ts';
import type { Criteria } from './search-index.ts';

/** SQL whose values are added as it is written. */
export type Sql = (values: SqlValues) => string;

const WHOLE: readonly Sql[] = [() => ''];
/** 110 degrees. The planner looks at each column, which takes long where there are more. */
const MOST_COLUMNS = 4_000;

/**
 * A wide box that is read from the index of tiles, in two halves: a process of PostgreSQL reads with one core, and one that
 * it starts to help is late. A half is every second column of marks, because listings are not spread evenly, and nobody
 * knows where the middle of them is. Anything else is one whole: another index would be read twice.
 * @param zoom of the marks: none is in both halves
 * @returns further conditions on `search_listings`: `AND ...`, or nothing for the whole area
 */
export function halvesOf(criteria: Criteria, zoom: number): readonly Sql[] {
  const [area, ...others] = criteria.areas;
  if (area === undefined || !('box' in area) || others.length > 0) return WHOLE;
  if (gridOf(area.box, wideGrid(criteria)) !== TILES) return WHOLE;
  const { west, east } = cellsAround(area.box);
  const first = west >> TILE_BITS;
  const across = (east >> TILE_BITS) - first + 1;
  if (across > MOST_COLUMNS) return WHOLE;
  const columns = Array.from({ length: across }, (_, index) => first + index);
  const markBits = Math.max(0, DEEPEST_ZOOM - zoom - TILE_BITS);
  return [0, 1].map((parity) => (values) => {
    const half = columns.filter((column) => ((column >> markBits) & 1) === parity);
    return ` AND ("cellX" >> ${TILE_BITS}) = ANY (${values.add(half, 'int[]')})`;
  });
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
