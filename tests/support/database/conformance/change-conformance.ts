import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ActorWrite, SeenChange } from '../../../../persistence/actors/actor-store.ts';
import { birthOf } from '../../../../persistence/actors/birth.ts';
import { MANUAL_EPOCH } from '../../manual-time.ts';
import { createAttempt, entryFor, moveAttempt, moveJob, type StoreUnderTest } from '../store-under-test.ts';

const at = MANUAL_EPOCH;
const BY = { by: 'worker:node-a' };
const lease = { owner: 'a', at, ttlMs: 15_000 };

/** What an actor store promises of all that follows from one event, a part of its contract. */
export function changeConformance(subject: () => StoreUnderTest): void {
  describe('a change as seen', () => {
    const seenUnderLease = async (jobId: string) => {
      const { store } = subject();
      const taken = await store.acquireLease({ jobId, ...lease });
      const seen = await store.readJob(jobId);
      if (seen?.job.kind !== 'stagingJob' || !taken) throw new Error('nothing to see');
      return { seen, job: seen.job, underLease: taken.lease, startsPerMinute: null, noVariantOf: null };
    };
    /** A picture is stored: its attempt, itself and its job, as their holder has just read them. */
    const end = async () => {
      const { store } = subject();
      const { imageId: originalImageId } = await subject().original();
      const jobId = await subject().job({ originalImageId });
      await moveJob(store, jobId, { state: 'PROCESSING.ATTEMPT' });
      await store.transaction((tx) =>
        createAttempt(tx, jobId, { attemptId: randomUUID(), attemptNumber: 1, at }),
      );
      const objectKey = `staged/${randomUUID()}.jpg`;
      const place = { providerPredictionId: randomUUID(), objectKey };
      await moveAttempt(store, jobId, { state: 'COLLECTING', context: place });
      const { job, ...given } = await seenUnderLease(jobId);
      const attempt = given.seen.attempts[0];
      if (!attempt) throw new Error('no attempt');
      const imageId = randomUUID();
      const event = { type: 'CREATED', at } as const;
      const change: SeenChange = {
        ...given,
        noVariantOf: { originalImageId, style: 'MODERN' },
        writes: [
          {
            write: 'save',
            actor: attempt,
            next: { state: 'SUCCEEDED', context: { ...attempt.context, finishedAt: at } },
            entry: entryFor(attempt, 'SUCCEEDED', { type: 'OUTPUT_STORED' }),
          },
          {
            write: 'createStagedImage',
            made: { job, attempt },
            ...birthOf({ kind: 'imageReview', id: imageId, event }, BY),
          },
          {
            write: 'save',
            actor: job,
            next: { state: 'SUCCESS', context: { ...job.context, resultImageId: imageId, finishedAt: at } },
            entry: entryFor(job, 'SUCCESS', { type: 'ATTEMPT_SUCCEEDED' }),
          },
        ],
      };
      return { jobId, originalImageId, attemptId: attempt.id, imageId, change };
    };
    const image = (id: string) => subject().store.read('imageReview', id);
    const lastOf = async (kind: 'stagingJob' | 'providerAttempt' | 'imageReview', id: string) =>
      (await subject().journal(kind, id)).at(-1);

    test('writes rows and journals like a transaction does', async () => {
      const { jobId, attemptId, imageId, change } = await end();
      expect(await subject().store.writeAsSeen(change)).toBe(true);
      expect(await subject().store.readJob(jobId)).toMatchObject({
        job: { state: 'SUCCESS', version: 2, lease: null, context: { resultImageId: imageId } },
        attempts: [{ state: 'SUCCEEDED', version: 3 }],
      });
      expect(await image(imageId)).toMatchObject({ state: 'PENDING_REVIEW', version: 1, jobId });
      expect(await lastOf('stagingJob', jobId)).toMatchObject({ seq: 2, toState: 'SUCCESS' });
      expect(await lastOf('providerAttempt', attemptId)).toMatchObject({ seq: 3, toState: 'SUCCEEDED' });
      expect(await lastOf('imageReview', imageId)).toMatchObject({ seq: 1, eventType: 'CREATED' });
    });

    test('requested ten times at once is applied once', async () => {
      const { imageId, change } = await end();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => subject().store.writeAsSeen(change)),
      );
      expect(answers.filter((written) => written)).toHaveLength(1);
      expect(await subject().journal('imageReview', imageId)).toHaveLength(1);
    });

    test('writes nothing when the job, the attempt, the lease or the variants have changed since the read', async () => {
      const { store } = subject();
      type End = Awaited<ReturnType<typeof end>>;
      const changes = [
        ({ jobId }: End) => moveJob(store, jobId, { state: 'CANCEL_REQUESTED' }),
        ({ jobId }: End) => moveAttempt(store, jobId, { state: 'CANCELED' }),
        ({ jobId }: End) => store.acquireLease({ jobId, ...lease, owner: 'b', at: at + 15_000 }),
        ({ jobId }: End) => store.releaseLease({ jobId, owner: 'a', epoch: 1 }),
        ({ originalImageId }: End) => subject().variant(originalImageId),
      ];
      for (const happens of changes) {
        const sight = await end();
        await happens(sight);
        const before = await store.readJob(sight.jobId);
        expect(await store.writeAsSeen(sight.change)).toBe(false);
        expect(await store.readJob(sight.jobId)).toEqual(before);
        expect(await image(sight.imageId)).toBeNull();
        expect(await subject().journal('imageReview', sight.imageId)).toEqual([]);
      }
    });

    test('that was read on another server, of the same versions in another state or claim, writes nothing', async () => {
      const { store } = subject();
      const { jobId, change } = await end();
      const before = await store.readJob(jobId);
      const inOtherState = (one: ActorWrite): ActorWrite =>
        one.write === 'save' && one.actor.kind === 'providerAttempt'
          ? { ...one, entry: { ...one.entry, from: 'UNCONFIRMED' } }
          : one;
      const inOtherClaim = (one: ActorWrite): ActorWrite =>
        one.write === 'save' && one.actor.kind === 'providerAttempt'
          ? { ...one, actor: { ...one.actor, context: { ...one.actor.context, sentAt: at - 1 } } }
          : one;
      for (const foreign of [inOtherState, inOtherClaim])
        expect(await store.writeAsSeen({ ...change, writes: change.writes.map(foreign) })).toBe(false);
      expect(await store.readJob(jobId)).toEqual(before);
    });

    test('is all or nothing when a later write finds no row', async () => {
      const { store } = subject();
      const { jobId, imageId, change } = await end();
      const before = await store.readJob(jobId);
      const lost = (one: ActorWrite): ActorWrite =>
        one.write === 'save' && one.actor.id === jobId
          ? { ...one, actor: { ...one.actor, version: one.actor.version + 1 } }
          : one;
      await expect(store.writeAsSeen({ ...change, writes: change.writes.map(lost) })).rejects.toThrow();
      expect(await store.readJob(jobId)).toEqual(before);
      expect(await image(imageId)).toBeNull();
    });

    test('that is a start is written only with a place of the start rate', async () => {
      const { store } = subject();
      const start = async () => {
        const jobId = await subject().job();
        const { job, ...given } = await seenUnderLease(jobId);
        const id = randomUUID();
        const event = { type: 'CREATED', at, attemptNumber: 1 } as const;
        const { actor, entry } = birthOf({ kind: 'providerAttempt', id, event }, BY);
        const change: SeenChange = {
          ...given,
          startsPerMinute: 1,
          writes: [
            {
              write: 'save',
              actor: job,
              next: { state: 'PROCESSING.ATTEMPT', context: { ...job.context, startedAt: at } },
              entry: entryFor(job, 'PROCESSING.ATTEMPT', { type: 'WORKER_STARTED' }),
            },
            { write: 'create', actor: { ...actor, jobId }, entry },
          ],
        };
        return { jobId, written: await store.writeAsSeen(change) };
      };
      const [first, second] = [await start(), await start()];
      expect([first.written, second.written]).toEqual([true, false]);
      expect((await store.readJob(first.jobId))?.attempts).toMatchObject([{ state: 'RESERVED', version: 1 }]);
      expect(await store.readJob(second.jobId)).toMatchObject({ job: { version: 0 }, attempts: [] });
    });
  });
}
