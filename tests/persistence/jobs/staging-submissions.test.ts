import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { adoptInputOfOriginal } from '../../../persistence/jobs/job-inputs.ts';
import { NO_STAGING_LIMITS } from '../../../persistence/jobs/staging-quotas.ts';
import {
  type StagingSubmission,
  type Submitted,
  submitStagingJobs,
} from '../../../persistence/jobs/staging-submissions.ts';
import { seedOriginal, seedStagingJob, seedUser, seedVariant } from '../../support/database/seed.ts';
import { journalOf, useStoreDatabase, waitForBlocked } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';

const database = useStoreDatabase();
let userId: string;
beforeEach(async () => {
  await database.clear();
  userId = await seedUser(database.pool);
});

const request = (originalImageId: string, overrides: Partial<StagingSubmission> = {}): StagingSubmission => ({
  aiJobId: randomUUID(),
  originalImageId,
  requestedByUserId: userId,
  canonicalRoomType: 'TV_ROOM',
  canonicalStyle: 'LUXURY',
  styleModifier: 'one bright accent',
  submittedStyle: 'Art Deco',
  legacyStyle: 'Art Deco',
  prompt: 'Stage it.',
  promptVersion: 'room-staging-v2.0',
  providerModel: 'openai/gpt-image-2',
  quality: 'medium',
  framing: 'fixed',
  aspectRatio: '3:2',
  outputFormat: 'webp',
  outputCompression: 80,
  at: MANUAL_EPOCH,
  ...overrides,
});
/** The answer to one submission, or the error of the call. */
async function submit(given: StagingSubmission): Promise<Submitted | { outcome: string; index?: number }> {
  const answer = await submitStagingJobs(database.pool, {
    agentId: userId,
    submissions: [given],
    limits: NO_STAGING_LIMITS,
    approvedOnly: false,
    at: given.at,
  });
  return answer.outcome === 'submitted' ? submitted(answer.results[0]) : answer;
}
const NO_PAD = {
  padWidth: null,
  padHeight: null,
  frameLeft: null,
  frameTop: null,
  frameWidth: null,
  frameHeight: null,
};
const jobs = async () => {
  const { rows } = await database.pool.query('select * from ai_jobs order by "createdAt", id');
  return rows;
};

