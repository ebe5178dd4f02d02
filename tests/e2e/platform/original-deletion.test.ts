import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { addFault, changeSettings, clearFaults } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import type { Answer } from '../../support/platform/agent.ts';
import { HELD_STATES, type HeldState, jobHeldIn, letGo } from '../../support/platform/held-states.ts';
import { attemptReaches, jobReaches, jobRow, submit } from '../../support/platform/listing.ts';
import { test } from '../../support/platform/shared-platform.ts';
import {
  attemptsOf,
  drainAll,
  type ImageRow,
  imageRow,
  journalOf,
  keysOf,
  openSharedWorld,
  outboxOf,
  STEADY,
  type StagingWorld,
  storedKeys,
  unreferencedKeys,
  variantsOf,
} from '../../support/platform/staging-world.ts';

/**
 * Deleting an original in every state of its job: the job ends CANCELED, its attempts end, its pictures are
 * deleted with it, and every object is queued with the reason and deleted (docs/contract.md#photos).
 */
let world: StagingWorld;
let worker: RoleProcess;

test.beforeAll(async ({ platform }) => {
  world = await openSharedWorld(platform);
}, 60_000);
afterAll(() => world.close());

const remove = (imageId: string): Promise<Answer> =>
  world.anyWeb().request('DELETE', `/api/property-images/${imageId}`);

async function storedImage(imageId: string): Promise<ImageRow> {
  const image = await imageRow(world, imageId);
  if (!image) throw new Error(`no image ${imageId}`);
  return image;
}

/** Waits until the files of these images are queued with the reason and then deleted. */
async function expectFilesToGo(images: readonly ImageRow[], reason: string): Promise<void> {
  const keys = images.flatMap(keysOf);
  const queued = await outboxOf(world, keys);
  expect(queued.map((item) => item.objectKey).sort()).toEqual([...keys].sort());
  expect(new Set(queued.map((item) => item.reason))).toEqual(new Set([reason]));
  await drainAll(world);
  for (const item of await outboxOf(world, keys)) {
    expect(item.status).toBe('DELETED');
    expect(item.processedAt).toBeInstanceOf(Date);
  }
  const left = await storedKeys(world);
  expect(keys.filter((key) => left.includes(key))).toEqual([]);
}

test('PENDING.PROVIDER_DISABLED: the job is CANCELED, and the files are deleted while purchases are off', async () => {
  const idle = await world.platform.startWorker({ ...STEADY, AI_ROOM_STAGING_ENABLED: 'false' });
  onTestFinished(() => idle.stop());
  const job = await world.newJob();
  await jobReaches(world.platform, job.aiJobId, 'PENDING.PROVIDER_DISABLED');
  const original = await storedImage(job.originalImageId);
  expect((await remove(job.originalImageId)).status).toBe(200);
  expect((await jobRow(world.platform, job.aiJobId)).status).toBe('CANCELED');
  expect(await attemptsOf(world, job.aiJobId)).toEqual([]);
  await expectFilesToGo([original], 'ORIGINAL_IMAGE_DELETED');
});

