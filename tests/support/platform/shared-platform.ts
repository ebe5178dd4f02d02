import { test as base } from 'vitest';
import { openForWorker } from '../leak-check.ts';
import { startTestPlatform, type TestPlatform } from './platform.ts';

/**
 * The platform of this worker: two webs and no worker, with the usual settings. The files of the project `shared` use
 * it one after the other: each opens its own world on it (`openSharedWorld`) and starts its own workers. A file that
 * needs other settings of the webs, counts what the whole platform did, or ends a web or the provider for long, starts
 * its own.
 */
export const test = base.extend(
  'platform',
  { scope: 'worker' },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which other fixtures it needs.
  async ({}, { onCleanup }): Promise<TestPlatform> => {
    const platform = await openForWorker(
      () => startTestPlatform({ webs: 2, workers: 0 }),
      ({ provider, roles }) => [provider.pid(), ...roles.map(({ pid }) => pid)],
    );
    onCleanup(() => platform.stop());
    return platform;
  },
);
