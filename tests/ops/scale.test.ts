import { expect, test } from 'vitest';
import type { ScaleReport } from '../../ops/bench/scale/measure-scale.ts';
import { planScale } from '../../ops/bench/scale/plan.ts';
import { formatPlan, formatReport } from '../../ops/bench/scale/report.ts';
import { startProgram } from '../support/platform/started-program.ts';

const WANTED = { listings: 10_000_000, jobs: 1_000_000, journal: 40_000_000 };
const TERABYTE = 1e12;

test('all rows are loaded where the disk has room for them', () => {
  const plan = planScale(WANTED, TERABYTE);
  expect(plan.loaded).toEqual(WANTED);
  expect(formatPlan(plan)).not.toContain('no room');
});

test('a smaller disk gets the same part of every kind of row, below what is free, and says so', () => {
  const plan = planScale(WANTED, TERABYTE / 50);
  expect(plan.bytes).toBeLessThan(plan.free);
  expect(plan.loaded.listings / WANTED.listings).toBeCloseTo(plan.loaded.journal / WANTED.journal, 5);
  expect(formatPlan(plan)).toContain('The disk has no room for 10,000,000 listings');
});

test('the report computes the size for what was wanted from the rows that were loaded', () => {
  const plan = { ...planScale(WANTED, TERABYTE), loaded: { listings: 1_000_000, jobs: 500_000, journal: 1 } };
  const asked = { what: 'page of a home', calls: 300, p50: 4.5, p95: 6, p99: 7 };
  const report: ScaleReport = {
    listings: [{ count: 1_000_000, asked: [asked] }],
    jobs: {
      before: { perSecond: 30, aloneMs: 40 },
      after: { perSecond: 28, aloneMs: 42 },
      journal: { what: 'journal of a finished job', calls: 60, p50: 0.5, p95: 0.6, p99: 0.7 },
    },
    tables: [
      { table: 'properties', rows: 1_000_000, bytes: 1e9 },
      { table: 'ai_jobs', rows: 500_000, bytes: 2e8 },
    ],
  };
  const text = formatReport(report, plan);
  expect(text).toContain('| page of a home | 4.50, 6.00, 7.00 |');
  expect(text).toContain('| properties | 1,000,000 | 1.0 GB | 1,000 | 10.0 GB |');
  expect(text).toContain('| ai_jobs | 500,000 | 0.2 GB | 400 | 0.4 GB |');
});

test.each([
  [['--listings', 'many'], '--listings takes a whole number'],
  [['--jobs', '0'], '--jobs takes a whole number'],
  [['--faster'], "Unknown option '--faster'"],
])('npm run scale rejects %j before it starts anything', async (args, reason) => {
  const program = startProgram(['ops/cli/scale.ts', ...args]);
  expect(await program.ended()).toBe(2);
  expect(program.said()).toContain(reason);
});
