import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { addFault, clearFaults, ledgerOf, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { onWeb } from '../../support/platform/agent.ts';
import { jobHeldIn } from '../../support/platform/held-states.ts';
import { jobReaches, jobRow, submit } from '../../support/platform/listing.ts';
import { test } from '../../support/platform/shared-platform.ts';
import {
  attemptsOf,
  drainAll,
  endBackoff,
  enqueue,
  imageRow,
  journalOf,
  openSharedWorld,
  type SharedWorld,
  STEADY,
  storedKeys,
  unreferencedKeys,
  variantsOf,
} from '../../support/platform/staging-world.ts';

/**
 * The kill switch: only the exact string `true` allows purchases. While it is off, canceling, polling,
 * collecting and deleting go on; waiting jobs start when it is on again (docs/contract.md#the-flag).
 */
let world: SharedWorld;

test.beforeAll(async ({ platform }) => {
  world = await openSharedWorld(platform);
}, 60_000);
afterAll(() => world.close());

const startWorker = async (flag: string): Promise<RoleProcess> => {
  const worker = await world.platform.startWorker({ ...STEADY, AI_ROOM_STAGING_ENABLED: flag });
  await worker.ready;
  return worker;
};

/** Create calls in the provider's ledger, refused ones too. */
const createCalls = async (): Promise<number> =>
  (await ledgerOf(world.platform.provider.baseUrl)).filter(({ kind }) => kind === 'create').length;

/** Each attempt of these jobs was bought once, and nothing else was bought since the ledger had `before`. */
async function expectBoughtOnly(jobIds: readonly string[], before: ReadonlyMap<string, unknown>) {
  const attempts = await Promise.all(jobIds.map((jobId) => attemptsOf(world, jobId)));
  const bought = [...(await world.platform.purchases())].filter(([attemptId]) => !before.has(attemptId));
  expect(bought.map(([attemptId]) => attemptId).sort()).toEqual(
    attempts
      .flat()
      .map(({ id }) => id)
      .sort(),
  );
  for (const [, purchases] of bought) expect(purchases).toHaveLength(1);
}

describe('the worker', () => {
  afterEach(() => world.settle());

  for (const flag of ['false', 'TRUE', '1', 'true ', ''])
    test(`${JSON.stringify(flag)} counts as off: jobs wait and the provider gets no request`, async () => {
      const before = await createCalls();
      await startWorker(flag);
      const { aiJobId } = await world.newJob();
      await jobReaches(world.platform, aiJobId, 'PENDING.PROVIDER_DISABLED');
      const seen = await world.agent.query('ai.getStagingJob', { aiJobId });
      expect(seen.data).toMatchObject({
        status: 'PENDING',
        phase: 'PROVIDER_DISABLED',
        waitReason: 'flag-off',
      });
      expect(await attemptsOf(world, aiJobId)).toEqual([]);
      expect(await createCalls()).toBe(before);
    });

  test('on again: every waiting job is resumed and ends SUCCESS', async () => {
    const before = await world.platform.purchases();
    const off = await startWorker('false');
    const waiting: string[] = [];
    for (let number = 0; number < 5; number += 1) waiting.push((await world.newJob()).aiJobId);
    for (const id of waiting) await jobReaches(world.platform, id, 'PENDING.PROVIDER_DISABLED');
    await off.stop();
    await startWorker('true');
    for (const id of waiting) {
      await jobReaches(world.platform, id, 'SUCCESS');
      expect((await journalOf(world, id)).map(({ toState }) => toState)).toEqual([
        'PENDING.QUEUED',
        'PENDING.PROVIDER_DISABLED',
        'PROCESSING.ATTEMPT',
        'SUCCESS',
      ]);
    }
    await expectBoughtOnly(waiting, before);
  });

  test('off while jobs run: bought pictures are polled and collected, or canceled; nothing new is bought', async () => {
    const { baseUrl } = world.platform.provider;
    const boughtBefore = await world.platform.purchases();
    const on = await startWorker('true');
    await addFault(baseUrl, { fault: 'failed', options: { error: 'busy (E003)' } });
    const retrying = await world.newJob();
    await jobReaches(world.platform, retrying.aiJobId, 'RETRYING.BACKOFF');
    const finishing = await jobHeldIn(world, 'RUNNING');
    const cancelled = await jobHeldIn(world, 'RUNNING');
    const reserved = await jobHeldIn(world, 'RESERVED');
    await on.stop();
    await clearFaults(baseUrl);
    expect(await attemptsOf(world, reserved.aiJobId)).toMatchObject([{ status: 'RESERVED' }]);
    const before = await createCalls();

    const off = await startWorker('false');
    const asked = await world.agent.mutate('ai.cancelStagingJob', { aiJobId: cancelled.aiJobId });
    expect(asked.data.status).toBe('CANCEL_REQUESTED');
    await jobReaches(world.platform, cancelled.aiJobId, 'CANCELED');
    await releaseHeld(baseUrl);
    await jobReaches(world.platform, finishing.aiJobId, 'SUCCESS');
    expect(await variantsOf(world, finishing.originalImageId)).toHaveLength(1);

    // Due, and delivered by the queue, like a late delivery.
    await endBackoff(world, retrying.aiJobId);
    await enqueue(world, reserved.aiJobId);
    const later = await world.newJob();
    await jobReaches(world.platform, later.aiJobId, 'PENDING.PROVIDER_DISABLED');
    const stillRetrying = await jobRow(world.platform, retrying.aiJobId);
    expect([stillRetrying.status, stillRetrying.phase]).toEqual(['RETRYING', 'BACKOFF']);
    expect(await attemptsOf(world, retrying.aiJobId)).toHaveLength(1);
    expect(await attemptsOf(world, reserved.aiJobId)).toMatchObject([{ status: 'RESERVED' }]);
    expect(await createCalls()).toBe(before);

    const stopped = await world.newJob();
    await jobReaches(world.platform, stopped.aiJobId, 'PENDING.PROVIDER_DISABLED');
    expect((await world.agent.mutate('ai.cancelStagingJob', { aiJobId: stopped.aiJobId })).data.status).toBe(
      'CANCELED',
    );
    const original = await imageRow(world, stopped.originalImageId);
    await world.agent.request('DELETE', `/api/property-images/${stopped.originalImageId}`);
    await drainAll(world);
    expect(await storedKeys(world)).not.toContain(original?.objectKey);
    expect(await unreferencedKeys(world)).toEqual([]);
    expect(await createCalls()).toBe(before);
    await off.stop();

    await startWorker('true');
    await jobReaches(world.platform, reserved.aiJobId, 'SUCCESS');
    expect(await attemptsOf(world, reserved.aiJobId)).toHaveLength(1);
    await jobReaches(world.platform, retrying.aiJobId, 'SUCCESS');
    expect((await attemptsOf(world, retrying.aiJobId)).map(({ status }) => status)).toEqual([
      'FAILED',
      'SUCCEEDED',
    ]);
    await jobReaches(world.platform, later.aiJobId, 'SUCCESS');
    const jobs = [retrying, finishing, cancelled, reserved, later, stopped];
    await expectBoughtOnly(
      jobs.map(({ aiJobId }) => aiJobId),
      boughtBefore,
    );
  });

  test('a job that waits for the flag can be canceled, and then does not start when the flag is on', async () => {
    const before = await world.platform.purchases();
    const off = await startWorker('false');
    const { aiJobId } = await world.newJob();
    await jobReaches(world.platform, aiJobId, 'PENDING.PROVIDER_DISABLED');
    await world.agent.mutate('ai.cancelStagingJob', { aiJobId });
    await off.stop();
    await startWorker('true');
    const { aiJobId: other } = await world.newJob();
    await jobReaches(world.platform, other, 'SUCCESS');
    expect((await jobRow(world.platform, aiJobId)).status).toBe('CANCELED');
    expect(await attemptsOf(world, aiJobId)).toEqual([]);
    await expectBoughtOnly([aiJobId, other], before);
  });
});

describe('the web', () => {
  const FLAGS = ['false', 'TRUE', '1', 'true ', ''];
  /** The number of the first web whose flag is off. */
  let firstOff: number;
  beforeAll(async () => {
    firstOff = world.platform.urls.length;
    const webs = [];
    for (const flag of FLAGS) webs.push(await world.platform.startWeb({ AI_ROOM_STAGING_ENABLED: flag }));
    await Promise.all(webs.map(({ ready }) => ready));
  }, 60_000);

  for (const [index, flag] of FLAGS.entries())
    test(`${JSON.stringify(flag)} counts as off: STAGING_UNAVAILABLE, and no job is made`, async () => {
      const originalImageId = await world.newOriginal();
      const agent = onWeb(world.platform, world.agent, firstOff + index);
      const assignments = [{ originalImageId, roomType: 'OFFICE', style: 'MODERN' }];
      const refused = await agent.mutate('ai.submitRoomStaging', { assignments });
      expect(refused.status).toBe(412);
      expect(refused.body.error.json.data).toMatchObject({
        code: 'PRECONDITION_FAILED',
        errorCode: 'STAGING_UNAVAILABLE',
        messageKey: 'staging.unavailable',
      });
      expect((await agent.query('ai.getStagingCatalog')).data.enabled).toBe(false);
      const jobs = await world.platform.rows(
        'select 1 from ai_room_staging_jobs where "originalImageId" = $1',
        [originalImageId],
      );
      expect(jobs).toEqual([]);
    });

  test('off on some webs: the others still accept submissions', async () => {
    const on = onWeb(world.platform, world.agent, 0);
    expect((await on.query('ai.getStagingCatalog')).data.enabled).toBe(true);
    const { aiJobId } = await submit(on, await world.newOriginal());
    const seen = await onWeb(world.platform, world.agent, firstOff).query('ai.getStagingJob', { aiJobId });
    expect(seen.data.status).toBe('PENDING');
    const cancelled = await onWeb(world.platform, world.agent, firstOff).mutate('ai.cancelStagingJob', {
      aiJobId,
    });
    expect(cancelled.data.status).toBe('CANCELED');
  });
});
