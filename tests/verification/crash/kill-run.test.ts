import { appendFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runKills } from './kill-run.ts';

/** `npm run crash -- --kill-every 3 --minutes 4` runs this file with more jobs and for longer, and prints its report. */
const SEED = Number(process.env.CRASH_SEED ?? 1);
const JOBS = Number(process.env.CRASH_JOBS ?? 20);
const EVERY_MS = 1_000 * Number(process.env.CRASH_KILL_EVERY ?? 3);
const LASTS_MS = 60_000 * Number(process.env.CRASH_MINUTES ?? 0.6);
/** The time that the jobs need after the last kill. */
const SETTLING_MS = 8 * 60_000;

test(
  `${JOBS} jobs, a worker killed every ${EVERY_MS} ms, every fault of the provider: no innocent job fails, nothing is bought twice`,
  async () => {
    const { CRASH_REPORT: reportFile, CRASH_TIMELINE: timelineFile } = process.env;
    const onNote = (line: string) => timelineFile && appendFileSync(timelineFile, `${line}\n`);
    const report = await runKills({ seed: SEED, jobs: JOBS, everyMs: EVERY_MS, lastsMs: LASTS_MS, onNote });
    if (reportFile) writeFileSync(reportFile, JSON.stringify(report));
    const { breaches, jobs, timeline } = report;
    expect({ breaches, timeline: breaches.length > 0 ? timeline : [] }).toEqual({
      breaches: [],
      timeline: [],
    });
    expect(Object.values(jobs).reduce((sum, some) => sum + some, 0)).toBe(JOBS);
    expect(report.kills).toBeGreaterThanOrEqual(2);
  },
  LASTS_MS + SETTLING_MS,
);
