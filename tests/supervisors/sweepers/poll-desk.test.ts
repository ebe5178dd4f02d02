import { afterEach, expect, test } from 'vitest';
import type { GetAnswer, PredictionView } from '../../../supervisors/ports.ts';
import { PollDesk } from '../../../supervisors/sweepers/poll-desk.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime } from '../../support/manual-time.ts';
import {
  finished,
  foundAs,
  predictionOf,
  unfinished,
  untilAborted,
} from '../../support/worlds/fake-provider.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';
import { closeWorlds, openWorld, POLL_MS, submit } from '../../support/worlds/runner-world.ts';

const INTERVAL = 5_000;
const { signal } = new AbortController();
const failed = (predictionId: string): PredictionView => ({
  kind: 'failed',
  predictionId,
  providerStatus: 'failed',
  errorCode: 'PROVIDER_FAILED',
});

/** A desk whose list and turn are the test's; GETs are kept, and answered as not over unless the test holds them. */
function openDesk({
  pages = [],
  listFrom = 3,
  get,
}: {
  pages?: readonly (readonly PredictionView[])[];
  listFrom?: number;
  get?: (predictionId: string) => Promise<GetAnswer>;
} = {}) {
  const time = createManualTime();
  const reporter = createRecordingReporter();
  const gets: string[] = [];
  const lists: { createdAfter: number; createdBefore: number }[] = [];
  const read: number[] = [];
  const turn = { isFree: true };
  const desk = new PollDesk({
    clock: time,
    timers: time,
    reporter,
    listFrom,
    pollIntervalMs: INTERVAL,
    async get(predictionId) {
      gets.push(predictionId);
      return get ? get(predictionId) : foundAs(unfinished(predictionId));
    },
    list: {
      async *pages({ createdAfter, createdBefore }) {
        lists.push({ createdAfter, createdBefore });
        for (const [index, page] of pages.entries()) {
          read.push(index);
          yield page;
        }
      },
    },
    async takeTurn(_turn, work) {
      if (turn.isFree) await work();
      return turn.isFree;
    },
  });
  const poll = (predictionId: string, sentAt = time.now() - 60_000) =>
    desk.poll({ predictionId, sentAt, signal });
  return { desk, time, reporter, gets, lists, read, turn, poll };
}

const kinds = (answers: readonly GetAnswer[]) =>
  answers.map((answer) => (answer.kind === 'found' ? answer.prediction.kind : answer.kind));

test('few polls are asked for one by one, and the list is not read', async () => {
  const { poll, gets, lists } = openDesk();
  expect(kinds(await Promise.all([poll('a'), poll('b')]))).toEqual(['unfinished', 'unfinished']);
  expect([gets, lists]).toEqual([['a', 'b'], []]);
});

test('polls that hang hold up no others', async () => {
  const { poll, time } = openDesk({
    get: (id) => (id.startsWith('slow') ? new Promise(() => {}) : Promise.resolve(foundAs(unfinished(id)))),
    listFrom: 100,
  });
  for (let n = 0; n < 5; n += 1) void poll(`slow${n}`);
  await eventually(() => time.sleeping().length === 5, { what: 'five calls' });
  const others = Promise.all(Array.from({ length: 30 }, (_, n) => poll(`other${n}`)));
  time.advance(2_000);
  expect(kinds(await others)).toEqual(Array.from({ length: 30 }, () => 'unfinished'));
});

test('many polls are answered by pages of the list, of the time in which their predictions were made', async () => {
  const { poll, gets, lists, time, reporter } = openDesk({
    pages: [
      [unfinished('a'), finished('b')],
      [unfinished('stranger'), unfinished('c')],
    ],
  });
  const from = time.now() - 300_000;
  const answers = await Promise.all([poll('a'), poll('b', from), poll('c', from + 1_000)]);
  expect(kinds(answers)).toEqual(['unfinished', 'succeeded', 'unfinished']);
  expect([gets, reporter.counts.polls_listed]).toEqual([[], 3]);
  expect(lists).toEqual([{ createdAfter: from, createdBefore: time.now() }]);
});

