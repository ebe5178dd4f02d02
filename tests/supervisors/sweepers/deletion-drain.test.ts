import { beforeEach, expect, test } from 'vitest';
import { DELETION_BACKOFF_BASE_MS, DELETION_CLAIM_MS, MAX_DELETION_TRIES } from '../../../machines/limits.ts';
import type { CheckpointName, DeleteAnswer } from '../../../supervisors/ports.ts';
import { drainDeletions } from '../../../supervisors/sweepers/deletion-drain.ts';
import { GIVE_UP_FINGERPRINTS } from '../../support/database/photo-verdicts.ts';
import { seedDeletion, seedOriginal, seedVariant } from '../../support/database/seed.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { createManualTime, MANUAL_EPOCH, type ManualTime } from '../../support/manual-time.ts';
import { NEVER_STOPPED } from '../../support/never-stopped.ts';
import { JobDriver, openTestRuntime, ROUTES, type TestRuntime } from '../../support/worlds/job-driver.ts';

const database = useStoreDatabase();
let runtime: TestRuntime;
let time: ManualTime;
let asked: string[];
beforeEach(async () => {
  await database.clear();
  runtime = openTestRuntime(database);
  time = createManualTime();
  asked = [];
});

type Answer = (objectKey: string) => DeleteAnswer | Promise<DeleteAnswer>;
const done: Answer = () => ({ kind: 'deleted' });
const transient: Answer = () => ({ kind: 'failed', errorClass: 'transient', error: '503 SlowDown' });
const drain = (
  answer: Answer = done,
  { node = 'node-a', checkpoint = (_: CheckpointName) => {}, stop = NEVER_STOPPED } = {},
) =>
  drainDeletions(
    {
      actorSystem: runtime.actorSystem,
      clock: time,
      chance: { id: () => '', jitter: () => 0 },
      reporter: runtime.reporter,
      checkpoint,
      node,
      deleter: {
        async delete(objectKey) {
          asked.push(objectKey);
          return answer(objectKey);
        },
      },
    },
    stop,
  );
const item = async (id: string) =>
  (await database.pool.query('select * from storage_deletion_outbox where id = $1', [id])).rows[0];

test('due objects are deleted once; a missing one counts as deleted', async () => {
  const ids = [await seedDeletion(database.pool), await seedDeletion(database.pool)];
  const later = await seedDeletion(database.pool, { nextAttemptAt: new Date(MANUAL_EPOCH + 1) });
  expect(await drain()).toBe(2);
  for (const id of ids)
    expect(await item(id)).toMatchObject({
      status: 'DELETED',
      attempts: 0,
      lastError: null,
      claimedAt: null,
      claimedBy: null,
      version: 2,
      processedAt: new Date(MANUAL_EPOCH),
    });
  expect(await item(later)).toMatchObject({ status: 'PENDING', version: 0 });
  expect(await drain()).toBe(0);
  expect(asked.toSorted()).toEqual(ids.map((id) => `gone/${id}.jpg`).toSorted());
  expect(runtime.reporter.counts.deletions_done).toBe(2);
  expect(await journalOf(database.pool, 'deletionItem', String(ids[0]))).toMatchObject([
    { eventType: 'CLAIMED', fromState: 'PENDING', toState: 'PROCESSING', actedBy: 'worker:node-a' },
    { eventType: 'OBJECT_DELETED', fromState: 'PROCESSING', toState: 'DELETED', actedBy: 'worker:node-a' },
  ]);
});

test('a transient failure is retried ten times with back-off, then needs an operator', async () => {
  const id = await seedDeletion(database.pool);
  for (let tries = 1; tries < MAX_DELETION_TRIES; tries += 1) {
    await drain(transient);
    const nextAttemptAt = new Date(
      time.now() + Math.min(DELETION_BACKOFF_BASE_MS * 2 ** (tries - 1), 3_600_000),
    );
    expect(await item(id)).toMatchObject({
      status: 'PENDING',
      attempts: tries,
      lastError: '503 SlowDown',
      errorClass: 'transient',
      nextAttemptAt,
      claimedAt: null,
      claimedBy: null,
    });
    await drain(transient);
    expect(asked).toHaveLength(tries);
    time.advance(nextAttemptAt.getTime() - time.now());
  }
  await drain(transient);
  expect(await item(id)).toMatchObject({ status: 'FAILED', attempts: MAX_DELETION_TRIES });
  expect(runtime.reporter.alerts).toMatchObject([{ kind: 'deletionItem', id, alert: 'deletion_failed' }]);
  time.advance(86_400_000);
  await drain();
  expect(asked).toHaveLength(MAX_DELETION_TRIES);

  const retry = {
    to: 'deletionItem',
    id,
    event: { type: 'RETRY_ASKED', at: time.now(), force: false },
  } as const;
  expect(await runtime.actorSystem.deliver(retry, { by: 'ops' })).toMatchObject({ state: 'PENDING' });
  expect(await drain()).toBe(1);
});

