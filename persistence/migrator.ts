import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { migrations } from './migrations/registry.ts';

/**
 * Applies the migrations, forward only. One run at a time on a database: an advisory lock on a connection of its
 * own is held from before the first look at what is pending until the end. Each migration and its bookkeeping row
 * commit together, so a crash leaves whole migrations only, and the next run goes on after the last of them.
 */

/** Any constant will do; this one spells "prosceni" in hexadecimal digits of ASCII. */
const LOCK_KEY = '8102661220972457577';
/** The other run has ten minutes; a longer one needs a person, not a second process. */
const LOCK_WAIT_MS = 600_000;
const CONNECT_TIMEOUT_MS = 5_000;
const BOOKKEEPING_TABLE = 'mikro_orm_migrations';
const UNDEFINED_TABLE = '42P01';

export interface MigrateOptions {
  /** Called after the commit of each migration with its name. */
  readonly onApplied?: (name: string) => void;
  /** Stop after this migration; for tests that build a legacy database. */
  readonly until?: string;
  /** Other migrations than the platform's; for tests. */
  readonly list?: typeof migrations;
}

/**
 * Applies what is pending and returns the names in order; an empty list means up to date.
 * @throws the driver's error when the database is unreachable or a migration fails; the failed one left nothing.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const list = options.list ?? migrations;
  if (options.until !== undefined && !list.some(({ name }) => name === options.until)) {
    throw new Error(`no migration is named ${options.until}`);
  }
  const lock = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_WAIT_MS,
    application_name: 'proscenium-migrate',
    keepAlive: true,
  });
  // A dropped connection shows as the failure of the next query; without a listener it would end the process.
  lock.on('error', () => {});
  try {
    await lock.connect();
    await lock.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    return await applyPending(databaseUrl, list, options);
  } finally {
    await lock.end();
  }
}

async function applyPending(
  databaseUrl: string,
  list: typeof migrations,
  options: MigrateOptions,
): Promise<string[]> {
  const orm = await MikroORM.init({
    clientUrl: databaseUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    metadataCache: { enabled: false },
    ensureDatabase: false,
    extensions: [Migrator],
    driverOptions: {
      connectionString: databaseUrl,
      application_name: 'proscenium-migrate',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      max: 2,
    },
    migrations: {
      migrationsList: list,
      tableName: BOOKKEEPING_TABLE,
      transactional: true,
      allOrNothing: false,
      disableForeignKeys: false,
      snapshot: false,
      silent: true,
    },
  });
  try {
    orm.migrator.on('migrated', ({ name }) => options.onApplied?.(name));
    const applied = await orm.migrator.up(options.until === undefined ? {} : { to: options.until });
    return applied.map(({ name }) => name);
  } finally {
    await orm.close(true);
  }
}

/** The names this build knows and the database has not applied, in order. One short query: fit for `/readyz`. */
export async function pendingMigrations(pool: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const applied = await appliedNames(pool);
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
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
