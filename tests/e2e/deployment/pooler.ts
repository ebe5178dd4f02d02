import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Child, logTail, startChild } from '../../../ops/dev/stack/child.ts';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { unprivilegedUser } from '../../../ops/dev/stack/unprivileged-user.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { foundProgram } from './found-program.ts';

/** The PgBouncer of the operating system, with the configuration of ops/deploy. */
const CONFIGURATION = new URL('../../../ops/deploy/pgbouncer.ini', import.meta.url);
export const pgbouncer = foundProgram('pgbouncer', '--version');

export interface Pooler {
  /** The given address of the server, leading through the pooler. */
  through(databaseUrl: string): string;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface PoolerOptions {
  /** Connections to the server. */
  poolSize: number;
  /** Without it, connections have none of the limits. */
  limits?: boolean;
}

/** In front of the server of this address, with its user. */
export async function startPooler(databaseUrl: string, options: PoolerOptions): Promise<Pooler> {
  if ('missing' in pgbouncer) throw new Error(pgbouncer.missing);
  const { program } = pgbouncer;
  const dataDir = temporaryDirectory();
  const port = await freePort();
  const through = (address: string) => {
    const led = new URL(address);
    led.host = `127.0.0.1:${port}`;
    return led.href;
  };
  const file = configure(dataDir, { databaseUrl, port, ...options });
  const start = async () => {
    // It refuses to run as root, as PostgreSQL does.
    const child = await startChild({
      dataDir,
      name: 'pgbouncer',
      command: program,
      args: [file],
      user: unprivilegedUser(),
    });
    await eventually(() => answers(child, through(databaseUrl)), {
      what: 'the pooler to serve',
      timeoutMs: 20_000,
    }).catch((error: unknown) => {
      throw new Error(`pgbouncer does not serve: ${logTail(dataDir, 'pgbouncer')}`, { cause: error });
    });
    return child;
  };
  let child = await start();
  return {
    through,
    kill: () => child.stop('SIGKILL'),
    async start() {
      child = await start();
    },
    stop: () => child.stop(),
  };
}

function configure(
  dataDir: string,
  { databaseUrl, port, poolSize, limits = true }: PoolerOptions & { databaseUrl: string; port: number },
): string {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const users = join(dataDir, 'userlist.txt');
  const changes: [RegExp, string][] = [
    [/host=\S+ port=\d+/, `host=${hostname} port=${serverPort}`],
    [/^listen_port = .*/m, `listen_port = ${port}`],
    [/^auth_file = .*/m, `auth_file = ${users}\nunix_socket_dir =`],
    [/^default_pool_size = .*/m, `default_pool_size = ${poolSize}`],
    ...(limits ? [] : ([[/ connect_query='[^']*'/, '']] satisfies [RegExp, string][])),
  ];
  const file = join(dataDir, 'pgbouncer.ini');
  const own = (path: string, text: string) => {
    writeFileSync(path, text, { mode: 0o600 });
    const user = unprivilegedUser();
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  };
  chmodSync(dataDir, 0o711);
  own(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const committed = readFileSync(CONFIGURATION, 'utf8');
  own(
    file,
    changes.reduce((text, [line, instead]) => {
      if (!line.test(text)) throw new Error(`ops/deploy/pgbouncer.ini has no ${line}`);
      return text.replace(line, instead);
    }, committed),
  );
  return file;
}

async function answers(child: Child, url: string): Promise<boolean> {
  if (!child.isRunning()) throw new Error('it has ended');
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
