import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import { seedVariant } from '../../support/database/seed.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import {
  created,
  JobDriver,
  openTestRuntime,
  ROUTES,
  startJob,
  stored,
  succeeded,
  type TestRuntime,
} from '../../support/worlds/job-driver.ts';

const database = useStoreDatabase();
let runtime: TestRuntime;
beforeEach(async () => {
  await database.clear();
  runtime = openTestRuntime(database);
});

const rows = async (sql: string, values: unknown[] = []) => (await database.pool.query(sql, values)).rows;
const deleteImage = (id: string) => database.pool.query('delete from property_images where id = $1', [id]);

/** I8: an actor's version equals the number of its journal rows, and the journal has no gaps. */
async function expectCompleteJournals(): Promise<void> {
  const broken = await rows(`
    select a.kind, a.id, a.version, count(t.*)::int as entries, max(t.seq) as last
    from (select 'stagingJob' as kind, id, version from ai_jobs
      union all select 'providerAttempt', id, version from ai_provider_attempts
      union all select 'imageReview', id, version from property_images where "isStyled"
      union all select 'deletionItem', id, version from storage_deletion_outbox) a
    left join actor_transitions t on t."actorKind" = a.kind and t."actorId" = a.id
    group by a.kind, a.id, a.version
    having count(t.*) <> a.version or coalesce(max(t.seq), 0) <> a.version`);
  expect(broken).toEqual([]);
}

describe('an original that is deleted by plain SQL', () => {
  const AFTERWARDS = {
    RESERVED: ['CANCELED', 'CANCELED'],
    SENT: ['CANCEL_REQUESTED', 'CANCELING'],
    UNCONFIRMED: ['CANCEL_REQUESTED', 'CANCELING'],
    RUNNING: ['CANCEL_REQUESTED', 'CANCELING'],
    COLLECTING: ['CANCELED', 'DISCARDED'],
  } as const;

  for (const [state, expected] of Object.entries(AFTERWARDS))
    test(`${state}: the attempt gets the cancellation before any other event`, async () => {
      const driver = await JobDriver.open(runtime);
      await driver.play(ROUTES[state as keyof typeof AFTERWARDS]());
      await deleteImage(driver.seeded.imageId);
      expect(await driver.states()).toEqual(['CANCEL_REQUESTED', state]);
      await driver.sendToAttempt(state === 'COLLECTING' ? stored() : created());
      expect(await driver.states()).toEqual(expected);
      const journal = await journalOf(database.pool, 'providerAttempt', (await driver.attempt()).id);
      expect(journal.map(({ eventType }) => eventType)).toContain('CANCEL');
      await expectCompleteJournals();
    });

  test('racing the result: image, attempt, job and outbox agree in either order', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const driver = await JobDriver.open(runtime);
      await driver.play(ROUTES.COLLECTING());
      const { objectKey } = (await driver.attempt()).context;
      await Promise.allSettled([
        driver.sendToAttempt(stored()).catch((error) => expect(error).toBeUndefined()),
        deleteImage(driver.seeded.imageId),
      ]);
      // PostgreSQL may have aborted the delete to resolve a deadlock.
      await deleteImage(driver.seeded.imageId);
      if ((await driver.states())[0] === 'CANCEL_REQUESTED') await driver.sendToAttempt({ type: 'CANCEL' });
      const states = (await driver.states()).join();
      seen.add(states);
      expect(['SUCCESS,SUCCEEDED', 'CANCELED,DISCARDED']).toContain(states);
      expect(await rows('select id from property_images where "objectKey" = $1', [objectKey])).toEqual([]);
      expect(
        await rows('select id from storage_deletion_outbox where "objectKey" = $1', [objectKey]),
      ).toHaveLength(1);
    }
    expect(seen.size).toBeGreaterThan(0);
    await expectCompleteJournals();
  });
});

describe('twenty deliveries at once', () => {
  test('of one event: one is applied', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES.RUNNING());
    const delivery = await Promise.all(
      Array.from({ length: 20 }, () => driver.sendToJob({ type: 'CANCEL_ASKED' }, { leased: false })),
    );
    expect(delivery.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1);
    expect(delivery.filter(({ outcome }) => outcome === 'ignored')).toHaveLength(19);
    expect(await driver.states()).toEqual(['CANCEL_REQUESTED', 'CANCELING']);
    await expectCompleteJournals();
  });

  test('of claims: one is applied, so one may send', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES.RESERVED());
    const delivery = await Promise.all(
      Array.from({ length: 20 }, () => driver.sendToAttempt({ type: 'SEND_CLAIMED', token: randomUUID() })),
    );
    expect(delivery.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1);
    expect((await driver.attempt()).context.sendTries).toBe(1);
    await expectCompleteJournals();
  });

  test('of starts: one attempt is reserved', async () => {
    const driver = await JobDriver.open(runtime);
    await Promise.all(Array.from({ length: 20 }, () => driver.sendToJob(startJob())));
    expect(await driver.states()).toEqual(['PROCESSING.ATTEMPT', 'RESERVED']);
    await expectCompleteJournals();
  });

  test('of different events: each is counted once', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES.SENT());
    const delivery = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 4 === 0
          ? driver.sendToAttempt(succeeded())
          : driver.sendToAttempt(created(`p-${index % 3}`), { leased: false }),
      ),
    );
    const applied = delivery.filter(({ outcome }) => outcome === 'applied').length;
    const journal = await journalOf(database.pool, 'providerAttempt', (await driver.attempt()).id);
    expect(journal).toHaveLength(applied + 2);
    await expectCompleteJournals();
  });

  test('approve and reject: exactly one wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { seeded } = await JobDriver.open(runtime);
      const id = await seedVariant(database.pool, seeded);
      const at = MANUAL_EPOCH;
      const byUserId = randomUUID();
      const delivery = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          runtime.actorSystem.deliver(
            index % 2 === 0
              ? { to: 'imageReview', id, event: { type: 'APPROVE', at, byUserId } }
              : { to: 'imageReview', id, event: { type: 'REJECT', at, byUserId, reason: 'crooked sofa' } },
            { by: `user:${byUserId}` },
          ),
        ),
      );
      expect(delivery.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1);
      const events = await rows(
        'select kind, reason from property_image_review_events where "imageId" = $1',
        [id],
      );
      const images = await rows('select "reviewStatus" from property_images where id = $1', [id]);
      const outbox = await rows('select 1 from storage_deletion_outbox where "objectKey" = $1', [
        `staged/${id}.jpg`,
      ]);
      if (events[0]?.kind === 'APPROVED')
        expect([events.length, images, outbox]).toEqual([1, [{ reviewStatus: 'APPROVED' }], []]);
      else
        expect([events, images, outbox.length]).toEqual([
          [{ kind: 'REJECTED', reason: 'crooked sofa' }],
          [],
          1,
        ]);
    }
  });
});

