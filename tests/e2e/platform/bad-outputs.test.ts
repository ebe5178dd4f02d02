import { afterAll, afterEach, expect } from 'vitest';
import { operate } from '../../../ops/cli/operate.ts';
import type { RoleVariables } from '../../../ops/dev/stack/role-environment.ts';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { addFault, type FaultRuleInput } from '../../../ops/simulator/control-client.ts';
import { jobReaches, submit } from '../../support/platform/listing.ts';
import { attemptsOfJob, expectWholeJournals, finishBoughtOnce } from '../../support/platform/outcomes.ts';
import type { TestPlatform } from '../../support/platform/platform.ts';
import { test } from '../../support/platform/shared-platform.ts';
import { openSharedWorld, type SharedWorld, STEADY } from '../../support/platform/staging-world.ts';

/** The worker process survives everything that the provider sends instead of a picture or an answer. */
let platform: TestPlatform;
let world: SharedWorld;
let worker: RoleProcess;

test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  world = await openSharedWorld(platform);
  worker = await platform.startWorker(STEADY);
  await worker.ready;
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

/** Where `output-redirect` leads. */
const elsewhere = () => {
  const url = new URL(platform.provider.baseUrl);
  url.hostname = 'localhost';
  return url.host;
};
const mended = () => ({
  PROVIDER_OUTPUT_HOSTS: `${new URL(platform.provider.baseUrl).host},${elsewhere()}`,
});

/** As an operator types it, with the environment of a worker. */
async function collect(
  aiJobId: string,
  setting: RoleVariables = {},
): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const code = await operate({
    args: ['collect-output', '--id', aiJobId, '--by', 'ada', '--reason', 'the host is allowed now'],
    environment: { DATABASE_URL: platform.pool.options.connectionString, ...setting },
    screen: { out: (text) => said.push(text), err: (text) => said.push(text) },
    signal: AbortSignal.timeout(30_000),
  });
  return { code, said: said.join('\n') };
}

async function replaceWorker(variables: RoleVariables): Promise<void> {
  await worker.stop();
  worker = await platform.startWorker(variables);
  await worker.ready;
}

async function newRefusedJob(): Promise<{ aiJobId: string; originalImageId: string }> {
  await addFault(platform.provider.baseUrl, { fault: 'output-redirect', times: 1 });
  const job = await world.newJob();
  const { errorCode } = await jobReaches(platform, job.aiJobId, 'FAILED');
  expect(errorCode).toBe('OUTPUT_HOST_REFUSED');
  return job;
}

test('a picture whose host is allowed by now is collected once, with its only purchase', async () => {
  const { aiJobId, originalImageId } = await newRefusedJob();
  const early = await collect(aiJobId);
  expect(early, early.said).toMatchObject({ code: 1, said: expect.stringContaining(elsewhere()) });
  await replaceWorker({ ...STEADY, ...mended() });
  const told = await collect(aiJobId, mended());
  expect(told, told.said).toMatchObject({ code: 0, said: expect.stringContaining('Nothing is bought') });
  expect((await collect(aiJobId, mended())).code).toBe(1);
  await finishBoughtOnce(platform, [aiJobId]);
  const pictures = await platform.rows(
    `select "reviewStatus", "isMain" from property_images where "styledFromId" = $1`,
    [originalImageId],
  );
  expect(pictures).toEqual([{ reviewStatus: 'PENDING_REVIEW', isMain: false }]);
  await expectWholeJournals(platform, [aiJobId]);
});

test.each(['before-download', 'after-put', 'after-result-recorded'])(
  'a worker that dies %s leaves the picture to the next one, and it ends once',
  async (point) => {
    await replaceWorker(STEADY);
    const { aiJobId } = await newRefusedJob();
    await worker.stop();
    expect(await collect(aiJobId, mended())).toMatchObject({ code: 0 });
    worker = await platform.startWorker({ ...STEADY, ...mended(), TEST_KILL_AT: point });
    await worker.exited;
    worker = await platform.startWorker({ ...STEADY, ...mended() });
    await finishBoughtOnce(platform, [aiJobId]);
    await expectWholeJournals(platform, [aiJobId]);
  },
);

test('a photo that was submitted again is left to its new job', async () => {
  await replaceWorker(STEADY);
  const { aiJobId, originalImageId } = await newRefusedJob();
  const again = await submit(world.anyWeb(), originalImageId, 'MODERN');
  await finishBoughtOnce(platform, [again.aiJobId]);
  const told = await collect(aiJobId, mended());
  expect(told, told.said).toMatchObject({ code: 1, said: expect.stringContaining('submitted again') });
  expect(await attemptsOfJob(platform, aiJobId)).toMatchObject([{ status: 'FAILED' }]);
});
