import type { Pool } from 'pg';

/** The key of the console's cookies: the first worker that needs it stores its proposal, and all use what is stored. */
export async function consoleKey(pool: Pool, proposal: Buffer): Promise<Buffer> {
  await pool.query('INSERT INTO console_keys (key) VALUES ($1) ON CONFLICT DO NOTHING', [proposal]);
  const { rows } = await pool.query<{ key: Buffer }>('SELECT key FROM console_keys');
  if (rows[0] === undefined) throw new Error('the key of the console was not stored');
  return rows[0].key;
}

/** False when the operator has used a code of this step, or of a later one. Concurrent calls get one true. */
export async function useCode(
  pool: Pool,
  { operator, step }: { operator: string; step: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO operator_codes AS c (operator, "lastStep") VALUES ($1, $2)
     ON CONFLICT (operator) DO UPDATE SET "lastStep" = excluded."lastStep" WHERE c."lastStep" < excluded."lastStep"`,
    [operator, step],
  );
  return rowCount === 1;
}
