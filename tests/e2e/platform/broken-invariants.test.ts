import { expect, test } from 'vitest';
import { seedStagingJob } from '../../support/database/seed.ts';
import { type PlatformOptions, startTestPlatform } from '../../support/platform/platform.ts';

/** A platform without processes, whose rows violate an invariant when it stops. */
async function brokenPlatform(options: PlatformOptions) {
  const platform = await startTestPlatform({ webs: 0, workers: 0, ...options });
  const { jobId } = await seedStagingJob(platform.pool, { job: { version: 3 } });
  return { platform, jobId };
}

test('a platform that leaves a violated invariant fails its test, and is cleaned up', async () => {
  const { platform, jobId } = await brokenPlatform({});
  await expect(platform.stop()).rejects.toThrow(`I8 stagingJob ${jobId} at version 3 has 0 journal rows`);
  expect(platform.pool.ended).toBe(true);
});

test('a platform with a stated reason for the violation passes', async () => {
  const { platform } = await brokenPlatform({ leavesBreaches: 'this test is about the check itself' });
  await platform.stop();
});
