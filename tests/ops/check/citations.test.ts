import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { citationProblems, ownFiles } from '../../../ops/check/citations.ts';
import { INVARIANTS } from '../../../ops/invariants/catalogue.ts';
import { PROVEN_ELSEWHERE } from '../../../ops/invariants/elsewhere.ts';
import { REPOSITORY } from '../../support/platform/started-program.ts';

test('every citation in this repository has a target', () => {
  expect(citationProblems(ownFiles())).toEqual([]);
});

test('the check runs as a command', () => {
  const said = execFileSync(process.execPath, ['ops/check/citations.ts'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  expect(said).toBe('Every citation leads somewhere\n');
});

test('docs/invariants.md has every invariant that the command checks', () => {
  const page = ownFiles().get('docs/invariants.md') ?? '';
  const ids = [...INVARIANTS, ...PROVEN_ELSEWHERE].map(({ id }) => id.replace(/b$/, ''));
  expect(ids.filter((id) => !page.includes(`| ${id} |`))).toEqual([]);
});

describe('citations without a target are found', () => {
  const world: Record<string, string | null> = {
    'docs/contract.md': '# Contract\n\n## Jobs and texts\n',
    'docs/invariants.md': '| I1 | a |\n| I23 | b |\n',
    'docs/charts/job.md': '',
    'docs/a picture.png': null,
    'src/web.ts': '',
    'src/http/body.ts': '',
  };
  const problems = (path: string, text: string): string[] =>
    citationProblems(new Map(Object.entries({ ...world, [path]: text })));

  test.each([
    ['src/a.ts', '/** The rule: docs/contract.md#jobs-and-texts, `src/http/body.ts`, body.ts, I23. */'],
    ['src/a.ts', "const key = 'src/gone.ts decisions.md';"],
    ['src/a.ts', '// As `src/http/*.ts` do, and src/http'],
    ['docs/b.md', '[x](contract.md#jobs-and-texts) ![y](a%20picture.png) [z](https://example.com/gone.md)'],
    ['docs/b.md', '[here](#a-heading)\n\n# A heading'],
  ])('%s: %s is valid', (path, text) => {
    expect(problems(path, text)).toEqual([]);
  });

  test.each([
    ['src/a.ts', '\n/** decisions.md section 5 */', 'src/a.ts:2: there is no decisions.md'],
    ['src/a.ts', '// docs/contract.md#job', 'src/a.ts:1: docs/contract.md has no section #job'],
    ['src/a.ts', '/* see `src/http/bodies.ts` */', 'src/a.ts:1: there is no src/http/bodies.ts'],
    ['src/a.ts', '// see bodies.ts', 'src/a.ts:1: there is no bodies.ts'],
    ['src/a.ts', '// (I24)', 'src/a.ts:1: I24 is not in docs/invariants.md'],
    ['docs/b.md', 'The rule is I2.', 'docs/b.md:1: I2 is not in docs/invariants.md'],
    ['docs/b.md', '\n\n[x](contract.md#gone)', 'docs/b.md:3: docs/contract.md has no section #gone'],
    ['docs/b.md', '[x](../src/gone)', 'docs/b.md:1: there is no src/gone'],
    ['ops/alerts.yaml', 'runbook_url: docs/gone.md', 'ops/alerts.yaml:1: there is no docs/gone.md'],
  ])('%s: %s', (path, text, said) => {
    expect(problems(path, text)).toEqual([said]);
  });
});
