import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import {
  addFault,
  changeSettings,
  clearFaults,
  ledgerOf,
  releaseHeld,
} from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import type { Answer } from '../../support/platform/agent.ts';
import { HELD_STATES, type HeldState, jobHeldIn, letGo } from '../../support/platform/held-states.ts';
import { attemptReaches, jobReaches, jobRow } from '../../support/platform/listing.ts';
import { logged } from '../../support/platform/outcomes.ts';
import {
  attemptsOf,
  drainAll,
  eventLogged,
  journalOf,
  loggedEvents,
  openStagingWorld,
  outboxOf,
  STEADY,
  type StagingWorld,
  storedKeys,
  unreferencedKeys,
  variantsOf,
} from '../../support/platform/staging-world.ts';

/**
 * Canceling a job in every state, and racing its completion: it ends CANCELED, or as it was if the
 * cancellation came too late. A canceled job never has a staged image, and no cancellation causes another
 * purchase (docs/contract.md#jobs).
 */
let world: StagingWorld;
let worker: RoleProcess;

beforeAll(async () => {
  world = await openStagingWorld({ webs: 2, workers: 0 });
}, 60_000);
afterAll(() => world.close());

const cancel = (aiJobId: string): Promise<Answer> =>
  world.anyWeb().mutate('ai.cancelStagingJob', { aiJobId });

/** How many cancellations changed the job; the others changed nothing. */
async function wishesTaken(jobId: string): Promise<number> {
  return (await journalOf(world, jobId)).filter(({ eventType }) => eventType === 'CANCEL_ASKED').length;
}

async function expectNothingBehind(job: { aiJobId: string; originalImageId: string }): Promise<void> {
  expect(await variantsOf(world, job.originalImageId)).toEqual([]);
  const [details] = await world.platform.rows<{ resultImageId: string | null }>(
    'select "resultImageId" from ai_room_staging_jobs where "aiJobId" = $1',
    [job.aiJobId],
  );
  expect(details).toEqual({ resultImageId: null });
  const bought = await world.platform.purchases();
  for (const { id } of await attemptsOf(world, job.aiJobId))
    expect(bought.get(id)?.length ?? 0).toBeLessThanOrEqual(1);
}

describe('with purchases switched off', () => {
  beforeAll(async () => {
    worker = await world.platform.startWorker({ ...STEADY, AI_ROOM_STAGING_ENABLED: 'false' });
  });
  afterAll(() => worker.stop());

  test('a job in PENDING.PROVIDER_DISABLED: CANCELED at once, without an attempt or a queue entry', async () => {
    const job = await world.newJob();
    await jobReaches(world.platform, job.aiJobId, 'PENDING.PROVIDER_DISABLED');
    const answers = await Promise.all([cancel(job.aiJobId), cancel(job.aiJobId)]);
    expect(answers.map(({ status, data }) => [status, data?.status])).toEqual([
      [200, 'CANCELED'],
      [200, 'CANCELED'],
    ]);
    const row = await jobRow(world.platform, job.aiJobId);
    expect(row.status).toBe('CANCELED');
    expect(row.cancelRequestedAt).toEqual(row.canceledAt);
    expect(await wishesTaken(job.aiJobId)).toBe(1);
    expect(await attemptsOf(world, job.aiJobId)).toEqual([]);
    await eventually(async () => (await world.queue.getJob(job.aiJobId)) === undefined, {
      what: 'no queue entry',
    });
    await expectNothingBehind(job);
  });
});

interface Expected {
  /** The job's status in the answer. */
  answer: 'CANCELED' | 'CANCEL_REQUESTED';
  /** The attempt's final status; null when there must be no attempt. */
  attempt: string | null;
  purchases: number;
  event: 'canceled' | 'output_discarded';
}
const EXPECTED: Record<HeldState, Expected> = {
  'PENDING.QUEUED': { answer: 'CANCELED', attempt: null, purchases: 0, event: 'canceled' },
  RESERVED: { answer: 'CANCELED', attempt: 'CANCELED', purchases: 0, event: 'canceled' },
  SENT: { answer: 'CANCEL_REQUESTED', attempt: 'CANCELED', purchases: 1, event: 'canceled' },
  UNCONFIRMED: { answer: 'CANCEL_REQUESTED', attempt: 'CANCELED', purchases: 1, event: 'canceled' },
  RUNNING: { answer: 'CANCEL_REQUESTED', attempt: 'CANCELED', purchases: 1, event: 'canceled' },
  COLLECTING: { answer: 'CANCELED', attempt: 'DISCARDED', purchases: 1, event: 'output_discarded' },
  'RETRYING.BACKOFF': { answer: 'CANCEL_REQUESTED', attempt: 'FAILED', purchases: 1, event: 'canceled' },
};

