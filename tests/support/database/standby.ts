import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { eventually } from '../eventually.ts';
import { openGate } from '../platform/gates.ts';
import { temporaryDirectory } from '../platform/stack.ts';

/** Files of a running server that a copy must not have. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts'];

/**
 * A streaming standby of a running server: a base backup over its files, a slot, and `standby.signal`.
 * @param from the primary, and the address under which the standby follows it
 */
export async function startStandby(
  from: { primary: PostgresServer; primaryDir: string; follows: string },
  { dataDir }: { dataDir: string },
): Promise<PostgresServer> {
  const client = new pg.Client({ connectionString: from.primary.url });
  await client.connect();
  try {
    await client.query(`select pg_create_physical_replication_slot('standby', true)`);
    await client.query(`select pg_backup_start('standby', true)`);
    const directory = join(dataDir, 'postgres');
    // The server's user may pass through, not list.
    chmodSync(dataDir, 0o711);
    copyCluster(join(from.primaryDir, 'postgres'), directory);
    const { rows } = await client.query<{ labelfile: string }>(`select labelfile from pg_backup_stop(false)`);
    const { uid, gid } = statSync(directory);
    const write = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
      chownSync(join(directory, name), uid, gid);
    };
    write('backup_label', rows[0]?.labelfile ?? '');
    write('standby.signal', '');
    const { hostname, port, username, password } = new URL(from.follows);
    const follows = `host=${hostname} port=${port} user=${username} password=${password}`;
    appendFileSync(
      join(directory, 'postgresql.auto.conf'),
      `primary_conninfo = '${follows}'\nprimary_slot_name = 'standby'\nwal_retrieve_retry_interval = 100\n`,
    );
  } finally {
    await client.end();
  }
  copyFileSync(join(from.primaryDir, 'secrets.json'), join(dataDir, 'secrets.json'));
  return startPostgres({ dataDir });
}

/** A migrated primary with a streaming standby, and the gate through which the standby follows. */
export async function startReplicated() {
  const primaryDir = temporaryDirectory();
  const primary = await startPostgres({ dataDir: primaryDir });
  await migrate(primary.url);
  const link = await openGate(primary.url);
  const follows = link.through(primary.url);
  const standbyDir = temporaryDirectory();
  const standby = await startStandby({ primary, primaryDir, follows }, { dataDir: standbyDir });
  return {
    primaryDir,
    primary,
    standbyDir,
    standby,
    link,
    async stop() {
      await link.close();
      await standby.stop();
      await primary.stop();
    },
  };
}
export type Replicated = Awaited<ReturnType<typeof startReplicated>>;

/** The same with a synchronous standby, as CLAIM_DURABILITY=standby needs it. */
export async function startSynchronousPair() {
  const servers = await startReplicated();
  const { primary } = servers;
  const pool = new pg.Pool({ connectionString: primary.url, max: 1 });
  pool.on('error', () => {});
  // Other commits wait for no standby.
  await pool.query('alter role proscenium set synchronous_commit = local');
  await pool.query(`alter system set synchronous_standby_names = '*'`);
  await pool.query('select pg_reload_conf()');
  return {
    ...servers,
    /** Resolves when the standby follows and confirms. */
    streams: () =>
      eventually(
        async () => {
          const { rowCount } = await pool.query(
            `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`,
          );
          return rowCount === 1;
        },
        { what: 'a streaming standby', timeoutMs: 20_000 },
      ),
    async stop() {
      await pool.end();
      await servers.stop();
    },
  };
}
export type SynchronousPair = Awaited<ReturnType<typeof startSynchronousPair>>;

/** The standby receives the log and replays none of it, until the work is done. */
export async function whileReplayIsPaused(standby: pg.Pool, work: () => Promise<void>): Promise<void> {
  await standby.query('select pg_wal_replay_pause()');
  try {
    await eventually(
      async () => {
        const { rows } = await standby.query('select pg_get_wal_replay_pause_state() as state');
        return rows[0].state === 'paused';
      },
      { what: 'a pause of the replay' },
    );
    await work();
  } finally {
    await standby.query('select pg_wal_replay_resume()');
  }
}

function copyCluster(from: string, to: string): void {
  mkdirSync(join(to, '..'), { recursive: true });
  const copied = spawnSync('cp', ['-a', realpathSync(from), to], { encoding: 'utf8' });
  // A file that vanishes meanwhile is replayed from the log.
  if (copied.status !== 0 && !/No such file/.test(copied.stderr)) throw new Error(copied.stderr);
  for (const name of NOT_COPIED) rmSync(join(to, name), { force: true });
  for (const folder of ['pg_wal', 'pg_replslot'])
    for (const name of readdirSync(join(to, folder)))
      if (name !== 'summaries' && name !== 'archive_status')
        rmSync(join(to, folder, name), { recursive: true });
}
