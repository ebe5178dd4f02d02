import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';

/**
 * Ends the run with one line, `N passed, N failed`, for programs that read the output. Before it stands why a test
 * that passed needed another try.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    let passed = 0;
    let failed = errors.length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        if (state === 'failed') failed += 1;
        if (test.diagnostic()?.flaky === true) process.stdout.write(failedTry(test));
      }
      // A file that does not load, or whose hooks fail, counts as failed even without a failed test.
      if (module.state() === 'failed' && module.errors().length > 0) failed += 1;
    }
    if (reason !== 'passed' && failed === 0) failed = 1;
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  }
}

function failedTry(test: TestCase): string {
  const reasons = (test.result().errors ?? []).map(({ stack, message }) => stack ?? message);
  return `passed in another try: ${test.module.relativeModuleId} > ${test.fullName}\n${reasons.join('\n')}\n`;
}