describe('with a worker', () => {
  beforeAll(async () => {
    worker = await world.platform.startWorker(STEADY);
    await worker.ready;
  });
  afterEach(() => world.calm());
  afterAll(() => worker.stop());

  const ATTEMPT_ENDS: Record<HeldState, string[]> = {
    'PENDING.QUEUED': [],
    RESERVED: ['CANCELED'],
    SENT: ['CANCELED'],
    UNCONFIRMED: ['CANCELED'],
    RUNNING: ['CANCELED'],
    COLLECTING: ['DISCARDED'],
    'RETRYING.BACKOFF': ['FAILED'],
  };
  const WAYS = {
    'the route': async (imageId: string) => expect((await remove(imageId)).status).toBe(200),
    'the row alone': async (imageId: string) => {
      await world.platform.rows('delete from property_images where id = $1', [imageId]);
    },
  };

  for (const [way, removal] of Object.entries(WAYS))
    for (const state of HELD_STATES) {
      // A plain DELETE sends the runner no event: see the test below.
      if (way === 'the row alone' && state === 'COLLECTING') continue;
      test(`${state}, by ${way}: the job ends CANCELED, its attempts ${JSON.stringify(ATTEMPT_ENDS[state])}`, async () => {
        const job = await jobHeldIn(world, state);
        const original = await storedImage(job.originalImageId);
        await removal(job.originalImageId);
        expect(await imageRow(world, job.originalImageId)).toBeUndefined();
        await letGo(world, state);
        const ended = await jobReaches(world.platform, job.aiJobId, 'CANCELED');
        expect(ended.canceledAt).toBeInstanceOf(Date);
        const path = (await journalOf(world, job.aiJobId)).map(({ toState }) => toState);
        const deleted = (await journalOf(world, job.aiJobId)).find(
          ({ eventType }) => eventType === 'ORIGINAL_DELETED',
        );
        expect(deleted?.toState).toBe(state === 'PENDING.QUEUED' ? 'CANCELED' : 'CANCEL_REQUESTED');
        if (state !== 'PENDING.QUEUED') expect(path.slice(-2)).toEqual(['CANCEL_REQUESTED', 'CANCELED']);
        const attempts = await attemptsOf(world, job.aiJobId);
        expect(attempts.map(({ status }) => status)).toEqual(ATTEMPT_ENDS[state]);
        if (job.predictionId !== null) expect(attempts[0]?.providerPredictionId).toBe(job.predictionId);
        await eventually(async () => (await world.queue.getJob(job.aiJobId)) === undefined, {
          what: 'no queue entry',
        });
        await expectFilesToGo([original], 'ORIGINAL_IMAGE_DELETED');
        expect(await unreferencedKeys(world)).toEqual([]);
      });
    }

  test('COLLECTING, by a plain DELETE: the current download ends first, then its output is discarded', async () => {
    await addFault(world.platform.provider.baseUrl, {
      fault: 'output-slow-drip',
      options: { bytesPerTick: 2048, tickMs: 400 },
    });
    const job = await world.newJob();
    const { objectKey } = await attemptReaches(world.platform, job.aiJobId, 'COLLECTING');
    await WAYS['the row alone'](job.originalImageId);
    expect((await jobRow(world.platform, job.aiJobId)).status).toBe('CANCEL_REQUESTED');
    await jobReaches(world.platform, job.aiJobId, 'CANCELED');
    expect(await attemptsOf(world, job.aiJobId)).toMatchObject([{ status: 'DISCARDED', objectKey }]);
    expect(await outboxOf(world, [objectKey ?? ''])).toMatchObject([{ status: 'PENDING' }]);
    await drainAll(world);
    expect(await unreferencedKeys(world)).toEqual([]);
  });

  test('CANCEL_REQUESTED: the cancellation under way goes on', async () => {
    await addFault(world.platform.provider.baseUrl, { fault: 'cancel-error', times: 'always' });
    const job = await jobHeldIn(world, 'RUNNING');
    await world.anyWeb().mutate('ai.cancelStagingJob', { aiJobId: job.aiJobId });
    await attemptReaches(world.platform, job.aiJobId, 'CANCELING');
    expect((await remove(job.originalImageId)).status).toBe(200);
    await clearFaults(world.platform.provider.baseUrl);
    await jobReaches(world.platform, job.aiJobId, 'CANCELED');
    expect((await attemptsOf(world, job.aiJobId)).map(({ status }) => status)).toEqual(['CANCELED']);
  });

  for (const review of ['PENDING_REVIEW', 'APPROVED'] as const)
    test(`SUCCESS, its result ${review}: original and staged image are deleted, the job stays SUCCESS`, async () => {
      const job = await world.newJob();
      const second = await submit(world.anyWeb(), job.originalImageId, 'LUXURY');
      for (const id of [job.aiJobId, second.aiJobId]) await jobReaches(world.platform, id, 'SUCCESS');
      const variants = await variantsOf(world, job.originalImageId);
      expect(variants).toHaveLength(2);
      if (review === 'APPROVED')
        for (const { id } of variants)
          expect((await world.anyWeb().mutate('ai.approveStagedVariant', { imageId: id })).status).toBe(200);
      const original = await storedImage(job.originalImageId);
      const before = await jobRow(world.platform, job.aiJobId);
      expect((await remove(job.originalImageId)).status).toBe(200);
      expect(await variantsOf(world, job.originalImageId)).toEqual([]);
      expect(await imageRow(world, job.originalImageId)).toBeUndefined();
      expect(await jobRow(world.platform, job.aiJobId)).toEqual(before);
      await expectFilesToGo([original, ...variants], 'ORIGINAL_IMAGE_DELETED');
      expect((await remove(job.originalImageId)).status).toBe(404);
    });

  test('FAILED and CANCELED jobs stay as they are', async () => {
    await addFault(world.platform.provider.baseUrl, {
      fault: 'failed',
      options: { error: 'flagged as sensitive (E005) (x)' },
    });
    const failed = await world.newJob();
    await jobReaches(world.platform, failed.aiJobId, 'FAILED');
    await world.queue.pause();
    const canceled = await world.newJob();
    await world.anyWeb().mutate('ai.cancelStagingJob', { aiJobId: canceled.aiJobId });
    for (const job of [failed, canceled]) {
      const before = await jobRow(world.platform, job.aiJobId);
      expect((await remove(job.originalImageId)).status).toBe(200);
      expect(await jobRow(world.platform, job.aiJobId)).toEqual(before);
    }
  });

  test('a rejected style can be staged again: ENQUEUED, and the new result is another image', async () => {
    const job = await world.newJob('SCANDINAVIAN');
    await jobReaches(world.platform, job.aiJobId, 'SUCCESS');
    const [first] = await variantsOf(world, job.originalImageId);
    expect((await submit(world.anyWeb(), job.originalImageId, 'SCANDINAVIAN')).disposition).toBe(
      'style_exists',
    );
    const rejected = await world.anyWeb().mutate('ai.rejectStagedVariant', { imageId: first?.id });
    expect(rejected.status).toBe(200);
    const again = await submit(world.anyWeb(), job.originalImageId, 'SCANDINAVIAN');
    expect(again.disposition).toBe('ENQUEUED');
    expect(again.aiJobId).not.toBe(job.aiJobId);
    await jobReaches(world.platform, again.aiJobId, 'SUCCESS');
    const [second, ...others] = await variantsOf(world, job.originalImageId);
    expect(others).toEqual([]);
    expect(second?.id).not.toBe(first?.id);
    expect(second?.objectKey).not.toBe(first?.objectKey);
    if (first) await expectFilesToGo([first], 'STAGED_IMAGE_DELETED');
    expect(await storedKeys(world)).toContain(second?.objectKey);
  });

  test('a staged image is not deleted by the generic route and never becomes the cover', async () => {
    const job = await world.newJob();
    await jobReaches(world.platform, job.aiJobId, 'SUCCESS');
    const [variant] = await variantsOf(world, job.originalImageId);
    const id = variant?.id ?? '';
    const deleted = await remove(id);
    expect([deleted.status, deleted.errorCode]).toEqual([400, 'STAGED_DELETE_REFUSED']);
    for (const review of ['PENDING_REVIEW', 'APPROVED']) {
      if (review === 'APPROVED') await world.anyWeb().mutate('ai.approveStagedVariant', { imageId: id });
      const patched = await world.anyWeb().request('PATCH', `/api/property-images/${id}`, {
        body: JSON.stringify({ isMain: true }),
      });
      expect([patched.status, patched.errorCode]).toEqual([400, 'STAGED_CANNOT_BE_MAIN']);
      await expect(
        world.platform.rows('update property_images set "isMain" = true where id = $1', [id]),
      ).rejects.toThrow('property_images_staged_cannot_be_main_check');
      expect(await imageRow(world, id)).toMatchObject({ isMain: false, reviewStatus: review });
    }
  });

  test('twelve deletions race twelve completions: no image, no open job and no file is left', async () => {
    await changeSettings(world.platform.provider.baseUrl, { speed: 'instant' });
    const jobs = await Promise.all(Array.from({ length: 12 }, () => world.newJob()));
    const answers = await Promise.all(
      jobs.map(async ({ aiJobId, originalImageId }, index) => {
        const point = ['RESERVED', 'RUNNING', 'COLLECTING', 'SUCCEEDED'][index % 4] ?? '';
        await eventually(
          async () => {
            const journal = await journalOf(world, (await attemptsOf(world, aiJobId))[0]?.id ?? aiJobId);
            return journal.some(({ fromState, toState }) => fromState === point || toState === point);
          },
          { what: `the attempt to have been ${point}`, intervalMs: 5 },
        );
        return remove(originalImageId);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(jobs.map(() => 200));
    for (const job of jobs) {
      await jobReaches(world.platform, job.aiJobId, ['SUCCESS', 'CANCELED']);
      expect(await variantsOf(world, job.originalImageId)).toEqual([]);
    }
    await drainAll(world);
    expect(await unreferencedKeys(world)).toEqual([]);
  });

  test('twelve deletions race twelve submissions: each is rejected or CANCELED, never an internal error', async () => {
    const originals = await Promise.all(Array.from({ length: 12 }, () => world.newOriginal()));
    const assignment = (originalImageId: string) => ({
      assignments: [{ originalImageId, roomType: 'OFFICE', style: 'MODERN' }],
    });
    const answers = await Promise.all(
      originals.map((id) =>
        Promise.all([world.anyWeb().mutate('ai.submitRoomStaging', assignment(id)), remove(id)]),
      ),
    );
    for (const [submitted, removed] of answers) {
      expect(removed.status).toBe(200);
      if (submitted.status !== 200) {
        expect([submitted.status, submitted.errorCode]).toEqual([404, 'NOT_FOUND']);
        continue;
      }
      await jobReaches(world.platform, submitted.data.results[0].aiJobId, ['CANCELED', 'SUCCESS']);
    }
    await drainAll(world);
    expect(await unreferencedKeys(world)).toEqual([]);
    for (const id of originals) expect(await variantsOf(world, id)).toEqual([]);
  });
});
