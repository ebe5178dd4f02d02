import { beforeEach, expect, test } from 'vitest';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import { LeaseKeeper } from '../../../supervisors/runner/lease-keeper.ts';
import { seedStagingJob } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { connectionLost } from '../../support/worlds/faulty-store.ts';
import { createRecordingReporter, type RecordingReporter } from '../../support/worlds/recording-ports.ts';

const TIMINGS = { ttlMs: 15_000, heartbeatMs: 5_000 };
const database = useStoreDatabase();
let time: ManualTime;
let reporter: RecordingReporter;
beforeEach(async () => {
  await database.clear();
  time = createManualTime();
  reporter = createRecordingReporter();
});

let renewals = 0;
const keeper = (owner: string, store: ActorStore = database.store) =>
  new LeaseKeeper({
    store: {
      ...store,
      renewLeases: (request) =>
        store.renewLeases(request).finally(() => {
          renewals += 1;
        }),
    },
    clock: time,
    timers: time,
    reporter,
    owner,
    timings: TIMINGS,
  });
const newJob = async () => (await seedStagingJob(database.pool)).jobId;
const leaseOf = async (jobId: string) => (await database.store.readJob(jobId))?.job.lease;
/** Waits until the next heartbeat of the only keeper. */
const advance = async () => {
  await eventually(() => time.sleeping().includes(TIMINGS.heartbeatMs), {
    what: 'the next heartbeat',
    intervalMs: 2,
  });
  time.advance(TIMINGS.heartbeatMs);
};
/** Runs one heartbeat with its renewal. */
const beat = async () => {
  const before = renewals;
  await advance();
  await eventually(() => renewals > before, { what: 'its end', intervalMs: 2 });
};

test('a lease is held by one keeper until it is given back', async () => {
  const [a, b] = [keeper('a'), keeper('b')];
  const jobId = await newJob();
  expect(await a.take(jobId)).toMatchObject({ lease: { owner: 'a', epoch: 1 }, abandonedBy: null });
  expect([await a.take(jobId), await b.take(jobId), a.held(), b.held()]).toEqual([null, null, 1, 0]);
  await b.giveBack(jobId, { epoch: 1, isOver: false });
  await a.giveBack(jobId, { epoch: 2, isOver: false });
  expect(await leaseOf(jobId)).toMatchObject({ owner: 'a' });
  await a.giveBack(jobId, { epoch: 1, isOver: false });
  await a.giveBack(jobId, { epoch: 1, isOver: false });
  expect([await leaseOf(jobId), a.held()]).toEqual([null, 0]);
  expect(await b.take(jobId)).toMatchObject({ lease: { owner: 'b', epoch: 2 }, abandonedBy: null });
});

test('a lease has one request at a time, because two answers could arrive in the wrong order', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let asked = 0;
  const slow = {
    ...database.store,
    async acquireLease(request: Parameters<ActorStore['acquireLease']>[0]) {
      asked += 1;
      if (asked === 1) await answered;
      return database.store.acquireLease(request);
    },
  };
  const a = keeper('a', slow);
  const jobId = await newJob();
  const first = a.take(jobId);
  expect([await a.take(jobId), asked]).toEqual([null, 1]);
  answer();
  expect(await first).toMatchObject({ lease: { epoch: 1 } });
  await a.giveBack(jobId, { epoch: 1, isOver: false });
  expect(await a.take(jobId)).toMatchObject({ lease: { epoch: 2 } });
});

test('a failed request may be repeated', async () => {
  const failing = { ...database.store, acquireLease: () => Promise.reject(connectionLost()) };
  const a = keeper('a', failing);
  const jobId = await newJob();
  await expect(a.take(jobId)).rejects.toThrow();
  await expect(a.take(jobId)).rejects.toThrow();
});

test('the heartbeat renews every lease of the keeper', async () => {
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
  await a.stop(AbortSignal.timeout(0));
  await a.done();
});

test('a lease that another worker has taken is lost at the next heartbeat; the others are not', async () => {
  const a = keeper('a');
  const [taken, kept] = [await newJob(), await newJob()];
  const first = await a.take(taken);
  const second = await a.take(kept);
  await database.pool.query(`update ai_jobs set "leaseOwner" = 'b', "leaseEpoch" = 2 where id = $1`, [taken]);
  await a.start();
  await beat();
  expect([first?.lost.aborted, second?.lost.aborted, a.held()]).toEqual([true, false, 1]);
  expect(reporter.counts.leases_lost).toBe(1);
  await a.giveBack(taken, { epoch: 1, isOver: false });
  expect(await leaseOf(taken)).toMatchObject({ owner: 'b', epoch: 2 });
  await a.stop(AbortSignal.timeout(0));
});

test('during a database outage a lease is kept only as long as no other worker can take it', async () => {
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
  time.advance(TIMINGS.heartbeatMs / 2);
  await eventually(() => held?.lost.aborted, { what: 'its end' });
  expect(a.held()).toBe(0);
  expect(time.now()).toBeLessThan((await leaseOf(jobId))?.expiresAt ?? 0);
  expect(reporter.problems).toHaveLength(2);
  await a.stop(AbortSignal.timeout(0));
});

test('a job that ended elsewhere is not renewed', async () => {
  const a = keeper('a');
  const jobId = await newJob();
  const held = await a.take(jobId);
  await database.pool.query('delete from property_images');
  await a.start();
  await beat();
  expect(held?.lost.aborted).toBe(true);
  await a.stop(AbortSignal.timeout(0));
});

