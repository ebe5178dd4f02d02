import { expect, test } from 'vitest';
import { listedIn } from '../the-list.ts';
import { runMutated } from './mutated-program.ts';
import { MUTATIONS } from './mutations.ts';

/**
 * Each known mistake fails the run with the expected invariant
 * (docs/invariants.md#mistakes-that-must-be-found).
 */
const MAX_SEEDS = 2_500;
const MINUTES = 60_000;

for (const { name, expects, from = 1 } of MUTATIONS.filter(({ noticedBy }) => noticedBy === 'simulation')) {
  test(
    `a run notices: ${name}`,
    async () => {
      const args = ['--json', '--first', String(from), '--seeds', String(MAX_SEEDS)];
      const { code, lastLine } = await runMutated(name, { script: '../simulate.ts', args });
      const { breaches } = JSON.parse(lastLine) as { breaches: string[] };
      const broken = [...new Set(breaches.map((line) => line.split(' ')[0] ?? ''))];
      expect([code, broken]).toEqual([1, broken.filter((invariant) => expects.includes(invariant))]);
      expect(broken).not.toEqual([]);
    },
    10 * MINUTES,
  );
}

test('each has a name of its own', () => {
  expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBe(MUTATIONS.length);
});

test('none that docs/invariants.md lists is missing', () => {
  const names = MUTATIONS.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(listedIn('Mistakes that must be found')));
});
