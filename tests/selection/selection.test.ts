import { describe, expect, test } from 'vitest';
import type { ImportGraph } from './import-graph.ts';
import { type Change, SHARES, select } from './selection.ts';

const graph: ImportGraph = new Map([
  ['src/price.ts', new Set(['src/money.ts'])],
  ['src/money.ts', new Set(['package:decimal'])],
  ['tests/support/home.ts', new Set(['src/price.ts'])],
  ['tests/a/price.test.ts', new Set(['tests/support/home.ts'])],
  ['tests/b/mail.test.ts', new Set(['package:mailer'])],
]);
const tests = [
  'tests/a/price.test.ts',
  'tests/b/mail.test.ts',
  ...Array.from({ length: 9 }, (_, index) => `tests/c/${index}.test.ts`),
  'tests/verification/crash/kill-points.test.ts',
];

const selectionOf = (change: Partial<Change>) =>
  select({
    tests,
    graph,
    changed: [],
    packages: new Set(),
    failedBefore: [],
    commit: '0'.repeat(40),
    ...change,
  });

describe('the selection of a change', () => {
  test('has the tests that load a changed file, directly or through others', () => {
    expect(selectionOf({ changed: ['src/money.ts'] }).reached).toEqual(['tests/a/price.test.ts']);
    expect(selectionOf({ changed: ['tests/b/mail.test.ts'] }).reached).toEqual(['tests/b/mail.test.ts']);
    expect(selectionOf({ changed: ['README.md'] }).reached).toEqual([]);
  });

  test('has the tests that load a changed package', () => {
    expect(selectionOf({ packages: new Set(['decimal']) }).reached).toEqual(['tests/a/price.test.ts']);
    expect(selectionOf({ packages: new Set(['mailer']) }).reached).toEqual(['tests/b/mail.test.ts']);
  });

  test('has the tests that the last whole run did not verify', () => {
    expect(selectionOf({ failedBefore: ['tests/b/mail.test.ts'] }).reached).toEqual(['tests/b/mail.test.ts']);
  });

  test('has every third file of the rest, so that three consecutive shares have all of them once', () => {
    const shares = ['00000000', '00000001', '00000002'].map(
      (start) => selectionOf({ changed: ['src/money.ts'], commit: start.padEnd(40, 'f') }).drawn,
    );
    expect(shares.flat().toSorted()).toEqual(
      tests.filter((file) => file !== 'tests/a/price.test.ts').toSorted(),
    );
    for (const share of shares) expect(share.length).toBeLessThanOrEqual(Math.ceil(tests.length / SHARES));
  });

  test('is the same each time for one commit', () => {
    const commit = '89abcdef'.repeat(5);
    expect(selectionOf({ commit })).toEqual(selectionOf({ commit }));
    expect(selectionOf({ commit }).share).toBe(`${0x89abcdef % SHARES}/${SHARES}`);
  });

  test.each([
    ['a machine', 'machines/tour.ts'],
    ['the runtime', 'supervisors/runner/job-loop.ts'],
    ['the actor store', 'persistence/actors/actor-store.ts'],
    ['the worker', 'src/worker.ts'],
  ])('has every crash point when %s was changed', (_, path) => {
    const { reached, share } = selectionOf({ changed: [path] });
    expect(reached).toContain('tests/verification/crash/kill-points.test.ts');
    expect(share).toBeNull();
  });

  test('has the tests of the studio, not of the site, when a page of the studio was changed', () => {
    const browsers = ['tests/e2e/site/map.test.ts', 'tests/e2e/studio/review.test.ts'];
    const reachedBy = (path: string) => selectionOf({ tests: browsers, changed: [path] }).reached;
    expect(reachedBy('clients/web/pages/studio/review/review-keys.ts')).toEqual([
      'tests/e2e/studio/review.test.ts',
    ]);
    expect(reachedBy('clients/web/primitives/button.tsx')).toEqual(browsers);
  });

  test('has the tests that read words, not all that load them, when a text was changed', () => {
    const read = ['tests/e2e/site/map.test.ts', 'tests/src/mail/mailer.test.ts'];
    const catalog = 'i18n/user/en.json';
    const { reached } = selectionOf({
      tests: [...read, 'tests/e2e/platform/flag.test.ts'],
      graph: new Map([['tests/e2e/platform/flag.test.ts', new Set([catalog])]]),
      changed: [catalog],
    });
    expect(reached).toEqual(read);
  });

  test.each([
    ['the selection', 'tests/selection/parts.ts'],
    ["CI's own script", '.ci/run'],
    ["the tests' configuration", 'tests/vitest.config.ts'],
  ])('is everything when %s was changed', (_, path) => {
    expect(selectionOf({ changed: ['README.md', path] })).toEqual({
      everything: `${path} was changed, which decides what runs`,
      reached: tests,
      drawn: [],
      share: null,
    });
  });

  test('is everything when a package that runs the tests was changed', () => {
    expect(selectionOf({ packages: new Set(['vitest']) }).everything).toMatch(/vitest/);
  });

  test('is not widened by the records that a run writes', () => {
    const before = selectionOf({});
    expect(selectionOf({ changed: ['.ci/verified', '.ci/flaky.md'] })).toEqual(before);
  });
});
