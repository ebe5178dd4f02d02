import { expect, test } from 'vitest';
import { seedStagingJob } from '../../support/database/seed.ts';
import { useStoreDatabase, waitForBlocked } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';

const database = useStoreDatabase();

test('a job that moves while its lease waits for the row is taken, and must be read again', async () => {
  const { pool, store } = database;
  const { jobId } = await seedStagingJob(pool);
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from ai_jobs where id = $1 for update', [jobId]);
  const taking = store.acquireLease({ jobId, owner: 'a', at: AT, ttlMs: 15_000 });
  await waitForBlocked(pool, 1);
  await client.query(
    `update ai_jobs set version = version + 1, status = 'PROCESSING', phase = 'ATTEMPT' where id = $1`,
    [jobId],
  );
  await client.query('commit');
  client.release();
  expect(await taking).toMatchObject({ jobId, lease: { owner: 'a', epoch: 1 }, seen: null });
  expect((await store.readJob(jobId))?.job.state).toBe('PROCESSING.ATTEMPT');
});
