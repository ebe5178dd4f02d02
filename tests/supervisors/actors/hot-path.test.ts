import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { RECONCILE_WINDOW_MS } from '../../../machines/limits.ts';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import type { AttemptMessage, SeenDelivery } from '../../../supervisors/actors/messages.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import {
  type AttemptInput,
  claimed,
  created,
  failed,
  JobDriver,
  openTestRuntime,
  type Reachable,
  ROUTES,
  stored,
  succeeded,
} from '../../support/worlds/job-driver.ts';

/** The one-statement path must write the same rows as the locking path, with fewer round trips. */
const database = useStoreDatabase();
beforeEach(() => database.clear());

const AT = MANUAL_EPOCH + 600_000;
const jitter = 0;
const refused = (errorCode: 'PROVIDER_THROTTLED' | 'PROVIDER_BILLING'): AttemptInput => ({
  type: 'SEND_REFUSED',
  errorCode,
  retryAfterMs: 100,
  jitter,
});
const WORDS: [Reachable, AttemptInput][] = [
  ['RESERVED', claimed()],
  ['RESERVED', refused('PROVIDER_THROTTLED')],
  ['SENT', created('p-new')],
  ['SENT', refused('PROVIDER_THROTTLED')],
  ['SENT', refused('PROVIDER_BILLING')],
  ['SENT', { type: 'SEND_UNKNOWN', cause: 'transport' }],
  ['SENT', { type: 'SEND_WITHDRAWN' }],
  ['SENT', { type: 'RUNNER_RESTARTED' }],
  ['UNCONFIRMED', { type: 'PREDICTION_FOUND', predictionId: 'p-found', providerStatus: 'processing' }],
  ['UNCONFIRMED', { type: 'NOT_LISTED', scanBeganAt: AT + RECONCILE_WINDOW_MS }],
  ['UNCONFIRMED', { type: 'WINDOW_PASSED', jitter }],
  ['RUNNING', { type: 'PREDICTION_GONE', jitter }],
  ['RUNNING', succeeded('staged/hot.jpg')],
  ['RUNNING', failed()],
  ['RUNNING', { type: 'CALLBACK_RECEIVED', predictionId: 'p-stray', providerStatus: 'succeeded' }],
  ['COLLECTING', stored()],
  ['COLLECTING', { type: 'DOWNLOAD_FAILED', jitter }],
  ['COLLECTING', { type: 'STORAGE_FAILED', jitter }],
  ['COLLECTING', { type: 'OUTPUT_REFUSED', errorCode: 'OUTPUT_INVALID', jitter }],
];

/** Brings a job to the state, sends the event by one of the two paths, and returns the rows without ids. */
async function portrait(
  state: Reachable,
  word: AttemptInput,
  { asSeen = false, cancel = false, leased = true, late = false } = {},
) {
  await database.clear();
  const runtime = openTestRuntime(database);
  const driver = await JobDriver.open(runtime);
  await driver.play(ROUTES[state]());
  // Generated ids differ from run to run.
  await database.pool.query(
    `update ai_provider_attempts set "providerPredictionId" = 'p-known' where "providerPredictionId" is not null`,
  );
  await database.pool.query(
    `update ai_provider_attempts set "objectKey" = 'staged/known.jpg' where "objectKey" is not null`,
  );
  const seen = await driver.aggregate();
  if (cancel) await database.pool.query('delete from property_images');
  const { id } = await driver.attempt();
  const message = { to: 'providerAttempt', id, event: { ...word, at: AT } as AttemptMessage } as const;
  const lease = { ...driver.lease, epoch: driver.lease.epoch - Number(late) };
  const origin = { by: 'worker:node-a', ...(leased ? { lease } : {}) };
  runtime.reporter.transitions.length = 0;
  const answer: SeenDelivery = await (asSeen
    ? runtime.actorSystem.deliverAsSeen(seen, message, origin)
    : runtime.actorSystem.deliver(message, origin));
  const { now, ...told } = answer;
  // The state returned to the sender must equal the stored state.
  if (now) expect(now).toEqual(await driver.aggregate());
  const row = async (sql: string) => (await database.pool.query(sql)).rows;
  const journal = (await journalOf(database.pool, 'providerAttempt', id)).at(-1);
  return {
    told,
    jobs: await row('select status, phase, "errorCode", "retryAt", version, "leaseOwner" from ai_jobs'),
    attempts: (await row('select * from ai_provider_attempts')).map(
      ({ id: _, aiJobId, createdAt, updatedAt, sentAt, unconfirmedSince, ...rest }) => ({
        ...rest,
        sent: sentAt !== null,
        updatedAt,
        unconfirmed: unconfirmedSince !== null,
      }),
    ),
    images: await row('select "objectKey", "reviewStatus" from property_images where "isStyled"'),
    outbox: await row(
      'select "objectKey", "nextAttemptAt" from storage_deletion_outbox order by "objectKey"',
    ).then((items) => items.filter(({ objectKey }) => objectKey.startsWith('staged/'))),
    // The rows of the other path carry other ids.
    journal: journal?.event.at === AT ? journal : journal?.toState,
    reports: runtime.reporter.reports.map(({ event, fields }) => ({ event, fields: Object.keys(fields) })),
    alerts: runtime.reporter.alerts.map(({ alert }) => alert),
    transitions: runtime.reporter.transitions,
    nudges: runtime.nudged.length > 0,
  };
}

