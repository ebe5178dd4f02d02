import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
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
        submittedStyle: 'Art Deco',
        legacyStyle: 'Art Deco',
        legacyMetadata: null,
        legacyMessageKey: null,
        createdAt: new Date(MANUAL_EPOCH),
      },
    ]);
    const image = await database.pool.query('select "roomType" from property_images where id = $1', [
      original.imageId,
    ]);
    expect(image.rows).toEqual([{ roomType: 'TV_ROOM' }]);
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
