import { afterAll, afterEach, describe, expect } from 'vitest';
import { addFault } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { attemptReaches, jobReaches } from '../../support/platform/listing.ts';
import { logged } from '../../support/platform/outcomes.ts';
import type { TestPlatform } from '../../support/platform/platform.ts';
import { test } from '../../support/platform/shared-platform.ts';
import { openSharedWorld, type SharedWorld, STEADY } from '../../support/platform/staging-world.ts';

/**
 * Purchases: at most one accepted create per attempt, at most two attempts, attempt 2 only after a retryable
 * terminal failure. The provider's ledger is the evidence; tests/verification/crash/kill-points.test.ts kills
 * at each named point.
 */
let platform: TestPlatform;
let world: SharedWorld;

test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  world = await openSharedWorld(platform);
}, 60_000);
afterEach(() => world.settle());
afterAll(() => world.close());

interface AttemptRow {
  id: string;
  attemptNumber: number;
  status: string;
  errorCode: string | null;
}
const attemptsOf = (jobId: string) =>
  platform.rows<AttemptRow>(
    'select * from ai_provider_attempts where "aiJobId" = $1 order by "attemptNumber"',
    [jobId],
  );

/** Always true: I1, I2, I4, I5. */
async function expectHonestPurchases(jobId: string): Promise<void> {
  const attempts = await attemptsOf(jobId);
  const bought = await platform.purchases();
  expect(attempts.length).toBeLessThanOrEqual(2);
  for (const { id } of attempts) expect(bought.get(id)?.length ?? 0).toBeLessThanOrEqual(1);
  if (attempts.length === 2) {
    const [first] = attempts;
    expect(first?.status).toMatch(/^(FAILED|LOST)$/);
  }
}

describe('an answer that is lost', () => {
  for (const fault of ['accept-then-reset', 'error-after-charging'] as const)
    test(`${fault}: found again, bought once`, async () => {
      await platform.startWorker(STEADY);
      await addFault(platform.provider.baseUrl, { fault, times: 1 });
      const { aiJobId } = await world.newJob();
      await jobReaches(platform, aiJobId, 'SUCCESS');
      const attempts = await attemptsOf(aiJobId);
      expect(attempts).toHaveLength(1);
      expect((await platform.purchases()).get(attempts[0]?.id ?? '')).toHaveLength(1);
      const learned = await platform.rows<{ eventType: string }>(
        `select "eventType" from actor_transitions where "actorId" = $1 order by seq`,
        [attempts[0]?.id],
      );
      expect(learned.map(({ eventType }) => eventType)).toContain('SEND_UNKNOWN');
    });

  test('webhook-before-answer: the callback arrives before the answer, and the id is recorded once', async () => {
    await platform.startWorker(STEADY);
    await addFault(platform.provider.baseUrl, { fault: 'webhook-before-answer', times: 1 });
    const { aiJobId } = await world.newJob();
    await jobReaches(platform, aiJobId, 'SUCCESS');
    await expectHonestPurchases(aiJobId);
    const [attempt] = await attemptsOf(aiJobId);
    const events = await platform.rows<{ eventType: string; actedBy: string }>(
      `select "eventType", "actedBy" from actor_transitions where "actorId" = $1 order by seq`,
      [attempt?.id],
    );
    expect(events[2]).toEqual({ eventType: 'CALLBACK_RECEIVED', actedBy: 'provider' });
  });
});

describe('attempt 2', () => {
  test('follows a retryable failure of attempt 1 and is the last', async () => {
    await platform.startWorker(STEADY);
    await addFault(platform.provider.baseUrl, {
      fault: 'failed',
      times: 2,
      options: { error: 'busy (E003)' },
    });
    const { aiJobId } = await world.newJob();
    const retrying = await jobReaches(platform, aiJobId, 'RETRYING.BACKOFF');
    expect(retrying.errorCode).toBe('PROVIDER_FAILED');
    await platform.rows(`update ai_jobs set "retryAt" = now() where id = $1`, [aiJobId]);
    const job = await jobReaches(platform, aiJobId, 'FAILED');
    expect(job.errorCode).toBe('PROVIDER_FAILED');
    const attempts = await attemptsOf(aiJobId);
    expect(attempts.map(({ attemptNumber, status }) => [attemptNumber, status])).toEqual([
      [1, 'FAILED'],
      [2, 'FAILED'],
    ]);
    await expectHonestPurchases(aiJobId);
  });

  test('does not follow a permanent failure', async () => {
    await platform.startWorker(STEADY);
    await addFault(platform.provider.baseUrl, {
      fault: 'failed',
      times: 1,
      options: { error: 'flagged as sensitive (E005) (uIJ6l3ruRD)' },
    });
    const { aiJobId } = await world.newJob();
    const job = await jobReaches(platform, aiJobId, 'FAILED');
    expect(job.errorCode).toBe('PROVIDER_MODERATION');
    expect(await attemptsOf(aiJobId)).toHaveLength(1);
  });

  test('a throttled create is sent again as the same attempt', async () => {
    await platform.startWorker(STEADY);
    await addFault(platform.provider.baseUrl, { fault: 'throttle-text', times: 2, options: { seconds: 1 } });
    const { aiJobId } = await world.newJob();
    await jobReaches(platform, aiJobId, 'SUCCESS');
    const attempts = await attemptsOf(aiJobId);
    expect(attempts).toHaveLength(1);
    expect((await platform.purchases()).get(attempts[0]?.id ?? '')).toHaveLength(1);
  });
});

test('two workers on one job, one frozen longer than its lease: one purchase', async () => {
  const sleeper = await platform.startWorker({ TEST_STOP_AT: 'after-post' });
  await sleeper.ready;
  const { aiJobId } = await world.newJob();
  await attemptReaches(platform, aiJobId, 'SENT');
  await platform.startWorker();
  // The frozen worker holds the answer. The next worker only looks for the purchase; the callback has its id.
  await jobReaches(platform, aiJobId, 'SUCCESS');
  process.kill(sleeper.pid, 'SIGCONT');
  await eventually(
    () =>
      logged(platform, sleeper).some(
        ({ eventType, outcome }) => eventType === 'PREDICTION_CREATED' && outcome === 'ignored',
      ),
    { what: 'the late answer to be ignored, because the id is known already' },
  );
  await expectHonestPurchases(aiJobId);
  expect(await attemptsOf(aiJobId)).toHaveLength(1);
});