test('a failure that needs an operator is retried only by force', async () => {
  const id = await seedDeletion(database.pool);
  await drain(() => ({ kind: 'failed', errorClass: 'needs-person', error: 'AccessDenied' }));
  expect(await item(id)).toMatchObject({ status: 'FAILED', attempts: 1, errorClass: 'needs-person' });
  const retry = (force: boolean) =>
    runtime.actorSystem.deliver(
      { to: 'deletionItem', id, event: { type: 'RETRY_ASKED', at: time.now(), force } },
      { by: 'ops' },
    );
  expect(await retry(false)).toMatchObject({ outcome: 'ignored' });
  expect(await retry(true)).toMatchObject({ outcome: 'applied', state: 'PENDING' });
});

test('an object that a live row needs is not deleted, and its item is closed with a note', async () => {
  const original = await seedOriginal(database.pool);
  const variantId = await seedVariant(database.pool, original);
  await database.pool.query(GIVE_UP_FINGERPRINTS);
  const driver = await JobDriver.open(runtime);
  await driver.play(ROUTES.COLLECTING());
  const collecting = (await driver.attempt()).context.objectKey;
  const keys = [original.objectKey, original.providerInputKey, `staged/${variantId}.jpg`, collecting];
  const ids = await Promise.all(keys.map((objectKey) => seedDeletion(database.pool, { objectKey })));
  const free = await seedDeletion(database.pool);
  expect(await drain()).toBe(1);
  expect(asked).toEqual([`gone/${free}.jpg`]);
  for (const id of ids) {
    expect(await item(id)).toMatchObject({ status: 'DELETED', claimedBy: null });
    expect((await item(id)).note).toContain('references');
  }
});

test('many referenced objects do not keep the others waiting', async () => {
  for (let made = 0; made < 25; made += 1) {
    const { objectKey } = await seedOriginal(database.pool);
    await seedDeletion(database.pool, { objectKey, nextAttemptAt: new Date(MANUAL_EPOCH - 1_000) });
  }
  await seedDeletion(database.pool);
  expect(await drain()).toBe(1);
});

test('an item claimed by a dead worker is claimed again when the claim has expired', async () => {
  const id = await seedDeletion(database.pool);
  const crash = drain(done, {
    checkpoint(name) {
      if (name === 'after-outbox-claim') throw new Error('killed');
    },
  });
  await expect(crash).rejects.toThrow('killed');
  expect(await item(id)).toMatchObject({ status: 'PROCESSING', claimedBy: 'node-a' });
  time.advance(DELETION_CLAIM_MS);
  expect(await drain(done, { node: 'node-b' })).toBe(0);
  time.advance(1);
  expect(await drain(done, { node: 'node-b' })).toBe(1);
  expect((await journalOf(database.pool, 'deletionItem', id)).map(({ eventType }) => eventType)).toEqual([
    'CLAIMED',
    'CLAIM_EXPIRED',
    'CLAIMED',
    'OBJECT_DELETED',
  ]);
});

test('one item that fails does not stop the others', async () => {
  const poison = await seedDeletion(database.pool, { nextAttemptAt: new Date(MANUAL_EPOCH - 1_000) });
  const others = [await seedDeletion(database.pool), await seedDeletion(database.pool)];
  const answer: Answer = (objectKey) => {
    if (objectKey === `gone/${poison}.jpg`) throw new Error('no answer at all');
    return { kind: 'deleted' };
  };
  expect(await drain(answer)).toBe(2);
  for (const id of others) expect(await item(id)).toMatchObject({ status: 'DELETED' });
  expect(await item(poison)).toMatchObject({ status: 'PROCESSING' });
  expect(runtime.reporter.problems).toMatchObject([{ fields: { id: poison } }]);
});

test('two drains at once delete each object once', async () => {
  for (let made = 0; made < 50; made += 1) await seedDeletion(database.pool);
  const counts = await Promise.all([drain(), drain(done, { node: 'node-b' })]);
  expect(counts[0] + counts[1]).toBe(50);
  expect(new Set(asked).size).toBe(50);
  expect(asked).toHaveLength(50);
});

test('a drain that is stopped ends after the current batch', async () => {
  for (let made = 0; made < 30; made += 1) await seedDeletion(database.pool);
  const stopping = new AbortController();
  const answer: Answer = () => {
    stopping.abort();
    return { kind: 'deleted' };
  };
  expect(await drain(answer, { stop: { ...NEVER_STOPPED, draining: stopping.signal } })).toBeLessThan(30);
  const { rows } = await database.pool.query(
    `select count(*)::int as held from storage_deletion_outbox where status = 'PROCESSING'`,
  );
  expect(rows).toEqual([{ held: 0 }]);
});
