import pg from 'pg';
import { MIGRATION_NAMES } from './names.ts';

/** Where the migrator notes what it has applied. */
export const BOOKKEEPING_TABLE = 'mikro_orm_migrations';
const UNDEFINED_TABLE = '42P01';

/**
 * The migrations of this build that the database has not applied, in order. One short query, suitable for `/readyz`.
 */
export async function pendingMigrations(pool: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const applied = await appliedNames(pool);
  return MIGRATION_NAMES.filter((name) => !applied.has(name));
}

async function appliedNames(pool: Pick<pg.Pool, 'query'>): Promise<Set<string>> {
  try {
    const { rows } = await pool.query<{ name: string }>(`select name from ${BOOKKEEPING_TABLE}`);
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return new Set();
    throw error;
  }
}
