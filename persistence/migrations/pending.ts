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

/** What an installation knows of the rule that legal texts must be the operator's. */
interface TextsRule {
  /** When the rule came; now, where its migration is still to be applied. */
  readonly since: Date;
  /** Whether the database was made by a release that has it: all that came before was applied with it. */
  readonly isNew: boolean;
}

export async function textsRule(pool: Pick<pg.Pool, 'query'>): Promise<TextsRule> {
  const { rows } = await pool.query<TextsRule>(
    `with rule as (
       select max(executed_at) filter (where name = $1) as came, min(executed_at) as made from ${BOOKKEEPING_TABLE}
     )
     select coalesce(came, now()) as since, coalesce(came - made < interval '1 hour', false) as "isNew" from rule`,
    [TEXTS_SINCE],
  );
  const [rule] = rows;
  if (rule === undefined) throw new Error('an aggregate has one row');
  return rule;
}
