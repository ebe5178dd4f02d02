import { afterAll } from 'vitest';
import { closeLeaks } from './leak-check.ts';

/** Runs as a setup file, so its `afterAll` is the outermost and runs after those of the file. */
afterAll(async () => {
  const leaks = await closeLeaks();
  if (leaks.length > 0) throw new Error(`This test file leaks:\n  ${leaks.join('\n  ')}`);
});
