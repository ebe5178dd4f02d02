import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AttemptMove } from '../../../../persistence/actors/actor-store.ts';
import { MANUAL_EPOCH } from '../../manual-time.ts';
import { moveJob, type StoreUnderTest, sightOfSend } from '../store-under-test.ts';

/** What an actor store promises of moves that follow from callbacks, a part of its contract. */
export function callbackConformance(subject: () => StoreUnderTest): void {
  const sight = () => sightOfSend(subject());
  const told = (move: AttemptMove, webhookId: string) => ({
    ...move,
    receipt: {
      webhookId,
      providerAttemptId: move.attempt.id,
      providerPredictionId: 'p-1',
      providerStatus: 'succeeded',
      at: MANUAL_EPOCH,
    },
  });
  const transitions = async ({ attempt }: AttemptMove) =>
    (await subject().journal('providerAttempt', attempt.id)).map(({ eventType }) => eventType);

  describe('a callback', () => {
    test('is written with its receipt or not at all, and once for a webhook id', async () => {
      const { store } = subject();
      const [{ move: first }, { move: second, jobId }] = [await sight(), await sight()];
      const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
      const isNew = (webhookId: string) =>
        store.transaction((tx) => tx.insertReceipt(told(second, webhookId).receipt));
      // Two callbacks of one attempt in the same moment: one is left to be decided again.
      const pair = ids.slice(0, 2);
      const answers = await Promise.all(pair.map((id) => store.moveAttemptAsSeen(told(first, id))));
      expect(answers.toSorted()).toEqual([false, true]);
      expect(await transitions(first)).toEqual(['CREATED', 'SEND_CLAIMED']);
      const received = pair[answers.indexOf(true)] ?? '';
      expect(await store.moveAttemptAsSeen(told(second, received))).toBe(false);
      expect(await transitions(second)).toEqual(['CREATED']);
      await moveJob(store, jobId, { state: 'CANCEL_REQUESTED' });
      expect(await store.moveAttemptAsSeen(told(second, ids[2]))).toBe(false);
      for (const id of ids) expect(await isNew(id)).toBe(id !== received);
    });

    test('finds its job by the attempt, also among many', async () => {
      const { store } = subject();
      const sights = [await sight(), await sight(), await sight()];
      const unknown = store.readJobOfAttempt(randomUUID());
      const found = sights.map(({ move }) => store.readJobOfAttempt(move.attempt.id));
      const jobs = sights.map(({ jobId }) => store.readJob(jobId));
      expect(await Promise.all(found)).toEqual(await Promise.all(jobs));
      expect(await unknown).toBeNull();
    });
  });
}
