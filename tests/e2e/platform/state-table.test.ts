import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import type { RoleVariables } from '../../../ops/dev/stack/role-environment.ts';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { addFault, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { queueNames } from '../../../src/queues/names.ts';
import { eventually } from '../../support/eventually.ts';
import { onWeb } from '../../support/platform/agent.ts';
import { jobHeldIn, letGo } from '../../support/platform/held-states.ts';
import { attemptReaches, jobReaches, jobRow, submit } from '../../support/platform/listing.ts';
import {
  attemptsOf,
  drainAll,
  endBackoff,
  eventLogged,
  imageRow,
  journalOf,
  loggedEvents,
  openStagingWorld,
  outboxOf,
  STEADY,
  type StagingWorld,
  statesOf,
  storedKeys,
  variantsOf,
} from '../../support/platform/staging-world.ts';

/**
 * docs/contract.md#jobs, state by state: two webs and two workers over one database, each call on the next
 * web. The names of the tests are the rows of the three tables.
 */
const FLAG_OFF_WEB = 2;
let world: StagingWorld;
let workers: RoleProcess[] = [];

beforeAll(async () => {
  world = await openStagingWorld({ webs: 2, workers: 0 });
}, 60_000);
afterEach(() => world.calm());
afterAll(() => world.close());

async function startWorkers(variables: RoleVariables = {}): Promise<void> {
  workers = [];
  for (let count = 0; count < 2; count += 1)
    workers.push(await world.platform.startWorker({ ...STEADY, ...variables }));
  await Promise.all(workers.map(({ ready }) => ready));
}
const stopWorkers = () => Promise.all(workers.map((worker) => worker.stop()));

const cancel = (aiJobId: string) => world.anyWeb().mutate('ai.cancelStagingJob', { aiJobId });
const seen = async (aiJobId: string) => (await world.anyWeb().query('ai.getStagingJob', { aiJobId })).data;
const jobsOf = (originalImageId: string) =>
  world.platform.rows<{ aiJobId: string }>(
    'select "aiJobId" from ai_room_staging_jobs where "originalImageId" = $1',
    [originalImageId],
  );

describe('ai_jobs.status: submission', () => {
  beforeAll(async () => {
    await (await world.platform.startWeb({ AI_ROOM_STAGING_ENABLED: 'false' })).ready;
  });

  test('(new) | submission | flag is exactly `true`, no non-terminal job with the same dedupeKey | PENDING | job enqueued under its id; disposition `ENQUEUED`', async () => {
    const originalImageId = await world.newOriginal();
    const result = await submit(onWeb(world.platform, world.agent, 0), originalImageId, 'LUXURY');
    expect(result).toEqual({
      originalImageId,
      canonicalStyle: 'LUXURY',
      aiJobId: expect.any(String),
      disposition: 'ENQUEUED',
      stagedImageId: null,
      roomType: expect.any(String),
    });
    expect(await jobRow(world.platform, result.aiJobId)).toMatchObject({
      type: 'ROOM_STAGING',
      status: 'PENDING',
      phase: 'QUEUED',
      dedupeKey: `staging:${originalImageId}:LUXURY`,
    });
    const entry = await eventually(() => world.queue.getJob(result.aiJobId), { what: 'the queue entry' });
    expect(entry.data).toEqual({ aiJobId: result.aiJobId });
    expect(await seen(result.aiJobId)).toMatchObject({
      status: 'PENDING',
      phase: 'QUEUED',
      attempts: [],
      waitReason: 'queue',
    });
  });

  test('(new) | duplicate submission | a non-terminal job with the same dedupeKey exists | unchanged | response is `EXISTING` with the same logical job id', async () => {
    const { aiJobId, originalImageId } = await world.newJob('LUXURY');
    const before = await jobRow(world.platform, aiJobId);
    for (const web of [0, 1]) {
      const again = await submit(onWeb(world.platform, world.agent, web), originalImageId, 'LUXURY');
      expect([again.disposition, again.aiJobId]).toEqual(['EXISTING', aiJobId]);
    }
    expect(await jobRow(world.platform, aiJobId)).toEqual(before);
    expect(await jobsOf(originalImageId)).toEqual([{ aiJobId }]);
  });

  test('(new) | submission | flag is not exactly `true` | no job created | client shows a localized unavailable state', async () => {
    const originalImageId = await world.newOriginal();
    const refused = await onWeb(world.platform, world.agent, FLAG_OFF_WEB).mutate('ai.submitRoomStaging', {
      assignments: [{ originalImageId, roomType: 'KITCHEN', style: 'MODERN' }],
    });
    expect([refused.status, refused.errorCode]).toEqual([412, 'STAGING_UNAVAILABLE']);
    expect(refused.body.error.json.data.messageKey).toBe('staging.unavailable');
    expect(await jobsOf(originalImageId)).toEqual([]);
  });

  test('PENDING (waiting in queue, no attempt) | cancel | before becoming active | CANCELED | cancelRequestedAt and canceledAt set; queue entry removed; zero attempt rows; repeat cancel is idempotent', async () => {
    const { aiJobId } = await world.newJob();
    await eventually(() => world.queue.getJob(aiJobId), { what: 'the queue entry' });
    expect((await cancel(aiJobId)).data).toEqual({ aiJobId, status: 'CANCELED' });
    const row = await jobRow(world.platform, aiJobId);
    expect(row).toMatchObject({
      status: 'CANCELED',
      phase: null,
      cancelRequestedAt: expect.any(Date),
      canceledAt: expect.any(Date),
    });
    await eventually(async () => (await world.queue.getJob(aiJobId)) === undefined, {
      what: 'no queue entry',
    });
    expect(await attemptsOf(world, aiJobId)).toEqual([]);
    expect((await cancel(aiJobId)).data).toEqual({ aiJobId, status: 'CANCELED' });
    expect(await jobRow(world.platform, aiJobId)).toEqual(row);
  });

  test('queued job | original image deleted | any | CANCELED | cascade', async () => {
    const { aiJobId, originalImageId } = await world.newJob();
    const deleted = await world.anyWeb().request('DELETE', `/api/property-images/${originalImageId}`);
    expect(deleted.status).toBe(200);
    expect(await jobRow(world.platform, aiJobId)).toMatchObject({
      status: 'CANCELED',
      canceledAt: expect.any(Date),
    });
    expect(await attemptsOf(world, aiJobId)).toEqual([]);
    expect(await imageRow(world, originalImageId)).toBeUndefined();
  });
});

describe('ai_jobs.status: workers with the flag off', () => {
  beforeAll(() => startWorkers({ AI_ROOM_STAGING_ENABLED: 'false' }), 60_000);
  afterAll(stopWorkers);

  test('PENDING | worker, flag false | durable job present | PENDING | phase `PROVIDER_DISABLED`; no provider prediction is created; job resumes after recovery', async () => {
    const { aiJobId } = await world.newJob();
    await jobReaches(world.platform, aiJobId, 'PENDING.PROVIDER_DISABLED');
    expect(await seen(aiJobId)).toMatchObject({
      status: 'PENDING',
      phase: 'PROVIDER_DISABLED',
      waitReason: 'flag-off',
    });
    expect(await attemptsOf(world, aiJobId)).toEqual([]);
    expect((await world.platform.purchases()).size).toBe(0);
    await stopWorkers();
    await startWorkers();
    await jobReaches(world.platform, aiJobId, 'SUCCESS');
    expect(await statesOf(world, aiJobId)).toEqual([
      'PENDING.QUEUED',
      'PENDING.PROVIDER_DISABLED',
      'PROCESSING.ATTEMPT',
      'SUCCESS',
    ]);
    await stopWorkers();
    await startWorkers({ AI_ROOM_STAGING_ENABLED: 'false' });
  });

  test('storage_deletion_outbox | the drain job is independent of the staging flag', async () => {
    const { originalImageId } = await world.newJob();
    const image = await imageRow(world, originalImageId);
    await world.anyWeb().request('DELETE', `/api/property-images/${originalImageId}`);
    await drainAll(world);
    expect(await outboxOf(world, [image?.objectKey ?? ''])).toMatchObject([{ status: 'DELETED' }]);
  });
});

describe('ai_jobs.status: two workers', () => {
  beforeAll(() => startWorkers(), 60_000);
  afterAll(stopWorkers);

  test('PENDING | worker picks up job | flag true | PROCESSING | event `worker_started`; attempt reserved, prediction id stored when creation returns', async () => {
    const { aiJobId, predictionId } = await jobHeldIn(world, 'RUNNING');
    expect(await jobRow(world.platform, aiJobId)).toMatchObject({
      status: 'PROCESSING',
      phase: 'ATTEMPT',
      startedAt: expect.any(Date),
    });
    expect(await statesOf(world, aiJobId)).toEqual(['PENDING.QUEUED', 'PROCESSING.ATTEMPT']);
    const [attempt] = await attemptsOf(world, aiJobId);
    expect(attempt).toMatchObject({ attemptNumber: 1, status: 'RUNNING' });
    expect(await statesOf(world, attempt?.id ?? '')).toEqual(['RESERVED', 'SENT', 'RUNNING']);
    expect(await eventLogged(world, aiJobId, 'worker_started')).toMatchObject({
      queueAttempt: 1,
      queueWaitMs: expect.any(Number),
    });
    const created = await eventLogged(world, aiJobId, 'prediction_created');
    expect(JSON.stringify(created)).toContain(predictionId);
    const [bought, ...others] = (await world.platform.purchases()).get(attempt?.id ?? '') ?? [];
    expect(others).toEqual([]);
    expect(bought?.predictionId).toBe(predictionId);
    expect(await seen(aiJobId)).toMatchObject({ status: 'PROCESSING', waitReason: 'provider' });
  });

  test('PROCESSING | provider terminal success, output validated | download validated against aspect ratio, size, format | SUCCESS | one staged image with reviewStatus `PENDING_REVIEW`, isMain false; event `completed`', async () => {
    const job = await jobHeldIn(world, 'RUNNING');
    await releaseHeld(world.platform.provider.baseUrl);
    await jobReaches(world.platform, job.aiJobId, 'SUCCESS');
    const [image, ...others] = await variantsOf(world, job.originalImageId);
    expect(others).toEqual([]);
    expect(image).toMatchObject({
      propertyId: world.propertyId,
      isStyled: true,
      isMain: false,
      reviewStatus: 'PENDING_REVIEW',
      reviewedByUserId: null,
      canonicalStyle: 'MODERN',
      roomType: 'LIVING_ROOM',
      aiJobId: job.aiJobId,
      providerPredictionId: job.predictionId,
      providerModel: 'openai/gpt-image-2',
      promptVersion: 'room-staging-v2.0',
      outputFormat: 'jpeg',
      outputChecksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await storedKeys(world)).toContain(image?.objectKey);
    expect(await seen(job.aiJobId)).toMatchObject({
      status: 'SUCCESS',
      resultImageId: image?.id,
      waitReason: 'review',
    });
    await eventLogged(world, job.aiJobId, 'completed');
    expect(loggedEvents(world, job.aiJobId).map(({ event }) => event)).toEqual([
      'worker_started',
      'prediction_created',
      'provider_terminal',
      'output_validated',
      'completed',
    ]);
    expect(await eventLogged(world, job.aiJobId, 'output_validated')).toMatchObject({
      format: 'jpeg',
      width: expect.any(Number),
    });
    expect(await statesOf(world, (await attemptsOf(world, job.aiJobId))[0]?.id ?? '')).toEqual([
      'RESERVED',
      'SENT',
      'RUNNING',
      'COLLECTING',
      'SUCCEEDED',
    ]);
  });

  test('(new) | submission | live variant already exists for original and canonical style | no job | response is `style_exists`', async () => {
    const { aiJobId, originalImageId } = await world.newJob();
    await jobReaches(world.platform, aiJobId, 'SUCCESS');
    const [image] = await variantsOf(world, originalImageId);
    for (const web of [0, 1])
      expect(await submit(onWeb(world.platform, world.agent, web), originalImageId)).toMatchObject({
        disposition: 'style_exists',
        aiJobId: null,
        stagedImageId: image?.id,
      });
    expect(await jobsOf(originalImageId)).toEqual([{ aiJobId }]);
  });

  test('PROCESSING | retryable terminal provider or transport failure of attempt 1 | fewer than two attempts used | RETRYING | event `retry_scheduled`; attempt 2 may be reserved', async () => {
    const { aiJobId, originalImageId } = await jobHeldIn(world, 'RETRYING.BACKOFF');
    expect(await jobRow(world.platform, aiJobId)).toMatchObject({
      errorCode: 'PROVIDER_FAILED',
      retryAt: expect.any(Date),
    });
    expect(await eventLogged(world, aiJobId, 'retry_scheduled')).toMatchObject({
      errorCode: 'PROVIDER_FAILED',
      category: 'retryable',
    });
    expect(await seen(aiJobId)).toMatchObject({ status: 'RETRYING', waitReason: 'back-off' });
    await endBackoff(world, aiJobId);
    await jobReaches(world.platform, aiJobId, 'SUCCESS');
    expect(await statesOf(world, aiJobId)).toEqual([
      'PENDING.QUEUED',
      'PROCESSING.ATTEMPT',
      'RETRYING.BACKOFF',
      'PROCESSING.ATTEMPT',
      'SUCCESS',
    ]);
    const attempts = await attemptsOf(world, aiJobId);
    expect(attempts.map(({ attemptNumber, status }) => [attemptNumber, status])).toEqual([
      [1, 'FAILED'],
      [2, 'SUCCEEDED'],
    ]);
    expect(attempts[0]?.providerPredictionId).not.toBe(attempts[1]?.providerPredictionId);
    expect(await variantsOf(world, originalImageId)).toHaveLength(1);
  });

  test('a logical job reserves at most provider attempts 1 and 2: the second failure is the last', async () => {
    const { baseUrl } = world.platform.provider;
    await addFault(baseUrl, { fault: 'failed', times: 2, options: { error: 'busy (E003)' } });
    const { aiJobId } = await world.newJob();
    await jobReaches(world.platform, aiJobId, 'RETRYING.BACKOFF');
    await endBackoff(world, aiJobId);
    expect(await jobReaches(world.platform, aiJobId, 'FAILED')).toMatchObject({
      errorCode: 'PROVIDER_FAILED',
    });
    await eventLogged(world, aiJobId, 'terminal_error');
    const attempts = await attemptsOf(world, aiJobId);
    expect(attempts.map(({ status }) => status)).toEqual(['FAILED', 'FAILED']);
    await expect(
      world.platform.rows(
        `insert into ai_provider_attempts (id, "aiJobId", "attemptNumber", status) values (gen_random_uuid(), $1, 3, 'RESERVED')`,
        [aiJobId],
      ),
    ).rejects.toThrow('ai_provider_attempts_attemptNumber_check');
  });

  test('a restart alone never buys attempt 2', async () => {
    const job = await jobHeldIn(world, 'RUNNING');
    await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
    await startWorkers();
    await releaseHeld(world.platform.provider.baseUrl);
    await jobReaches(world.platform, job.aiJobId, 'SUCCESS');
    const attempts = await attemptsOf(world, job.aiJobId);
    expect(attempts).toMatchObject([{ attemptNumber: 1, providerPredictionId: job.predictionId }]);
    expect((await world.platform.purchases()).get(attempts[0]?.id ?? '')).toHaveLength(1);
  });

  for (const state of ['RUNNING', 'RETRYING.BACKOFF'] as const) {
    test(`PROCESSING or RETRYING (prediction id present) | cancel | any | CANCEL_REQUESTED | repeat cancel is idempotent and creates no attempt (${state})`, async () => {
      const rejections = await addFault(world.platform.provider.baseUrl, {
        fault: 'cancel-error',
        times: 'always',
      });
      expect(rejections).toBeGreaterThan(0);
      const { aiJobId } = await jobHeldIn(world, state);
      const before = await attemptsOf(world, aiJobId);
      expect(before[0]?.providerPredictionId).toEqual(expect.any(String));
      expect((await cancel(aiJobId)).data).toEqual({ aiJobId, status: 'CANCEL_REQUESTED' });
      const answers = await Promise.all([cancel(aiJobId), cancel(aiJobId)]);
      for (const { status, data } of answers) {
        expect(status).toBe(200);
        // Without a running prediction a worker finishes it at once.
        expect(state === 'RUNNING' ? ['CANCEL_REQUESTED'] : ['CANCEL_REQUESTED', 'CANCELED']).toContain(
          data.status,
        );
      }
      expect(
        (await journalOf(world, aiJobId)).filter(({ eventType }) => eventType === 'CANCEL_ASKED'),
      ).toHaveLength(1);
      await letGo(world, state);
      await jobReaches(world.platform, aiJobId, 'CANCELED');
      expect(
        (await attemptsOf(world, aiJobId)).map(({ id, providerPredictionId }) => [id, providerPredictionId]),
      ).toEqual(before.map(({ id, providerPredictionId }) => [id, providerPredictionId]));
    });

    test(`PROCESSING or RETRYING | original image deleted | any | CANCEL_REQUESTED, then CANCELED | cascade (${state})`, async () => {
      const { aiJobId, originalImageId, predictionId } = await jobHeldIn(world, state);
      const deleted = await world.anyWeb().request('DELETE', `/api/property-images/${originalImageId}`);
      expect(deleted.status).toBe(200);
      await jobReaches(world.platform, aiJobId, 'CANCELED');
      expect((await statesOf(world, aiJobId)).slice(-2)).toEqual(['CANCEL_REQUESTED', 'CANCELED']);
      expect(await imageRow(world, originalImageId)).toBeUndefined();
      expect(await variantsOf(world, originalImageId)).toEqual([]);
      const attempts = await attemptsOf(world, aiJobId);
      expect(attempts).toHaveLength(1);
      if (predictionId !== null)
        expect(attempts[0]).toMatchObject({ status: 'CANCELED', providerPredictionId: predictionId });
    });
  }

  for (const [how, ends] of [
    ['the provider stops', 'CANCELED'],
    ['the provider finishes all the same', 'DISCARDED'],
  ] as const)
    test(`CANCEL_REQUESTED | worker cancels provider prediction | any | CANCELED | attempt ends CANCELED or DISCARDED; prediction id unchanged; no staged row finalized (${how}: ${ends})`, async () => {
      const { baseUrl } = world.platform.provider;
      if (ends === 'DISCARDED') await addFault(baseUrl, { fault: 'finishes-after-cancel' });
      const job = await jobHeldIn(world, 'RUNNING');
      await cancel(job.aiJobId);
      if (ends === 'DISCARDED') {
        await attemptReaches(world.platform, job.aiJobId, 'CANCELING');
        await releaseHeld(baseUrl);
      }
      await jobReaches(world.platform, job.aiJobId, 'CANCELED');
      expect(await attemptsOf(world, job.aiJobId)).toMatchObject([
        { status: ends, providerPredictionId: job.predictionId },
      ]);
      expect(await variantsOf(world, job.originalImageId)).toEqual([]);
      await eventLogged(world, job.aiJobId, ends === 'CANCELED' ? 'canceled' : 'output_discarded');
    });
});

describe('Staged image review', () => {
  let storage: Queue;
  beforeAll(async () => {
    await startWorkers();
    storage = new Queue(queueNames(world.platform.queueSuffix).storage, { connection: world.kv });
  }, 60_000);
  afterAll(async () => {
    await storage.close();
    await stopWorkers();
  });

  const newVariant = async () => {
    const { aiJobId, originalImageId } = await world.newJob();
    await jobReaches(world.platform, aiJobId, 'SUCCESS');
    const [image] = await variantsOf(world, originalImageId);
    if (!image) throw new Error('no staged image');
    return { ...image, originalImageId };
  };
  const searchedIds = async () =>
    JSON.parse((await world.kv.hget(`psearch:property:${world.propertyId}`, 'images')) ?? '[]').map(
      ({ imageId }: { imageId: string }) => imageId,
    );

  test('(created by job success) | worker | PENDING_REVIEW | isMain false; visible only on authorized agent surfaces', async () => {
    const image = await newVariant();
    expect(image).toMatchObject({ reviewStatus: 'PENDING_REVIEW', isMain: false });
    const { data } = await world.anyWeb().query('ai.listStagedVariants', { propertyId: world.propertyId });
    expect(data.items.map(({ imageId }: { imageId: string }) => imageId)).toContain(image.id);
    await eventually(async () => (await searchedIds()).includes(image.originalImageId), {
      what: 'the original in the search document',
    });
    expect(await searchedIds()).not.toContain(image.id);
  });

  test('PENDING_REVIEW | approve by assigned or owning agent | APPROVED | reviewedByUserId and reviewedAt set; exactly one `APPROVED` review event; search document rebuilt; image bytes unchanged', async () => {
    const image = await newVariant();
    const me = (await world.anyWeb().query('users.getMe')).data.id;
    const approved = await world.anyWeb().mutate('ai.approveStagedVariant', { imageId: image.id });
    expect(approved.data).toMatchObject({
      imageId: image.id,
      reviewStatus: 'APPROVED',
      reviewedByUserId: me,
    });
    const row = await imageRow(world, image.id);
    expect(row).toMatchObject({
      reviewStatus: 'APPROVED',
      reviewedByUserId: me,
      reviewedAt: expect.any(Date),
      objectKey: image.objectKey,
      outputChecksum: image.outputChecksum,
    });
    const events = await world.platform.rows(
      'select kind from property_image_review_events where "imageId" = $1',
      [image.id],
    );
    expect(events).toEqual([{ kind: 'APPROVED' }]);
    await eventually(async () => (await searchedIds()).includes(image.id), {
      what: 'the image in the search document',
    });
    const { data } = await world
      .anyWeb()
      .query('ai.listStagedVariants', { originalImageId: image.originalImageId });
    expect(data.items).toMatchObject([{ reviewStatus: 'APPROVED', disclosureLabel: DISCLOSURE_LABEL }]);
  });

  test('PENDING_REVIEW | `ai.rejectStagedVariant` | row removed | in one transaction: a `REJECTED` review event with snapshot and an outbox row with reason `STAGED_IMAGE_DELETED`; regeneration of the same style then returns `ENQUEUED`', async () => {
    const image = await newVariant();
    // The drain would rewrite the outbox row and its transaction id.
    await storage.pause();
    const rejected = await world
      .anyWeb()
      .mutate('ai.rejectStagedVariant', { imageId: image.id, reason: 'Wrong room.' });
    expect(rejected.data).toEqual({ imageId: image.id, rejected: true });
    expect(await imageRow(world, image.id)).toBeUndefined();
    const written = await world.platform.rows<{ xmin: string }>(
      `select xmin::text, kind::text as what from property_image_review_events
         where "imageId" = $1 and "aiJobId" = $3 and "objectKey" = $2 and reason = 'Wrong room.'
       union all
       select xmin::text, reason::text from storage_deletion_outbox where "objectKey" = $2`,
      [image.id, image.objectKey, image.aiJobId],
    );
    expect(written).toMatchObject([{ what: 'REJECTED' }, { what: 'STAGED_IMAGE_DELETED' }]);
    expect(written[0]?.xmin).toBe(written[1]?.xmin);
    await storage.resume();
    const again = await submit(world.anyWeb(), image.originalImageId);
    expect(again.disposition).toBe('ENQUEUED');
    await jobReaches(world.platform, again.aiJobId, 'SUCCESS');
  });

  test('any staged | set isMain true | rejected | HTTP 400 at the service; database check fails', async () => {
    const image = await newVariant();
    for (const status of ['PENDING_REVIEW', 'APPROVED']) {
      if (status === 'APPROVED')
        await world.anyWeb().mutate('ai.approveStagedVariant', { imageId: image.id });
      const body = JSON.stringify({ isMain: true });
      const refused = await world.anyWeb().request('PATCH', `/api/property-images/${image.id}`, { body });
      expect([refused.status, refused.errorCode]).toEqual([400, 'STAGED_CANNOT_BE_MAIN']);
      await expect(
        world.platform.rows('update property_images set "isMain" = true where id = $1', [image.id]),
      ).rejects.toThrow('property_images_staged_cannot_be_main_check');
      expect(await imageRow(world, image.id)).toMatchObject({ isMain: false, reviewStatus: status });
    }
  });

  test('storage_deletion_outbox.status | `PENDING` to `PROCESSING` to `DELETED` (sets processedAt), driven by the drain job', async () => {
    const image = await newVariant();
    await storage.pause();
    await world.anyWeb().mutate('ai.rejectStagedVariant', { imageId: image.id });
    const [waiting] = await outboxOf(world, [image.objectKey]);
    expect(waiting).toMatchObject({ status: 'PENDING', attempts: 0, processedAt: null });
    expect(await storedKeys(world)).toContain(image.objectKey);
    await storage.resume();
    await drainAll(world);
    expect(await outboxOf(world, [image.objectKey])).toMatchObject([
      { id: waiting?.id, status: 'DELETED', processedAt: expect.any(Date) },
    ]);
    const journal = await journalOf(world, waiting?.id ?? '');
    expect(journal.map(({ fromState, toState }) => [fromState, toState])).toEqual([
      ['PENDING', 'PROCESSING'],
      ['PROCESSING', 'DELETED'],
    ]);
    for (const { actedBy } of journal) expect(actedBy).toMatch(/^worker:/);
    expect(await storedKeys(world)).not.toContain(image.objectKey);
  });
});

test('CANCEL_REQUESTED | provider finishes first | output already stored | CANCELED | event `output_discarded`; outbox row for the uploaded object', async () => {
  await startWorkers({ TEST_STOP_AT: 'after-put' });
  const { aiJobId, originalImageId } = await world.newJob();
  const { objectKey, providerPredictionId } = await attemptReaches(world.platform, aiJobId, 'COLLECTING');
  await eventually(async () => (await storedKeys(world)).includes(objectKey ?? ''), {
    what: 'the stored output',
  });
  expect((await cancel(aiJobId)).status).toBe(200);
  await jobReaches(world.platform, aiJobId, 'CANCELED');
  expect((await statesOf(world, aiJobId)).slice(-2)).toEqual(['CANCEL_REQUESTED', 'CANCELED']);
  for (const { pid } of workers) process.kill(pid, 'SIGCONT');
  expect(await attemptsOf(world, aiJobId)).toMatchObject([{ status: 'DISCARDED', providerPredictionId }]);
  const discarded = world.platform.lines.filter(
    (line) => line.includes(aiJobId) && line.includes('output_discarded'),
  );
  expect(discarded).toHaveLength(1);
  expect(await outboxOf(world, [objectKey ?? ''])).toMatchObject([{ reason: 'STAGED_IMAGE_DELETED' }]);
  await drainAll(world);
  expect(await storedKeys(world)).not.toContain(objectKey);
  expect(await variantsOf(world, originalImageId)).toEqual([]);
  await stopWorkers();
});

test('storage_deletion_outbox.status | `FAILED` | what only a person can mend is not tried again', async () => {
  const original = await imageRow(world, await world.newOriginal());
  await world.anyWeb().request('DELETE', `/api/property-images/${original?.id}`);
  await startWorkers({ S3_BUCKET: 'there-is-no-such-bucket' });
  const [failed] = await eventually(
    async () => {
      const items = await outboxOf(world, [original?.objectKey ?? '']);
      return items[0]?.status === 'FAILED' && items;
    },
    { what: 'the deletion to fail' },
  );
  expect(failed).toMatchObject({
    attempts: 1,
    lastError: expect.stringContaining('NoSuchBucket'),
    processedAt: null,
  });
  expect((await journalOf(world, failed?.id ?? '')).map(({ toState }) => toState)).toEqual([
    'PROCESSING',
    'FAILED',
  ]);
  expect(await storedKeys(world)).toContain(original?.objectKey);
  await eventually(
    () =>
      world.platform.lines.some(
        (line) => line.includes('deletion_failed') && line.includes(failed?.id ?? ''),
      ),
    {
      what: 'the alert',
    },
  );
  await stopWorkers();
});
