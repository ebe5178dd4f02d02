import pg from 'pg';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { createDatabase } from './database.ts';

export interface OpenedDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
}

const opened: { pool: pg.Pool; drop(): Promise<void> }[] = [];

/** A new database with a pool on it: empty, at one migration (`until`), or migrated to the end. */
export async function openTestDatabase(
  options: { migrated?: boolean; until?: string } = {},
): Promise<OpenedDatabase> {
  const { migrated = false, until } = options;
  const { url, drop } = await createDatabase({ migrated });
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 10_000 });
  opened.push({ pool, drop });
  if (until !== undefined) await migrate(url, { until });
  return { url, pool };
}

/** Closes what this file opened; for `afterEach` or `afterAll`. */
export async function closeTestDatabases(): Promise<void> {
  for (const { pool, drop } of opened.splice(0)) {
    await pool.end();
    await drop();
  }
}
