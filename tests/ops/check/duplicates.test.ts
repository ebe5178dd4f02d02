import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { REPOSITORY } from '../../support/platform/started-program.ts';

/** The result of `jscpd`, a part of `npm run check`, for two files that share so many lines. */
async function exitCodeFor(shared: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'duplicates-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'src'));
  const lines = Array.from({ length: shared }, (_, line) => `  total += weigh(load, ${line}, 'kilograms');`);
  for (const name of ['one', 'other']) {
    const text = [`export function ${name}(load: ${name}) {`, ...lines, `  return ${name};`, '}'].join('\n');
    await writeFile(join(folder, 'src', `${name}.ts`), `${text}\n`);
  }
  const program = join(REPOSITORY, 'node_modules/jscpd/run-jscpd.js');
  const check = spawn(process.execPath, [program, '-c', join(REPOSITORY, '.jscpd.json'), 'src'], {
    cwd: folder,
    stdio: 'ignore',
  });
  return (await once(check, 'exit'))[0];
}

test('eight duplicate lines are allowed, twelve are not', async () => {
  expect(await exitCodeFor(8)).toBe(0);
  expect(await exitCodeFor(12)).toBe(1);
});