describe('submitStagingJob', () => {
  test('stores everything that the provider request needs', async () => {
    const original = await seedOriginal(database.pool, { roomType: null });
    const given = request(original.imageId);
    expect(await submit(given)).toEqual({
      disposition: 'ENQUEUED',
      roomType: 'TV_ROOM',
      aiJobId: given.aiJobId,
      stagedImageId: null,
    });
    const [job] = await jobs();
    expect(job).toMatchObject({
      id: given.aiJobId,
      type: 'ROOM_STAGING',
      status: 'PENDING',
      phase: 'QUEUED',
      version: 1,
      dedupeKey: `staging:${original.imageId}:LUXURY`,
      requestedByUserId: userId,
      propertyId: original.propertyId,
      createdAt: new Date(MANUAL_EPOCH),
    });
    expect(await journalOf(database.pool, 'stagingJob', given.aiJobId)).toMatchObject([
      { seq: 1, eventType: 'CREATED', fromState: null, toState: 'PENDING.QUEUED', actedBy: `user:${userId}` },
    ]);
    const { rows } = await database.pool.query('select * from ai_room_staging_jobs');
    expect(rows).toEqual([
      {
        aiJobId: given.aiJobId,
        originalImageId: original.imageId,
        resultImageId: null,
        canonicalRoomType: 'TV_ROOM',
        canonicalStyle: 'LUXURY',
        styleModifier: 'one bright accent',
        prompt: 'Stage it.',
        promptVersion: 'room-staging-v2.0',
        providerModel: 'openai/gpt-image-2',
        quality: 'medium',
        framing: 'fixed',
        aspectRatio: '3:2',
        outputFormat: 'webp',
        outputCompression: 80,
        providerInputKey: original.providerInputKey,
        groupId: null,
        referenceImageKey: null,
        submittedStyle: 'Art Deco',
        legacyStyle: 'Art Deco',
        legacyMetadata: null,
        legacyMessageKey: null,
        createdAt: new Date(MANUAL_EPOCH),
        ...NO_PAD,
      },
    ]);
    const image = await database.pool.query('select "roomType" from property_images where id = $1', [
      original.imageId,
    ]);
    expect(image.rows).toEqual([{ roomType: 'TV_ROOM' }]);
  });

  test("an original whose room type is the job's is not written again", async () => {
    const original = await seedOriginal(database.pool, { roomType: 'TV_ROOM' });
    const place = async () => (await database.pool.query('select ctid from property_images')).rows;
    const before = await place();
    expect(await submit(request(original.imageId))).toMatchObject({ disposition: 'ENQUEUED' });
    expect(await place()).toEqual(before);
  });

  test('a job in any non-final state answers EXISTING, in every spelling of the id', async () => {
    const original = await seedOriginal(database.pool);
    const given = request(original.imageId.toUpperCase());
    await submit(given);
    for (const [status, phase] of [
      ['PENDING', 'PROVIDER_DISABLED'],
      ['PROCESSING', 'ATTEMPT'],
      ['RETRYING', 'BACKOFF'],
      ['CANCEL_REQUESTED', null],
    ]) {
      await database.pool.query('update ai_jobs set status = $1, phase = $2, "retryAt" = now()', [
        status,
        phase,
      ]);
      expect(await submit(request(original.imageId, { canonicalRoomType: 'OFFICE' }))).toEqual({
        disposition: 'EXISTING',
        roomType: 'TV_ROOM',
        aiJobId: given.aiJobId,
        stagedImageId: null,
      });
    }
    expect(await jobs()).toHaveLength(1);
    const { rows } = await database.pool.query('select "roomType" from property_images');
    expect(rows).toEqual([{ roomType: 'TV_ROOM' }]);
  });

  test('a live variant answers style_exists, approved or not, and only for its own style', async () => {
    const original = await seedOriginal(database.pool);
    const stagedImageId = await seedVariant(database.pool, original, { canonicalStyle: 'LUXURY' });
    expect(await submit(request(original.imageId))).toEqual({
      disposition: 'style_exists',
      roomType: 'LIVING_ROOM',
      aiJobId: null,
      stagedImageId,
    });
    expect(await submit(request(original.imageId, { canonicalStyle: 'MODERN' }))).toMatchObject({
      disposition: 'ENQUEUED',
    });
  });

  test('after a final job the style may be submitted again', async () => {
    const seeded = await seedStagingJob(database.pool, {
      canonicalStyle: 'LUXURY',
      job: { status: 'FAILED', phase: null },
    });
    expect(await submit(request(seeded.imageId))).toMatchObject({ disposition: 'ENQUEUED' });
  });

  test('a missing or staged image cannot be staged', async () => {
    const original = await seedOriginal(database.pool);
    const variant = await seedVariant(database.pool, original);
    expect(await submit(request(randomUUID()))).toEqual({ outcome: 'missing', index: 0 });
    expect(await submit(request(variant))).toEqual({ outcome: 'not-original', index: 0 });
    expect(await jobs()).toEqual([]);
  });

  test('a job inserted without a lock on the original is found through the unique index', async () => {
    const original = await seedOriginal(database.pool);
    const other = await database.pool.connect();
    try {
      await other.query('begin');
      const { rows } = await other.query(
        `insert into ai_jobs (type, status, phase, "dedupeKey") values ('ROOM_STAGING', 'PENDING', 'QUEUED', $1)
         returning id`,
        [`staging:${original.imageId}:LUXURY`],
      );
      const answer = submit(request(original.imageId));
      await waitForBlocked(database.pool, 1);
      await other.query('commit');
      expect(await answer).toMatchObject({ disposition: 'EXISTING', aiJobId: rows[0].id });
    } finally {
      other.release();
    }
  });

  test('of each of a hundred simultaneous pairs, one submission makes the job and the other gets its id', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 100 }, async () => (await seedOriginal(database.pool)).imageId),
    );
    const answers = await Promise.all(
      pairs.map((imageId) => Promise.all([submit(request(imageId)), submit(request(imageId))])),
    );
    for (const pair of answers) {
      const [first, second] = pair
        .map((answer) => submitted('disposition' in answer ? answer : undefined))
        .toSorted((a, b) => a.disposition.localeCompare(b.disposition));
      expect([first?.disposition, second?.disposition]).toEqual(['ENQUEUED', 'EXISTING']);
      expect(second?.aiJobId).toBe(first?.aiJobId);
    }
    expect(await jobs()).toHaveLength(100);
  });
});

