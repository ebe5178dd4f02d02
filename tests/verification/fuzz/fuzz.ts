import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runEnvironment } from './run-settings.ts';

const TARGETS = readdirSync(new URL('./targets', import.meta.url))
  .map((file) => file.replace(/\.ts$/, ''))
  .toSorted();

const HELP = `Usage: npm run fuzz -- [--target NAME] [--minutes N] [--seed S]
       npm run fuzz -- --target NAME --seed S [--path P]

Feeds every parser of untrusted input with inputs that are valid, nearly valid and hostile, in rounds with
fresh seeds, over a real stack of its own. Prints the seed of every round and what it covered; of a failure the
smallest input that was found, and the command that repeats it.

--target NAME  one target: ${TARGETS.join(', ')}
--minutes N    about how long in all (default 10)
--seed S       the first seed (default: a random one); without --minutes only this round
--path P       with --seed: one input of that round, as a failure names it
`;
const NUMBER = /^-?\d{1,10}$/;
/** The number of files that the test run processes at once. */
const WORKERS = 3;
const LARGEST_SEED = 2 ** 31 - 1;
/** A last round may begin just before the time is over. */
const LAST_ROUND_MS = 10 * 60_000;

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    path: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  const { target, minutes, seed, path } = values;
  if (values.help) return say(HELP, 0);
  if (target !== undefined && !TARGETS.includes(target))
    return say(`There is no target ${target}.\n${HELP}`, 64);
  for (const text of [minutes, seed]) {
    if (text !== undefined && !(NUMBER.test(text) || (text === minutes && Number(text) > 0)))
      return say(`${JSON.stringify(text)} is not a number.\n${HELP}`, 64);
  }
  const replays = path !== undefined || (seed !== undefined && minutes === undefined);
  const together = target === undefined ? Math.max(1, TARGETS.length / WORKERS) : 1;
  const secondsPerTarget = replays ? 0 : (Number(minutes ?? 10) * 60) / together;
  return run({
    seed: seed === undefined ? randomInt(LARGEST_SEED) : Number(seed),
    path: path ?? null,
    secondsPerTarget,
    only: target ?? null,
  });
}

/** The targets need the harness of the tests: its stack, its databases and its search for leaks. */
function run(settings: Parameters<typeof runEnvironment>[0] & { secondsPerTarget: number }): Promise<number> {
  const timeout = String(Math.ceil(settings.secondsPerTarget * 1_000) + LAST_ROUND_MS);
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [
    vitest,
    'run',
    '--config',
    'tests/vitest.config.ts',
    '--testTimeout',
    timeout,
    'tests/verification/fuzz/',
  ];
  const env = { ...process.env, ...runEnvironment(settings) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
