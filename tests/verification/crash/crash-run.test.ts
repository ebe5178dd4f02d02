import { appendFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runPlan } from './crash-run.ts';

/** Enough jobs for every fault of a plan. `npm run crash` runs this file with another seed and size, and prints its report. */
const SEED = Number(process.env.CRASH_SEED ?? 1);
const JOBS = Number(process.env.CRASH_JOBS ?? 110);
const MINUTES = 60_000;

test(
  `a run of ${JOBS} jobs with seed ${SEED}: all ends, nothing is bought twice, no object is lost or left over`,
  async () => {
    const { CRASH_REPORT: reportFile, CRASH_TIMELINE: timelineFile } = process.env;
    const onNote = (line: string) => timelineFile && appendFileSync(timelineFile, `${line}\n`);
    const report = await runPlan({ seed: SEED, jobs: JOBS, onNote });
    if (reportFile) writeFileSync(reportFile, JSON.stringify(report));
    const { breaches, missed, timeline } = report;
    // In the message, so that the list of second tries says what broke.
    const broken = breaches.length > 0 || missed.length > 0;
    expect(broken ? [`seed ${SEED}`, ...breaches, ...missed, ...timeline].join('\n') : '').toBe('');
    expect(Object.values(report.jobs).reduce((sum, jobs) => sum + jobs, 0)).toBeGreaterThanOrEqual(JOBS);
  },
  Math.max(20, JOBS / 20) * MINUTES,
);
