import { expect, test } from 'vitest';
import { replayJournal } from '../../machines/journal-replay.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { initialProviderAttempt } from '../../machines/provider-attempt-model.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';

/** Journals of releases that decided otherwise still lead to their rows (I9). */
type Told = [event: { type: string }, to: string];
const born = { type: 'CREATED', attemptNumber: 1 };
const journal = (...told: Told[]) => {
  const all: Told[] = [[born, 'RESERVED'], ...told];
  return all.map(([event, to], index) => ({ seq: index + 1, event: { at: AT + index, ...event }, to }));
};
const created = { type: 'PREDICTION_CREATED', predictionId: 'p-1', providerStatus: 'starting' };
const claimed = { type: 'SEND_CLAIMED', token: 't' };
const running: Told[] = [
  [claimed, 'SENT'],
  [created, 'RUNNING'],
];
const succeeded = { type: 'PREDICTION_SUCCEEDED', providerStatus: 'succeeded', objectKey: 'staged/a.jpg' };
const collected: Told = [succeeded, 'COLLECTING'];
const lastOf = (entries: ReturnType<typeof journal>) => {
  const { fault, states } = replayJournal(providerAttemptMachine, entries, {
    kind: 'providerAttempt',
    context: null,
  });
  expect(fault).toBeNull();
  return states.at(-1);
};

test('storage that refused for ten minutes ended an attempt', () => {
  const refused = { type: 'STORAGE_FAILED', jitter: 0 };
  const ended = lastOf(journal(...running, collected, [refused, 'COLLECTING'], [refused, 'FAILED']));
  expect(ended).toMatchObject({
    state: 'FAILED',
    context: { errorCode: 'STORAGE_UNAVAILABLE', storageFailingSince: AT + 4, finishedAt: AT + 5 },
  });
});

test.each(['RUNNING', 'COLLECTING'])('a callback in %s noted a second prediction', (state) => {
  const callback = { type: 'CALLBACK_RECEIVED', predictionId: 'p-2', providerStatus: 'starting' };
  const collecting = state === 'COLLECTING' ? [collected] : [];
  const noted = lastOf(journal(...running, ...collecting, [callback, state]));
  expect(noted).toMatchObject({ state, context: { providerPredictionId: 'p-1', strayPredictionId: 'p-2' } });
});

test('the row that a migration wrote has no fields that are younger than it: they have their first values', () => {
  const { missingTries: _, missingAt: __, ...older } = initialProviderAttempt(1);
  const taken = { seq: 1, event: { type: 'MIGRATED', at: AT, context: older }, to: 'RUNNING' };
  const row = { kind: 'providerAttempt', context: { ...initialProviderAttempt(1), downloadTries: 3 } };
  const { fault, states } = replayJournal(providerAttemptMachine, [taken], row);
  expect(fault).toBeNull();
  expect(states).toEqual([
    { state: 'RUNNING', context: expect.objectContaining({ missingTries: 0, downloadTries: 0 }) },
  ]);
});
