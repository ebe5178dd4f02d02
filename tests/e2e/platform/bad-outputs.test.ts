import { afterAll, afterEach, expect } from 'vitest';
import { addFault, type FaultRuleInput } from '../../../ops/simulator/control-client.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import { expectWholeJournals } from '../../support/platform/outcomes.ts';
import type { TestPlatform } from '../../support/platform/platform.ts';
import { test } from '../../support/platform/shared-platform.ts';
import { openSharedWorld, type SharedWorld, STEADY } from '../../support/platform/staging-world.ts';

/** The worker process survives everything that the provider sends instead of a picture or an answer. */
let platform: TestPlatform;
let world: SharedWorld;

test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  world = await openSharedWorld(platform);
  await (await platform.startWorker(STEADY)).ready;
}, 60_000);
afterEach(() => world.calm());
afterAll(() => world.close());

/** True when the row of the first attempt has the number of downloaded bytes. */
async function isCounted(jobId: string): Promise<boolean> {
  const { rows } = await platform.pool.query<{ bytes: number | null }>(
    `SELECT "downloadBytes"::int AS bytes FROM ai_provider_attempts WHERE "aiJobId" = $1 AND status = 'FAILED'
       AND "attemptNumber" = 1`,
    [jobId],
  );
  return (rows[0]?.bytes ?? 0) > 0;
}

const CASES: {
  fault: FaultRuleInput['fault'];
  options?: Record<string, unknown>;
  ends: string;
  code: string | null;
}[] = [
  { fault: 'output-gone', options: { removed: true }, ends: 'RETRYING', code: 'OUTPUT_UNAVAILABLE' },
  { fault: 'output-redirect', ends: 'FAILED', code: 'OUTPUT_HOST_REFUSED' },
  { fault: 'output-truncated', options: { reset: true, downloads: 2 }, ends: 'SUCCESS', code: null },
  { fault: 'output-huge', ends: 'FAILED', code: 'OUTPUT_TOO_LARGE' },
  { fault: 'output-bomb', ends: 'FAILED', code: 'OUTPUT_TOO_LARGE' },
  { fault: 'output-wrong-type', options: { type: 'html' }, ends: 'RETRYING', code: 'OUTPUT_INVALID' },
  { fault: 'body-10mb', options: { on: 'create' }, ends: 'SUCCESS', code: null },
  { fault: 'body-10mb', options: { on: 'poll' }, ends: 'SUCCESS', code: null },
];

test.each(CASES)(
  '$fault $options: the job ends as $ends $code and the worker lives',
  async ({ ends, code, ...rule }) => {
    await addFault(platform.provider.baseUrl, { ...rule, times: 1 });
    const { aiJobId } = await world.newJob();
    const job = await jobReaches(platform, aiJobId, ends);
    expect(job.errorCode).toBe(code);
    expect(await isCounted(aiJobId)).toBe(code === 'OUTPUT_INVALID' || code === 'OUTPUT_TOO_LARGE');
    expect(platform.roles.every((role) => role.isRunning())).toBe(true);
    await expectWholeJournals(platform, [aiJobId]);
    // On a slow machine its second attempt would take the fault of a later case.
    if (ends === 'RETRYING') await world.agent.mutate('ai.cancelStagingJob', { aiJobId });
  },
);
