import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { choose } from './choice.ts';
import { readVerified } from './records.ts';
import { Repository } from './repository.ts';
import { runTests, VITEST } from './run-tests.ts';

/**
 * `npm run test:selected`: of the long suites (all that `npm test` leaves out) those that the change since the last
 * whole run reaches, and a third of the rest. `--list` prints the choice and runs nothing.
 */
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const LONG = ['long', 'computing', 'shared', 'alone'].flatMap((name) => ['--project', name]);

const repository = new Repository(root);
const verified = readVerified(root);
const tests = longTests();
const commit = repository.head();
const { everything, reached, drawn, share } = choose({
  root,
  repository,
  verified,
  tests,
  now: new Date(),
  commit,
});
if (everything !== null) console.log(`Everything runs: ${everything}`);
else {
  console.log(`Verified: ${verified?.commit.slice(0, 8)} (${verified?.tests} tests, ${verified?.at})`);
  console.log(`${reached.length} of ${tests.length} long files are reached by what has changed since:`);
  for (const file of reached) console.log(`  ${file}`);
  console.log(`${drawn.length} of the rest are drawn by ${commit.slice(0, 8)}:`);
  for (const file of drawn) console.log(`  ${file}`);
  console.log(share === null ? 'Every crash point runs.' : `Share ${share} of the crash points runs.`);
}
if (!process.argv.includes('--list')) {
  const { passed } = await runTests({
    root,
    args: [...LONG, ...reached, ...drawn],
    environment: share === null ? {} : { SHARE: share },
  });
  process.exitCode = passed ? 0 : 1;
}

/** The test files that `npm test` leaves out, in alphabetical order. */
function longTests(): string[] {
  const [program, ...config] = VITEST;
  const output = execFileSync(
    process.execPath,
    [program, 'list', ...config, '--filesOnly', '--json', ...LONG],
    { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 },
  );
  const listed = z.array(z.object({ file: z.string() })).parse(JSON.parse(output));
  return listed.map(({ file }) => relative(root, file)).toSorted();
}
