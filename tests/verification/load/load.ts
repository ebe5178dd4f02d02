import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH, missingPeers } from '../../../ops/bench/peers.ts';
import { describeMachine } from '../../../ops/bench/results.ts';
import { drawRun } from './picture.ts';
import { floodedAndNot, judge, latencies, type Run, webMemorySlope } from './result.ts';
import { runLoad } from './run.ts';

/** `npm run load`: the platform under a mixed load of visitors, while rooms are staged and workers are killed. */

const OUT = 'load-output';
const HELP = `Usage: npm run load -- [options]

Starts the whole platform on a stack of its own, lets visitors search, look, favour and load pictures at a fixed rate
while rooms are staged and a worker dies every 30 s; every other half minute an attacker floods the webhook route with
forged callbacks. Prints percentiles and a verdict, writes ${OUT}/result.json and ${OUT}/load.svg.

  --minutes N   how long (10)
  --jobs N      pictures that are bought meanwhile (200)
  --workers N   worker processes (2)
  --rate N      calls of visitors a second (40)
  --listings N  listings on the market (20000)
  --forged N    forged callbacks a second while they come (200)
  --seed N      what the visitors do (1)
  --help        this text

Exit code: 0 when all of it held, 1 when something did not, 2 for wrong options or what is not installed.
`;
const DEFAULTS = { minutes: 10, jobs: 200, workers: 2, rate: 40, listings: 20_000, forged: 200, seed: 1 };
type Name = keyof typeof DEFAULTS;

process.exitCode = await main();

async function main(): Promise<number> {
  const given = readOptions();
  if (given === 'help') return say(HELP, 0);
  if (typeof given === 'string') return say(`${given}\n\n${HELP}`, 2);
  const missing = missingPeers(BENCH);
  if (missing !== null) return say(`${missing}\n`, 2);
  const { forged: forgedRate, ...others } = given;
  const dataDir = await mkdtemp(join(tmpdir(), 'proscenium-load-'));
  const run = await runLoad({ ...others, forgedRate, dataDir, tell }).catch((error: Error) => error);
  if (run instanceof Error) return say(`${run.message}\n`, 1);
  await mkdir(OUT, { recursive: true });
  await writeFile(join(OUT, 'result.json'), `${JSON.stringify(summary(given, run), null, 2)}\n`);
  await drawRun(run, join(OUT, 'load.svg'));
  for (const { what, calls, failures, p50, p90, p99 } of latencies(run.samples)) {
    const [median, ninety, most] = [p50, p90, p99].map((ms) => ms.toFixed(0).padStart(6));
    say(
      `${what.padEnd(28)} ${String(calls).padStart(7)} calls ${String(failures).padStart(4)} failed  p50 ${median}  p90 ${ninety}  p99 ${most} ms\n`,
    );
  }
  const checks = judge(run);
  for (const { sentence, holds } of checks) say(`${holds ? 'holds ' : 'BROKEN'}  ${sentence}\n`);
  return checks.every(({ holds }) => holds) ? 0 : 1;
}

/** The stored result of a run, without single calls and log lines. */
function summary(options: Record<Name, number>, run: Run): object {
  const { jobs, kills, attempts, boughtOnce, boughtTwice, brokenInvariants, forged, samples } = run;
  const failures = Object.fromEntries(
    [...Map.groupBy(samples, ({ failure }) => failure)]
      .filter(([failure]) => failure !== '')
      .map(([failure, those]) => [failure, those.length]),
  );
  return {
    machine: describeMachine(),
    options,
    latencies: latencies(samples),
    failures,
    p99: floodedAndNot(run),
    webMbAMinute: webMemorySlope(run),
    jobs,
    kills,
    attempts,
    boughtOnce,
    boughtTwice,
    brokenInvariants,
    forged,
    complaints: run.complaints,
    checks: judge(run),
  };
}

/** @returns the options, `help`, or a sentence about what is wrong with them */
function readOptions(): Record<Name, number> | string {
  const names = Object.keys(DEFAULTS) as Name[];
  try {
    const { values } = parseArgs({
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
        help: { type: 'boolean' as const },
      },
    });
    const texts = values as Record<string, string | boolean | undefined>;
    if (texts.help === true) return 'help';
    const options = { ...DEFAULTS };
    for (const name of names) {
      const value = Number(texts[name] ?? DEFAULTS[name]);
      if (!Number.isFinite(value) || value <= 0) return `--${name} takes a number above 0.`;
      options[name] = value;
    }
    return options;
  } catch (error) {
    return (error as Error).message;
  }
}

function say(text: string, code = 0): number {
  process.stdout.write(text);
  return code;
}

function tell(line: string): void {
  process.stderr.write(`  … ${line}\n`);
}
