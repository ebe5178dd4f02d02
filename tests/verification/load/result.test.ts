import { describe, expect, test } from 'vitest';
import { memorySlope } from './gauges.ts';
import { startOpenLoop } from './open-loop.ts';
import { floodedAndNot, judge, latencies, type Run, webMemorySlope } from './result.ts';

const sample = (dueAt: number, tookMs: number, what = 'look', failure = '') => ({
  what,
  dueAt,
  tookMs,
  failure,
});
const windows = [
  { from: 0, until: 30_000, isFlooded: false },
  { from: 30_000, until: 60_000, isFlooded: true },
];
const good: Run = {
  samples: [sample(5_000, 10), sample(35_000, 12)],
  readings: [],
  windows,
  kills: 1,
  jobs: { submitted: 2, byStatus: { SUCCESS: 2 }, final: 2 },
  boughtOnce: 2,
  boughtTwice: 0,
  attempts: 2,
  brokenInvariants: [],
  complaints: [],
  forged: { 401: 100 },
};
const broken = (change: Partial<Run>) =>
  judge({ ...good, ...change }).flatMap(({ sentence, holds }) => (holds ? [] : [sentence]));

describe('a run under load', () => {
  test('passes when every check holds', () => {
    expect(broken({})).toEqual([]);
  });

  test.each<[string, Partial<Run>, RegExp]>([
    ['a failed call', { samples: [sample(5_000, 10, 'look', 'HTTP 500')] }, /1 of 1 calls .* failed/],
    ['a lost job', { jobs: { submitted: 2, byStatus: { SUCCESS: 1, FAILED: 1 }, final: 2 } }, /1 of 2 jobs/],
    ['no job at all', { jobs: { submitted: 0, byStatus: {}, final: 0 } }, /jobs succeeded/],
    ['a second purchase', { boughtOnce: 1, boughtTwice: 1 }, /1 twice/],
    ['an attempt that the ledger do not know', { attempts: 3 }, /2 of 3 attempts/],
    ['a broken invariant', { brokenInvariants: ['I2'] }, /1 broken/],
    ['an accepted forgery', { forged: { 200: 1, 401: 9 } }, /forged/],
    ['a flood that is felt', { samples: [sample(5_000, 10), sample(35_000, 13)] }, /p99 10 ms .* 13 ms/],
    ['an error in a log', { complaints: ['web: ...'] }, /1 lines at level error/],
  ])('fails after %s', (_, change, sentence) => {
    expect(broken(change)).toEqual([expect.stringMatching(sentence)]);
  });

  test('assigns calls to windows by their due time, and leaves the edges out', () => {
    const samples = [sample(5_000, 10), sample(29_500, 999), sample(30_500, 999), sample(40_000, 20)];
    expect(floodedAndNot({ samples, windows })).toEqual({ quiet: 10, flooded: 20 });
  });

  test('percentiles are given for all calls and for each kind', () => {
    const found = latencies([sample(0, 1, 'a'), sample(0, 3, 'b', 'x'), sample(0, 5, 'b')]);
    expect(found.map(({ what, calls, failures, p50 }) => [what, calls, failures, p50])).toEqual([
      ['all', 3, 1, 3],
      ['a', 1, 0, 1],
      ['b', 2, 1, 4],
    ]);
  });

  test('steady memory growth is reported as a slope, without the warm-up', () => {
    const reading = (at: number, memoryMb: number) => ({ at, memoryMb, name: 'web', pid: 1, loopDelayMs: 1 });
    const minutes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const steady = minutes.map((minute) => reading(minute * 60_000, 100 + 3 * minute));
    expect(memorySlope(steady)).toBeCloseTo(3);
    const cached = minutes.map((minute) => reading(minute * 60_000, minute < 4 ? 100 + 50 * minute : 300));
    expect(webMemorySlope({ readings: cached })).toBeCloseTo(0);
    expect(broken({ readings: minutes.map((minute) => reading(minute * 60_000, 100 + 9 * minute)) })).toEqual(
      [expect.stringContaining('grew by 9.00 MB')],
    );
  });
});

describe('the open loop', () => {
  test('makes a call when it is due, not when the next one is', async () => {
    const { promise: made, resolve } = Promise.withResolvers<void>();
    const loop = startOpenLoop(0.001, () => ({ what: 'look', make: async () => resolve() }));
    await made;
    await loop.stop();
    expect(loop.samples).toHaveLength(1);
  });

  test('goes on while answers are missing, and counts the wait from the due time', async () => {
    const held: (() => void)[] = [];
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const loop = startOpenLoop(1_000, () => ({
      what: 'look',
      make: () =>
        new Promise<void>((answer, refuse) => {
          held.push(held.length === 0 ? () => refuse(new Error('HTTP 503')) : answer);
          if (held.length === 20) resolve();
        }),
    }));
    await enough;
    expect(loop.samples).toEqual([]);
    for (const answer of held) answer();
    const stopped = loop.stop();
    for (const answer of held) answer();
    await stopped;
    expect(loop.samples.length).toBe(held.length);
    expect(loop.samples[0]?.failure).toBe('HTTP 503');
    const [first, last] = [loop.samples[0], loop.samples[19]];
    expect((first?.tookMs ?? 0) + (first?.dueAt ?? 0)).toBeGreaterThan(last?.dueAt ?? 0);
  });
});