describe('with a worker', () => {
  beforeAll(async () => {
    worker = await world.platform.startWorker(STEADY);
    await worker.ready;
  });
  afterEach(() => world.calm());
  afterAll(() => worker.stop());

  for (const state of HELD_STATES) {
    const expected = EXPECTED[state];
    test(`a job in ${state}, canceled twice: CANCELED, its attempt ${expected.attempt}, bought ${expected.purchases}`, async () => {
      const job = await jobHeldIn(world, state);
      const answers = await Promise.all([cancel(job.aiJobId), cancel(job.aiJobId)]);
      for (const { status, data } of answers) {
        expect(status).toBe(200);
        expect(data.aiJobId).toBe(job.aiJobId);
        // The worker may have finished the first cancellation before the second arrives.
        expect([expected.answer, 'CANCELED']).toContain(data.status);
      }
      expect(await wishesTaken(job.aiJobId)).toBe(1);
      if (state === 'SENT' || state === 'UNCONFIRMED')
        expect(await attemptsOf(world, job.aiJobId)).toMatchObject([{ status: state, cancelAsked: true }]);
      await letGo(world, state);

      const row = await jobReaches(world.platform, job.aiJobId, 'CANCELED');
      expect(row.cancelRequestedAt).toBeInstanceOf(Date);
      expect(row.canceledAt?.getTime()).toBeGreaterThanOrEqual(row.cancelRequestedAt?.getTime() ?? Infinity);
      const states = (await journalOf(world, job.aiJobId)).map(({ toState }) => toState);
      if (expected.answer === 'CANCEL_REQUESTED')
        expect(states.slice(-2)).toEqual(['CANCEL_REQUESTED', 'CANCELED']);
      const attempts = await attemptsOf(world, job.aiJobId);
      expect(attempts.map(({ status }) => status)).toEqual(
        expected.attempt === null ? [] : [expected.attempt],
      );
      if (job.predictionId !== null) expect(attempts[0]?.providerPredictionId).toBe(job.predictionId);
      const bought = await world.platform.purchases();
      expect(attempts.flatMap(({ id }) => bought.get(id) ?? [])).toHaveLength(expected.purchases);
      await eventLogged(world, job.aiJobId, expected.event);
      await eventually(async () => (await world.queue.getJob(job.aiJobId)) === undefined, {
        what: 'no queue entry',
      });

      const late = await cancel(job.aiJobId);
      expect([late.status, late.data]).toEqual([200, { aiJobId: job.aiJobId, status: 'CANCELED' }]);
      expect(await jobRow(world.platform, job.aiJobId)).toEqual(row);
      expect(await attemptsOf(world, job.aiJobId)).toEqual(attempts);
      await expectNothingBehind(job);
    });
  }

  test('a job in CANCEL_REQUESTED: a repeat changes nothing while the provider rejects the cancellation', async () => {
    await addFault(world.platform.provider.baseUrl, { fault: 'cancel-error', times: 'always' });
    const job = await jobHeldIn(world, 'RUNNING');
    await cancel(job.aiJobId);
    await attemptReaches(world.platform, job.aiJobId, 'CANCELING');
    const before = await jobRow(world.platform, job.aiJobId);
    expect(before.status).toBe('CANCEL_REQUESTED');
    const again = await cancel(job.aiJobId);
    expect([again.status, again.data.status]).toEqual([200, 'CANCEL_REQUESTED']);
    const after = await jobRow(world.platform, job.aiJobId);
    expect([after.version, after.cancelRequestedAt]).toEqual([before.version, before.cancelRequestedAt]);
    expect(await attemptsOf(world, job.aiJobId)).toHaveLength(1);
    await clearFaults(world.platform.provider.baseUrl);
    await jobReaches(world.platform, job.aiJobId, 'CANCELED');
    expect(await attemptsOf(world, job.aiJobId)).toMatchObject([
      { status: 'CANCELED', providerPredictionId: job.predictionId },
    ]);
    await expectNothingBehind(job);
  });

  test('a job that has ended stays as it is', async () => {
    const { baseUrl } = world.platform.provider;
    const success = await world.newJob();
    await jobReaches(world.platform, success.aiJobId, 'SUCCESS');
    await addFault(baseUrl, { fault: 'failed', options: { error: 'flagged as sensitive (E005) (x)' } });
    const failure = await world.newJob();
    await jobReaches(world.platform, failure.aiJobId, 'FAILED');
    for (const [job, status] of [
      [success, 'SUCCESS'],
      [failure, 'FAILED'],
    ] as const) {
      const before = await jobRow(world.platform, job.aiJobId);
      const answers = await Promise.all([cancel(job.aiJobId), cancel(job.aiJobId)]);
      expect(answers.map((answer) => [answer.status, answer.data.status])).toEqual([
        [200, status],
        [200, status],
      ]);
      expect(await jobRow(world.platform, job.aiJobId)).toEqual(before);
    }
    expect(await variantsOf(world, success.originalImageId)).toHaveLength(1);
  });

  test('the provider finishes in spite of the cancellation: the output is discarded and never fetched', async () => {
    await addFault(world.platform.provider.baseUrl, { fault: 'finishes-after-cancel' });
    const job = await jobHeldIn(world, 'RUNNING');
    await cancel(job.aiJobId);
    await attemptReaches(world.platform, job.aiJobId, 'CANCELING');
    await releaseHeld(world.platform.provider.baseUrl);
    await jobReaches(world.platform, job.aiJobId, 'CANCELED');
    expect(await attemptsOf(world, job.aiJobId)).toMatchObject([
      { status: 'DISCARDED', providerPredictionId: job.predictionId, objectKey: null },
    ]);
    await eventLogged(world, job.aiJobId, 'output_discarded');
    expect(loggedEvents(world, job.aiJobId).map(({ event }) => event)).not.toContain('completed');
    const ledger = await ledgerOf(world.platform.provider.baseUrl);
    const ofJob = ledger.filter(
      (entry) => 'predictionId' in entry && entry.predictionId === job.predictionId,
    );
    expect(ofJob.some((entry) => entry.kind === 'cancel')).toBe(true);
    expect(ofJob.some((entry) => entry.kind === 'status' && entry.status === 'succeeded')).toBe(true);
    expect(ofJob.filter((entry) => entry.kind === 'download')).toEqual([]);
    await expectNothingBehind(job);
  });

  test('twelve cancellations race twelve completions: each job is canceled or complete, and no file is left', async () => {
    await changeSettings(world.platform.provider.baseUrl, { speed: 'instant' });
    const jobs = await Promise.all(Array.from({ length: 12 }, () => world.newJob()));
    const answers = await Promise.all(
      jobs.map(async ({ aiJobId }, index) => {
        // Each at another point of the pipeline.
        const point = ['RESERVED', 'SENT', 'RUNNING', 'COLLECTING'][index % 4] ?? '';
        await eventually(
          async () =>
            (await journalOf(world, (await attemptsOf(world, aiJobId))[0]?.id ?? aiJobId)).some(
              ({ fromState, toState }) => fromState === point || toState === point,
            ),
          { what: `the attempt to have been ${point}`, intervalMs: 5 },
        );
        return cancel(aiJobId);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(jobs.map(() => 200));
    for (const job of jobs) {
      const { status } = await jobReaches(world.platform, job.aiJobId, ['SUCCESS', 'CANCELED']);
      const variants = await variantsOf(world, job.originalImageId);
      expect(variants).toHaveLength(status === 'SUCCESS' ? 1 : 0);
      if (status === 'CANCELED') await expectNothingBehind(job);
    }
    await drainAll(world);
    expect(await unreferencedKeys(world)).toEqual([]);
  });
});

test('canceled during the put: the stored object is discarded, queued and deleted', async () => {
  // Its lease outlasts the stop on a busy machine too: with a lost one it would drop the late result unsaid.
  const sleeper = await world.platform.startWorker({ TEST_LEASE_MS: '60000', TEST_STOP_AT: 'after-put' });
  const job = await world.newJob();
  onTestFinished(async () => {
    await sleeper.stop();
    // An open job would be the one at which the worker of another try stops.
    await cancel(job.aiJobId);
  });
  const { id, objectKey, providerPredictionId } = await attemptReaches(
    world.platform,
    job.aiJobId,
    'COLLECTING',
  );
  await eventually(async () => (await storedKeys(world)).includes(objectKey ?? ''), { what: 'the object' });
  const asked = await cancel(job.aiJobId);
  expect(asked.data).toEqual({ aiJobId: job.aiJobId, status: 'CANCELED' });
  const [planned, ...others] = await outboxOf(world, [objectKey ?? '']);
  expect(others).toEqual([]);
  expect(planned).toMatchObject({ status: 'PENDING', reason: 'STAGED_IMAGE_DELETED', attempts: 0 });
  // A put may still be in flight, so twice its timeout must pass before the deletion.
  const { canceledAt } = await jobRow(world.platform, job.aiJobId);
  expect(planned?.nextAttemptAt.getTime()).toBe((canceledAt?.getTime() ?? 0) + 60_000);

  process.kill(sleeper.pid, 'SIGCONT');
  await eventually(
    () =>
      logged(world.platform, sleeper).some(
        ({ msg, eventType }) => msg === 'event changed nothing' && eventType === 'OUTPUT_STORED',
      ),
    { what: 'the late result to be refused' },
  );
  expect(await attemptsOf(world, job.aiJobId)).toMatchObject([
    { id, status: 'DISCARDED', providerPredictionId, objectKey },
  ]);
  expect(await storedKeys(world)).toContain(objectKey);
  await drainAll(world);
  // The worker that put it late may have queued it again, since the test shortened the first wait.
  const items = await outboxOf(world, [objectKey ?? '']);
  expect(items.map(({ status }) => status)).toEqual(items.map(() => 'DELETED'));
  expect(await storedKeys(world)).not.toContain(objectKey);
  expect(await unreferencedKeys(world)).toEqual([]);
  await expectNothingBehind(job);
});
