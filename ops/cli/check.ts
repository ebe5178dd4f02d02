import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Part, runParts } from '../check/side-by-side.ts';

/**
 * `npm run check`: every program that reads the code without running the platform, one a core, the slowest first. All
 * of them run to their end. The output of those that failed is printed last, each under the command that repeats it.
 * Exits with 1 when any of them failed.
 */
const PARTS: readonly Part[] = [
  {
    name: 'boundaries',
    command:
      'depcruise --config ops/check/boundaries.cjs i18n machines persistence supervisors src ops clients tests',
  },
  { name: 'types', command: 'tsc --noEmit -p .' },
  { name: 'generated files', command: 'node_modules/.bin/node ops/cli/generate.ts --check' },
  { name: 'types of the site', command: 'tsc --noEmit -p clients/web' },
  { name: 'schema', command: 'node_modules/.bin/node ops/cli/schema-dump.ts --check' },
  { name: 'statements', command: 'node_modules/.bin/node ops/check/statements.ts' },
  { name: 'unused code', command: 'knip' },
  { name: 'format and lint', command: 'biome check .' },
  { name: 'copies', command: 'jscpd' },
  { name: 'charts', command: 'node_modules/.bin/node ops/cli/charts.ts --check' },
  { name: 'catalogs', command: 'node_modules/.bin/node ops/check/catalogs.ts' },
  { name: 'migrations', command: 'node_modules/.bin/node ops/check/migrations.ts' },
  { name: 'packages', command: 'node_modules/.bin/node ops/check/packages.ts' },
  { name: 'citations', command: 'node_modules/.bin/node ops/check/citations.ts' },
  { name: 'words', command: 'node_modules/.bin/node ops/check/words.ts' },
];

const startedAt = performance.now();
const results = await runParts(PARTS, {
  limit: availableParallelism(),
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  onEnd: ({ name, code, seconds }) =>
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${name}`),
});
const failed = results.filter(({ code }) => code !== 0);
const shown = (command: string): string => (command.startsWith('node_modules/') ? command : `npx ${command}`);
for (const { command, output } of failed) console.error(`\n${shown(command)}\n\n${output.trim()}`);
const longest = Math.max(...results.map(({ seconds }) => seconds));
const total = (performance.now() - startedAt) / 1000;
const names = failed.map(({ name }) => name).join(', ');
console.log(
  `\n${results.length} parts in ${total.toFixed(0)} s, the longest ${longest.toFixed(0)} s; ${failed.length === 0 ? 'all passed' : `failed: ${names}`}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
