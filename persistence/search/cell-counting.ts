import type { Pool, PoolClient } from 'pg';
import { SHIFTS, SMALLEST, STEP } from './cell-levels.ts';
import { listingsOfCellSql } from './counted-cells.ts';
import { asOnlyCounter } from './only-counter.ts';

/**
 * Counts changed cells again. The smallest are counted from their listings, by the statement that removes the rows of
 * their changes: it sees exactly the listings that those changes left. A larger cell is counted from the cells inside.
 * Always true after a commit: a cell without a row in `search_cell_changes` holds what its listings say. A crash leaves
 * everything as it was.
 */

const TAKE_CHANGES = `
  WITH taken AS (
    DELETE FROM search_cell_changes
    WHERE id IN (SELECT id FROM search_cell_changes ORDER BY id LIMIT $1) RETURNING x, y),
  changed AS (SELECT x, y, count(*) AS changes FROM taken GROUP BY x, y),
  counted AS (
    SELECT changed.*, cell.* FROM changed CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, sum(l.latitude) AS latitude, sum(l.longitude) AS longitude,
        min(l."listPrice") AS "minPrice", max(l."listPrice") AS "maxPrice",
        case when min(l.currency) = max(l.currency) then min(l.currency) end AS currency,
        min(l."cellX") AS "westCell", max(l."cellX") AS "eastCell",
        min(l."cellY") AS "northCell", max(l."cellY") AS "southCell", any_value(l."propertyId") AS "propertyId"
      FROM search_listings l WHERE ${listingsOfCellSql('changed')}) cell)`;

const COUNT_CHILDREN = `
  WITH changed AS (SELECT DISTINCT x, y, 0 AS changes FROM unnest($1::int[], $2::int[]) AS changed (x, y)),
  counted AS (
    SELECT changed.*, cell.* FROM changed CROSS JOIN LATERAL (
      SELECT coalesce(sum(c.count), 0)::int AS count, sum(c.latitude) AS latitude, sum(c.longitude) AS longitude,
        min(c."minPrice") AS "minPrice", max(c."maxPrice") AS "maxPrice",
        case when min(c.currency) = max(c.currency) and count(c.currency) = count(*) then min(c.currency) end AS currency,
        min(c."westCell") AS "westCell", max(c."eastCell") AS "eastCell",
        min(c."northCell") AS "northCell", max(c."southCell") AS "southCell", any_value(c."propertyId") AS "propertyId"
      FROM search_cells c WHERE c.shift = $3::int - ${STEP}
        AND c.x BETWEEN changed.x << ${STEP} AND (changed.x << ${STEP}) + ${2 ** STEP - 1}
        AND c.y BETWEEN changed.y << ${STEP} AND (changed.y << ${STEP}) + ${2 ** STEP - 1}) cell)`;

const COUNTED = [
  'count',
  'latitude',
  'longitude',
  '"minPrice"',
  '"maxPrice"',
  'currency',
  '"westCell"',
  '"eastCell"',
  '"northCell"',
  '"southCell"',
  '"propertyId"',
];
const names = COUNTED.join(', ');

const counted = COUNTED.map((name) => `counted.${name}`).join(', ');

/** Two statements, because PostgreSQL 16 knows no MERGE within another one. They change different rows. */
const emptied = (shift: string) => `
  emptied AS (
    DELETE FROM search_cells cell USING counted
    WHERE counted.count = 0 AND cell.shift = ${shift} AND cell.x = counted.x AND cell.y = counted.y)`;
const write = (shift: string) => `
  INSERT INTO search_cells (shift, x, y, ${names})
  SELECT ${shift}, counted.x, counted.y, ${counted} FROM counted WHERE counted.count > 0
  ON CONFLICT (shift, x, y) DO UPDATE SET (${names}) = row(${COUNTED.map((name) => `excluded.${name}`).join(', ')})`;

/** The changed cells come back in any case, also those without a listing. */
const COUNT_SMALLEST = `${TAKE_CHANGES},${emptied(String(SMALLEST))},
  written AS (${write(String(SMALLEST))})
  SELECT x, y, changes::int FROM changed`;
const COUNT_LARGER = `${COUNT_CHILDREN},${emptied('$3')} ${write('$3')}`;

/** @returns how many changes were taken: fewer than `limit` when nothing else waits, or when another worker is counting */
export async function countChangedCells(pool: Pool, limit: number): Promise<number> {
  return (await asOnlyCounter(pool, 'cells', (client) => countCells(client, limit))) ?? 0;
}

async function countCells(client: PoolClient, limit: number): Promise<number> {
  const counted = await client.query<{ x: number; y: number; changes: number }>(COUNT_SMALLEST, [limit]);
  for (const shift of SHIFTS.slice(1)) {
    const [xs, ys] = (['x', 'y'] as const).map((axis) =>
      counted.rows.map((cell) => cell[axis] >> (shift - SMALLEST)),
    );
    await client.query(COUNT_LARGER, [xs, ys, shift]);
  }
  return counted.rows.reduce((sum, { changes }) => sum + changes, 0);
}
