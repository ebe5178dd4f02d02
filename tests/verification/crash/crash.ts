import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { RunReport } from './crash-run.ts';
import type { KillReport } from './kill-run.ts';

const HELP = `Usage: npm run crash -- [--seed S] [--jobs N] [--kill-every SECONDS --minutes M]

Runs the whole platform with N staging jobs while its processes are killed, stopped and blocked at named points and its
servers fail, then asks every invariant, the provider's ledger and the object store. A seed draws the same plan every
time; who is hit depends on the race between the processes.

--seed S   which plan (default: drawn, and printed)
--jobs N   how many jobs, at least 50 (default 200)
--timeline shows all that was done to whom

With --kill-every it kills one worker after the other for that many minutes (default 4) while the provider misbehaves in
every way, and asks three things: no innocent job has failed, scans of the provider's list began at most once in five
seconds, nothing was bought twice.
`;
const MAX_SEED = 1_000_000_000;
const NUMBER = /^\d{1,9}$/;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * MAX_SEED)) },
      jobs: { type: 'string', default: '200' },
      'kill-every': { type: 'string' },
      minutes: { type: 'string', default: '4' },
      timeline: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return say(HELP, 0);
  const killEvery = values['kill-every'];
  for (const name of ['seed', 'jobs', 'minutes', 'kill-every'] as const)
    if (!NUMBER.test(values[name] ?? '0'))
      return say(`--${name} wants a whole number, not ${values[name]}.\n\n${HELP}`, 64);
  say(`Seed ${values.seed}, ${values.jobs} jobs.\n`, 0);
  const directory = mkdtempSync(join(tmpdir(), 'proscenium-crash-'));
  const reportFile = join(directory, 'report.json');
  try {
    const settings = { CRASH_SEED: values.seed, CRASH_JOBS: values.jobs, CRASH_REPORT: reportFile };
    if (killEvery !== undefined) {
      const kills = { CRASH_KILL_EVERY: killEvery, CRASH_MINUTES: values.minutes };
      const code = await runTests('kill-run.test.ts', { ...settings, ...kills });
      return reportKills(reportFile, { code, timeline: values.timeline });
    }
    const code = await runTests('crash-run.test.ts', settings);
    return code === 0 || values.timeline ? tell(reportFile, { code, timeline: values.timeline }) : code;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The run needs the tests' own stack: it is their file, with other settings. */
function runTests(file: string, settings: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'tests/vitest.config.ts',
      `tests/verification/crash/${file}`,
    ],
    {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: { ...process.env, ...settings },
      stdio: 'inherit',
    },
  );
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function tell(reportFile: string, { code, timeline }: { code: number; timeline: boolean }): number {
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as RunReport;
  const { jobs, purchases, objects, workers, visits, coverage } = report;
  const counted = (counts: Record<string, number>) =>
    Object.entries(counts).map(([what, times]) => `${String(times).padStart(8)}  ${what}`);
  const ends = Object.entries(jobs).map(([status, count]) => `${count} ${status}`);
  const lines = [
    ...(timeline ? report.timeline : []),
    `${ends.join(', ')}; ${purchases} purchases, ${objects} objects, ${workers} worker processes. Points passed:`,
    ...counted(visits),
    'Seen:',
    ...counted(coverage),
  ];
  return say(`${lines.join('\n')}\n`, code);
}

function reportKills(reportFile: string, { code, timeline }: { code: number; timeline: boolean }): number {
  if (!existsSync(reportFile)) return code;
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as KillReport;
  const counted = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([what, times]) => `${times} ${what}`)
      .join(', ') || 'none';
  const lines = [
    ...(timeline ? report.timeline : []),
    `${report.kills} kills. Jobs: ${counted(report.jobs)}. Failures: ${counted(report.failures)}.`,
    `${report.purchases} purchases; ${report.scans} scans of the list, the shortest pause between two ${report.shortestPauseBetweenScansMs} ms.`,
    ...(report.breaches.length === 0 ? ['Nothing is wrong.'] : report.breaches),
  ];
  return say(`${lines.join('\n')}\n`, code);
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
