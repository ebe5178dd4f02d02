import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { alertsBench } from '../bench/alerts/called-back.ts';
import type { Bench } from '../bench/benchmark.ts';
import { drawChart } from '../bench/chart.ts';
import { driftBench } from '../bench/drift/drift-table.ts';
import { imagesBench } from '../bench/images/image-proxy.ts';
import { importBench } from '../bench/import/import-sales.ts';
import { jobBench } from '../bench/job/whole-job.ts';
import { BENCH, missingPeers } from '../bench/peers.ts';
import { restartBench } from '../bench/restart/takeover.ts';
import { describeMachine, keepResult, readResults, toText } from '../bench/results.ts';
import { searchBench } from '../bench/search/map-and-list.ts';
import { siteBench } from '../bench/site/pages.ts';
import { transitionsBench } from '../bench/transitions/durable-transitions.ts';
import { trpcBench } from '../bench/trpc/typed-calls.ts';
import { webhooksBench } from '../bench/webhooks/provider-callbacks.ts';
import { REPOSITORY } from '../dev/stack/role-process.ts';

/** `npm run bench`: measures the platform against peers and limits, keeps the results and draws them. */

/** Every benchmark, in the order in which they run. */
const BENCHES: readonly Bench[] = [
  transitionsBench,
  jobBench,
  restartBench,
  trpcBench,
  searchBench,
  imagesBench,
  webhooksBench,
  siteBench,
  importBench,
  driftBench,
  alertsBench,
];
const RESULTS = join(REPOSITORY, 'ops/bench/results.json');
const CHART = join(REPOSITORY, 'ops/bench/results.svg');
const LEAST_ROUNDS = 5;
const MOST_ROUNDS = 99;
const MOST_LISTINGS = 100_000_000;
const QUICK_ROUNDS = 1;
const USAGE_ERROR = 2;

const HELP = `Usage: npm run bench -- [name ...] [options]

Measures the platform against a peer or a limit of this machine, interleaved in the same run, and writes
ops/bench/results.json and ops/bench/results.svg. Without a name it runs them all; results of the others are kept.
Let nothing else run meanwhile.

${BENCHES.map(({ name, about }) => `  ${name.padEnd(14)} ${about}`).join('\n')}

  --rounds N   turns of each candidate, ${LEAST_ROUNDS} to ${MOST_ROUNDS} (${LEAST_ROUNDS})
  --photos DIR the photos of benchmarks that look at pictures (drift), instead of drawn rooms; nothing is kept
  --listings N the listings that search is measured among, up to ${MOST_LISTINGS}; nothing is kept
  --quick      small sizes and one round, to see that all of it works; nothing is kept
  --chart      draws the chart again from the results that are kept
  --help       this text
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${HELP}`);
    return USAGE_ERROR;
  }
  if (options.help) return say(HELP);
  const missing = missingPeers(BENCH);
  if (missing !== null) {
    process.stderr.write(`${missing}\n`);
    return USAGE_ERROR;
  }
  if (options.chart) await drawChart(await readResults(RESULTS), CHART);
  else for (const bench of options.benches) await runBench(bench, options);
  return 0;
}

async function runBench(bench: Bench, { rounds, quick, photos, listings }: Options): Promise<void> {
  say(`${bench.name}: ${bench.about}\n`);
  const scratch = await mkdtemp(join(tmpdir(), `proscenium-bench-${bench.name}-`));
  try {
    const findings = await bench.run({ rounds, quick, photos, listings, scratch, print });
    for (const finding of findings) say(`${toText(finding)}\n`);
    if (quick || photos !== null || listings !== null) return;
    const measuredOn = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
    const result = { measuredOn, machine: describeMachine(), rounds, findings };
    await drawChart(await keepResult(RESULTS, bench.name, result), CHART);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Options {
  readonly benches: readonly Bench[];
  readonly rounds: number;
  readonly quick: boolean;
  readonly photos: string | null;
  readonly listings: number | null;
  readonly chart: boolean;
  readonly help: boolean;
}

/** @returns the options, or a sentence that says what is wrong with them */
function readOptions(): Options | string {
  const parsed = parse();
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0) return `There is no benchmark named ${unknown.join(', ')}.`;
  const rounds = values.quick ? QUICK_ROUNDS : Number(values.rounds);
  const allowed = Number.isInteger(rounds) && rounds >= LEAST_ROUNDS && rounds <= MOST_ROUNDS;
  if (!values.quick && !allowed)
    return `--rounds takes a whole number from ${LEAST_ROUNDS} to ${MOST_ROUNDS}.`;
  const benches = BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const listings = values.listings === undefined ? null : Number(values.listings);
  if (listings !== null && !(Number.isInteger(listings) && listings >= 1 && listings <= MOST_LISTINGS))
    return `--listings takes a whole number from 1 to ${MOST_LISTINGS}.`;
  return { ...values, benches, rounds, listings, photos: values.photos ?? null };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: String(LEAST_ROUNDS) },
        photos: { type: 'string' },
        listings: { type: 'string' },
        quick: { type: 'boolean', default: false },
        chart: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return (error as Error).message;
  }
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function print(line: string): void {
  process.stderr.write(`  … ${line}\n`);
}
