import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../persistence/migrations/migrator.ts';
import { startPostgres } from '../dev/stack/postgres.ts';
import { discardCluster } from '../dev/stack/postgres-cluster.ts';

/** A separate PostgreSQL server for the bench that flushes every commit to disk, with the platform's schema. */
export interface BenchDatabase {
  readonly url: string;
  /** A few connections for seeding and queries; candidates open their own. */
  readonly pool: pg.Pool;
  /** An empty database on the same server, for a peer that keeps its own tables. */
  createBeside(name: string): Promise<string>;
  /** Flushes what seeding has left, so that no turn pays for earlier work. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export async function startBenchDatabase(scratch: string): Promise<BenchDatabase> {
  const dataDir = join(scratch, 'postgres');
  const server = await startPostgres({ dataDir, durable: true });
  await migrate(server.url);
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  // The server stops a moment before the last idle connection is closed.
  pool.on('error', () => {});
  return {
    url: server.url,
    pool,
    createBeside: (name) => createBeside(pool, { url: server.url, name }),
    async settle() {
      await pool.query('CHECKPOINT');
    },
    async stop() {
      await pool.end();
      await server.stop();
      discardCluster(dataDir);
    },
  };
}

/** Makes an empty database on the same server and returns its URL. */
export async function createBeside(
  pool: pg.Pool,
  { url, name }: { url: string; name: string },
): Promise<string> {
  await pool.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  const beside = new URL(url);
  beside.pathname = `/${name}`;
  return beside.href;
}
