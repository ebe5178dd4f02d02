import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseProcfile } from '../../ops/dev/stack/procfile.ts';
import { temporaryDirectory } from '../support/platform/stack.ts';

/**
 * Documented commands run on a machine whose own Node is older than ours and cannot read TypeScript. npm puts the
 * Node of `npm ci` first; a bare `node` before one of our files is the machine's.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUR_NODE = 'node_modules/.bin/node';
const FOLDERS = ['clients', 'i18n', 'machines', 'ops', 'persistence', 'src', 'supervisors', 'tests'];
/** Files that the tests themselves run with their own Node; and this file. */
const INNER = [
  'tests/support/platform/fake-platform.Procfile',
  'tests/ops/dev/stack-roles.test.ts',
  'tests/ops/documented-commands.test.ts',
];
const TEXT = /\.(?:md|ts|cjs|mjs|sql|ya?ml|env|example|Procfile)$|file$|^\.ci/;
const BARE_NODE = /(?<![\w./-])node +(?:--[\w=./-]+ +)*[\w./-]+\.(?:ts|mts|cjs|mjs|js)\b/;

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${sep}node_modules`))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
const rootFiles = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => name);
const PAGES = [...rootFiles, '.ci/run', ...FOLDERS.flatMap(filesIn)].filter(
  (path) => TEXT.test(path) && !INNER.includes(path),
);
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the text of pages, help and messages', () => {
  test("names no command that uses the machine's own node", () => {
    expect(PAGES).toEqual(
      expect.arrayContaining(['README.md', 'Procfile', 'compose.yaml', 'ops/cli/demo.ts']),
    );
    const bare = PAGES.flatMap((path) =>
      textOf(path)
        .split('\n')
        .flatMap((line, index) => (BARE_NODE.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(bare).toEqual([]);
  });

  test.each([
    ['a `node ops/cli/schema-dump.ts` in a table', true],
    ['web: node src/web.ts', true],
    ['Usage: node --import ./x.ts tests/y.ts', true],
    [`web: ${OUR_NODE} src/web.ts`, false],
    ['tells what node the machine has', false],
    ['CMD ["node", "src/web.ts"]', false],
  ])('the search finds it: %s %s', (line, found) => {
    expect(BARE_NODE.test(line)).toBe(found);
  });

  test('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const missing = PAGES.flatMap((path) =>
      [...textOf(path).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*[a-z])/g)]
        .map(([, script = '']) => script)
        .filter((script) => scripts[script] === undefined)
        .map((script) => `${path}: npm run ${script}`),
    );
    expect(missing).toEqual([]);
  });
});

/** A folder with only an old `node`: the machine's, or a program that rejects what an old one rejects. */
function oldNode(): { path: string; why: string } {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((one) => !one.includes('node_modules'));
  const program = folders.map((one) => join(one, 'node')).find((one) => existsSync(one));
  const version = program === undefined ? '' : execFileSync(program, ['--version'], { encoding: 'utf8' });
  const folder = temporaryDirectory();
  const isOld = program !== undefined && Number(/^v(\d+)/.exec(version)?.[1]) < 22;
  const lines = isOld
    ? `exec ${program} "$@"`
    : `case "$1" in *.ts) echo ERR_UNKNOWN_FILE_EXTENSION >&2; exit 1;; esac\nexec ${process.execPath} "$@"`;
  writeFileSync(join(folder, 'node'), `#!/bin/sh\n${lines}\n`);
  chmodSync(join(folder, 'node'), 0o755);
  return { path: [folder, ...folders].join(delimiter), why: isOld ? version.trim() : 'a stand-in' };
}

let old: ReturnType<typeof oldNode>;
beforeAll(() => {
  old = oldNode();
});

/** Runs a command in a shell in the checkout, with the old node first and no other variable set. */
function typed(command: string): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const env = { PATH: old.path, HOME: process.env.HOME ?? '', TMPDIR: process.env.TMPDIR ?? '/tmp' };
    execFile('sh', ['-c', command], { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    );
  });
}

describe('on a machine with an old node', () => {
  test('a bare node fails', async () => {
    const { code, text } = await typed('node ops/dev/stack/procfile.ts');
    expect([code, old.why]).toEqual([1, old.why]);
    expect(text).toContain('ERR_UNKNOWN_FILE_EXTENSION');
  });

  test.each(parseProcfile(textOf('Procfile')))('the Procfile’s $name starts', async ({ name, command }) => {
    expect(command[0]).toBe(OUR_NODE);
    const { code, text } = await typed(command.join(' '));
    // Without its settings it prints this error, which only our code does: the program was read.
    expect(code).not.toBe(0);
    expect(text).not.toContain('ERR_UNKNOWN_FILE_EXTENSION');
    expect(text).toMatch(name === 'release' ? /DATABASE_URL/ : /environment of the \w+ role is not usable/);
  });

  test.each([
    'demo',
    'simulator',
    'simulate',
    'invariants',
    'ops',
    'legacy:status',
    'restore:check',
    'import',
    'migrate',
  ])('npm run %s prints its help', async (script) => {
    const { code, text } = await typed(`npm run ${script} -- --help`);
    expect([code, text.includes('ERR_UNKNOWN_FILE_EXTENSION')]).toEqual([0, false]);
  });

  test.each([
    'start',
    'migrate',
    'schema',
    'charts',
    'generate',
    'ops -- fetch-webhook-secret',
    'ops -- send-test-event',
    'ops -- vapid-keys',
  ])('npm run %s refuses an unknown option', async (script) => {
    const { code, text } = await typed(
      `npm run ${script}${script.includes(' -- ') ? '' : ' --'} --unheard-of`,
    );
    expect(code, text).not.toBe(0);
    expect(text).toMatch(/--unheard-of|^Usage: /m);
  });

  test('a commit that is not in the history skips the check of an upgrade, and says so', async () => {
    const { code, text } = await typed(`npm run upgrade:check -- ${'0'.repeat(40)}`);
    expect([code, text]).toEqual([0, expect.stringContaining('Skipped: the commit 0000')]);
  });

  test('the catalogs are copied into the apps', async () => {
    const [ios, android] = [temporaryDirectory(), temporaryDirectory()];
    const { code, text } = await typed(`npm run sync:catalogs -- user --ios ${ios} --android ${android}`);
    expect(code, text).toBe(0);
    expect(readdirSync(ios).toSorted()).toEqual(['messages-en.json', 'messages-es.json']);
    expect(readFileSync(join(android, 'messages/es.json'), 'utf8')).toBe(textOf('i18n/user/es.json'));
  });
});
