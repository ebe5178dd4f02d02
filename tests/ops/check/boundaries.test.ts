import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const CLEAN: Record<string, string> = {
  'package.json': JSON.stringify({
    type: 'module',
    dependencies: { i18next: '1', xstate: '1', bullmq: '1', '@trpc/server': '1', '@opentelemetry/api': '1' },
    devDependencies: { vitest: '1', react: '1' },
  }),
  'tsconfig.json':
    '{"compilerOptions":{"module":"nodenext","allowImportingTsExtensions":true,"noEmit":true}}',
  'i18n/labels.ts': "import 'i18next'; export const words = 1;",
  'machines/job.ts': "import 'xstate'; import { words } from '../i18n/labels.ts'; export const job = words;",
  'persistence/rows.ts':
    "import 'node:fs'; import { job } from '../machines/job.ts'; export const rows = job;",
  'persistence/console/cost-rows.ts': 'export const costs = 1;',
  'src/telemetry/tracing/opentelemetry.ts': "import '@opentelemetry/api';",
  'src/telemetry/tracing/start.ts': "await import('./opentelemetry.ts');",
  'src/console/costs.ts': "import '../../persistence/console/cost-rows.ts';",
  'supervisors/tree.ts': "import { rows } from '../persistence/rows.ts'; export const tree = rows;",
  'src/web.ts':
    "import 'bullmq'; import '@trpc/server'; import { tree } from '../supervisors/tree.ts'; export const web = tree;",
  'clients/client.ts':
    "import 'xstate'; import type { web } from '../src/web.ts'; export type Client = typeof web;",
  'clients/typescript/node-transport.ts': "import 'node:http';",
  'machines/limits.ts': 'export const limit = 1;',
  'clients/web/page.ts':
    "import 'react'; import { limit } from '../../machines/limits.ts'; export const page = limit;",
  'ops/run.ts': "import { web } from '../src/web.ts'; export const run = web;",
  'tests/run.test.ts': "import 'vitest'; import { run } from '../ops/run.ts'; export const tested = run;",
};
for (const name of [
  'i18next',
  'xstate',
  'bullmq',
  '@trpc/server',
  '@opentelemetry/api',
  'vitest',
  'react',
  'undeclared',
]) {
  CLEAN[`node_modules/${name}/package.json`] = JSON.stringify({
    name,
    version: '1.0.0',
    exports: './index.js',
  });
  CLEAN[`node_modules/${name}/index.js`] = 'export const name = 1;';
}

