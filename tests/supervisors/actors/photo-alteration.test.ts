import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PhotoAlteration } from '../../../persistence/actors/alter-photo.ts';
import { systemTimers } from '../../../src/time.ts';
import { type ActorSystem, createActorSystem } from '../../../supervisors/actors/deliver.ts';
import { alterPhoto } from '../../../supervisors/actors/photo-alteration.ts';
import {
  seedOriginal,
  seedProperty,
  seedStagingJob,
  seedUser,
  seedVariant,
} from '../../support/database/seed.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { seedOpenJobs, submitOffice } from '../../support/worlds/original-in-use.ts';
import {
  bothQueues,
  createRecordingQueue,
  createRecordingReporter,
} from '../../support/worlds/recording-ports.ts';

/** Declaring a photo altered (docs/contract.md#altered-photos). */
const database = useStoreDatabase();
let actorSystem: ActorSystem;
let agentId: string;
let propertyId: string;
beforeEach(async () => {
  await database.clear();
  actorSystem = createActorSystem({
    store: database.store,
    queues: bothQueues(createRecordingQueue()),
    nudges: { publish: () => {} },
    reporter: createRecordingReporter(),
    // The lock of a submission that is under way is waited for.
    timers: systemTimers,
    chance: { id: randomUUID, jitter: () => 0.5 },
  });
  agentId = await seedUser(database.pool);
  propertyId = await seedProperty(database.pool, { ownerAgentId: agentId });
});

const AT = MANUAL_EPOCH + 5_000;
const rows = async (sql: string, values: unknown[] = []) => (await database.pool.query(sql, values)).rows;
const photo = (overrides: Record<string, unknown> = {}) =>
  seedOriginal(database.pool, { propertyId, ...overrides });
const declare = (imageId: string, more: Partial<PhotoAlteration> = {}) =>
  alterPhoto(actorSystem, {
    imageId,
    kind: 'Twilight Conversion',
    originalImageId: null,
    agentId,
    by: `user:${agentId}`,
    at: AT,
    ...more,
  });
const events = () =>
  rows(
    `select before, after, by, at from photo_alteration_events where "propertyId" = $1
     order by at, before nulls first, after nulls last`,
    [propertyId],
  );

