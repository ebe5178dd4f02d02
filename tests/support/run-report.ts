import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import type { RunRecord } from '../selection/records.ts';

/** Files that took less are in the sums of their suites only. */
const SLOW_FILES = 25;

/**
 * Ends a run with the times of its suites and of its slowest files, with why a test that passed needed another try, and
 * with one line, `N passed, N failed`, for programs that read the output. Writes the same to the path in the variable
 * RUN_RECORD, if it is set, for the commands in tests/selection.
 */
export default class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const record = recordOf(modules, errors.length);
    if (reason !== 'passed' && record.failed === 0) record.failed = 1;
    process.stdout.write(timesOf(record.seconds));
    const flaky = modules.flatMap((module) => [...module.children.allTests()].filter(neededAnotherTry));
    for (const test of flaky)
      process.stdout.write(`passed in another try: ${nameOf(test)}\n${whyOf(test)}\n`);
    const path = process.env.RUN_RECORD;
    if (path !== undefined) writeFileSync(path, JSON.stringify(record));
    process.once('exit', () => process.stdout.write(`${record.passed} passed, ${record.failed} failed\n`));
  }
}

function recordOf(modules: readonly TestModule[], errors: number): RunRecord {
  const record: RunRecord = { passed: 0, failed: errors, failedFiles: [], seconds: {}, secondTries: [] };
  for (const module of modules) {
    record.seconds[module.relativeModuleId] = Math.round(module.diagnostic().duration / 100) / 10;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') record.passed += 1;
      if (state === 'failed') record.failed += 1;
      if (neededAnotherTry(test)) {
        record.secondTries.push({ test: nameOf(test), reason: whyOf(test).split('\n')[0] ?? '' });
      }
    }
    // A file that does not load, or whose hooks fail, counts as failed even without a failed test.
    if (module.state() === 'failed' && module.errors().length > 0) record.failed += 1;
    if (module.state() !== 'passed' && module.state() !== 'skipped')
      record.failedFiles.push(module.relativeModuleId);
  }
  return record;
}

const neededAnotherTry = (test: TestCase): boolean => test.diagnostic()?.flaky === true;

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

const whyOf = (test: TestCase): string =>
  (test.result().errors ?? []).map(({ stack, message }) => stack ?? message).join('\n');

/** The seconds of each suite (two folders below tests) and of the slowest files, slowest first. */
function timesOf(seconds: RunRecord['seconds']): string {
  const suites = new Map<string, { seconds: number; files: number }>();
  for (const [file, taken] of Object.entries(seconds)) {
    const suite = file.split('/').slice(0, -1).slice(0, 3).join('/');
    const sum = suites.get(suite) ?? { seconds: 0, files: 0 };
    suites.set(suite, { seconds: sum.seconds + taken, files: sum.files + 1 });
  }
  const line = (taken: number, name: string): string => `${taken.toFixed(1).padStart(9)} s  ${name}\n`;
  const bySuite = [...suites].toSorted(([, a], [, b]) => b.seconds - a.seconds);
  const byFile = Object.entries(seconds).toSorted(([, a], [, b]) => b - a);
  return [
    '\nSuites, slowest first (seconds of their files; several run at once)\n',
    ...bySuite.map(([suite, sum]) => line(sum.seconds, `${suite}, ${sum.files} files`)),
    `\nFiles, slowest first (${SLOW_FILES})\n`,
    ...byFile.slice(0, SLOW_FILES).map(([file, taken]) => line(taken, file)),
    '\n',
  ].join('');
}
