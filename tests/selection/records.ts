import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** What a run of vitest says about itself, written by the reporter (`tests/support/run-report.ts`). */
const runRecord = z.object({
  passed: z.int(),
  failed: z.int(),
  /** The files with a failed test, or that did not load. */
  failedFiles: z.array(z.string()),
  /** Seconds that each test file took, by its path from the repository's root. */
  seconds: z.record(z.string(), z.number()),
  /** Tests that passed in another try, each with the first line of why the first try failed. */
  secondTries: z.array(z.object({ test: z.string(), reason: z.string() })),
});
export type RunRecord = z.infer<typeof runRecord>;

const verified = z.object({
  /** The commit of the last whole run of `npm run test:all`. */
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  at: z.iso.datetime(),
  /** How many tests passed. */
  tests: z.int().positive(),
  /** Test files that did not pass: they run for every change until a whole run passes. */
  failedFiles: runRecord.shape.failedFiles,
  /** As in `RunRecord`: the slowest files of the next run start first. */
  seconds: runRecord.shape.seconds,
});
export type Verified = z.infer<typeof verified>;

export const VERIFIED = '.ci/verified';
export const FLAKY = '.ci/flaky.md';

/** The record of the last whole run, or null before the first one. A record that cannot be read is an error. */
export function readVerified(root: string): Verified | null {
  const path = `${root}/${VERIFIED}`;
  return existsSync(path) ? verified.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

export function writeVerified(root: string, record: Verified): void {
  writeFileSync(`${root}/${VERIFIED}`, `${JSON.stringify(verified.parse(record), null, 1)}\n`);
}

export const readRunRecord = (path: string): RunRecord =>
  runRecord.parse(JSON.parse(readFileSync(path, 'utf8')));
