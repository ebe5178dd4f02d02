import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../support/platform/stack.ts';
import { choose } from './choice.ts';
import { EVERYTHING, PARTS } from './parts.ts';
import { Repository } from './repository.ts';

const NOW = new Date('2026-11-27T12:00:00Z');
const NAMES = ['-c', 'user.name=test', '-c', 'user.email=test@example.test'];

/** A repository with two test files, one of which loads a product file. */
function project() {
  const root = temporaryDirectory();
  const git = (...args: string[]): string =>
    execFileSync('git', [...NAMES, ...args], { cwd: root, encoding: 'utf8' });
  const commit = (texts: Record<string, string>): string => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    git('add', '--all');
    git('commit', '--quiet', '--message', 'change');
    return git('rev-parse', 'HEAD').trim();
  };
  git('init', '--quiet');
  const first = commit({
    'package-lock.json': '{"packages":{"node_modules/zod":{"version":"1.0.0"}}}',
    'src/price.ts': '1',
    'tests/price.test.ts': "import '../src/price.ts';",
    'tests/input.test.ts': "import 'zod';",
  });
  const tests = ['tests/input.test.ts', 'tests/price.test.ts'];
  const chosen = (record: { commit: string; at: string } | null) => {
    const repository = new Repository(root);
    const verified = record && { failedFiles: [], ...record };
    return choose({ root, repository, tests, verified, now: NOW, commit: repository.head() });
  };
  return { git, commit, chosen, first, tests };
}
const today = '2026-11-27T08:00:00.000Z';

describe('the choice of tests for a commit', () => {
  test('follows what was changed since the verified commit, however many commits ago', () => {
    const { commit, chosen, first } = project();
    commit({ 'src/price.ts': '2' });
    commit({ 'README.md': 'more' });
    expect(chosen({ commit: first, at: today })).toMatchObject({
      everything: null,
      reached: ['tests/price.test.ts'],
    });
  });

  test('follows a changed package', () => {
    const { commit, chosen, first } = project();
    commit({ 'package-lock.json': '{"packages":{"node_modules/zod":{"version":"1.0.1"}}}' });
    expect(chosen({ commit: first, at: today }).reached).toEqual(['tests/input.test.ts']);
  });

  test('is everything without a verified commit, with one of another branch, an unknown one, or an old one', () => {
    const { git, commit, chosen, first, tests } = project();
    git('checkout', '--quiet', '-b', 'other');
    const elsewhere = commit({ 'README.md': 'other' });
    git('checkout', '--quiet', '-');
    git('checkout', '--quiet', first);
    expect(chosen(null)).toMatchObject({ everything: 'no whole run is on record', reached: tests });
    expect(chosen({ commit: elsewhere, at: today }).everything).toMatch(/no ancestor/);
    expect(chosen({ commit: 'f'.repeat(40), at: today }).everything).toMatch(/no ancestor/);
    expect(chosen({ commit: first, at: '2026-11-12T00:00:00.000Z' }).everything).toBe(
      'the last whole run is 15 days old',
    );
    expect(chosen({ commit: first, at: '2026-11-14T00:00:00.000Z' }).everything).toBeNull();
  });
});

test('every path in the table of parts exists in this repository', () => {
  const files = new Repository(fileURLToPath(new URL('../..', import.meta.url))).files();
  const beginnings = [...EVERYTHING, ...PARTS.flatMap(({ changed, run }) => [...changed, ...run])];
  const missing = beginnings.filter((beginning) => !files.some((file) => file.startsWith(beginning)));
  expect(missing).toEqual([]);
});