function submitted(result: Submitted | undefined): Submitted {
  if (result === undefined) throw new Error('not submitted');
  return result;
}

describe('a submission with photo framing', () => {
  const PHOTO = { outputWidth: 1600, outputHeight: 1200, paddedInputKey: 'inputs/padded.jpg' };
  const shapes = async () => {
    const { rows } = await database.pool.query(
      `select framing, "aspectRatio", "providerInputKey", "padWidth", "padHeight", "frameLeft", "frameTop", "frameWidth",
         "frameHeight" from ai_room_staging_jobs`,
    );
    return rows;
  };
  const FRAMED = {
    framing: 'photo',
    aspectRatio: '3:2',
    providerInputKey: 'inputs/padded.jpg',
    padWidth: 1800,
    padHeight: 1200,
    frameLeft: 100,
    frameTop: 0,
    frameWidth: 1600,
    frameHeight: 1200,
  };
  const UNSHAPED = { framing: 'photo', aspectRatio: null, providerInputKey: null, ...NO_PAD };

  test('stores the nearest shape, the padded copy and where the photo lies in it', async () => {
    const { imageId } = await seedOriginal(database.pool, PHOTO);
    await submit(request(imageId, { framing: 'photo', aspectRatio: '1:1' }));
    expect(await shapes()).toEqual([FRAMED]);
  });

  test.each([
    ['of an unknown size', { outputWidth: null, outputHeight: null }],
    ['beyond 3:1', { outputWidth: 4000, outputHeight: 1200 }],
  ])('of a photo %s has no shape and no input yet', async (_why, size) => {
    const { imageId } = await seedOriginal(database.pool, { ...PHOTO, ...size });
    await submit(request(imageId, { framing: 'photo' }));
    expect(await shapes()).toEqual([UNSHAPED]);
  });

  test('gets its shape with its input, once the photo was measured', async () => {
    const { imageId } = await seedOriginal(database.pool);
    const given = request(imageId, { framing: 'photo' });
    await submit(given);
    expect(await adoptInputOfOriginal(database.pool, given.aiJobId)).toBe(false);
    await database.pool.query(
      `update property_images set "outputWidth" = 1600, "outputHeight" = 1200, "paddedInputKey" = 'inputs/padded.jpg'`,
    );
    expect(await adoptInputOfOriginal(database.pool, given.aiJobId)).toBe(true);
    expect(await shapes()).toEqual([FRAMED]);
    await database.pool.query('update property_images set "outputWidth" = 1200');
    expect(await adoptInputOfOriginal(database.pool, given.aiJobId)).toBe(true);
    expect(await shapes()).toEqual([FRAMED]);
  });

  test.each([
    ['another rectangle', '"frameLeft" = 0', 'ai_room_staging_jobs_keep_pad'],
    ['no rectangle', '"padWidth" = null', 'ai_room_staging_jobs_keep_pad'],
    ['another shape', `"aspectRatio" = '1:1'`, 'ai_room_staging_jobs_pad_check'],
    ['no shape', '"aspectRatio" = null', 'ai_room_staging_jobs_framing_check'],
    ['the other framing', `framing = 'fixed'`, 'ai_room_staging_jobs_framing_check'],
  ])('can never be given %s', async (_what, set, constraint) => {
    const { imageId } = await seedOriginal(database.pool, PHOTO);
    await submit(request(imageId, { framing: 'photo' }));
    await expect(database.pool.query(`update ai_room_staging_jobs set ${set}`)).rejects.toMatchObject({
      constraint,
    });
  });

  test('has no input without a shape', async () => {
    const { imageId } = await seedOriginal(database.pool);
    await submit(request(imageId, { framing: 'photo' }));
    await expect(
      database.pool.query(`update ai_room_staging_jobs set "providerInputKey" = 'inputs/plain.jpg'`),
    ).rejects.toMatchObject({ constraint: 'ai_room_staging_jobs_framing_check' });
  });
});
