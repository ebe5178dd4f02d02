import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobAggregate } from '../../persistence/actor-store.ts';
import type { AttemptMessage } from '../../supervisors/messages.ts';
import { journalOf, openStoreDatabase, type StoreDatabase } from '../persistence/store-database.ts';
import { claimed, created, JobDriver, openPost, type Post, startJob, succeeded } from './job-driver.ts';

/** The one-statement way must be indistinguishable from the locking way, and must lose wherever that would. */
let database: StoreDatabase;
let post: Post;
let longWays: number;
beforeAll(async () => {
  database = await openStoreDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.clear();
  longWays = 0;
  post = openPost(database, {
    ...database.store,
    transaction: (work) => {
      longWays += 1;
      return database.store.transaction(work);
    },
  });
});

const started = async () => {
  const driver = await JobDriver.open(post);
  await driver.tellJob(startJob());
  longWays = 0;
  return driver;
};

const tellAsSeen = async (
  driver: JobDriver,
  word: object,
  {
    seen,
    lease = driver.lease,
  }: { seen?: JobAggregate; lease?: { owner: string; epoch: number } | null } = {},
) => {
  const aggregate = seen ?? (await driver.aggregate());
  driver.at += 1_000;
  const event = { ...word, at: driver.at } as AttemptMessage;
  const id = aggregate.attempts.at(-1)?.id ?? '';
  const origin = { by: 'worker:node-a', ...(lease ? { lease } : {}) };
  return post.mailroom.deliverAsSeen(aggregate, { to: 'providerAttempt', id, event }, origin);
};

describe('a transition that owes nothing but a report', () => {
  test('takes one statement, and leaves row, journal, report and nudge like the long way', async () => {
    const driver = await started();
    const told = await tellAsSeen(driver, claimed());
    expect(told).toEqual({ outcome: 'applied', state: 'SENT', version: 1 });
    await tellAsSeen(driver, created('p-1'));
    expect(longWays).toBe(0);
    const attempt = await driver.attempt();
    expect(attempt).toMatchObject({ state: 'RUNNING', version: 2, context: { providerPredictionId: 'p-1' } });
    expect(await journalOf(database.pool, 'providerAttempt', attempt.id)).toMatchObject([
      { seq: 1, eventType: 'SEND_CLAIMED', fromState: 'RESERVED', toState: 'SENT', leaseEpoch: 1 },
      { seq: 2, eventType: 'PREDICTION_CREATED', fromState: 'SENT', toState: 'RUNNING', leaseEpoch: 1 },
    ]);
    expect(post.reporter.reports.map(({ event }) => event)).toContain('prediction_created');
    expect(post.nudged).toContain(driver.jobId);
  });

  test('goes the long way when it owes a row or a message', async () => {
    const driver = await started();
    const told = await tellAsSeen(driver, {
      ...{ type: 'SEND_REFUSED', errorCode: 'PROVIDER_BILLING', retryAfterMs: null, jitter: 0 },
    });
    expect(told).toMatchObject({ outcome: 'applied', state: 'FAILED' });
    expect(longWays).toBe(1);
    expect(await driver.states()).toEqual(['FAILED', 'FAILED']);
  });
});

describe('what was seen is not so any more', () => {
  test('another lease: the claim is refused', async () => {
    const driver = await started();
    const seen = await driver.aggregate();
    await database.pool.query(
      `update ai_jobs set "leaseOwner" = 'node-b', "leaseEpoch" = "leaseEpoch" + 1 where id = $1`,
      [driver.jobId],
    );
    expect(await tellAsSeen(driver, claimed(), { seen })).toMatchObject({
      outcome: 'stale',
      state: 'RESERVED',
    });
    expect((await driver.attempt()).version).toBe(0);
  });

  test('no lease at all: the claim is refused, a fact is taken', async () => {
    const driver = await started();
    expect(await tellAsSeen(driver, claimed(), { lease: null })).toMatchObject({ outcome: 'stale' });
    await tellAsSeen(driver, claimed());
    longWays = 0;
    expect(await tellAsSeen(driver, created(), { lease: null })).toMatchObject({ outcome: 'applied' });
    expect(longWays).toBe(0);
  });

  test('a newer attempt: the event is decided anew, never twice', async () => {
    const driver = await started();
    const seen = await driver.aggregate();
    await tellAsSeen(driver, claimed());
    expect(await tellAsSeen(driver, claimed(), { seen })).toMatchObject({
      outcome: 'ignored',
      state: 'SENT',
    });
    expect((await driver.attempt()).version).toBe(1);
  });

  test('a job that was canceled meanwhile: the attempt is told first', async () => {
    const driver = await started();
    await tellAsSeen(driver, claimed());
    await tellAsSeen(driver, created());
    const seen = await driver.aggregate();
    await driver.tellJob({ type: 'CANCEL_ASKED' }, { leased: false });
    expect(await tellAsSeen(driver, succeeded(), { seen })).toMatchObject({ state: 'DISCARDED' });
    expect(await driver.states()).toEqual(['CANCELED', 'DISCARDED']);
  });

  test('twenty at once: one is written, the version is the number of journal rows', async () => {
    const driver = await started();
    const seen = await driver.aggregate();
    const told = await Promise.all(Array.from({ length: 20 }, () => tellAsSeen(driver, claimed(), { seen })));
    expect(told.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1);
    const attempt = await driver.attempt();
    expect(attempt.version).toBe(1);
    expect(await journalOf(database.pool, 'providerAttempt', attempt.id)).toHaveLength(1);
  });
});
