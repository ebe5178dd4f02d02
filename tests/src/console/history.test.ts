import { expect, test } from 'vitest';
import { initialJob } from '../../../machines/staging-job.ts';
import type { JournalStep } from '../../../persistence/console/journal.ts';
import {
  changedAt,
  type History,
  historyOf,
  readHistory,
  stepOf,
} from '../../../src/console/actors/history.ts';
import { pathTo } from '../../../src/console/actors/history-view.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { JobDriver, openTestRuntime, ROUTES, retryDue, startJob } from '../../support/worlds/job-driver.ts';

/** The life of an actor, replayed from its journal through its machine. */
const database = useStoreDatabase();

const entry = (seq: number, event: JournalStep['event'], [from, to]: [string, string]): JournalStep => ({
  seq,
  event,
  from,
  to,
  at: event.at,
  by: 'worker:a',
  leaseEpoch: 1,
  note: null,
});
const started = { ...startJob(), at: MANUAL_EPOCH };
const BEGUN = entry(1, started, ['PENDING.QUEUED', 'PROCESSING.ATTEMPT']);
const of = (actor: unknown = null) =>
  ({ kind: 'stagingJob', id: 'x', actor }) as Parameters<typeof historyOf>[0];
const pathWords = (history: History, step: number) => pathTo(history, step).map(({ state }) => state);

test('every step of a real job has its state, and the last one has the context of the row', async () => {
  const driver = await JobDriver.open(openTestRuntime(database));
  await driver.play(ROUTES['RETRYING.BACKOFF']());
  driver.at += 60_000;
  await driver.sendToJob(retryDue());
  const { job, attempts } = await driver.aggregate();
  const history = await readHistory(database.pool, { kind: 'stagingJob', id: job.id, actor: job });
  expect(history.states).toEqual([
    'PENDING.QUEUED',
    'PROCESSING.ATTEMPT',
    'RETRYING.BACKOFF',
    'PROCESSING.ATTEMPT',
  ]);
  expect(history.gap).toBeNull();
  expect(history.contexts[0]).toEqual(initialJob('stagingJob'));
  expect(history.contexts.at(-1)).toEqual(job.context);
  expect(pathTo(history, 3)).toEqual([
    { state: 'PENDING.QUEUED', step: 0 },
    { state: 'PROCESSING.ATTEMPT', step: 1 },
    { state: 'RETRYING.BACKOFF', step: 2 },
    { state: 'PROCESSING.ATTEMPT', step: 3 },
  ]);
  expect(changedAt(history, 2).map(({ name }) => name)).toEqual(['errorCode', 'retryAt']);
  for (const actor of attempts) {
    const own = await readHistory(database.pool, { kind: 'providerAttempt', id: actor.id, actor });
    expect(own.gap).toBeNull();
    expect(own.contexts.at(-1)).toEqual(actor.context);
    expect(own.states.at(-1)).toBe(actor.state);
  }
});

test('an event that leaves the state unchanged adds a step and no stay', () => {
  const crash = (seq: number) =>
    entry(seq, { type: 'RUNNER_CRASHED', at: MANUAL_EPOCH + seq, pass: 'collect-output', alone: false }, [
      ...(['PROCESSING.ATTEMPT', 'PROCESSING.ATTEMPT'] as const),
    ]);
  const history = historyOf(of(), [BEGUN, crash(2), crash(3)]);
  expect(history.states).toHaveLength(4);
  expect(pathWords(history, 3)).toEqual(['PENDING.QUEUED', 'PROCESSING.ATTEMPT']);
  expect(changedAt(history, 3)).toEqual([{ name: 'crashCount', before: 1, after: 2 }]);
});

test('a journal with a pruned beginning still shows its states, and says why it shows no context', () => {
  const late = { ...BEGUN, seq: 7 };
  const history = historyOf(of(), [late]);
  expect(history.states).toEqual(['PENDING.QUEUED', 'PROCESSING.ATTEMPT']);
  expect(history.contexts).toEqual([]);
  expect(history.gap).toContain('pruned');
  expect(changedAt(history, 1)).toEqual([]);
  const empty = historyOf(of({ state: 'SUCCESS', context: initialJob('stagingJob'), version: 4 }), []);
  expect([empty.states, empty.gap]).toEqual([['SUCCESS'], expect.stringContaining('pruned')]);
});

test('the replay ends at an entry that the machine does not accept', () => {
  const odd = entry(2, { type: 'RETRY_DUE', at: MANUAL_EPOCH }, ['PROCESSING.ATTEMPT', 'PROCESSING.ATTEMPT']);
  const history = historyOf(of(), [BEGUN, odd]);
  expect(history.contexts).toHaveLength(2);
  expect(history.gap).toBe(
    'The replay ends before entry 2: its machine ignores RETRY_DUE in PROCESSING.ATTEMPT.',
  );
  const elsewhere = historyOf(of(), [{ ...BEGUN, to: 'FAILED' }]);
  expect(elsewhere.gap).toBe(
    'The replay ends before entry 1: it says FAILED, its machine PROCESSING.ATTEMPT.',
  );
});

test('an actor taken over by a migration begins with the context of its row', () => {
  const context = { ...initialJob('stagingJob'), errorCode: 'LEGACY' };
  const taken = entry(1, { type: 'MIGRATED', at: MANUAL_EPOCH }, ['FAILED', 'FAILED']);
  const history = historyOf(of({ state: 'FAILED', context, version: 1 }), [{ ...taken, from: null }]);
  expect([history.gap, history.contexts.at(-1)]).toEqual([null, context]);
});

test('a URL may name any step; an invalid one shows the last step, a negative one the first', () => {
  const history = historyOf(of(), [BEGUN]);
  const steps = [undefined, '', '0', '1', '9', '-3', 'x', '0.5'].map((text) => stepOf(history, text));
  expect(steps).toEqual([1, 1, 0, 1, 1, 0, 1, 1]);
});