describe('a declaration', () => {
  test('cancels open jobs, withdraws approved pictures and passes the cover on, with an event', async () => {
    const original = await photo({ isMain: true, position: 0 });
    const next = await photo({ position: 1 });
    const { pending, running } = await seedOpenJobs(database.pool, original);
    const approved = await seedVariant(database.pool, original, {
      canonicalStyle: 'FARMHOUSE',
      reviewStatus: 'APPROVED',
    });
    const waiting = await seedVariant(database.pool, original, { canonicalStyle: 'INDUSTRIAL' });

    expect(await declare(original.imageId)).toBe('changed');

    expect(
      await rows('select id, alteration, "alterationBy", "isMain" from property_images where not "isStyled"'),
    ).toEqual(
      expect.arrayContaining([
        { id: original.imageId, alteration: 'Twilight Conversion', alterationBy: 'AGENT', isMain: false },
        { id: next.imageId, alteration: null, alterationBy: null, isMain: true },
      ]),
    );
    expect(await rows('select id, status from ai_jobs order by status')).toEqual([
      { id: running.jobId, status: 'CANCEL_REQUESTED' },
      { id: pending.jobId, status: 'CANCELED' },
    ]);
    expect(
      await rows('select id, "reviewStatus", "withdrawnBy" from property_images where "isStyled"'),
    ).toEqual(
      expect.arrayContaining([
        { id: approved, reviewStatus: 'APPROVED', withdrawnBy: 'AGENT' },
        { id: waiting, reviewStatus: 'PENDING_REVIEW', withdrawnBy: null },
      ]),
    );
    const by = `user:${agentId}`;
    for (const id of [pending.jobId, running.jobId])
      expect(await journalOf(database.pool, 'stagingJob', id)).toMatchObject([
        { eventType: 'CANCEL_ASKED', actedBy: by, at: new Date(AT) },
      ]);
    expect(await journalOf(database.pool, 'imageReview', approved)).toMatchObject([
      { eventType: 'WITHDRAW', actedBy: by },
    ]);
    expect(await events()).toEqual([{ before: null, after: 'Twilight Conversion', by, at: new Date(AT) }]);
  });

  test('of the same is no change; taking it back leaves no word, and shows nothing again', async () => {
    const original = await photo();
    const variant = await seedVariant(database.pool, original, { reviewStatus: 'APPROVED' });
    const real = await photo({ position: 1 });
    const declared = { originalImageId: real.imageId };
    expect(await declare(original.imageId, declared)).toBe('changed');
    expect(await declare(original.imageId, declared)).toBe('unchanged');
    expect(await declare(original.imageId, { kind: null })).toBe('changed');
    expect(
      await rows('select alteration, "alterationBy", "alteredFromId" from property_images where id = $1', [
        original.imageId,
      ]),
    ).toEqual([{ alteration: null, alterationBy: null, alteredFromId: null }]);
    expect(await rows('select "withdrawnBy" from property_images where id = $1', [variant])).toEqual([
      { withdrawnBy: 'AGENT' },
    ]);
    expect((await events()).map(({ before, after }) => [before, after])).toEqual([
      [null, 'Twilight Conversion'],
      ['Twilight Conversion', null],
    ]);
  });

  test.each(['FILE', 'FEED'])('cannot change the word of a %s, but may name its original', async (word) => {
    const { imageId } = await photo({ alteration: 'Model Home', alterationBy: word });
    const real = await photo({ position: 1 });
    expect(await declare(imageId)).toBe('stands');
    expect(await declare(imageId, { kind: null })).toBe('stands');
    expect(await declare(imageId, { kind: 'Model Home', originalImageId: real.imageId })).toBe('changed');
    expect(
      await rows('select "alterationBy", "alteredFromId" from property_images where id = $1', [imageId]),
    ).toEqual([{ alterationBy: word, alteredFromId: real.imageId }]);
    const operator = { kind: null, agentId: null, by: 'operator:ada' };
    expect(await declare(imageId, operator)).toBe('changed');
    expect((await events()).at(-1)).toMatchObject({ before: 'Model Home', after: null, by: 'operator:ada' });
  });

  test('names an unaltered photo of the same listing as the original, or none', async () => {
    const { imageId, ...ref } = await photo();
    const other = await seedOriginal(database.pool);
    const staged = await seedVariant(database.pool, { imageId, ...ref });
    const altered = await photo({ alteration: 'Model Home', alterationBy: 'FILE' });
    for (const originalImageId of [imageId, other.imageId, staged, altered.imageId, randomUUID()])
      expect(await declare(imageId, { originalImageId })).toBe('not-original');
    expect(await declare(staged)).toBe('staged');
    expect(await declare(randomUUID())).toBe('missing');
    expect(await events()).toEqual([]);
    // Once it is altered itself, it is no one's original.
    const real = await photo();
    expect(await declare(imageId, { originalImageId: real.imageId })).toBe('changed');
    expect(await declare(real.imageId)).toBe('changed');
    expect(await rows('select "alteredFromId" from property_images where id = $1', [imageId])).toEqual([
      { alteredFromId: null },
    ]);
  });

  test('that fails at its last write leaves nothing', async () => {
    const original = await photo({ isMain: true });
    const { jobId } = await seedStagingJob(database.pool, { original });
    const variant = await seedVariant(database.pool, original, {
      canonicalStyle: 'LUXURY',
      reviewStatus: 'APPROVED',
    });
    await database.pool.query(`
      create function refuse_this() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
      create trigger refuse_this before update of "withdrawnAt" on property_images
        for each row when (new."withdrawnAt" is not null) execute function refuse_this()`);
    try {
      await expect(declare(original.imageId)).rejects.toThrow('cut off');
    } finally {
      await database.pool.query('drop trigger refuse_this on property_images; drop function refuse_this()');
    }
    expect(
      await rows('select alteration, "isMain" from property_images where id = $1', [original.imageId]),
    ).toEqual([{ alteration: null, isMain: true }]);
    expect(await rows('select status from ai_jobs where id = $1', [jobId])).toEqual([{ status: 'PENDING' }]);
    expect(await rows('select "withdrawnAt" from property_images where id = $1', [variant])).toEqual([
      { withdrawnAt: null },
    ]);
    expect(await events()).toEqual([]);
  });
});

describe('simultaneous', () => {
  test('submissions: none leaves an open job', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { imageId } = await photo({ position: round });
      const submission = submitOffice(database.pool, agentId, imageId);
      const [answer, declared] = await Promise.all([submission, declare(imageId)]);
      expect(['not-original', 'submitted']).toContain(answer.outcome);
      expect(declared).toBe('changed');
    }
    expect(await rows(`select status from ai_jobs where status <> 'CANCELED'`)).toEqual([]);
  });

  test('approvals: no picture of an altered photo is shown', async () => {
    for (let round = 0; round < 20; round += 1) {
      const original = await photo({ position: round });
      const imageId = await seedVariant(database.pool, original);
      const approval = actorSystem.deliver(
        { to: 'imageReview', id: imageId, event: { type: 'APPROVE', at: AT, byUserId: agentId } },
        { by: `user:${agentId}` },
      );
      const [, declared] = await Promise.all([approval, declare(original.imageId)]);
      expect(declared).toBe('changed');
    }
    expect(
      await rows(
        `select id from property_images where "reviewStatus" = 'APPROVED' and "withdrawnAt" is null`,
      ),
    ).toEqual([]);
  });

  test('declarations of all photos: none is the cover', async () => {
    for (let round = 0; round < 8; round += 1) {
      await rows('delete from property_images');
      const ids: string[] = [];
      for (let position = 0; position < 3; position += 1)
        ids.push((await photo({ position, isMain: position === 0 })).imageId);
      expect(await Promise.all(ids.map((imageId) => declare(imageId)))).toEqual(Array(3).fill('changed'));
      expect(await rows('select id from property_images where "isMain"')).toEqual([]);
    }
  });
});

test('events never change', async () => {
  const { imageId } = await photo();
  await declare(imageId);
  for (const sql of [
    `update photo_alteration_events set by = 'user:eve'`,
    'delete from photo_alteration_events',
    'truncate photo_alteration_events',
  ])
    await expect(database.pool.query(sql)).rejects.toThrow();
});
