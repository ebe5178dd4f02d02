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

/** The migration since which new installations need the operator's legal texts. */
const TEXTS_SINCE = '0129_agent_invitations';

/** Whether the database was made by a release that has this migration: all that came before was applied with it. */
export async function isYoungerThanRelease(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ isNew: boolean }>(
    `select coalesce(max(executed_at) filter (where name = $1) - min(executed_at) < interval '1 hour', false) as "isNew"
     from ${BOOKKEEPING_TABLE}`,
    [TEXTS_SINCE],
  );
  return rows[0]?.isNew === true;
}
