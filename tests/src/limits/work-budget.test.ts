import { expect, test } from 'vitest';
import { createWorkBudget, PATIENCE_MS } from '../../../src/limits/work-budget.ts';
import { createManualTime } from '../../support/manual-time.ts';

const SHARE = 6_000;
const never = new AbortController().signal;

function open(perMinuteMs = SHARE) {
  const time = createManualTime();
  const budget = createWorkBudget({ perMinuteMs, timers: time, monotonicMs: time.now });
  const work = async (client: string, tookMs: number) => (await budget.begin(client, never))(tookMs);
  return { time, budget, work };
}

test('a client may use the share of a minute at once, and then as much as refills', async () => {
  const { time, work } = open();
  for (let done = 0; done < SHARE - 100; done += 100) await work('a', 100);
  await work('a', 1_100);
  await expect(work('a', 1)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 11 });
  time.advance(20_000);
  for (let done = 0; done < 900; done += 100) await work('a', 100);
  await work('a', 1_100);
  await expect(work('a', 1)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 11 });
  time.advance(10 * 60_000);
  for (let done = 0; done < SHARE - 100; done += 100) await work('a', 100);
  await work('a', 1_100);
  await expect(work('a', 1)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('others have a share for themselves', async () => {
  const { work } = open();
  await work('a', 60_000);
  await expect(work('a', 1)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 541 });
  await expect(work('b', 1)).resolves.toBeUndefined();
});

test('a short wait is waited, and one of over two seconds refused with its length', async () => {
  const { time, work } = open();
  await work('a', SHARE + 150);
  const waiting = work('a', 10);
  expect(time.sleeping()).toEqual([1_501]);
  time.advance(1_501);
  await expect(waiting).resolves.toBeUndefined();
  time.advance(1_000);
  await work('a', 100 + PATIENCE_MS / 10);
  await expect(work('a', 1)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 3 });
});

test('work that was begun counts before it is done, so no one begins everything at once', async () => {
  const { budget } = open();
  let begun = 0;
  const leaving = new AbortController();
  const all = Array.from({ length: 1_000 }, () => budget.begin('a', leaving.signal).then(() => (begun += 1)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(SHARE / 20);
  leaving.abort(new Error('gone'));
  expect((await Promise.allSettled(all)).filter(({ status }) => status === 'rejected')).toHaveLength(700);
});

test('a caller that leaves waits no longer', async () => {
  const { budget, work } = open();
  await work('a', SHARE + 100);
  const leaving = new AbortController();
  const waiting = budget.begin('a', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
});

test('without a limit nothing is counted', async () => {
  const { work } = open(0);
  for (let done = 0; done < 10; done += 1) await work('a', 60_000);
});