/** `<file> <rule>` for every rule that a project breaks. */
async function violations(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'boundaries-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries({ ...CLEAN, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  for (const path of ['ops/check/boundaries.cjs', 'ops/release/packages.json'])
    await cp(join(ROOT, path), join(folder, path));
  const folders = ['i18n', 'machines', 'persistence', 'supervisors', 'src', 'ops', 'clients', 'tests'];
  const command = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const cruise = spawn(
    process.execPath,
    [command, '--config', 'ops/check/boundaries.cjs', '-T', 'json', ...folders],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const report = JSON.parse(await text(cruise.stdout)) as {
    summary: { violations: Array<{ from: string; rule: { name: string } }> };
  };
  return report.summary.violations.map(({ from, rule }) => `${from} ${rule.name}`);
}

/** Two folders that import each other, though none of their files do. */
function folderCycle(parent: string): Array<[path: string, content: string, rule: string]> {
  return [
    [`${parent}/shop/one.ts`, "import '../street/two.ts';", 'no-folder-cycles'],
    [`${parent}/street/two.ts`, 'export const two = 2;', 'no-folder-cycles'],
    [`${parent}/street/three.ts`, "import '../shop/four.ts';", 'no-folder-cycles'],
    [`${parent}/shop/four.ts`, 'export const four = 4;', 'no-folder-cycles'],
  ];
}

/** Each file breaks one rule. All are checked in one run, because a run takes seconds. */
const OFFENCES: Array<[path: string, content: string, rule: string]> = [
  ['i18n/up.ts', "import '../machines/job.ts';", 'i18n-imports-nothing-above-it'],
  ['i18n/package.ts', "import 'xstate';", 'i18n-needs-one-package'],
  [
    'machines/up.ts',
    "import type { rows } from '../persistence/rows.ts';",
    'machines-imports-nothing-above-it',
  ],
  ['machines/builtin.ts', "import 'node:crypto';", 'machines-are-pure'],
  ['machines/old-builtin.ts', "import 'crypto';", 'machines-are-pure'],
  ['machines/vendor.ts', "import 'bullmq';", 'machines-are-pure'],
  ['persistence/up.ts', "import '../supervisors/tree.ts';", 'persistence-imports-nothing-above-it'],
  ['persistence/web.ts', "import '@trpc/server';", 'only-the-edges-know-the-web'],
  ['persistence/priced.ts', "import './console/cost-rows.ts';", 'costs-decide-nothing'],
  ['supervisors/priced.ts', "import '../persistence/console/cost-rows.ts';", 'costs-decide-nothing'],
  ['src/priced.ts', "import '../persistence/console/cost-rows.ts';", 'costs-decide-nothing'],
  ['supervisors/up.ts', "import '../src/web.ts';", 'supervisors-imports-nothing-above-it'],
  ['supervisors/vendor.ts', "await import('bullmq');", 'supervisors-know-no-vendor'],
  ['src/operator.ts', "import '../ops/run.ts';", 'src-imports-nothing-above-it'],
  ['src/traced.ts', "import '@opentelemetry/api';", 'one-file-knows-the-tracing-system'],
  [
    'src/loading.ts',
    "import './telemetry/tracing/opentelemetry.ts';",
    'the-tracing-system-is-loaded-when-wanted',
  ],
  ['src/tester.ts', "import '../tests/run.test.ts';", 'src-imports-nothing-above-it'],
  ['src/development.ts', "import 'vitest';", 'production-code-needs-no-development-package'],
  ['src/undeclared.ts', "import 'undeclared';", 'packages-are-declared'],
  ['src/missing.ts', "import './nowhere.ts';", 'imports-resolve'],
  ['src/one.ts', "import './two.ts';", 'no-cycles'],
  ['src/two.ts', "import './one.ts';", 'no-cycles'],
  ...folderCycle('src'),
  ...folderCycle('ops'),
  ...folderCycle('clients/web'),
  ['src/customer.ts', "import type { Client } from '../clients/client.ts';", 'src-imports-nothing-above-it'],
  ['clients/runs-src.ts', "import { web } from '../src/web.ts';", 'clients-import-types-of-src'],
  [
    'clients/deeper.ts',
    "import type { rows } from '../persistence/rows.ts';",
    'clients-know-the-contract-only',
  ],
  ['clients/limits.ts', "import '../machines/limits.ts';", 'clients-know-the-contract-only'],
  ['clients/web/rule.ts', "import '../../machines/job.ts';", 'the-site-shares-limits-and-words'],
  ['clients/web/check.ts', "import '../../tests/run.test.ts';", 'the-site-shares-limits-and-words'],
  ['clients/builtin.ts', "import 'node:fs';", 'clients-reach-the-machine-through-ports'],
  ['clients/development.ts', "import 'vitest';", 'production-code-needs-no-development-package'],
  ['clients/web/development.ts', "import 'vitest';", 'the-site-bundles-listed-packages'],
  ['clients/bundled.ts', "import 'react';", 'production-code-needs-no-development-package'],
  ['ops/up.ts', "import '../tests/run.test.ts';", 'ops-does-not-need-tests'],
];

/** A cycle is reported once, at one of its files or folders. */
const CYCLES = [
  ['src/one.ts', 'src/two.ts'],
  ['src/shop', 'src/street'],
  ['ops/shop', 'ops/street'],
  ['clients/web/shop', 'clients/web/street'],
];

test('imports that follow the order of the folders break no rule', async () => {
  expect(await violations({})).toEqual([]);
});

test('every rule is broken by the file written for it', async () => {
  const files = Object.fromEntries(OFFENCES.map(([path, content]) => [path, content]));
  const found = await violations(files);
  for (const [path, , rule] of OFFENCES) {
    const places = CYCLES.find((cycle) => cycle.some((place) => path.startsWith(place))) ?? [path];
    expect(
      places.some((place) => found.includes(`${place} ${rule}`)),
      `${path}: ${found.join(', ')}`,
    ).toBe(true);
  }
  const innocent = Object.keys(CLEAN).filter((path) =>
    found.some((violation) => violation.startsWith(`${path} `)),
  );
  expect(innocent).toEqual([]);
});
