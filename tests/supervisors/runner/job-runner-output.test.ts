import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_STORAGE_WAIT_MS, MISSING_APART_MS, PREDICTION_FORGOTTEN_MS } from '../../../machines/limits.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import {
  foundAs,
  predictionOf,
  unfinished,
  untilAborted,
  written,
} from '../../support/worlds/fake-provider.ts';
import { faultyStore, QUEUED_DELETION } from '../../support/worlds/faulty-store.ts';
import { OUTPUT } from '../../support/worlds/job-driver.ts';
import { closeWorlds, openWorld, POLL_MS, submit } from '../../support/worlds/runner-world.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());
afterEach(closeWorlds);

const askToCancel = (jobId: string, at: number) =>
  ({ to: 'stagingJob', id: jobId, event: { type: 'CANCEL_ASKED', at } }) as const;

describe('collecting', () => {
  test('a failing download is retried with back-off until the output expires, then allows attempt 2', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.collector.answer = () => ({ kind: 'download-failed' });
    const begun = world.time.now();
    const run = world.start(jobId);
    const waits: number[] = [];
    let over = false;
    void run.then(() => {
      over = true;
    });
    await eventually(
      () => {
        const [wait] = world.time.sleeping();
        if (wait !== undefined && world.collector.collected.length > waits.length) {
          waits.push(wait);
          world.time.advance(wait);
        }
        return over;
      },
      { what: 'the end of the run', intervalMs: 2 },
    );
    expect(waits.slice(0, 9)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1_000));
    expect(world.time.now() - begun).toBeGreaterThan(60 * 60_000);
    expect(world.time.now() - begun).toBeLessThanOrEqual(PREDICTION_FORGOTTEN_MS);
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
    expect(world.provider.creates).toHaveLength(1);
  });

  test('storage that refuses ends no attempt: the output is downloaded again when storage is back', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    let isBack = false;
    world.collector.answer = () => (isBack ? { kind: 'stored', output: OUTPUT } : { kind: 'storage-failed' });
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    expect(world.collector.collected).toHaveLength(1);
    for (let tries = 1, ms = POLL_MS; ms < MAX_STORAGE_WAIT_MS || tries < 20; tries += 1) {
      world.time.advance(ms);
      await eventually(() => world.collector.collected.length === tries + 1, { what: 'another try' });
      await eventually(() => world.time.sleeping().length === 1, { what: 'its wait' });
      [ms = 0] = world.time.sleeping();
    }
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'COLLECTING']);
    expect(world.time.sleeping()).toEqual([MAX_STORAGE_WAIT_MS]);
    isBack = true;
    world.time.advance(MAX_STORAGE_WAIT_MS);
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect(world.provider.creates).toHaveLength(1);
  });

  test('an output that the provider has removed before storage was back is unavailable', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.collector.answer = () => ({ kind: 'storage-failed' });
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    world.provider.answerGet = (id) => foundAs(written(id, null));
    world.time.advance(POLL_MS);
    await run;
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
    expect((await world.read(jobId)).attempts[0]?.context.errorCode).toBe('OUTPUT_UNAVAILABLE');
  });

  test('an address that answers 404 three times, half a minute apart, is unavailable within two minutes', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.collector.answer = () => ({ kind: 'output-missing' });
    const run = world.start(jobId);
    await world.asleep(MISSING_APART_MS);
    const begun = world.time.now();
    world.time.advance(MISSING_APART_MS);
    await eventually(() => world.collector.collected.length === 2, { what: 'a second try' });
    await world.asleep(MISSING_APART_MS);
    expect(await world.states(jobId)).toEqual(['PROCESSING.ATTEMPT', 'COLLECTING']);
    world.time.advance(MISSING_APART_MS);
    await run;
    expect(await world.states(jobId)).toEqual(['RETRYING.BACKOFF', 'FAILED']);
    expect((await world.read(jobId)).attempts[0]?.context.errorCode).toBe('OUTPUT_UNAVAILABLE');
    expect(world.time.now() - begun).toBeLessThan(120_000);
  });

  test('an address that is not allowed is bought no second time, and the alarm names its host', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    const host = 'elsewhere.example';
    world.collector.answer = () => ({
      kind: 'refused',
      errorCode: 'OUTPUT_HOST_REFUSED',
      downloadBytes: 0,
      host,
    });
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['FAILED', 'FAILED']);
    expect((await world.read(jobId)).job.context.errorCode).toBe('OUTPUT_HOST_REFUSED');
    expect(world.reporter.alerts).toMatchObject([{ alert: 'output_host_refused', fields: { host } }]);
  });

  test('a cancel by another process aborts the download, and the key is queued for deletion', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    let aborted = false;
    world.collector.answer = async (_, signal) => {
      await untilAborted(signal);
      aborted = true;
      return { kind: 'download-failed' };
    };
    const run = world.start(jobId);
    await eventually(() => world.collector.collected.length === 1, { what: 'the download' });
    await world.actorSystem.deliver(askToCancel(jobId, world.time.now()), { by: 'user:x' });
    await run;
    expect(aborted).toBe(true);
    expect(await world.states(jobId)).toEqual(['CANCELED', 'DISCARDED']);
    const { rows } = await database.pool.query('select "objectKey" from storage_deletion_outbox');
    expect(rows).toEqual([{ objectKey: world.collector.collected[0] }]);
  });
});