describe('a transaction that fails', () => {
  const databaseError = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });
  /** The real store; each transaction throws at its end until `failures` is empty. */
  const failingStore = (failures: Error[], { committed = false } = {}): ActorStore & { tries: number } => ({
    ...database.store,
    tries: 0,
    async transaction(work) {
      this.tries += 1;
      const failure = failures.shift();
      if (failure && committed) {
        await database.store.transaction(work);
        throw failure;
      }
      return database.store.transaction(async (tx) => {
        const result = await work(tx);
        if (failure) throw failure;
        return result;
      });
    },
  });

  test('reports, enqueues and nudges nothing', async () => {
    const store = failingStore([new Error('disk full')]);
    const driver = await JobDriver.open(openTestRuntime(database, store));
    await expect(driver.sendToJob(startJob())).rejects.toThrow('disk full');
    const { reporter, queue, nudged } = driver.runtime;
    expect([reporter.reports, reporter.alerts, reporter.transitions, queue.enqueued, nudged]).toEqual([
      [],
      [],
      [],
      [],
      [],
    ]);
    expect(await driver.states()).toEqual(['PENDING.QUEUED']);
    expect(store.tries).toBe(1);
  });

  for (const code of ['40001', '40P01', '55P03', '23505'])
    test(`with ${code} is repeated, and reports once`, async () => {
      const store = failingStore([databaseError(code), databaseError(code)]);
      const driver = await JobDriver.open(openTestRuntime(database, store));
      expect(await driver.sendToJob(startJob())).toMatchObject({ outcome: 'applied', version: 1 });
      expect(store.tries).toBe(3);
      expect(driver.runtime.reporter.reports).toHaveLength(1);
      await expectCompleteJournals();
    });

  test('that meets a conflict six times is given up', async () => {
    const store = failingStore(Array.from({ length: 50 }, () => databaseError('40001')));
    const driver = await JobDriver.open(openTestRuntime(database, store));
    await expect(driver.sendToJob(startJob())).rejects.toThrow('40001');
    expect(store.tries).toBe(6);
  });

  test('with an unknown commit result is not repeated', async () => {
    const store = failingStore([databaseError('57P01')], { committed: true });
    const driver = await JobDriver.open(openTestRuntime(database, store));
    await expect(driver.sendToJob(startJob())).rejects.toThrow('57P01');
    expect(store.tries).toBe(1);
    expect(await driver.states()).toEqual(['PROCESSING.ATTEMPT', 'RESERVED']);
  });

  test('the delivery succeeds although the queue is unavailable', async () => {
    const driver = await JobDriver.open(runtime);
    runtime.queue.failing = new Error('no queue');
    expect(await driver.sendToJob({ type: 'CANCEL_ASKED' })).toMatchObject({
      outcome: 'applied',
      state: 'CANCELED',
    });
    // The queue is not awaited, so the report may come a moment later.
    await eventually(() => runtime.reporter.problems.length === 1, { what: 'the problem', intervalMs: 2 });
    expect(runtime.reporter.problems).toMatchObject([{ fields: { jobId: driver.jobId } }]);
  });
});

test('several deliveries in one transaction are applied together or not at all', async () => {
  const driver = await JobDriver.open(runtime);
  const other = await JobDriver.open(runtime);
  const at = MANUAL_EPOCH + 1;
  const cancelBoth = (then: () => void) =>
    runtime.actorSystem.transaction(async ({ deliver }) => {
      await deliver(
        { to: 'stagingJob', id: driver.jobId, event: { type: 'CANCEL_ASKED', at } },
        { by: 'web' },
      );
      await deliver(
        { to: 'stagingJob', id: other.jobId, event: { type: 'CANCEL_ASKED', at } },
        { by: 'web' },
      );
      then();
    });
  await expect(
    cancelBoth(() => {
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect([...(await driver.states()), ...(await other.states())]).toEqual([
    'PENDING.QUEUED',
    'PENDING.QUEUED',
  ]);
  expect(runtime.reporter.transitions).toEqual([]);
  await cancelBoth(() => {});
  expect([...(await driver.states()), ...(await other.states())]).toEqual(['CANCELED', 'CANCELED']);
});
