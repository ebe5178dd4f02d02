import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initialPauseSwitch } from '../../../../machines/pause-switch.ts';
import { StaleActorError } from '../../../../persistence/actors/actor-store.ts';
import { PAUSE_SWITCH_ID } from '../../../../persistence/actors/rows/pause-switch-row.ts';
import { MANUAL_EPOCH } from '../../manual-time.ts';
import {
  createAttempt,
  createDeletion,
  createStagedImage,
  entryFor,
  moveAttempt,
  moveJob,
  type StoreUnderTest,
  sightOfSend,
} from '../store-under-test.ts';
import { callbackConformance } from './callback-conformance.ts';
import { changeConformance } from './change-conformance.ts';
import { imageConformance } from './image-conformance.ts';
import { leaseConformance } from './lease-conformance.ts';

/** The contract of every `ActorStore`. `makeStore` returns an empty one. */
export function actorStoreConformance(
  name: string,
  makeStore: () => Promise<StoreUnderTest & { close?(): Promise<void> }>,
): void {
  describe(`${name} as an actor store`, () => {
    let subject: StoreUnderTest & { close?(): Promise<void> };
    beforeEach(async () => {
      subject = await makeStore();
    });
    afterEach(() => subject.close?.());

    describe('reading', () => {
      test('an unknown actor is null', async () => {
        const { store } = subject;
        expect(await store.readJob(randomUUID())).toBeNull();
        expect(await store.lastSendToken(randomUUID())).toBeNull();
        await store.transaction(async (tx) => {
          expect(await tx.lockJob(randomUUID())).toBeNull();
          expect(await tx.jobIdOfAttempt(randomUUID())).toBeNull();
          expect(await tx.lock('imageReview', randomUUID())).toBeNull();
          expect(await tx.lock('deletionItem', randomUUID())).toBeNull();
          expect(await tx.lock('searchDocument', randomUUID())).toBeNull();
          expect(await tx.deleteImage(randomUUID())).toBe(false);
        });
      });

      test('a submitted job is PENDING.QUEUED at version 0 with its order', async () => {
        const { imageId, providerInputKey } = await subject.original();
        const jobId = await subject.job({ originalImageId: imageId });
        const found = await subject.store.readJob(jobId);
        expect(found).toMatchObject({
          job: {
            kind: 'stagingJob',
            id: jobId,
            version: 0,
            state: 'PENDING.QUEUED',
            lease: null,
            leaseEpoch: 0,
          },
          attempts: [],
        });
        expect(found?.job).toMatchObject({ createdAt: MANUAL_EPOCH, heartbeatAt: null, quarantined: false });
        expect(found?.job.details).toMatchObject({
          originalImageId: imageId,
          canonicalStyle: 'MODERN',
          canonicalRoomType: 'LIVING_ROOM',
          aspectRatio: '1:1',
          outputFormat: 'jpeg',
          outputCompression: 92,
          providerInputKey,
        });
      });

      test('an original is not an image under review', async () => {
        const { imageId } = await subject.original();
        expect(await subject.store.transaction((tx) => tx.lock('imageReview', imageId))).toBeNull();
      });
    });

    describe('a transaction', () => {
      test('returns the result of its work', async () => {
        expect(await subject.store.transaction(async () => 'done')).toBe('done');
      });

      test('makes all writes visible together, and only after its commit', async () => {
        const { store } = subject;
        const jobId = await subject.job();
        await store.transaction(async (tx) => {
          const job = (await tx.lockJob(jobId))?.job;
          if (!job) throw new Error('no job');
          await tx.save(
            job,
            { ...job, state: 'PROCESSING.ATTEMPT' },
            entryFor(job, 'PROCESSING.ATTEMPT', { type: 'A' }),
          );
          await createAttempt(tx, jobId, { attemptId: randomUUID(), attemptNumber: 1, at: MANUAL_EPOCH });
          expect((await store.readJob(jobId))?.job.version).toBe(0);
          expect((await store.readJob(jobId))?.attempts).toEqual([]);
        });
        expect((await store.readJob(jobId))?.job.version).toBe(1);
        expect((await store.readJob(jobId))?.attempts).toHaveLength(1);
      });

      test('that throws leaves no trace of state, journal, attempt, image, deletion or review event', async () => {
        const { store } = subject;
        const { imageId } = await subject.original();
        const jobId = await subject.job({ originalImageId: imageId });
        const variantId = await subject.variant(imageId);
        const objectKey = `staged/${randomUUID()}.jpg`;
        const at = MANUAL_EPOCH;
        const work = store.transaction(async (tx) => {
          const aggregate = await tx.lockJob(jobId);
          const image = await tx.lock('imageReview', variantId);
          if (!aggregate || !image) throw new Error('nothing there');
          const { job } = aggregate;
          await tx.save(
            job,
            { ...job, state: 'PROCESSING.ATTEMPT' },
            entryFor(job, 'PROCESSING.ATTEMPT', { type: 'A' }),
          );
          await createAttempt(tx, jobId, { attemptId: randomUUID(), attemptNumber: 1, at });
          await createDeletion(tx, { objectKey, reason: 'STAGED_IMAGE_DELETED', notBefore: at, at });
          await tx.insertReviewEvent(image, { kind: 'REJECTED', byUserId: randomUUID(), reason: null, at });
          await tx.deleteImage(variantId);
          throw new Error('no');
        });
        await expect(work).rejects.toThrow('no');
        expect(await store.readJob(jobId)).toMatchObject({
          job: { state: 'PENDING.QUEUED', version: 0 },
          attempts: [],
        });
        expect(await subject.journal('stagingJob', jobId)).toEqual([]);
        await store.transaction(async (tx) => {
          expect(await tx.lock('imageReview', variantId)).toMatchObject({
            state: 'PENDING_REVIEW',
            version: 0,
          });
          expect(await tx.lockDueDeletions({ at, limit: 10 })).toEqual([]);
        });
      });

      test('that swallowed a failed write is not reported as committed', async () => {
        const { store } = subject;
        const jobId = await subject.job();
        const attempt = { attemptId: randomUUID(), attemptNumber: 1 as const, at: MANUAL_EPOCH };
        const work = store.transaction(async (tx) => {
          await createAttempt(tx, jobId, attempt);
          await createAttempt(tx, jobId, { ...attempt, attemptId: randomUUID() }).catch(() => {});
          return 'committed';
        });
        const claim = await work.catch(() => 'failed');
        expect((await store.readJob(jobId))?.attempts).toHaveLength(claim === 'committed' ? 1 : 0);
      });

      test('waits for another transaction’s lock on the same job', async () => {
        const { store } = subject;
        const jobId = await subject.job();
        const order: string[] = [];
        const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>();
        const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
        const first = store.transaction(async (tx) => {
          await tx.lockJob(jobId);
          tellLocked();
          await goOn;
          order.push('first');
        });
        await locked;
        const second = store.transaction(async (tx) => {
          await tx.lockJob(jobId);
          order.push('second');
        });
        letGo();
        await Promise.all([first, second]);
        expect(order).toEqual(['first', 'second']);
      });
    });

    describe('save', () => {
      test('returns the stored actor with the next version', async () => {
        const { store } = subject;
        const jobId = await subject.job();
        const saved = await moveJob(store, jobId, { state: 'PENDING.PROVIDER_DISABLED' });
        expect(saved).toMatchObject({ state: 'PENDING.PROVIDER_DISABLED', version: 1 });
        expect(await store.readJob(jobId)).toMatchObject({ job: { state: saved.state, version: 1 } });
      });

      test('fails against a newer version, and writes nothing', async () => {
        const { store } = subject;
        const { imageId } = await subject.original();
        const jobId = await subject.job({ originalImageId: imageId });
        const variantId = await subject.variant(imageId);
        const at = MANUAL_EPOCH;
        await store.transaction(async (tx) => {
          await createAttempt(tx, jobId, { attemptId: randomUUID(), attemptNumber: 1, at });
          await createDeletion(tx, { objectKey: 'x', reason: 'MIGRATED_ORPHAN', notBefore: at, at });
        });
        const stale = await store.transaction(async (tx) => {
          const aggregate = await tx.lockJob(jobId);
          const image = await tx.lock('imageReview', variantId);
          const [item] = await tx.lockDueDeletions({ at, limit: 1 });
          const attempt = aggregate?.attempts[0];
          if (!aggregate || !attempt || !image || !item) throw new Error('nothing there');
          return [aggregate.job, attempt, image, item] as const;
        });
        for (const actor of stale) {
          const again = (state: string) =>
            store.transaction((tx) =>
              tx.save(actor, { ...actor, state }, entryFor(actor, state, { type: 'A' })),
            );
          await again(actor.state);
          await expect(again(actor.state)).rejects.toThrow(StaleActorError);
          expect(await subject.journal(actor.kind, actor.id)).toHaveLength(actor.version + 1);
        }
      });

      test('appends a journal without gaps', async () => {
        const { store } = subject;
        const jobId = await subject.job();
        const states = ['PENDING.PROVIDER_DISABLED', 'PROCESSING.ATTEMPT', 'CANCEL_REQUESTED', 'CANCELED'];
        for (const state of states) await moveJob(store, jobId, { state });
        const journal = await subject.journal('stagingJob', jobId);
        expect(journal.map(({ seq, fromState, toState }) => [seq, fromState, toState])).toEqual(
          states.map((state, index) => [index + 1, states[index - 1] ?? 'PENDING.QUEUED', state]),
        );
      });
    });

    describe('the pause switch', () => {
      test('is one row, open at version 0, and changes like every actor', async () => {
        const { store } = subject;
        const gate = await store.read('startGate', PAUSE_SWITCH_ID);
        expect(gate).toMatchObject({ kind: 'startGate', version: 0, state: 'OPEN' });
        expect(gate?.context).toEqual(initialPauseSwitch);
        if (!gate) throw new Error('no gate');
        const next = { state: 'PAUSED', context: { ...initialPauseSwitch, changedAt: MANUAL_EPOCH } };
        const pause = () =>
          store.transaction(async (tx) => {
            expect(await tx.lock('startGate', PAUSE_SWITCH_ID)).not.toBeNull();
            return tx.save(gate, next, entryFor(gate, 'PAUSED', { type: 'PAUSE_ASKED' }));
          });
        expect(await pause()).toEqual({ ...gate, ...next, version: 1 });
        expect(await store.read('startGate', PAUSE_SWITCH_ID)).toEqual({ ...gate, ...next, version: 1 });
        await expect(pause()).rejects.toThrow(StaleActorError);
        expect(await subject.journal('startGate', gate.id)).toMatchObject([
          { seq: 1, eventType: 'PAUSE_ASKED', fromState: 'OPEN', toState: 'PAUSED' },
        ]);
      });

      test('is unchanged after a transaction that throws', async () => {
        const { store } = subject;
        const work = store.transaction(async (tx) => {
          const gate = await tx.lock('startGate', PAUSE_SWITCH_ID);
          if (!gate) throw new Error('no gate');
          await tx.save(
            gate,
            { ...gate, state: 'PAUSED' },
            entryFor(gate, 'PAUSED', { type: 'PAUSE_ASKED' }),
          );
          expect((await store.read('startGate', PAUSE_SWITCH_ID))?.state).toBe('OPEN');
          throw new Error('no');
        });
        await expect(work).rejects.toThrow('no');
        expect(await store.read('startGate', PAUSE_SWITCH_ID)).toMatchObject({ state: 'OPEN', version: 0 });
      });
    });

    describe('a birth', () => {
      test('of every kind is the row at version 1 and the first line of its journal, in one transaction', async () => {
        const { store } = subject;
        const original = await subject.original();
        const jobId = await subject.job({ originalImageId: original.imageId });
        const at = MANUAL_EPOCH;
        const ids = { providerAttempt: randomUUID(), imageReview: randomUUID() };
        const deletionId = await store.transaction(async (tx) => {
          await createAttempt(tx, jobId, { attemptId: ids.providerAttempt, attemptNumber: 1, at });
          return createDeletion(tx, { objectKey: 'a', reason: 'MIGRATED_ORPHAN', notBefore: at + 5, at });
        });
        await moveAttempt(store, jobId, {
          state: 'COLLECTING',
          context: { providerPredictionId: randomUUID(), objectKey: `staged/${randomUUID()}.jpg` },
        });
        await store.transaction(async (tx) => {
          const aggregate = await tx.lockJob(jobId);
          const attempt = aggregate?.attempts[0];
          if (aggregate?.job.kind !== 'stagingJob' || !attempt) throw new Error('no attempt');
          await createStagedImage(tx, { job: aggregate.job, attempt }, { imageId: ids.imageReview, at });
        });
        const born = (toState: string) => ({
          seq: 1,
          eventType: 'CREATED',
          fromState: null,
          toState,
          leaseEpoch: null,
        });
        const [first] = await subject.journal('providerAttempt', ids.providerAttempt);
        expect(first).toMatchObject(born('RESERVED'));
        expect(await subject.journal('imageReview', ids.imageReview)).toMatchObject([born('PENDING_REVIEW')]);
        expect(await subject.journal('deletionItem', deletionId)).toMatchObject([born('PENDING')]);
        const [image, deletion] = await store.transaction(async (tx) => [
          await tx.lock('imageReview', ids.imageReview),
          await tx.lock('deletionItem', deletionId),
        ]);
        expect(image).toMatchObject({ version: 1, state: 'PENDING_REVIEW' });
        expect(deletion).toMatchObject({ version: 1, context: { attempts: 0, nextAttemptAt: at + 5 } });
      });

      test('that is rolled back leaves neither row', async () => {
        const { store } = subject;
        const jobId = await subject.job();
        const attemptId = randomUUID();
        const work = store.transaction(async (tx) => {
          await createAttempt(tx, jobId, { attemptId, attemptNumber: 1, at: MANUAL_EPOCH });
          throw new Error('no');
        });
        await expect(work).rejects.toThrow('no');
        expect((await store.readJob(jobId))?.attempts).toEqual([]);
        expect(await subject.journal('providerAttempt', attemptId)).toEqual([]);
      });
    });

    describe('attempts', () => {
      test('come back in the order of their numbers, RESERVED, and know their job', async () => {
        const { store } = subject;
        const jobId = await subject.job();
        const ids = [randomUUID(), randomUUID()];
        await store.transaction(async (tx) => {
          await createAttempt(tx, jobId, { attemptId: String(ids[1]), attemptNumber: 2, at: MANUAL_EPOCH });
          await createAttempt(tx, jobId, { attemptId: String(ids[0]), attemptNumber: 1, at: MANUAL_EPOCH });
          expect(await tx.jobIdOfAttempt(String(ids[1]))).toBe(jobId);
        });
        const found = await store.readJob(jobId);
        expect(found?.attempts.map(({ id, state, version }) => [id, state, version])).toEqual(
          ids.map((id) => [id, 'RESERVED', 1]),
        );
        expect(found?.job.context.attemptCount).toBe(2);
      });

      test('a third attempt and a repeated number are rejected', async () => {
        const { store } = subject;
        const jobId = await subject.job();
        const insert = (attemptNumber: number) =>
          store.transaction((tx) =>
            createAttempt(tx, jobId, {
              attemptId: randomUUID(),
              attemptNumber: attemptNumber as 1,
              at: MANUAL_EPOCH,
            }),
          );
        await insert(1);
        await expect(insert(1)).rejects.toThrow();
        await expect(insert(3)).rejects.toThrow();
        expect((await store.readJob(jobId))?.attempts).toHaveLength(1);
      });

      test('the token of the latest claim can be read', async () => {
        const { store } = subject;
        const jobId = await subject.job();
        const attemptId = randomUUID();
        await store.transaction((tx) =>
          createAttempt(tx, jobId, { attemptId, attemptNumber: 1, at: MANUAL_EPOCH }),
        );
        expect(await store.lastSendToken(attemptId)).toBeNull();
        await moveAttempt(store, jobId, { state: 'SENT', event: { type: 'SEND_CLAIMED', token: 't-1' } });
        await moveAttempt(store, jobId, { state: 'RESERVED', event: { type: 'SEND_REFUSED' } });
        expect(await store.lastSendToken(attemptId)).toBe('t-1');
        await moveAttempt(store, jobId, { state: 'SENT', event: { type: 'SEND_CLAIMED', token: 't-2' } });
        expect(await store.lastSendToken(attemptId)).toBe('t-2');
      });
    });

    describe('a move as seen', () => {
      const AT = MANUAL_EPOCH;
      const sight = () => sightOfSend(subject);

      test('writes state and journal like a transaction does', async () => {
        const { store } = subject;
        const { jobId, move } = await sight();
        expect(await store.moveAttemptAsSeen(move)).toBe(true);
        const attempt = (await store.readJob(jobId))?.attempts[0];
        expect(attempt).toEqual({ ...move.attempt, ...move.next, version: 2 });
        expect(await subject.journal('providerAttempt', move.attempt.id)).toMatchObject([
          { seq: 1, eventType: 'CREATED', fromState: null, toState: 'RESERVED', leaseEpoch: null },
          { seq: 2, eventType: 'SEND_CLAIMED', fromState: 'RESERVED', toState: 'SENT', leaseEpoch: 1 },
        ]);
        expect(await store.lastSendToken(move.attempt.id)).toBe('t-1');
      });

      test('requested twenty times at once is applied once', async () => {
        const { move } = await sight();
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => subject.store.moveAttemptAsSeen(move)),
        );
        expect(answers.filter((moved) => moved)).toHaveLength(1);
        expect(await subject.journal('providerAttempt', move.attempt.id)).toHaveLength(2);
      });

      test('of several at the same time each is written if its own job is as seen', async () => {
        const sights = [await sight(), await sight(), await sight(), await sight()];
        await moveJob(subject.store, sights[1]?.jobId ?? '', { state: 'CANCEL_REQUESTED' });
        await subject.store.releaseLease({ jobId: sights[2]?.jobId ?? '', owner: 'a', epoch: 1 });
        const answers = sights.map(({ move }) => subject.store.moveAttemptAsSeen(move));
        expect(await Promise.all(answers)).toEqual([true, false, false, true]);
        for (const [index, state] of ['SENT', 'RESERVED', 'RESERVED', 'SENT'].entries()) {
          const { jobId = '', move } = sights[index] ?? {};
          expect((await subject.store.readJob(jobId))?.attempts).toMatchObject([{ state }]);
          const journal = await subject.journal('providerAttempt', move?.attempt.id ?? '');
          expect(journal.at(-1)).toMatchObject({ toState: state, leaseEpoch: state === 'SENT' ? 1 : null });
        }
      });

      test('writes nothing when the job, the attempt or the lease has changed since the read', async () => {
        const { store } = subject;
        const changes = [
          (jobId: string) => moveJob(store, jobId, { state: 'CANCEL_REQUESTED' }),
          (jobId: string) => moveAttempt(store, jobId, { state: 'CANCELED' }),
          (jobId: string) => store.acquireLease({ jobId, owner: 'b', at: AT + 15_000, ttlMs: 15_000 }),
          (jobId: string) => store.releaseLease({ jobId, owner: 'a', epoch: 1 }),
        ];
        for (const change of changes) {
          const { jobId, move } = await sight();
          await change(jobId);
          const before = await store.readJob(jobId);
          const journal = await subject.journal('providerAttempt', move.attempt.id);
          expect(await store.moveAttemptAsSeen(move)).toBe(false);
          expect(await store.readJob(jobId)).toEqual(before);
          expect(await subject.journal('providerAttempt', move.attempt.id)).toEqual(journal);
        }
      });

      test('that was read on another server, of the same version in another state or claim, writes nothing', async () => {
        const { store } = subject;
        const sights = [await sight(), await sight(), await sight()];
        const inOtherState = ({ move }: (typeof sights)[number]) =>
          store.moveAttemptAsSeen({ ...move, entry: { ...move.entry, from: 'UNCONFIRMED' } });
        const inOtherClaim = ({ move: { attempt, ...move } }: (typeof sights)[number]) =>
          store.moveAttemptAsSeen({
            ...move,
            attempt: { ...attempt, context: { ...attempt.context, sentAt: AT - 1 } },
          });
        for (const foreign of [inOtherState, inOtherClaim]) {
          expect(await foreign(sights[0]!)).toBe(false);
          expect(await Promise.all(sights.map(foreign))).toEqual([false, false, false]);
        }
        for (const { jobId } of sights)
          expect((await store.readJob(jobId))?.attempts).toMatchObject([{ state: 'RESERVED', version: 1 }]);
      });

      test('without a lease is a fact that any sender may deliver', async () => {
        const { store } = subject;
        const { jobId, move } = await sight();
        await store.acquireLease({ jobId, owner: 'b', at: AT + 15_000, ttlMs: 15_000 });
        expect(await store.moveAttemptAsSeen({ ...move, underLease: null })).toBe(true);
      });
    });

    leaseConformance(() => subject);
    callbackConformance(() => subject);
    changeConformance(() => subject);
    imageConformance(() => subject);
  });
}
