import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { discardCluster } from '../../../ops/dev/stack/postgres-cluster.ts';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import { type Database, openDatabase } from '../../../persistence/database/database.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { seedStagingJob } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/**
 * A separate server without autovacuum. PostgreSQL removes an old row version from its page only when no
 * transaction on the server can see it, and other tests hold transactions open.
 */
const dataDir = temporaryDirectory();
let server: PostgresServer;
let database: Database;
let pool: Pool;
beforeAll(async () => {
  server = await startPostgres({ dataDir, durable: false });
  await migrate(server.url);
  database = await openDatabase({ url: server.url });
  pool = database.pool;
  await pool.query('alter system set autovacuum = off');
  await pool.query('select pg_reload_conf()');
});
afterAll(async () => {
  await database.close();
  await server.stop();
  discardCluster(dataDir);
});

const JOBS = 20;
const RENEWALS = 300;
const AT = Date.now();

test('a heartbeat writes to the page of its row and to no index', async () => {
  const store = createPostgresActorStore(pool);
  const leases: { jobId: string; epoch: number }[] = [];
  for (let n = 0; n < JOBS; n += 1) {
    const { jobId } = await seedStagingJob(pool);
    await store.acquireLease({ jobId, owner: 'a', at: AT, ttlMs: 15_000 });
    leases.push({ jobId, epoch: 1 });
  }
  const client = await pool.connect();
  const updates = async () => {
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query<{ all: number; hot: number }>(
      `select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'ai_jobs'`,
    );
    return { all: rows[0]?.all ?? 0, hot: rows[0]?.hot ?? 0 };
  };
  // PostgreSQL publishes a connection's counters when that connection is idle for a moment.
  const before = await eventually(
    async () => {
      const seen = await updates();
      return seen.all >= JOBS && seen;
    },
    { what: 'the counters of the seeds' },
  );
  for (let n = 1; n <= RENEWALS; n += 1)
    await store.renewLeases({ leases, owner: 'a', at: AT + n, ttlMs: 15_000 });
  const after = await eventually(
    async () => {
      const seen = await updates();
      return seen.all - before.all >= JOBS * RENEWALS && seen;
    },
    { what: 'the counters of the renewals' },
  );
  client.release();
  expect(after.all - before.all).toBe(JOBS * RENEWALS);
  expect(after.hot - before.hot).toBe(JOBS * RENEWALS);
});
