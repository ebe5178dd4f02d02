import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../../persistence/actors/postgres-actor-store.ts';
import type { WebhookReceipt } from '../../../persistence/actors/webhook-receipts.ts';
import { journalOf, useStoreDatabase, waitForBlocked } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { JobDriver, openTestRuntime, ROUTES } from '../../support/worlds/job-driver.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());

const take = (receipt: WebhookReceipt) => openTestRuntime(database).actorSystem.takeCallback(receipt);

/** A callback of a purchase that runs. */
async function callback(): Promise<WebhookReceipt> {
  const driver = await JobDriver.open(openTestRuntime(database));
  await driver.play(ROUTES.RUNNING());
  const { id, context } = await driver.attempt();
  return {
    webhookId: `msg_${randomUUID()}`,
    providerAttemptId: id,
    providerPredictionId: context.providerPredictionId ?? '',
    providerStatus: 'succeeded',
    at: MANUAL_EPOCH + 600_000,
  };
}
async function callbacks(count: number): Promise<WebhookReceipt[]> {
  const made: WebhookReceipt[] = [];
  while (made.length < count) made.push(await callback());
  return made;
}
const receipts = async () => {
  const { rows } = await database.pool.query<{ webhookId: string; outcome: string; commit: string }>(
    'select "webhookId", outcome, xmin::text as commit from ai_provider_webhook_receipts order by "receivedAt"',
  );
  return rows;
};

test('callbacks of the same moment share reads and commits, and each has its receipt and its move', async () => {
  await database.pool.query('truncate ai_provider_webhook_receipts');
  const told = await callbacks(20);
  const { actorSystem, nudged } = openTestRuntime(database);
  const outcomes = await Promise.all(told.map((one) => actorSystem.takeCallback(one)));
  expect(outcomes).toEqual(told.map(() => 'APPLIED'));
  expect(nudged).toHaveLength(told.length);
  const written = await receipts();
  expect(written.map(({ outcome }) => outcome)).toEqual(told.map(() => 'APPLIED'));
  expect(new Set(written.map(({ commit }) => commit)).size).toBeLessThan(5);
  for (const { providerAttemptId } of told) {
    const journal = await journalOf(database.pool, 'providerAttempt', providerAttemptId);
    expect(journal.at(-1)).toMatchObject({ eventType: 'CALLBACK_RECEIVED', actedBy: 'provider' });
  }
});

test('a callback that comes twenty times at once is applied once', async () => {
  const one = await callback();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => take(one)));
  expect(outcomes.filter((outcome) => outcome === 'APPLIED')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'REPEATED')).toHaveLength(19);
});

test('a callback whose job is locked waits for it, and the others do not', async () => {
  const [waiting, ...others] = await callbacks(4);
  if (waiting === undefined) throw new Error('no callback');
  const late = await inTransaction(database.pool, async (client) => {
    await client.query(
      'select from ai_jobs where id = (select "aiJobId" from ai_provider_attempts where id = $1) for update',
      [waiting.providerAttemptId],
    );
    const answer = take(waiting);
    expect(await Promise.all(others.map(take))).toEqual(others.map(() => 'APPLIED'));
    await waitForBlocked(database.pool, 1);
    return { answer };
  });
  expect(await late.answer).toBe('APPLIED');
});

test('a callback of an unknown attempt is unknown each time, and is no repeat once the attempt is known', async () => {
  const known = await callback();
  const foreign = { ...known, providerAttemptId: randomUUID() };
  expect([await take(foreign), await take(foreign)]).toEqual(['UNKNOWN_ATTEMPT', 'UNKNOWN_ATTEMPT']);
  expect([await take(known), await take(known)]).toEqual(['APPLIED', 'REPEATED']);
});

test('a callback with the id of another attempt’s prediction is a conflict; one that is no attempt’s is ignored', async () => {
  await database.pool.query('truncate ai_provider_webhook_receipts');
  const [one, other] = await callbacks(2);
  const { actorSystem, reporter } = openTestRuntime(database);
  const predictionId = other!.providerPredictionId;
  const conflicting = { ...one!, providerPredictionId: predictionId };
  expect(await actorSystem.takeCallback(conflicting)).toBe('CONFLICT');
  const stranger = { ...one!, webhookId: 'msg_stranger', providerPredictionId: 'p-nobody' };
  expect(await actorSystem.takeCallback(stranger)).toBe('IGNORED');
  expect((await receipts()).map(({ outcome }) => outcome)).toEqual(['CONFLICT', 'IGNORED']);
  expect(reporter.alerts).toMatchObject([{ alert: 'prediction_conflict', fields: { predictionId } }]);
  const { rows } = await database.pool.query(
    'select "strayPredictionId" from ai_provider_attempts where id = $1',
    [one!.providerAttemptId],
  );
  expect(rows).toEqual([{ strayPredictionId: null }]);
});

test('an attempt that waits for its id does not take another’s', async () => {
  const other = await callback();
  const driver = await JobDriver.open(openTestRuntime(database));
  await driver.play(ROUTES.UNCONFIRMED());
  const { id } = await driver.attempt();
  const { providerPredictionId } = other;
  const conflicting = { ...other, providerAttemptId: id, providerPredictionId, webhookId: 'msg_other' };
  expect(await take(conflicting)).toBe('CONFLICT');
  expect((await driver.attempt()).state).toBe('UNCONFIRMED');
});
