import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ActorStore } from '../../persistence/actor-store.ts';
import { createLeaseKeeper } from '../../supervisors/lease-keeper.ts';
import { eventually } from '../harness/eventually.ts';
import { createManualTime, type ManualTime } from '../harness/manual-time.ts';
import { seedStagingJob } from '../persistence/seed.ts';
import { openStoreDatabase, type StoreDatabase } from '../persistence/store-database.ts';
import { connectionLost } from './faulty-store.ts';
import { createRecordingReporter, type RecordingReporter } from './recording-ports.ts';

const TIMINGS = { ttlMs: 15_000, heartbeatMs: 5_000 };
let database: StoreDatabase;
let time: ManualTime;
let reporter: RecordingReporter;
beforeAll(async () => {
  database = await openStoreDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.clear();
  time = createManualTime();
  reporter = createRecordingReporter();
});

const keeper = (owner: string, store: ActorStore = database.store) =>
  createLeaseKeeper({ store, clock: time, timers: time, reporter, owner, timings: TIMINGS });
const newJob = async () => (await seedStagingJob(database.pool)).jobId;
const leaseOf = async (jobId: string) => (await database.store.readJob(jobId))?.job.lease;
/** One heartbeat of a keeper that beats alone. */
const beat = async () => {
  await eventually(() => time.sleeping()[0] === TIMINGS.heartbeatMs, {
    what: 'the next heartbeat',
    intervalMs: 2,
  });
  time.advance(TIMINGS.heartbeatMs);
  await eventually(() => time.sleeping()[0] === TIMINGS.heartbeatMs, { what: 'its end', intervalMs: 2 });
};

test('a lease is held by one keeper, once, until it is given back', async () => {
  const [a, b] = [keeper('a'), keeper('b')];
  const jobId = await newJob();
  expect(await a.take(jobId)).toMatchObject({ lease: { owner: 'a', epoch: 1 }, abandonedBy: null });
  expect([await a.take(jobId), await b.take(jobId), a.held(), b.held()]).toEqual([null, null, 1, 0]);
  await b.giveBack(jobId);
  await a.giveBack(jobId);
  await a.giveBack(jobId);
  expect([await leaseOf(jobId), a.held()]).toEqual([null, 0]);
  expect(await b.take(jobId)).toMatchObject({ lease: { owner: 'b', epoch: 2 }, abandonedBy: null });
});

test('the heartbeat prolongs every lease it holds', async () => {
  const a = keeper('a');
  const jobIds = [await newJob(), await newJob()];
  for (const jobId of jobIds) await a.take(jobId);
  await a.start();
  for (let beats = 0; beats < 5; beats += 1) await beat();
  for (const jobId of jobIds)
    expect(await leaseOf(jobId)).toMatchObject({
      owner: 'a',
      epoch: 1,
      expiresAt: time.now() + TIMINGS.ttlMs,
    });
  expect(reporter.counts.leases_lost).toBeUndefined();
  await a.stop(0);
  await a.done();
});

test('a lease that somebody else has taken is lost at the next heartbeat; the others are not', async () => {
  const a = keeper('a');
  const [taken, kept] = [await newJob(), await newJob()];
  const first = await a.take(taken);
  const second = await a.take(kept);
  await database.pool.query(`update ai_jobs set "leaseOwner" = 'b', "leaseEpoch" = 2 where id = $1`, [taken]);
  await a.start();
  await beat();
  expect([first?.lost.aborted, second?.lost.aborted, a.held()]).toEqual([true, false, 1]);
  expect(reporter.counts.leases_lost).toBe(1);
  await a.giveBack(taken);
  expect(await leaseOf(taken)).toMatchObject({ owner: 'b', epoch: 2 });
  await a.stop(0);
});

test('while the database is away leases are kept as long as they surely are ours, and no longer', async () => {
  const store = {
    ...database.store,
    renewLeases: async () => {
      throw connectionLost();
    },
  };
  const a = keeper('a', store);
  const jobId = await newJob();
  const held = await a.take(jobId);
  await a.start();
  await beat();
  await beat();
  expect(held?.lost.aborted).toBe(false);
  await beat();
  expect([held?.lost.aborted, a.held()]).toEqual([true, 0]);
  expect(time.now()).toBeLessThanOrEqual((await leaseOf(jobId))?.expiresAt ?? 0);
  expect(reporter.problems).toHaveLength(3);
  await a.stop(0);
});

test('a job that ended elsewhere is not renewed', async () => {
  const a = keeper('a');
  const jobId = await newJob();
  const held = await a.take(jobId);
  await database.pool.query('delete from property_images');
  await a.start();
  await beat();
  expect(held?.lost.aborted).toBe(true);
  await a.stop(0);
});

test('without leases it asks the database nothing', async () => {
  let asked = 0;
  const a = keeper('a', {
    ...database.store,
    renewLeases: async () => {
      asked += 1;
      return [];
    },
  });
  await a.start();
  await beat();
  await a.stop(0);
  expect(asked).toBe(0);
});
