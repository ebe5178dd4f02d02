import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { type EstimateRequest, noteEstimates } from '../../persistence/console/cost-estimates.ts';
import { costsByDay, costsByJob } from '../../persistence/console/cost-queries.ts';
import { seedStagingJob } from '../support/database/seed.ts';
import { useStoreDatabase } from '../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../support/manual-time.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());

const HOUR = 3_600_000;

/** An attempt of a job, sent now by default. */
async function seedAttempt(jobId: string, columns: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const all = {
    id,
    aiJobId: jobId,
    attemptNumber: 1,
    status: 'FAILED',
    sentAt: new Date(MANUAL_EPOCH),
    ...columns,
  };
  const names = Object.keys(all);
  await database.pool.query(
    `insert into ai_provider_attempts (${names.map((name) => `"${name}"`).join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(all),
  );
  return id;
}
const jobOf = async (quality: string | null = 'medium') =>
  (await seedStagingJob(database.pool, { details: { quality } })).jobId;
const bought = () => ({ providerPredictionId: `p${randomUUID()}` });
const lost = { status: 'LOST', unconfirmedSince: new Date(MANUAL_EPOCH), unconfirmedCause: 'transport' };

const note = (request: Partial<EstimateRequest> = {}) =>
  noteEstimates(database.pool, {
    prices: { medium: 47_000, high: 190_000 },
    kind: 'estimate:2026-08-13',
    sentSince: MANUAL_EPOCH - HOUR,
    limit: 100,
    ...request,
  });
const costOf = async (id: string) =>
  (
    await database.pool.query(
      'select "costMicrousd"::int as microusd, "costKind" as kind, version from ai_provider_attempts where id = $1',
      [id],
    )
  ).rows[0];

test('a bought attempt gets the price of its quality, and nothing else in its row changes', async () => {
  const known = await seedAttempt(await jobOf(), { ...bought(), version: 7 });
  const gone = await seedAttempt(await jobOf('high'), lost);
  const givenUp = await seedAttempt(await jobOf(), {
    ...lost,
    status: 'FAILED',
    errorCode: 'RUNNER_CRASHED',
  });
  expect(await note()).toEqual({ attempts: 3, microusd: 284_000 });
  expect(await costOf(known)).toEqual({ microusd: 47_000, kind: 'estimate:2026-08-13', version: 7 });
  expect(await costOf(gone)).toMatchObject({ microusd: 190_000 });
  expect(await costOf(givenUp)).toMatchObject({ microusd: 47_000 });
});

test('an attempt that was not bought, or is not yet known to be, gets no price', async () => {
  const refused = await seedAttempt(await jobOf(), { errorCode: 'PROVIDER_UNAUTHORIZED' });
  const onTheWire = await seedAttempt(await jobOf(), { status: 'SENT' });
  const unknown = await seedAttempt(await jobOf(), { ...lost, status: 'UNCONFIRMED' });
  const reserved = await seedAttempt(await jobOf(), { status: 'RESERVED', sentAt: null });
  expect(await note()).toEqual({ attempts: 0, microusd: 0 });
  for (const id of [refused, onTheWire, unknown, reserved])
    expect(await costOf(id)).toMatchObject({ microusd: null, kind: null });
});

test('an attempt of unknown quality, of another day, or already priced is not changed', async () => {
  await seedAttempt(await jobOf('low'), bought());
  await seedAttempt(await jobOf(null), bought());
  await seedAttempt(await jobOf(), { ...bought(), sentAt: new Date(MANUAL_EPOCH - 2 * HOUR) });
  const noted = await seedAttempt(await jobOf(), { ...bought(), costMicrousd: 1, costKind: 'estimate:old' });
  expect(await note()).toEqual({ attempts: 0, microusd: 0 });
  expect(await costOf(noted)).toMatchObject({ microusd: 1, kind: 'estimate:old' });
});

test('a locked row is left for the next run, and no transaction waits', async () => {
  const moving = await seedAttempt(await jobOf(), bought());
  await seedAttempt(await jobOf(), bought());
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('select 1 from ai_provider_attempts where id = $1 for update', [moving]);
    expect(await note()).toMatchObject({ attempts: 1 });
    await client.query('rollback');
  } finally {
    client.release();
  }
  expect(await note()).toMatchObject({ attempts: 1 });
  expect(await note()).toMatchObject({ attempts: 0 });
});

test('a very large price is stored unchanged', async () => {
  const id = await seedAttempt(await jobOf(), bought());
  await note({ prices: { medium: 999_999_999_999 } });
  const { rows } = await database.pool.query('select "costMicrousd"::text as cost from ai_provider_attempts');
  expect(rows).toEqual([{ cost: '999999999999' }]);
  expect(id).toBeDefined();
});

test('days are UTC days and count lost and unpriced attempts', async () => {
  const day = (text: string) => new Date(text);
  await seedAttempt(await jobOf(), { ...bought(), sentAt: day('2026-01-14T23:59:59.999Z'), costMicrousd: 5 });
  await seedAttempt(await jobOf(), { ...bought(), sentAt: day('2026-01-15T00:00:00Z'), costMicrousd: 7 });
  await seedAttempt(await jobOf(), { ...lost, sentAt: day('2026-01-15T12:00:00Z'), costMicrousd: 11 });
  await seedAttempt(await jobOf(), { ...bought(), sentAt: day('2026-01-15T13:00:00Z') });
  await seedAttempt(await jobOf(), { sentAt: day('2026-01-15T14:00:00Z') });
  await seedAttempt(await jobOf(), { ...bought(), sentAt: day('2026-01-13T00:00:00Z'), costMicrousd: 99 });
  expect(await costsByDay(database.pool, Date.parse('2026-01-14'))).toEqual([
    { day: '2026-01-14', bought: 1, lost: 0, unpriced: 0, microusd: 5 },
    { day: '2026-01-15', bought: 3, lost: 1, unpriced: 1, microusd: 18 },
  ]);
});

test('each job with a purchase is listed once, ordered by its latest purchase, across pages', async () => {
  const at = (minutes: number) => new Date(MANUAL_EPOCH + minutes * 60_000);
  const twice = await jobOf();
  const first = { ...lost, sentAt: at(0), costMicrousd: 47_000, costKind: 'estimate:a' };
  await seedAttempt(twice, first);
  const second = {
    ...bought(),
    attemptNumber: 2,
    sentAt: at(30),
    costMicrousd: 48_000,
    costKind: 'estimate:b',
  };
  await seedAttempt(twice, second);
  const once = await jobOf('high');
  await seedAttempt(once, { ...bought(), sentAt: at(10), costMicrousd: 190_000, costKind: 'estimate:a' });
  await seedAttempt(await jobOf(), { sentAt: at(40) });
  const [head] = await costsByJob(database.pool, { after: null, limit: 1 });
  expect(head).toEqual({
    jobId: twice,
    status: 'PENDING',
    quality: 'medium',
    bought: 2,
    lost: 1,
    unpriced: 0,
    microusd: 95_000,
    kinds: ['estimate:a', 'estimate:b'],
    sentAt: at(30).getTime(),
  });
  const rest = await costsByJob(database.pool, {
    after: { sentAt: at(30).getTime(), jobId: twice },
    limit: 10,
  });
  expect(rest.map(({ jobId, microusd }) => [jobId, microusd])).toEqual([[once, 190_000]]);
});
