import type { Reader } from './reader.ts';

/** How many rows the planner expects of a statement. It knows from its statistics and reads none. */
export async function expectedRows(pool: Reader, sql: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) ${sql}`,
    [...values],
  );
  if (rows[0] === undefined) throw new Error('no plan was told');
  return rows[0]['QUERY PLAN'][0].Plan['Plan Rows'];
}
