import { defineConfig } from 'vitest/config';

/** Suites that measure how a whole installation bears an attack: nothing else runs beside them. */
const ALONE = 'tests/verification/hostile/**/*.test.ts';

/** What every test file runs with. */
export const common = {
  globals: false,
  pool: 'forks' as const,
  // A shared CI machine can starve a dozen processes for seconds: there a failure must show twice. Vitest reports
  // every test that needed its second try; on a developer's machine there is none.
  retry: process.env.CI === 'true' ? 1 : 0,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  setupFiles: ['tests/support/leak-check.ts'],
};

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: ['default', './tests/support/closing-line-reporter.ts'],
    // Two cores, and most tests wait for PostgreSQL or a child process rather than for the processor.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...common,
          name: 'together',
          include: ['tests/**/*.test.ts'],
          exclude: [ALONE],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: { ...common, name: 'alone', include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
