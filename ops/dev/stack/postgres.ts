import { join } from 'node:path';
import pg from 'pg';
import { type Child, type ChildExit, logTail, startChild } from './child.ts';
import { onPort } from './free-port.ts';
import { once, type Service, StackError, waitUntil } from './lifecycle.ts';
import { localSecrets } from './local-secrets.ts';
import { type PostgresCluster, prepareCluster, SUPERUSER } from './postgres-cluster.ts';

/**
 * One PostgreSQL server on 127.0.0.1 with the database `proscenium`. It owns `<dataDir>/postgres`; after a crash of
 * the server or of the launcher, starting again recovers from the write-ahead log (unless it was not `durable`).
 */
export interface PostgresServer extends Service {
  /** The database `proscenium`, as its owner (a superuser of this local server only). */
  readonly url: string;
  readonly port: number;
  /** The pid of the present postmaster; it changes with `restart`. */
  pid(): number;
  /** How the present server process ends. */
  exited(): Promise<ChildExit>;
  /** Stops and starts on the same port. `fast` rolls back open transactions, `immediate` and `kill` are crashes. */
  restart(mode?: RestartMode): Promise<void>;
}

type RestartMode = 'smart' | 'fast' | 'immediate' | 'kill';

export interface PostgresOptions {
  dataDir: string;
  /** Default: a free one. */
  port?: number;
  /** False trades safety of the data for speed (fsync off); for tests that throw the data away. */
  durable?: boolean;
  diesWithLauncher?: boolean;
  /** The folder with `bin` of another server; for tests. Default: the one that npm installed. */
  native?: string;
}

const SIGNALS: Record<RestartMode, NodeJS.Signals> = {
  smart: 'SIGTERM',
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
  kill: 'SIGKILL',
};
const READY_PATIENCE_MS = 60_000;
/** Maximum number of starts while the shared memory of a killed server is still in use. */
const HELD_TRIES = 30;

/**
 * Starts PostgreSQL on the cluster of `dataDir`; the first start creates the cluster.
 * @throws StackError with the end of the server's log when the start fails
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const password = localSecrets(options.dataDir).postgresPassword;
  const cluster = await prepareCluster(options.dataDir, password, options.native);
  const begin = (port: number) => launch({ cluster, options, port, password });
  const { port, started } = await onPort(options.port, begin);
  let current = started;
  await ensureDatabase(urlOf({ port, password, database: 'postgres' })).catch(async (error) => {
    await started.stop();
    throw error;
  });
  return {
    name: 'postgres',
    url: urlOf({ port, password, database: SUPERUSER }),
    port,
    pid: () => current.pid,
    exited: () => current.exited,
    stop: once(() => current.stop(SIGNALS.fast)),
    async restart(mode = 'fast') {
      await current.stop(SIGNALS[mode]);
      current = await begin(port);
    },
  };
}

interface Launch {
  cluster: PostgresCluster;
  options: PostgresOptions;
  port: number;
  password: string;
}

async function launch({ cluster, options, port, password }: Launch): Promise<Child> {
  for (let attempt = 1; ; attempt++) {
    const child = await startChild({
      dataDir: options.dataDir,
      name: 'postgres',
      command: join(cluster.binDir, 'postgres'),
      args: ['-D', cluster.directory, ...settings(port, options.durable !== false)],
      stopSignal: 'SIGINT',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      cwd: '/',
      user: cluster.user,
      ...(options.diesWithLauncher === undefined ? {} : { diesWithLauncher: options.diesWithLauncher }),
    });
    if (await becomesReady(child, urlOf({ port, password, database: 'postgres' }))) return child;
    const tail = logTail(options.dataDir, 'postgres');
    // Backends of a killed postmaster need a moment to end and to release the shared memory.
    const held = tail.split('\n').slice(-4).join(' ').includes('shared memory block');
    if (!held || attempt === HELD_TRIES) {
      throw new StackError(
        'START_FAILED',
        `PostgreSQL did not start on port ${port}. Its log ends:\n${tail}`,
      );
    }
  }
}

/** False, or a StackError, means that the server has been stopped again. */
async function becomesReady(child: Child, url: string): Promise<boolean> {
  try {
    const settled = async () => !child.isRunning() || (await accepts(url));
    if ((await waitUntil(settled, { timeoutMs: READY_PATIENCE_MS })) && child.isRunning()) return true;
  } catch (error) {
    await child.stop('SIGQUIT');
    throw error;
  }
  await child.stop('SIGQUIT');
  return false;
}

function settings(port: number, durable: boolean): string[] {
  const values: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    // Fifty workers that start at once hold more than they need later.
    max_connections: '600',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function urlOf({ port, password, database }: { port: number; password: string; database: string }): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '28P01') {
      throw new StackError(
        'DATA_UNUSABLE',
        'PostgreSQL refuses the password in secrets.json: the data directory was made with another one. ' +
          'Remove the data directory to begin afresh.',
        { cause: error },
      );
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [SUPERUSER]);
    if (rowCount === 0) await client.query(`create database ${SUPERUSER}`);
  } finally {
    await client.end();
  }
}
