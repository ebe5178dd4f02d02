import { type Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { requireServerVersion } from '../database/server-version.ts';
import { admitLogin, loginOf } from './database-roles.ts';
import { onlineSteps } from './online-migration.ts';
import { LEAVE_LOCK_TIME, MIGRATION_LOCK_TIMEOUT_MS, pause, retryLocks, runSteps } from './online-steps.ts';
import { BOOKKEEPING_TABLE } from './pending.ts';
import { migrations } from './registry.ts';

/**
 * Applies the migrations, forward only. One run at a time on a database: an advisory lock on a separate connection is
 * held from before the pending migrations are read until the end. A migration's online steps run first, on that
 * connection, and may be repeated; then its transaction commits together with its bookkeeping row. So the next run
 * after a crash continues after the last complete migration.
 */

/** Any constant will do; this one spells "prosceni" in hexadecimal digits of ASCII. */
const LOCK_KEY = '8102661220972457577';
/** How long a run waits for another one. A longer run needs a person, not a second process. */
const LOCK_WAIT_MS = 600_000;
/** The lock is polled: a statement that waits would hold a snapshot, and a concurrent index build waits for that. */
const LOCK_ASK_MS = 250;
const CONNECT_TIMEOUT_MS = 5_000;

export interface MigrateOptions {
  /** Called after the commit of each migration with its name. */
  readonly onApplied?: (name: string) => void;
  /** Stop after this migration; for tests that build a legacy database. */
  readonly until?: string;
  /** The address that the roles use, when it is not the owner's: its login is admitted to all tables. */
  readonly rolesUrl?: string;
  /** Other migrations than the platform's; for tests. */
  readonly list?: typeof migrations;
}

/**
 * Applies what is pending and returns the names in order; an empty list means up to date.
 * @throws UnsupportedServer before anything is applied;
 *   the driver's error when the database is unreachable or a migration fails; the failed one left nothing.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const list = options.list ?? migrations;
  if (options.until !== undefined && !list.some(({ name }) => name === options.until)) {
    throw new Error(`no migration is named ${options.until}`);
  }
  const lock = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'proscenium-migrate',
    keepAlive: true,
  });
  // A dropped connection shows as the failure of the next query; without a listener it would end the process.
  lock.on('error', () => {});
  try {
    await lock.connect();
    await requireServerVersion(lock);
    await takeTurn(lock);
    const applied = await applyPending(lock, databaseUrl, { ...options, list });
    if (options.rolesUrl !== undefined) await admitLogin(lock, loginOf(options.rolesUrl));
    return applied;
  } finally {
    await lock.end();
  }
}

async function takeTurn(lock: pg.Client): Promise<void> {
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_MS; waitedMs += LOCK_ASK_MS) {
    const { rows } = await lock.query('select pg_try_advisory_lock($1) as mine', [LOCK_KEY]);
    if (rows[0].mine) return;
    await pause(LOCK_ASK_MS);
  }
  throw new Error(`another run of the migrations has not ended in ${LOCK_WAIT_MS / 1000} s`);
}

async function applyPending(
  lock: pg.Client,
  databaseUrl: string,
  { list = migrations, until, onApplied }: MigrateOptions,
): Promise<string[]> {
  const orm = await openMigrator(databaseUrl, list);
  const applied: string[] = [];
  let running = '';
  try {
    orm.migrator.on('migrating', async ({ name }) => {
      running = name;
      await runSteps(lock, onlineSteps(list.find((one) => one.name === name)?.class));
    });
    orm.migrator.on('migrated', ({ name }) => {
      applied.push(name);
      onApplied?.(name);
    });
    // A migration that got no lock is rolled back, and a new run begins with it.
    await retryLocks(
      () => running,
      () => orm.migrator.up(until === undefined ? {} : { to: until }),
    );
    return applied;
  } finally {
    await orm.close(true);
  }
}

function openMigrator(databaseUrl: string, list: typeof migrations): Promise<MikroORM> {
  return MikroORM.init({
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
      lock_timeout: MIGRATION_LOCK_TIMEOUT_MS,
      max: 2,
    },
    migrations: {
      migrationsList: list.map((one) => ({ ...one, class: withinLockTime(one.class) })),
      tableName: BOOKKEEPING_TABLE,
      transactional: true,
      allOrNothing: false,
      disableForeignKeys: false,
      snapshot: false,
      silent: true,
    },
  });
}

type MigrationClass = (typeof migrations)[number]['class'];

/** The same migration, whose statements share the lock timeout of its transaction. */
function withinLockTime(migration: MigrationClass): MigrationClass {
  return class extends migration {
    override getQueries(): ReturnType<Migration['getQueries']> {
      return super.getQueries().flatMap((query) => [LEAVE_LOCK_TIME, query]);
    }
  };
}
