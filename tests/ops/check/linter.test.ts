import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

/** What `biome check`, the first part of `npm run check`, rejects by a rule of this repository. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The lines of the file that have an error. */
async function refusedLines(path: string, content: string): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linter-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const rules = ['packing-spread', 'page-colors', 'page-words', 'sql-place'].map(
    (name) => `ops/check/${name}.grit`,
  );
  for (const name of ['.biome.json', '.gitignore', ...rules]) await cp(join(ROOT, name), join(folder, name));
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), content);
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const lint = spawn(process.execPath, [biome, 'lint', '--reporter=github', path], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const report = await text(lint.stdout);
  return [...report.matchAll(/^::error .*?,line=(\d+)/gm)].map(([, line]) => Number(line));
}

test.each(['src/wait.ts', 'supervisors/wait.ts', 'ops/cli/wait.ts'])(
  'in %s a signal is linked and released: AbortSignal.any is rejected in every spelling',
  async (path) => {
    const lines = [
      'const { signal } = new AbortController();',
      'export const called = AbortSignal.any([signal]);',
      'export const { any } = AbortSignal;',
      'export const late = AbortSignal.timeout(5);',
    ];
    expect(await refusedLines(path, `${lines.join('\n')}\n`)).toEqual([2, 3]);
  },
);

test('a spread of an inline literal is rejected, a spread of a conditional is not', async () => {
  const lines = [
    'const [x, y] = [1, 2];',
    'export const object = { ...{ x, y }, z: 3 };',
    'export const list = [...[x, y], 3];',
    'export const most = Math.max(...[x, y]);',
    "export const constant = { ...({ kind: 'a' } as const), x };",
    'export const chosen = { ...(x > y ? { x } : {}), y: [...(x > y ? [x] : [])] };',
  ];
  expect(await refusedLines('src/spreads.ts', `${lines.join('\n')}\n`)).toEqual([2, 3, 4, 5]);
});

test('a page says nothing that is not in the catalogs', async () => {
  const lines = [
    'export const Page = ({ on, t }: { on: boolean; t: (key: string) => string }) => (',
    '  <main title="Homes" className="page">',
    '    <h1>Homes</h1>',
    "    {'Homes'}",
    "    {on ? 'Yes' : t('no')}",
    `    {\`\${t('total')} homes\`}`,
    `    <b className="total">{\`\${t('total')} · \${t('homes')}\`}</b>`,
    '    <img alt="" src="/house.png" />',
    '  </main>',
    ');',
  ];
  const found = await refusedLines('clients/web/page.tsx', `${lines.join('\n')}\n`);
  expect([...new Set(found)].toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
});

test('a style of the site names no color', async () => {
  const lines = [
    '.card {',
    '  color: #ffffff;',
    '  border: 1px solid white;',
    '  background: rgb(1 2 3);',
    '  outline-color: var(--focus);',
    '  white-space: nowrap;',
    '}',
  ];
  expect(await refusedLines('clients/web/card.css', `${lines.join('\n')}\n`)).toEqual([2, 3, 4]);
});

test.each([
  ['src/rows.ts', [1, 2, 4]],
  ['persistence/rows.ts', []],
] as const)('SQL in %s is rejected where it has no place', async (path, lines) => {
  const statements = [
    "export const one = 'select 1';",
    'export const two = `',
    '  UPDATE "user" SET name = $1`;',
    'export const three = `DELETE FROM session`;',
    "export const words = 'Select a room, or update it with a photo';",
  ];
  const found = await refusedLines(path, `${statements.join('\n')}\n`);
  expect(found).toEqual(lines);
});
