import type pg from 'pg';
import type { Figure } from './benchmark.ts';

/**
 * What each row of the first table costs on disk with all that goes with it: tables and indexes, packed. For sizing.
 * @param tables the first one is counted
 */
export async function rowBytes(
  pool: pg.Pool,
  { title, tables }: { title: string; tables: readonly [string, ...string[]] },
): Promise<Figure> {
  const [counted] = tables;
  const { rows: [{ count } = { count: '0' }] = [] } = await pool.query<{ count: string }>(
    `SELECT count(*) AS count FROM ${counted}`,
  );
  const each: { table: string; bytes: number }[] = [];
  for (const table of tables) {
    // Updates leave room that later rows take; what stays in the long run is the packed size.
    await pool.query(`VACUUM FULL ${table}`);
    const { rows } = await pool.query<{ bytes: string }>(
      `SELECT pg_total_relation_size('${table}'::regclass) AS bytes`,
    );
    each.push({ table, bytes: Number(rows[0]?.bytes ?? 0) / Number(count) });
  }
  const words = each.map(({ table, bytes }) => `${table} ${Math.round(bytes).toLocaleString('en-US')}`);
  return {
    kind: 'figure',
    title,
    unit: 'bytes',
    value: Math.round(each.reduce((sum, { bytes }) => sum + bytes, 0)),
    note: `tables and indexes, packed, over ${Number(count).toLocaleString('en-US')}: ${words.join(', ')}`,
  };
}
