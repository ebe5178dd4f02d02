import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globals: false,
    pool: 'forks',
    // Two cores, and most tests wait for PostgreSQL or a child process rather than for the processor.
    maxWorkers: 3,
    // A shared CI machine can starve a dozen processes for seconds: there a failure must show twice. Vitest reports
    // every test that needed its second try; on a developer's machine there is none.
    retry: process.env.CI === 'true' ? 1 : 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ['tests/harness/global-setup.ts'],
    setupFiles: ['tests/harness/leak-check.ts'],
    reporters: ['default', './tests/harness/closing-line-reporter.ts'],
  },
});
