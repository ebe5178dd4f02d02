import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureScale } from '../bench/scale/measure-scale.ts';
import { planScale } from '../bench/scale/plan.ts';
import { formatPlan, formatReport } from '../bench/scale/report.ts';

/** `npm run scale`: loads a large installation, measures it and prints sizes and percentiles. */

const DEFAULTS = { listings: 10_000_000, jobs: 1_000_000, journal: 40_000_000 };
/** Answers are also measured at this size, so that the growth is visible. */
const MILLION = 1_000_000;
const MOST = 100_000_000;
const USAGE_ERROR = 2;
const HELP = `Usage: npm run scale -- [options]

Makes a stack of its own, fills it as far as the disk goes, and prints how long questions take and how large the
tables are. Ten million listings take about half an hour on two cores. Everything is removed at the end.

  --listings N   listings (10,000,000); questions are also asked at one million
  --jobs N       finished staging jobs, each with its own ten journal rows or so (1,000,000)
  --journal N    more journal rows, of other actors (40,000,000)
  --help         this text
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const wanted = readOptions();
  if (typeof wanted === 'string') {
    process.stderr.write(`${wanted}\n\n${HELP}`);
    return USAGE_ERROR;
  }
  if (wanted.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const directory = await mkdtemp(join(tmpdir(), 'proscenium-scale-'));
  try {
    const { bavail, bsize } = await statfs(directory);
    const plan = planScale(wanted, bavail * bsize);
    process.stdout.write(`${formatPlan(plan)}\n`);
    const { listings } = plan.loaded;
    const report = await measureScale({
      steps: listings > MILLION ? [MILLION, listings] : [listings],
      loaded: plan.loaded,
      directory,
      print: (line) => void process.stderr.write(`  … ${line}\n`),
    });
    process.stdout.write(formatReport(report, plan));
    return 0;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** @returns the options, or a sentence that says what is wrong with them */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        listings: { type: 'string', default: String(DEFAULTS.listings) },
        jobs: { type: 'string', default: String(DEFAULTS.jobs) },
        journal: { type: 'string', default: String(DEFAULTS.journal) },
        help: { type: 'boolean', default: false },
      },
    });
    const wanted = {
      help: values.help,
      listings: Number(values.listings),
      jobs: Number(values.jobs),
      journal: Number(values.journal),
    };
    for (const name of ['listings', 'jobs', 'journal'] as const)
      if (!Number.isInteger(wanted[name]) || wanted[name] < 1 || wanted[name] > MOST)
        return `--${name} takes a whole number from 1 to ${MOST}.`;
    return wanted;
  } catch (error) {
    return (error as Error).message;
  }
}