test('an end other than success is asked for by itself, and so is what the list does not show', async () => {
  const { poll, gets } = openDesk({
    pages: [[unfinished('a'), failed('b'), unfinished('c')]],
    get: async (id) => foundAs(id === 'b' ? failed(id) : unfinished(id)),
  });
  const answers = await Promise.all(['a', 'b', 'c', 'hidden'].map((id) => poll(id)));
  expect(kinds(answers)).toEqual(['unfinished', 'failed', 'unfinished', 'unfinished']);
  expect(gets).toEqual(['b', 'hidden']);
});

test('what a page has shown answers a poll that comes soon after it, once', async () => {
  const { poll, gets, time } = openDesk({ pages: [['a', 'b', 'c', 'late', 'later'].map(unfinished)] });
  await Promise.all(['a', 'b', 'c'].map((id) => poll(id)));
  await poll('late');
  expect(gets).toEqual([]);
  await poll('late');
  expect(gets).toEqual(['late']);
  time.advance(INTERVAL);
  await poll('later');
  expect(gets).toEqual(['late', 'later']);
});

test('without the turn each is asked for, a few at a time', async () => {
  const held: (() => void)[] = [];
  const { poll, gets, turn, lists } = openDesk({
    get: (id) => new Promise((resolve) => held.push(() => resolve(foundAs(unfinished(id))))),
  });
  turn.isFree = false;
  const ids = Array.from({ length: 12 }, (_, n) => `p${n}`);
  const answers = Promise.all(ids.map((id) => poll(id)));
  await eventually(() => gets.length === 5, { what: 'the first five' });
  let answered = 0;
  await eventually(
    () => {
      expect(gets.length - answered).toBeLessThanOrEqual(5);
      held[answered]?.();
      answered += held[answered] ? 1 : 0;
      return answered === ids.length;
    },
    { what: 'the last one', intervalMs: 1 },
  );
  await answers;
  expect([gets, lists]).toEqual([ids, []]);
});

test('a list that shows none of ours is given up, and a new one waits', async () => {
  const strangers = Array.from({ length: 100 }, (_, n) => [unfinished(`stranger ${n}`)]);
  const { poll, gets, read, time, lists } = openDesk({ pages: strangers });
  const polled = () => Promise.all(['a', 'b', 'c'].map((id) => poll(id)));
  await polled();
  expect([read.length, gets.length]).toEqual([20, 3]);
  await polled();
  expect(lists).toHaveLength(1);
  time.advance(10_000);
  await polled();
  expect(lists).toHaveLength(2);
});

test('a poll that is aborted while it waits is answered at once and not asked for', async () => {
  const { desk, time, gets } = openDesk({ get: () => new Promise(() => {}) });
  const abort = new AbortController();
  const sentAt = time.now();
  const others = Array.from({ length: 5 }, (_, n) => desk.poll({ predictionId: `p${n}`, sentAt, signal }));
  expect(others).toHaveLength(5);
  const waiting = desk.poll({ predictionId: 'waiting', sentAt, signal: abort.signal });
  await eventually(() => gets.length === 5, { what: 'the calls before it' });
  abort.abort();
  expect(await waiting).toEqual({ kind: 'unavailable', throttledMs: null });
  expect(gets).not.toContain('waiting');
});

const database = useStoreDatabase();
afterEach(closeWorlds);

test('a callback does not wait behind other polls: the prediction is asked for at once', async () => {
  let polls = 0;
  const world = openWorld(database, {
    polls: {
      async poll({ signal: given }) {
        polls += 1;
        await untilAborted(given);
        return { kind: 'unavailable', throttledMs: null };
      },
    },
  });
  world.provider.answerGet = (id) => foundAs(unfinished(id));
  const jobId = await submit(database);
  void world.start(jobId);
  await world.asleep(POLL_MS);
  world.time.advance(POLL_MS);
  await eventually(() => polls === 1, { what: 'a poll among others' });
  world.provider.answerGet = (id) => foundAs(finished(id));
  const attemptId = (await world.read(jobId)).attempts[0]?.id ?? '';
  const event = {
    type: 'CALLBACK_RECEIVED',
    at: world.time.now(),
    predictionId: predictionOf(attemptId),
    providerStatus: 'succeeded',
  } as const;
  await world.actorSystem.deliver({ to: 'providerAttempt', id: attemptId, event }, { by: 'provider' });
  await world.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
  expect(polls).toBe(1);
});