describe('a picture that is stored after its cancellation and the deletion of its key', () => {
  test('is queued for deletion as soon as the database can write', async () => {
    const store = faultyStore(database.store, [{ event: QUEUED_DELETION, kind: 'not-committed', times: 2 }]);
    const [world, elsewhere] = [openWorld(database, { store }), openWorld(database)];
    const jobId = await submit(database);
    world.collector.answer = async (_, signal) => {
      await untilAborted(signal);
      await database.pool.query('delete from storage_deletion_outbox');
      return { kind: 'stored', output: OUTPUT };
    };
    const run = world.start(jobId);
    await eventually(() => world.collector.collected.length === 1, { what: 'the download' });
    await elsewhere.actorSystem.deliver(askToCancel(jobId, world.time.now()), { by: 'user:x' });
    for (let wait = 0; wait < 2; wait += 1) {
      await world.asleep(500);
      world.time.advance(500);
    }
    await run;
    const { rows } = await database.pool.query('select "objectKey" from storage_deletion_outbox');
    expect(rows).toEqual([{ objectKey: world.collector.collected[0] }]);
  });

  test('is queued for deletion also when its record meets a lost connection', async () => {
    const store = faultyStore(database.store, [{ event: 'OUTPUT_STORED', kind: 'not-committed', times: 1 }]);
    const world = openWorld(database, { store });
    const jobId = await submit(database);
    const run = world.start(jobId);
    await eventually(
      async () => {
        const { rows } = await database.pool.query('select "objectKey" from storage_deletion_outbox');
        return rows.length === 1 && rows[0].objectKey === world.collector.collected[0];
      },
      { what: 'a deletion of what may have been stored' },
    );
    while (!(await world.states(jobId)).includes('SUCCEEDED')) world.time.advanceToNextWake();
    await run;
  });
});

describe('cancel', () => {
  test('while the prediction runs: the cancellation is sent, and the job ends when the provider confirms it', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerGet = (id) => foundAs(unfinished(id));
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    await world.actorSystem.deliver(askToCancel(jobId, world.time.now()), { by: 'user:x' });
    await eventually(() => world.provider.cancels.length === 1, { what: 'the call to cancel' });
    await world.asleep(POLL_MS);
    expect(await world.states(jobId)).toEqual(['CANCEL_REQUESTED', 'CANCELING']);
    world.provider.answerGet = (predictionId) =>
      foundAs({ kind: 'canceled', predictionId, providerStatus: 'canceled' });
    world.time.advance(POLL_MS);
    await run;
    expect(await world.states(jobId)).toEqual(['CANCELED', 'CANCELED']);
    expect(world.collector.collected).toEqual([]);
  });

  test('while the POST is in flight: it is not aborted, its id is stored, then the prediction is canceled', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    world.provider.answerCreate = async (attemptId) => {
      await answered;
      return { kind: 'created', prediction: unfinished(predictionOf(attemptId)) };
    };
    const run = world.start(jobId);
    await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'SENT');
    await world.actorSystem.deliver(askToCancel(jobId, world.time.now()), { by: 'user:x' });
    answer();
    await run;
    expect(await world.states(jobId)).toEqual(['CANCELED', 'DISCARDED']);
    expect(world.provider.cancels).toEqual([predictionOf(String(world.provider.creates[0]))]);
  });

  test('of a job whose original was deleted while it had no lease: the next runner finishes it', async () => {
    const before = openWorld(database);
    before.provider.answerGet = (id) => foundAs(unfinished(id));
    const jobId = await submit(database);
    void before.start(jobId);
    await before.reaches(jobId, 'PROCESSING.ATTEMPT', 'RUNNING');
    await closeWorlds();
    await database.pool.query('delete from property_images');
    const world = openWorld(database, { enabled: false });
    await world.runner.rescue([jobId]);
    await world.reaches(jobId, 'CANCELED', 'DISCARDED');
  });

  test('of a text whose listing was deleted: its prediction is canceled', async () => {
    const world = openWorld(database, { kind: 'descriptionJob' });
    world.provider.answerGet = (id) =>
      foundAs(
        world.provider.cancels.length === 0
          ? unfinished(id)
          : { kind: 'canceled', predictionId: id, providerStatus: 'canceled' },
      );
    const jobId = await submit(database, 'descriptionJob');
    const run = world.start(jobId);
    await world.asleep(POLL_MS);
    await database.pool.query('delete from properties');
    world.time.advance(POLL_MS);
    await run;
    expect(await world.states(jobId)).toEqual(['CANCELED', 'CANCELED']);
    expect(world.provider.cancels).toEqual([predictionOf(String(world.provider.creates[0]))]);
  });

  test('of a text whose listing was deleted, while purchases are switched off: nothing is bought', async () => {
    const world = openWorld(database, { kind: 'descriptionJob', enabled: false });
    const jobId = await submit(database, 'descriptionJob');
    await database.pool.query('delete from properties');
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['CANCELED']);
    expect(world.provider.creates).toEqual([]);
  });
});
