import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { RECONCILE_WINDOW_MS, RETRY_BACKOFF_MS } from '../../../machines/limits.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import {
  claimed,
  created,
  failed,
  JobDriver,
  OUTPUT,
  openTestRuntime,
  ROUTES,
  retryDue,
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
const jobRow = async (id: string) => (await rows('select * from ai_jobs where id = $1', [id]))[0];
const outbox = () => rows('select * from storage_deletion_outbox order by "createdAt"');
const variantsOf = (imageId: string) =>
  rows('select * from property_images where "styledFromId" = $1', [imageId]);

describe('a job that goes well', () => {
  test('leaves its rows, its journal, its private image and its reports', async () => {
    const driver = await JobDriver.open(runtime);
    const { jobId, imageId: originalId, propertyId, providerInputKey } = driver.seeded;
    await driver.play(ROUTES.RUNNING());
    const { id: attemptId, context } = await driver.attempt();
    const objectKey = `staged/${attemptId}.jpg`;
    expect(await driver.sendToAttempt(succeeded(objectKey))).toMatchObject({
      state: 'COLLECTING',
      version: 4,
    });
    const imageId = randomUUID();
    expect(await driver.sendToAttempt(stored(imageId))).toMatchObject({
      outcome: 'applied',
      state: 'SUCCEEDED',
    });

    expect(await jobRow(jobId)).toMatchObject({
      status: 'SUCCESS',
      phase: null,
      errorCode: null,
      version: 2,
      leaseOwner: null,
      leaseExpiresAt: null,
      startedAt: new Date(MANUAL_EPOCH + 1_000),
      finishedAt: new Date(driver.at),
      heartbeatAt: new Date(driver.at),
    });
    const [image, ...others] = await variantsOf(originalId);
    expect(others).toEqual([]);
    expect(image).toMatchObject({
      id: imageId,
      propertyId,
      objectKey,
      isMain: false,
      isStyled: true,
      reviewStatus: 'PENDING_REVIEW',
      canonicalStyle: 'MODERN',
      roomType: 'LIVING_ROOM',
      aiJobId: jobId,
      reviewedByUserId: null,
      providerPredictionId: context.providerPredictionId,
      providerModel: 'openai/gpt-image-2',
      promptVersion: 'room-staging-v2.0',
      outputBytes: OUTPUT.bytes,
      outputWidth: OUTPUT.width,
      outputHeight: OUTPUT.height,
      outputFormat: 'jpeg',
      outputChecksum: OUTPUT.checksum,
      version: 1,
    });
    expect(image.providerInputs).toMatchObject({ inputImageKey: providerInputKey, quality: 'medium' });
    expect(
      await rows('select "resultImageId" from ai_room_staging_jobs where "aiJobId" = $1', [jobId]),
    ).toEqual([{ resultImageId: imageId }]);
    expect((await journalOf(database.pool, 'stagingJob', jobId)).map(line)).toEqual([
      '1 WORKER_STARTED PENDING.QUEUED > PROCESSING.ATTEMPT worker:node-a @1',
      '2 ATTEMPT_SUCCEEDED PROCESSING.ATTEMPT > SUCCESS worker:node-a @1',
    ]);
    expect((await journalOf(database.pool, 'providerAttempt', attemptId)).map(line)).toEqual([
      '1 CREATED null > RESERVED worker:node-a @null',
      '2 SEND_CLAIMED RESERVED > SENT worker:node-a @1',
      '3 PREDICTION_CREATED SENT > RUNNING worker:node-a @1',
      '4 PREDICTION_SUCCEEDED RUNNING > COLLECTING worker:node-a @1',
      '5 OUTPUT_STORED COLLECTING > SUCCEEDED worker:node-a @1',
    ]);
    expect(await outbox()).toEqual([]);
    expect(runtime.reporter.reports.map(({ event }) => event)).toEqual([
      'worker_started',
      'prediction_created',
      'provider_terminal',
      'output_validated',
      'completed',
    ]);
    expect(runtime.reporter.reports[0]?.fields).toEqual({ queueAttempt: 1, queueWaitMs: 250 });
    expect(runtime.reporter.reports[1]?.fields).toMatchObject({
      providerAttemptId: attemptId,
      predictionId: expect.any(String),
    });
    // The holder knows of its own events.
    expect(runtime.nudged).toEqual([]);
  });

  test('buys a second time only after a retryable failure, and then ends', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES['RETRYING.BACKOFF']());
    const retryAt = driver.at + RETRY_BACKOFF_MS;
    expect(await jobRow(driver.jobId)).toMatchObject({
      status: 'RETRYING',
      phase: 'BACKOFF',
      errorCode: 'PROVIDER_FAILED',
      retryAt: new Date(retryAt),
    });
    expect(runtime.queue.enqueued).toEqual([{ jobId: driver.jobId, delayMs: RETRY_BACKOFF_MS }]);
    expect(await driver.sendToJob(retryDue())).toMatchObject({ outcome: 'ignored' });
    driver.at = retryAt;
    expect(await driver.sendToJob(retryDue())).toMatchObject({ state: 'PROCESSING.ATTEMPT' });
    expect(await driver.states()).toEqual(['PROCESSING.ATTEMPT', 'FAILED', 'RESERVED']);
    await driver.sendToAttempt(claimed());
    await driver.sendToAttempt(created());
    await driver.sendToAttempt(failed());
    expect(await driver.states()).toEqual(['FAILED', 'FAILED', 'FAILED']);
    driver.at += 3_600_000;
    expect(await driver.sendToJob(retryDue())).toMatchObject({ outcome: 'stale' });
    expect(await driver.states()).toEqual(['FAILED', 'FAILED', 'FAILED']);
  });

  test('a permanent failure ends it at once', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES.RUNNING());
    await driver.sendToAttempt(failed('PROVIDER_MODERATION'));
    expect(await driver.states()).toEqual(['FAILED', 'FAILED']);
    expect(await jobRow(driver.jobId)).toMatchObject({ errorCode: 'PROVIDER_MODERATION', leaseOwner: null });
    expect(runtime.reporter.reports.at(-1)).toMatchObject({
      event: 'terminal_error',
      fields: { errorCode: 'PROVIDER_MODERATION', category: 'permanent', attemptNumber: 1 },
    });
  });
});

