import { expect, test } from 'vitest';
import { LISTED, MUST_SEE } from './coverage.ts';
import { missed, runSeeds, shrink } from './run-seeds.ts';
import { runSeed } from './scenario.ts';
import { listedIn } from './the-list.ts';

const SEEDS = 1_500;
const MINUTES = 60_000;

test(
  `${SEEDS} seeds break no invariant, and meet every coverage goal`,
  async () => {
    const result = await runSeeds({ first: 1, seeds: SEEDS });
    const [failure] = result.failures;
    const told = failure ? (await shrink(failure)).timeline : [];
    expect({ seed: failure?.seed, breaches: failure?.breaches ?? [], told }).toEqual({
      seed: undefined,
      breaches: [],
      told: [],
    });
    expect(missed(result)).toEqual([]);
    expect(result.seeds).toBe(SEEDS);
  },
  15 * MINUTES,
);

test('a seed gives the same run every time, down to the last line', async () => {
  for (const seed of [3, 170, 4_711]) {
    const first = await runSeed({ seed });
    const again = await runSeed({ seed });
    expect(again).toEqual(first);
    expect(first.timeline.length).toBeGreaterThan(10);
  }
});

test('without faults every job succeeds or is rejected by the provider, with one purchase per attempt', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const run = await runSeed({ seed, calm: true });
    expect(run.breaches).toEqual([]);
    expect(run.faults).toEqual([]);
    const posts = run.timeline.filter((line) => line.includes(' POST for ')).length;
    expect(posts).toBe(run.purchases);
  }
});

test('a late put of an overtaken worker leaves no object (seed 170 of the first run)', async () => {
  expect((await runSeed({ seed: 170 })).breaches).toEqual([]);
});

test('a late put whose clean-up loses its connection leaves no object (seed 69626)', async () => {
  expect((await runSeed({ seed: 69_626 })).breaches).toEqual([]);
});

test('a variant of another writer waits for a transaction that makes one (seed 6144)', async () => {
  expect((await runSeed({ seed: 6_144 })).breaches).toEqual([]);
});

test('every coverage goal has a unique name, for eleven items of the list', () => {
  expect(new Set(MUST_SEE).size).toBe(MUST_SEE.length);
  expect(Object.keys(LISTED).length).toBe(11);
});

test('the coverage goals are those of docs/invariants.md', () => {
  expect(Object.keys(LISTED).toSorted()).toEqual(listedIn('What a run must have met').toSorted());
});