test('without leases it neither wakes up nor sends a query, before the first as after the last', async () => {
  let asked = 0;
  const a = keeper('a', {
    ...database.store,
    renewLeases: async () => {
      asked += 1;
      return { renewed: [], locked: [] };
    },
  });
  await a.start();
  expect(time.sleeping()).toEqual([]);
  const jobId = await newJob();
  await a.take(jobId);
  await a.giveBack(jobId, { epoch: 1, isOver: false });
  await advance();
  time.advance(TIMINGS.ttlMs);
  await eventually(() => time.sleeping().length === 0, { what: 'its rest', intervalMs: 2 });
  await a.stop(AbortSignal.timeout(0));
  expect(asked).toBe(0);
});

test('a renewal that hangs delays neither the report of a lost lease nor the next renewal', async () => {
  let hanging = 0;
  let dead = true;
  const a = keeper('a', {
    ...database.store,
    renewLeases(request) {
      if (!dead) return database.store.renewLeases(request);
      hanging += 1;
      return new Promise(() => {});
    },
  });
  const jobId = await newJob();
  const first = await a.take(jobId);
  await a.start();
  await advance();
  await advance();
  await eventually(() => hanging === 2, { what: 'two renewals at once' });
  expect(first?.lost.aborted).toBe(false);
  time.advance(TIMINGS.heartbeatMs / 2);
  await eventually(() => first?.lost.aborted, { what: 'being told' });
  expect(time.now()).toBeLessThan(first?.lease.expiresAt ?? 0);
  // No other worker took it. This process takes it again, on another connection.
  time.advance(TIMINGS.heartbeatMs / 2);
  const second = await a.take(jobId);
  dead = false;
  await beat();
  expect(await leaseOf(jobId)).toMatchObject({ epoch: 2, expiresAt: time.now() + TIMINGS.ttlMs });
  expect(second?.lost.aborted).toBe(false);
  await a.stop(AbortSignal.timeout(0));
});

test('a locked row loses only its own lease, and only shortly before that expires', async () => {
  const a = keeper('a');
  const [stuck, free] = [await newJob(), await newJob()];
  const [one, other] = [await a.take(stuck), await a.take(free)];
  await a.start();
  await database.store.transaction(async (tx) => {
    await tx.lockJob(stuck);
    await beat();
    await beat();
    expect([one?.lost.aborted, other?.lost.aborted]).toEqual([false, false]);
    time.advance(TIMINGS.heartbeatMs / 2);
    await eventually(() => one?.lost.aborted, { what: 'the loss of the locked one' });
  });
  expect([other?.lost.aborted, a.held(), reporter.problems]).toEqual([false, 1, []]);
  expect(time.now()).toBeLessThan(one?.lease.expiresAt ?? 0);
  await a.stop(AbortSignal.timeout(0));
});

test('a row that is locked at only one heartbeat keeps its lease', async () => {
  const a = keeper('a');
  const jobId = await newJob();
  const held = await a.take(jobId);
  await a.start();
  await database.store.transaction(async (tx) => {
    await tx.lockJob(jobId);
    await beat();
  });
  for (let beats = 0; beats < 3; beats += 1) await beat();
  expect(held?.lost.aborted).toBe(false);
  expect(await leaseOf(jobId)).toMatchObject({ expiresAt: time.now() + TIMINGS.ttlMs });
  await a.stop(AbortSignal.timeout(0));
});

test('an earlier holder can give back only its own lease', async () => {
  const a = keeper('a');
  const jobId = await newJob();
  await a.take(jobId);
  await a.start();
  await database.pool.query(`update ai_jobs set "leaseOwner" = null, "leaseExpiresAt" = null`);
  await beat();
  expect(a.held()).toBe(0);
  const again = await a.take(jobId);
  await a.giveBack(jobId, { epoch: 1, isOver: false });
  expect([a.held(), (await leaseOf(jobId))?.epoch, again?.lost.aborted]).toEqual([1, 2, false]);
  await a.stop(AbortSignal.timeout(0));
});

test('with very many jobs leases are longer and renewed by the page, at most 4,000 a second', async () => {
  const pages: number[] = [];
  const ends: number[] = [];
  const jobIds = Array.from({ length: 40_000 }, (_, index) => `job-${index}`);
  const many = new LeaseKeeper({
    store: {
      ...database.store,
      acquireLeases: async ({ jobIds: wanted, owner, at, ttlMs }) =>
        wanted.map((jobId) => ({
          jobId,
          lease: { owner, epoch: 1, expiresAt: at + ttlMs },
          abandonedBy: null,
          interrupted: false,
          failures: 0,
          seen: null,
        })),
      renewLeases: async ({ leases, at, ttlMs }) => {
        pages.push(leases.length);
        ends.push(at + ttlMs - time.now());
        return { renewed: leases.map(({ jobId }) => jobId), locked: [] };
      },
    },
    clock: time,
    timers: time,
    reporter,
    owner: 'a',
    timings: TIMINGS,
  });
  await many.takeAll(jobIds);
  await many.start();
  await eventually(() => time.sleeping().includes(10_000), { what: 'a longer heartbeat', intervalMs: 2 });
  time.advance(10_000);
  await eventually(() => pages.length === 20, { what: 'every page', intervalMs: 2 });
  expect([new Set(pages), new Set(ends)]).toEqual([new Set([2_000]), new Set([30_000])]);
  expect([many.held(), reporter.counts.leases_lost ?? 0]).toEqual([40_000, 0]);
  await many.stop(AbortSignal.timeout(0));
});
