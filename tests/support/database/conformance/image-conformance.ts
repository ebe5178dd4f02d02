import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MANUAL_EPOCH } from '../../manual-time.ts';
import {
  createAttempt,
  createDeletion,
  createStagedImage,
  entryFor,
  moveAttempt,
  moveJob,
  type StoreUnderTest,
} from '../store-under-test.ts';

/** What an actor store promises of pictures and of objects to delete, a part of its contract. */
export function imageConformance(subject: () => StoreUnderTest): void {
  describe('images', () => {
    const finish = async (originalImageId: string) => {
      const jobId = await subject().job({ originalImageId });
      const at = MANUAL_EPOCH;
      await subject().store.transaction((tx) =>
        createAttempt(tx, jobId, { attemptId: randomUUID(), attemptNumber: 1, at }),
      );
      const objectKey = `staged/${randomUUID()}.jpg`;
      await moveAttempt(subject().store, jobId, {
        state: 'COLLECTING',
        context: { providerPredictionId: randomUUID(), objectKey },
      });
      const imageId = randomUUID();
      await subject().store.transaction(async (tx) => {
        const aggregate = await tx.lockJob(jobId);
        const attempt = aggregate?.attempts[0];
        if (aggregate?.job.kind !== 'stagingJob' || !attempt) throw new Error('no attempt');
        await createStagedImage(tx, { job: aggregate.job, attempt }, { imageId, at });
      });
      return { jobId, imageId, objectKey };
    };

    test('a staged image is private, and belongs to its original, style and job', async () => {
      const original = await subject().original();
      const { jobId, imageId, objectKey } = await finish(original.imageId);
      expect(await subject().store.transaction((tx) => tx.lock('imageReview', imageId))).toMatchObject({
        kind: 'imageReview',
        id: imageId,
        version: 1,
        state: 'PENDING_REVIEW',
        objectKey,
        jobId,
        styledFromId: original.imageId,
        canonicalStyle: 'MODERN',
        context: { reviewedByUserId: null, reviewedAt: null },
      });
    });

    test('a staged image of a deleted original is rejected', async () => {
      const { imageId } = await subject().original();
      await subject().deleteOriginal(imageId);
      await expect(finish(imageId)).rejects.toThrow();
    });

    test('a live variant is found by original and style until it is deleted', async () => {
      const { store } = subject();
      const { imageId } = await subject().original();
      const exists = (style: 'MODERN' | 'LUXURY') =>
        store.transaction((tx) => tx.variantExists(imageId, style));
      expect(await exists('MODERN')).toBe(false);
      const variantId = await subject().variant(imageId);
      expect([await exists('MODERN'), await exists('LUXURY')]).toEqual([true, false]);
      expect(await store.transaction((tx) => tx.variantExists(randomUUID(), 'MODERN'))).toBe(false);
      expect(await store.transaction((tx) => tx.deleteImage(variantId))).toBe(true);
      expect(await exists('MODERN')).toBe(false);
    });

    test('the jobs and variants of an original are found; finished jobs are not', async () => {
      const { store } = subject();
      const { imageId } = await subject().original();
      const waiting = await subject().job({ originalImageId: imageId });
      const over = await subject().job({ originalImageId: imageId, canonicalStyle: 'LUXURY' });
      await subject().job();
      await moveJob(store, over, { state: 'CANCELED' });
      const variantId = await subject().variant(imageId);
      await store.transaction(async (tx) => {
        expect((await tx.lockJobsOfOriginal(imageId)).map(({ job }) => job.id)).toEqual([waiting]);
        expect((await tx.lockVariantsOfOriginal(imageId)).map(({ id }) => id)).toEqual([variantId]);
      });
    });

    test('an object is referenced by its image, its provider copy, or an attempt that is collecting', async () => {
      const { store } = subject();
      const original = await subject().original();
      const { jobId, imageId, objectKey } = await finish(original.imageId);
      const referenced = (key: string) => store.transaction((tx) => tx.isObjectReferenced(key));
      expect(await referenced(original.objectKey)).toBe(true);
      expect(await referenced(original.providerInputKey)).toBe(true);
      expect(await referenced('nobody/knows.jpg')).toBe(false);
      await store.transaction((tx) => tx.deleteImage(imageId));
      expect(await referenced(objectKey)).toBe(true);
      await moveAttempt(store, jobId, { state: 'DISCARDED' });
      expect(await referenced(objectKey)).toBe(false);
    });
  });

  describe('deletions', () => {
    const at = MANUAL_EPOCH;
    const queue = (objectKey: string, notBefore = at) =>
      subject().store.transaction((tx) =>
        createDeletion(tx, { objectKey, reason: 'STAGED_IMAGE_DELETED', notBefore, at }),
      );
    const due = (limit = 10, when = at) =>
      subject().store.transaction(async (tx) =>
        (await tx.lockDueDeletions({ at: when, limit })).map((item) => item.objectKey),
      );

    test('are due at their time, the longest due first, up to the given number', async () => {
      await queue('b', at - 1);
      await queue('a', at - 2);
      await queue('c', at + 1);
      expect(await due()).toEqual(['a', 'b']);
      expect(await due(1)).toEqual(['a']);
      expect(await due(10, at + 1)).toEqual(['a', 'b', 'c']);
    });

    test('are reported as queued only while they wait', async () => {
      await queue('a', at + 10);
      const queued = (objectKey: string, notBefore: number) =>
        subject().store.transaction((tx) => tx.isDeletionQueued({ objectKey, notBefore }));
      expect([await queued('a', at), await queued('a', at + 10), await queued('a', at + 11)]).toEqual([
        true,
        true,
        false,
      ]);
      expect(await queued('b', at)).toBe(false);
    });

    test('that another transaction holds are skipped', async () => {
      for (const key of ['a', 'b', 'c']) await queue(key);
      const seen = await subject().store.transaction(async (tx) => {
        const held = (await tx.lockDueDeletions({ at, limit: 2 })).map((item) => item.objectKey);
        return [held, await due()];
      });
      expect(seen.map((keys) => keys.length)).toEqual([2, 1]);
      expect(seen.flat().sort()).toEqual(['a', 'b', 'c']);
    });

    test('that are claimed are not due, and are due again when the claim has expired', async () => {
      const { store } = subject();
      await queue('a');
      const item = await store.transaction(async (tx) => {
        const [found] = await tx.lockDueDeletions({ at, limit: 1 });
        if (!found) throw new Error('nothing due');
        const context = { ...found.context, claimedAt: at, claimedBy: 'node-a' };
        return tx.save(
          found,
          { state: 'PROCESSING', context },
          entryFor(found, 'PROCESSING', { type: 'CLAIMED' }),
        );
      });
      expect(await due()).toEqual([]);
      const expired = (claimedBefore: number) =>
        store.transaction(async (tx) =>
          (await tx.lockExpiredDeletions({ claimedBefore, limit: 10 })).map(({ id }) => id),
        );
      expect(await expired(at)).toEqual([]);
      expect(await expired(at + 1)).toEqual([item.id]);
      expect(await store.transaction((tx) => tx.lock('deletionItem', item.id))).toMatchObject({
        state: 'PROCESSING',
        version: 2,
        context: { claimedAt: at, claimedBy: 'node-a', attempts: 0 },
      });
    });
  });
}
