import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ActorSystem, createActorSystem } from '../../../supervisors/actors/deliver.ts';
import { deleteOriginal } from '../../../supervisors/actors/original-deletion.ts';
import { seedOriginal, seedStagingJob, seedUser, seedVariant } from '../../support/database/seed.ts';
import { seedReport } from '../../support/database/seed-report.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH, noWaiting } from '../../support/manual-time.ts';
import { seedOpenJobs, submitOffice } from '../../support/worlds/original-in-use.ts';
import {
  bothQueues,
  createRecordingQueue,
  createRecordingReporter,
  type RecordingQueue,
} from '../../support/worlds/recording-ports.ts';

const database = useStoreDatabase();
let actorSystem: ActorSystem;
let queue: RecordingQueue;
beforeEach(async () => {
  await database.clear();
  queue = createRecordingQueue();
  actorSystem = createActorSystem({
    store: database.store,
    queues: bothQueues(queue),
    nudges: { publish: () => {} },
    reporter: createRecordingReporter(),
    timers: noWaiting,
    chance: { id: randomUUID, jitter: () => 0.5 },
  });
});

const AT = MANUAL_EPOCH + 5_000;
const remove = (imageId: string) => deleteOriginal(actorSystem, { imageId, at: AT, by: 'user:ada' });
const rows = async (sql: string, values: unknown[] = []) => (await database.pool.query(sql, values)).rows;

describe('deleteOriginal', () => {
  test('cancels jobs and removes staged images first, then deletes the row and queues all its objects', async () => {
    const original = await seedOriginal(database.pool);
    const { pending, running } = await seedOpenJobs(database.pool, original);
    const done = await seedStagingJob(database.pool, {
      original,
      canonicalStyle: 'FARMHOUSE',
      job: { status: 'SUCCESS', phase: null },
    });
    const approved = await seedVariant(database.pool, original, {
      canonicalStyle: 'FARMHOUSE',
      reviewStatus: 'APPROVED',
    });
    const waiting = await seedVariant(database.pool, original, { canonicalStyle: 'INDUSTRIAL' });

    expect(await remove(original.imageId)).toBe(true);

    expect(await rows('select id from property_images')).toEqual([]);
    expect(await rows('select id, status from ai_jobs order by status')).toEqual([
      { id: running.jobId, status: 'CANCEL_REQUESTED' },
      { id: done.jobId, status: 'SUCCESS' },
      { id: pending.jobId, status: 'CANCELED' },
    ]);
    expect(await rows('select status from ai_provider_attempts')).toEqual([{ status: 'CANCELING' }]);
    expect(queue.removed).toEqual([pending.jobId]);
    const outbox = await rows('select "objectKey", reason, status from storage_deletion_outbox order by 1');
    expect(outbox).toEqual(
      [original.objectKey, original.providerInputKey, `staged/${approved}.jpg`, `staged/${waiting}.jpg`]
        .toSorted()
        .map((objectKey) => ({ objectKey, reason: 'ORIGINAL_IMAGE_DELETED', status: 'PENDING' })),
    );
    for (const id of [pending.jobId, running.jobId]) {
      expect(await journalOf(database.pool, 'stagingJob', id)).toMatchObject([
        { eventType: 'ORIGINAL_DELETED', actedBy: 'user:ada', at: new Date(AT) },
      ]);
    }
    for (const id of [approved, waiting]) {
      expect(await journalOf(database.pool, 'imageReview', id)).toMatchObject([
        { eventType: 'ORIGINAL_DELETED', toState: 'REMOVED', actedBy: 'user:ada' },
      ]);
    }
  });

  test.each(['shown', 'withdrawn'])(
    "closes the reports of a %s picture in the caller's name",
    async (shown) => {
      const original = await seedOriginal(database.pool);
      const imageId = await seedVariant(database.pool, original, { reviewStatus: 'APPROVED' });
      const reportId = randomUUID();
      const customerId = await seedUser(database.pool);
      await seedReport(database.pool, { reportId, imageId, propertyId: original.propertyId, customerId });
      if (shown === 'withdrawn')
        await database.pool.query(
          `update property_images set "withdrawnAt" = $2, "withdrawnBy" = 'REPORTS', withdrawals = 1 where id = $1`,
          [imageId, new Date(MANUAL_EPOCH)],
        );
      expect(await remove(original.imageId)).toBe(true);
      expect(await rows('select status, "answeredAt", version from mismatch_reports')).toEqual([
        { status: 'CLOSED', answeredAt: new Date(AT), version: 2 },
      ]);
      expect(await journalOf(database.pool, 'mismatchReport', reportId)).toMatchObject([
        { eventType: 'PICTURE_DELETED', fromState: 'OPEN', toState: 'CLOSED', actedBy: 'user:ada' },
      ]);
    },
  );

  test('requested twice at once, runs once', async () => {
    const original = await seedOriginal(database.pool);
    await seedStagingJob(database.pool, { original });
    await seedVariant(database.pool, original, { canonicalStyle: 'LUXURY' });
    const answers = await Promise.all([remove(original.imageId), remove(original.imageId)]);
    expect(answers.toSorted()).toEqual([false, true]);
    expect(await rows('select 1 from storage_deletion_outbox')).toHaveLength(3);
  });

  test('against a simultaneous submission: no job is left uncanceled', async () => {
    const agentId = await seedUser(database.pool);
    for (let round = 0; round < 20; round += 1) {
      const original = await seedOriginal(database.pool);
      const submission = submitOffice(database.pool, agentId, original.imageId);
      const [answer] = await Promise.all([submission, remove(original.imageId)]);
      expect(['missing', 'submitted']).toContain(answer.outcome);
    }
    expect(
      await rows(`select status from ai_jobs where status not in ('CANCELED', 'CANCEL_REQUESTED')`),
    ).toEqual([]);
    // Version and journal agree, whichever side canceled (invariants I8).
    expect(
      await rows(`select j.id from ai_jobs j where j.version <>
        (select count(*) from actor_transitions t where t."actorKind" = 'stagingJob' and t."actorId" = j.id)`),
    ).toEqual([]);
  });
});
