import { expect, test } from 'vitest';
import { seedStagingJob } from '../../support/database/seed.ts';
import { type PlatformOptions, startTestPlatform } from '../../support/platform/platform.ts';

/** A platform without processes, whose rows break an invariant when it stops. */
async function brokenPlatform(options: PlatformOptions) {
  const platform = await startTestPlatform({ webs: 0, workers: 0, ...options });
  const { jobId } = await seedStagingJob(platform.pool, { job: { version: 3 } });
  return { platform, jobId };
}

test('a platform that leaves a breach behind fails its test, and is cleaned up', async () => {
  const { platform, jobId } = await brokenPlatform({});
  await expect(platform.stop()).rejects.toThrow(`I8 stagingJob ${jobId} at version 3 has 0 journal rows`);
  expect(platform.pool.ended).toBe(true);
});

test('a platform whose test has a reason for it does not', async () => {
  const { platform } = await brokenPlatform({ leavesBreaches: 'this test is about the check itself' });
  await platform.stop();
});
