import { parseArgs } from 'node:util';
import { MUST_SEE } from './coverage.ts';
import { missed, runSeeds, type SeedsResult, shrink } from './run-seeds.ts';
import { type RunResult, runSeed } from './scenario.ts';

const HELP = `Usage: npm run simulate -- [--seeds N] [--first S]
       npm run simulate -- --seed S [--calm]

Runs the real machines and supervisors over an in-memory database in virtual time, with faults at every step, and
asks every invariant. The same seed always gives the same run.

--seeds N   how many seeds (default 200)
--first S   the first of them (default 1)
--seed S    one seed, with its whole timeline
--calm      that seed without any fault
--json      the result as JSON
`;
const NUMBER = /^\d{1,9}$/;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    calm: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  if (values.help) return say(HELP, 0);
  for (const name of ['seeds', 'first', 'seed'] as const)
    if (values[name] !== undefined && !NUMBER.test(values[name]))
      return say(`--${name} wants a whole number, not ${JSON.stringify(values[name])}.\n`, 64);
  return values.seed === undefined ? runAll() : replay(Number(values.seed));
}

async function replay(seed: number): Promise<number> {
  const run = await runSeed({ seed, calm: values.calm });
  say(`${run.timeline.join('\n')}\n\n`, 0);
  return say(verdictOf(run), run.breaches.length === 0 ? 0 : 1);
}

async function runAll(): Promise<number> {
  const seeds = Number(values.seeds);
  const before = process.cpuUsage();
  const shows = process.stderr.isTTY && !values.json;
  const result = await runSeeds({
    first: Number(values.first),
    seeds,
    onSeed(done, failures) {
      if (shows && done % 20 === 0) process.stderr.write(`\r${done}/${seeds} seeds, ${failures} failed `);
    },
  });
  if (shows) process.stderr.write('\r\u001b[K');
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1_000_000;
  const [failure] = result.failures;
  const unseen = failure ? [] : missed(result);
  if (values.json) {
    const { failures: _, ...counts } = result;
    say(`${JSON.stringify({ ...counts, seconds, unseen, breaches: failure?.breaches ?? [] })}\n`, 0);
    return failure || unseen.length > 0 ? 1 : 0;
  }
  say(summaryOf(result, seconds), 0);
  if (failure) return explain(failure);
  if (unseen.length > 0) return say(`\nNever seen, so not tested: ${unseen.join('; ')}.\n`, 1);
  return say('\nEvery invariant held in every run.\n', 0);
}

async function explain(failure: RunResult): Promise<number> {
  const { seed, faults } = failure;
  say(`\nSeed ${seed} failed; leaving faults out to find the guilty …\n`, 0);
  const smallest = await shrink(failure);
  say(`${smallest.timeline.join('\n')}\n\n${verdictOf(smallest)}`, 0);
  say(`${smallest.faults.length} of ${faults.length} faults are needed: `, 0);
  say(`${smallest.faults.map(({ number, kind }) => `${number} ${kind}`).join(', ')}\n`, 0);
  return say(`Replay it whole: npm run simulate -- --seed ${seed}\n`, 1);
}

function verdictOf({ seed, breaches, hops, lasted, purchases }: RunResult): string {
  const size = `${hops} hops, ${purchases} purchases, ${Math.round(lasted / 60_000)} virtual minutes`;
  if (breaches.length === 0) return `Seed ${seed}: every invariant held (${size}).\n`;
  return `Seed ${seed} broke (${size}):\n${breaches.map((line) => `  ${line}\n`).join('')}`;
}

function summaryOf({ seeds, hops, purchases, coverage }: SeedsResult, seconds: number): string {
  const rate = Math.round(seeds / seconds);
  const lines = MUST_SEE.map((what) => `${String(coverage[what]).padStart(8)}  ${what}`);
  return [
    `${seeds} seeds in ${seconds.toFixed(1)} s of processor time (${rate} a second): ${hops} hops, ${purchases} purchases. Seen:`,
    ...lines,
    '',
  ].join('\n');
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