test('a cancellation races the result: exactly one of them wins, and no row or object is left over', async () => {
  for (let round = 0; round < 10; round += 1) {
    await database.clear();
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES.COLLECTING());
    await Promise.all([
      driver.sendToAttempt(stored()),
      driver.sendToJob({ type: 'CANCEL_ASKED' }, { leased: false }),
    ]);
    const states = (await driver.states()).join();
    const leftovers = [(await variantsOf(driver.seeded.imageId)).length, (await outbox()).length];
    if (states === 'SUCCESS,SUCCEEDED') expect(leftovers).toEqual([1, 0]);
    else expect([states, leftovers]).toEqual(['CANCELED,DISCARDED', [0, 1]]);
  }
});

test('a cancellation that the job knows nothing of, as after a failover that forgot it, does not reach the attempt', async () => {
  const driver = await JobDriver.open(runtime);
  await driver.play(ROUTES.RUNNING());
  expect(await driver.sendToAttempt({ type: 'CANCEL' })).toMatchObject({
    outcome: 'ignored',
    state: 'RUNNING',
  });
  expect(await driver.states()).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
});

test('a rejected output queues its key for deletion, and allows attempt 2 if its failure class is retryable', async () => {
  const driver = await JobDriver.open(runtime);
  await driver.play(ROUTES.COLLECTING());
  const refused = { type: 'OUTPUT_REFUSED', errorCode: 'OUTPUT_INVALID', jitter: 0 } as const;
  await driver.sendToAttempt({ ...refused, downloadBytes: 4_711 });
  expect(await driver.states()).toEqual(['RETRYING.BACKOFF', 'FAILED']);
  expect(await outbox()).toHaveLength(1);
  expect(runtime.reporter.reports.at(-1)).toMatchObject({
    event: 'retry_scheduled',
    fields: { errorCode: 'OUTPUT_INVALID', downloadBytes: 4_711 },
  });
  const { rows } = await database.pool.query(
    'select "downloadBytes"::int as bytes from ai_provider_attempts where "aiJobId" = $1',
    [driver.jobId],
  );
  expect(rows).toEqual([{ bytes: 4_711 }]);
});

describe('leases', () => {
  test('a claim or decision with an old epoch, another owner or no lease is rejected and writes nothing', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES.RESERVED());
    const { lease } = driver;
    for (const stale of [
      { ...lease, epoch: lease.epoch - 1 },
      { ...lease, epoch: lease.epoch + 1 },
      { ...lease, owner: 'node-b' },
    ]) {
      driver.lease = stale;
      expect(await driver.sendToAttempt(claimed())).toMatchObject({ outcome: 'stale', state: 'RESERVED' });
    }
    expect(await driver.sendToAttempt(claimed(), { leased: false })).toMatchObject({ outcome: 'stale' });
    expect(await driver.states()).toEqual(['PROCESSING.ATTEMPT', 'RESERVED']);
    expect(await journalOf(database.pool, 'providerAttempt', (await driver.attempt()).id)).toMatchObject([
      { eventType: 'CREATED' },
    ]);
    driver.lease = lease;
    expect(await driver.sendToAttempt(claimed())).toMatchObject({ outcome: 'applied' });
  });

  test('the prediction id is stored from any event that carries it', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES.UNCONFIRMED());
    expect(await driver.sendToAttempt(created('p-late'), { leased: false })).toMatchObject({
      state: 'RUNNING',
    });
    expect((await driver.attempt()).context.providerPredictionId).toBe('p-late');
  });

  test('a restart alone never buys attempt 2', async () => {
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES.SENT());
    await driver.sendToAttempt({ type: 'RUNNER_RESTARTED' });
    await driver.sendToAttempt({ type: 'NOT_LISTED', scanBeganAt: driver.at + RECONCILE_WINDOW_MS });
    await driver.sendToAttempt({ type: 'WINDOW_PASSED', jitter: 0 });
    expect(await driver.states()).toEqual(['FAILED', 'LOST']);
    expect(await jobRow(driver.jobId)).toMatchObject({ errorCode: 'PREDICTION_UNCONFIRMED' });
  });
});

test('an event to an actor that does not exist is answered as missing', async () => {
  const id = randomUUID();
  const at = MANUAL_EPOCH;
  for (const message of [
    { to: 'stagingJob', id, event: { type: 'CANCEL_ASKED', at } },
    { to: 'providerAttempt', id, event: { type: 'CANCEL', at } },
    { to: 'imageReview', id, event: { type: 'APPROVE', at, byUserId: id } },
    { to: 'deletionItem', id, event: { type: 'OBJECT_DELETED', at } },
  ] as const)
    expect(await runtime.actorSystem.deliver(message, { by: 'web' })).toEqual({ outcome: 'missing' });
});
function line(row: {
  seq: number;
  eventType: string;
  fromState: string | null;
  toState: string;
  actedBy: string;
  leaseEpoch: number | null;
}) {
  return `${row.seq} ${row.eventType} ${row.fromState} > ${row.toState} ${row.actedBy} @${row.leaseEpoch}`;
}
