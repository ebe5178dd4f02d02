import pg from 'pg';
import { requireServerVersion } from './server-version.ts';

/**
 * The connections to PostgreSQL: one `pg.Pool` a process, which better-auth shares, so `poolSize` is the true number
 * of connections that this process can take; standbys have pools of their own (`standbys.ts`). Always true: every
 * connection has the limits below (behind a pooler, those of its configuration), `timestamptz` arrives as `Date` and
 * `bigint` as a safe integer, for every caller. Nothing is kept on disk or in memory beyond the pool; a crash closes the
 * sockets and PostgreSQL rolls back what was open.
 */
export interface Database {
  readonly pool: pg.Pool;
  /** Waits for connections in use to come back, then closes them. Safe to call twice. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgresql://user:password@host:port/name`, with the query parameters of `pg` (sslmode, ...). */
  readonly url: string;
  /** Connections this process may hold at most; web and worker each run well on ten. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`, so that a held lock can be traced to a role. */
  readonly applicationName?: string;
  /** Other limits than those below, in milliseconds, for statements that may fail sooner. */
  readonly patience?: Patience;
  /** Default: none. Behind a pooler in transaction mode the next transaction may be another server's connection. */
  readonly pooler?: 'none' | 'transaction';
  /** Statements of one connection are sent without waiting for the answers of those before them. */
  readonly pipeline?: boolean;
}

interface Patience {
  /** The wait for a connection. */
  readonly connectMs: number;
  /** PostgreSQL gives up a statement after this time. */
  readonly statementMs: number;
  /** After this time without an answer the connection counts as dead. */
  readonly answerMs: number;
}

const DEFAULT_POOL_SIZE = 10;
/** After this time a clear error is better than more waiting: other work holds all connections. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Keeps connections through quiet times of less than a minute, and closes them after a peak. */
const IDLE_TIMEOUT_MS = 30_000;
/** Every statement touches at most a page of rows; a slower one is a bug or a blocked disk. */
const STATEMENT_TIMEOUT_MS = 15_000;
/**
 * A connection without an answer for this long is dead, because the server's own timeout has passed. After a failover,
 * or when a router has dropped the connection, no packet reports it. The query fails, and the pool opens another
 * connection.
 */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** TCP keep-alive probes an unused connection after this time. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Row locks are held for one short transaction; a longer wait means that the holder hangs. */
const LOCK_TIMEOUT_MS = 5_000;
/** A stopped or hung process must not hold its row locks forever: PostgreSQL ends its transaction. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

/** PostgreSQL takes them from the start of a connection; a pooler refuses them there and sets them itself. */
const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
};

/** A pool that has not connected yet. */
export function createPool(options: DatabaseOptions): pg.Pool {
  const { patience } = options;
  const limits = patience === undefined ? LIMITS : { ...LIMITS, statement_timeout: patience.statementMs };
  const pool = new pg.Pool({
    connectionString: options.url,
    types: columnTypes(),
    max: options.poolSize ?? DEFAULT_POOL_SIZE,
    application_name: options.applicationName ?? 'proscenium',
    connectionTimeoutMillis: patience?.connectMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...(options.pooler === 'transaction' ? { Client: UnnamedClient } : limits),
    query_timeout: patience?.answerMs ?? QUERY_TIMEOUT_MS,
    pipeline: options.pipeline ?? false,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  // The running query rejects by itself and the pool drops the connection. Without listeners the process would end.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Opens the pool and proves it.
 * @throws the driver's error when the database cannot be reached or refuses the login.
 * @throws UnsupportedServer for a version of PostgreSQL that is not supported.
 * @throws Error naming the limits that a pooler's connections do not have.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = createPool(options);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= pool.end();
    return closing;
  };
  try {
    await requireServerVersion(pool);
    await proveLimits(pool);
    return { pool, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function proveLimits(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest($1::text[]) name where current_setting(name) = '0'`,
    [Object.keys(LIMITS)],
  );
  if (rows.length === 0) return;
  const missing = rows.map(({ name }) => name).join(', ');
  throw new Error(`the database's connections have no ${missing}: see docs/runbooks/pooler.md`);
}

/** Leaves the names of statements out: a statement's next use may be on a connection that does not know it. */
class UnnamedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this);
    this.query = ((first: unknown, ...rest: unknown[]) =>
      Reflect.apply(query, this, [withoutName(first), ...rest])) as pg.Client['query'];
  }
}

function withoutName(query: unknown): unknown {
  return typeof query === 'object' && query !== null && 'name' in query
    ? { ...query, name: undefined }
    : query;
}

const INT8_OID = 20;

/**
 * How the driver parses values. `numeric` stays text: statements cast the columns whose values fit a double, and the
 * entities name these columns.
 */
function columnTypes(): pg.CustomTypesConfig {
  const overrides = new pg.TypeOverrides();
  overrides.setTypeParser(INT8_OID, parseInt8);
  return overrides;
}

/** Our bigints are counters, byte counts and micro-dollars, all far below 2^53; anything larger throws. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint out of the safe range: ${text}`);
  return value;
}