for (const [state, word] of WORDS)
  for (const options of [{}, { leased: false }, { late: true }, { cancel: true }])
    test(`${word.type} in ${state} ${Object.keys(options)}`, async () => {
      const byLock = await portrait(state, word, options);
      const bySight = await portrait(state, word, { ...options, asSeen: true });
      expect(bySight).toEqual(byLock);
    });

test('a start leaves the same job, attempt, report and place under the lock and as seen', async () => {
  const started = async (asSeen: boolean) => {
    await database.clear();
    const runtime = openTestRuntime(database);
    const driver = await JobDriver.open(runtime);
    const seen = await driver.aggregate();
    const event = {
      type: 'WORKER_STARTED',
      at: AT,
      enabled: true,
      attemptId: randomUUID(),
      queueAttempt: 1,
      waitedMs: 5,
      startsPerMinute: 3,
    } as const;
    const message = { to: 'stagingJob', id: driver.jobId, event } as const;
    const origin = { by: 'worker:node-a', lease: driver.lease };
    const answer: SeenDelivery = await (asSeen
      ? runtime.actorSystem.deliverAsSeen(seen, message, origin)
      : runtime.actorSystem.deliver(message, origin));
    const { now, ...told } = answer;
    if (now) expect(now).toEqual(await driver.aggregate());
    expect(now !== undefined).toBe(asSeen);
    const { job, attempts } = await driver.aggregate();
    const used = `select 1 from start_places where "usedAt" > '-infinity'`;
    return {
      told,
      job: { ...job, id: null, details: null, createdAt: null },
      attempts: attempts.map((attempt) => ({ ...attempt, id: null, jobId: null })),
      places: (await database.pool.query(used)).rowCount,
      journal: (await journalOf(database.pool, 'stagingJob', driver.jobId)).at(-1)?.event,
      reports: runtime.reporter.reports.map(({ event: name, fields }) => ({ name, fields })),
      transitions: runtime.reporter.transitions,
      nudged: runtime.nudged.length,
    };
  };
  const [byLock, bySight] = [await started(false), await started(true)];
  const anyTime = { attemptId: expect.any(String), started: { at: expect.any(Number), perMinute: 3 } };
  expect(bySight).toEqual({ ...byLock, journal: { ...byLock.journal, ...anyTime } });
});

for (const asSeen of [false, true]) {
  const path = asSeen ? 'as seen' : 'under the lock';
  test(`only its own holder knows of a prediction's id already, ${path}`, async () => {
    expect(await portrait('SENT', created('p-new'), { asSeen })).toMatchObject({ nudges: false });
    expect(await portrait('SENT', created('p-new'), { asSeen, late: true })).toMatchObject({
      told: { outcome: 'applied' },
      nudges: true,
    });
  });
}

describe('a transition without further effects', () => {
  const counting = (overrides: Partial<ActorStore> = {}) => {
    const store = { ...database.store, ...overrides };
    let transactions = 0;
    const { transaction } = store;
    store.transaction = (work) => {
      transactions += 1;
      return transaction(work);
    };
    return { store, transactions: () => transactions };
  };
  const claim = async (store: ActorStore) => {
    const driver = await JobDriver.open(openTestRuntime(database));
    await driver.play(ROUTES.RESERVED());
    const { id } = await driver.attempt();
    const message = { to: 'providerAttempt', id, event: { ...claimed(), at: AT } as AttemptMessage } as const;
    const origin = { by: 'worker:node-a', lease: driver.lease };
    return openTestRuntime(database, store).actorSystem.deliverAsSeen(
      await driver.aggregate(),
      message,
      origin,
    );
  };

  test('takes no transaction', async () => {
    const { store, transactions } = counting();
    expect(await claim(store)).toMatchObject({ outcome: 'applied', state: 'SENT' });
    expect(transactions()).toBe(0);
  });

  for (const code of ['40P01', '40001', '55P03', '23505'])
    test(`that meets a conflict (${code}) falls back to the locking path`, async () => {
      const { store, transactions } = counting({
        moveAttemptAsSeen: async () => {
          throw Object.assign(new Error('conflict'), { code });
        },
      });
      expect(await claim(store)).toMatchObject({ outcome: 'applied', state: 'SENT' });
      expect(transactions()).toBe(1);
    });

  test('that loses the connection is not repeated, because it may have been committed', async () => {
    const { store, transactions } = counting({
      moveAttemptAsSeen: async () => {
        throw Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
      },
    });
    await expect(claim(store)).rejects.toThrow('connection lost');
    expect(transactions()).toBe(0);
  });
});
