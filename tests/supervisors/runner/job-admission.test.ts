import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { foundAs } from '../../support/worlds/fake-provider.ts';
import { closeWorlds, openWorld, type RunnerWorld, submit } from '../../support/worlds/runner-world.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());
afterEach(closeWorlds);

const bring = (world: RunnerWorld, jobId: string, queuedAt = world.time.now()) =>
  world.runner.startFromQueue(jobId, { queueAttempt: 1, queuedAt });

describe('the start rate', () => {
  test('leaves a rejected job unchanged without a lease, and returns when to retry', async () => {
    const world = openWorld(database, { startsPerMinute: 1 });
    const [first, second] = [await submit(database), await submit(database)];
    expect(await bring(world, first)).toBe('over');
    const waitMs = await bring(world, second);
    expect(waitMs).toBeGreaterThan(50_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(await world.states(second)).toEqual(['PENDING.QUEUED']);
    const { job } = await world.read(second);
    expect([job.version, job.lease, world.leases.held()]).toEqual([0, null, 0]);
    expect(world.provider.creates).toHaveLength(1);
    expect(world.reporter.transitions).toContainEqual({
      kind: 'stagingJob',
      event: 'WORKER_STARTED',
      outcome: 'limited',
    });
    expect(world.reporter.problems).toEqual([]);
  });

  test('also applies to attempt 2, and is not used by a job that may not start', async () => {
    const world = openWorld(database, { startsPerMinute: 1 });
    const off = openWorld(database, {
      enabled: false,
      owner: 'node-b',
      startsPerMinute: 1,
      time: world.time,
    });
    const waiting = await submit(database);
    expect(await bring(off, waiting)).toBeNull();
    expect(await off.states(waiting)).toEqual(['PENDING.PROVIDER_DISABLED']);
    const jobId = await submit(database);
    world.provider.answerGet = (predictionId) =>
      foundAs({ kind: 'failed', predictionId, providerStatus: 'failed', errorCode: 'PROVIDER_FAILED' });
    expect(await bring(world, jobId)).toBeNull();
    const { job } = await world.read(jobId);
    expect(job.state).toBe('RETRYING.BACKOFF');
    world.time.advance((job.context.retryAt ?? 0) - world.time.now());
    expect(await bring(world, jobId)).toEqual(expect.any(Number));
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
    await database.pool.query(`update start_places set "usedAt" = '-infinity'`);
    expect(await bring(world, jobId)).toBe('over');
    expect(await world.states(jobId)).toEqual(['FAILED', 'FAILED', 'FAILED']);
  });

  test("is recorded in the journal: the database's time of the start, and the limit", async () => {
    const world = openWorld(database, { startsPerMinute: 7 });
    const jobId = await submit(database);
    await bring(world, jobId);
    const [started] = await journalOf(database.pool, 'stagingJob', jobId);
    const { rows } = await database.pool.query<{ at: number }>(
      `select floor(extract(epoch from max("usedAt")) * 1000)::float8 as at from start_places
       where "usedAt" <> '-infinity'`,
    );
    expect(started?.event.started).toEqual({ at: rows[0]?.at, perMinute: 7 });
    expect(started?.event).not.toHaveProperty('startsPerMinute');
  });
});

describe('queueWaitMs', () => {
  const waitsOf = ({ reporter }: RunnerWorld, jobId: string) =>
    reporter.reports
      .filter((report) => report.jobId === jobId && ['worker_started', 'completed'].includes(report.event))
      .map(({ event, fields }) => [event, fields.queueWaitMs]);

  test('is the time since submission, even if the entry was enqueued late', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.time.advance(90_000);
    await bring(world, jobId, MANUAL_EPOCH + 80_000);
    expect(waitsOf(world, jobId)).toEqual([
      ['worker_started', 90_000],
      ['completed', 90_000],
    ]);
  });

  test('leaves out the time in which purchases were switched off', async () => {
    let open = true;
    const world = openWorld(database, { startsAllowed: () => open });
    const jobId = await submit(database);
    world.time.advance(5_000);
    open = false;
    await bring(world, jobId, MANUAL_EPOCH);
    expect(await world.states(jobId)).toEqual(['PENDING.PROVIDER_DISABLED']);
    world.time.advance(3_600_000);
    open = true;
    const offeredAgain = world.time.now();
    world.time.advance(2_000);
    await bring(world, jobId, offeredAgain);
    expect(waitsOf(world, jobId)).toEqual([
      ['worker_started', 7_000],
      ['completed', 7_000],
    ]);
  });
});
