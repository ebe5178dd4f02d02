import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { NO_STAGING_LIMITS } from '../../../persistence/jobs/staging-quotas.ts';
import { submitStagingJobs } from '../../../persistence/jobs/staging-submissions.ts';
import { LAST_PLACE, readStartOrder } from '../../../persistence/jobs/start-order.ts';
import { seedOriginal, seedUser } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());

const agent = () => seedUser(database.pool);

/** Submits so many jobs one after the other and returns their places. */
async function submit(requestedByUserId: string | null, count: number): Promise<number[]> {
  const jobIds: string[] = [];
  const somebody = await agent();
  for (let number = 0; number < count; number += 1) {
    const { imageId } = await seedOriginal(database.pool, {});
    const aiJobId = randomUUID();
    const at = Date.now();
    const answer = await submitStagingJobs(database.pool, {
      agentId: requestedByUserId ?? somebody,
      submissions: [
        {
          aiJobId,
          originalImageId: imageId,
          requestedByUserId,
          canonicalRoomType: 'TV_ROOM',
          canonicalStyle: 'LUXURY',
          styleModifier: null,
          submittedStyle: 'LUXURY',
          legacyStyle: null,
          prompt: 'Stage it.',
          promptVersion: 'room-staging-v2.0',
          providerModel: 'openai/gpt-image-2',
          quality: 'medium',
          framing: 'fixed',
          aspectRatio: '3:2',
          outputFormat: 'webp',
          outputCompression: 80,
          at,
        },
      ],
      limits: NO_STAGING_LIMITS,
      approvedOnly: false,
      at,
    });
    if (answer.outcome !== 'submitted') throw new Error(answer.outcome);
    jobIds.push(aiJobId);
  }
  const order = await readStartOrder(database.pool, jobIds);
  return jobIds.map((id) => order.get(id) ?? -1);
}

/** Starts every waiting job up to this place. */
const startUpTo = (place: number) =>
  database.pool.query(
    `update ai_jobs set status = 'CANCELED', phase = null, "finishedAt" = now() where "startOrder" <= $1`,
    [place],
  );

describe('the order of starts', () => {
  test('jobs of one agent take one place after the other', async () => {
    const alice = await agent();
    expect(await submit(alice, 3)).toEqual([1, 2, 3]);
    expect(await submit(alice, 2)).toEqual([4, 5]);
  });

  test('another agent begins at the place that is due now, not behind waiting agents', async () => {
    const [alice, bob, carol] = [await agent(), await agent(), await agent()];
    await submit(alice, 10);
    expect(await submit(bob, 2)).toEqual([1, 2]);
    await startUpTo(6);
    expect(await submit(carol, 3)).toEqual([7, 8, 9]);
    expect(await submit(alice, 1)).toEqual([11]);
  });

  test('idle time earns an agent no better place', async () => {
    const [alice, bob] = [await agent(), await agent()];
    await submit(bob, 1);
    await startUpTo(1);
    await submit(alice, 20);
    await startUpTo(15);
    expect(await submit(bob, 2)).toEqual([16, 17]);
  });

  test('the order restarts when no job waits', async () => {
    const alice = await agent();
    await submit(alice, 4);
    await startUpTo(4);
    expect(await submit(alice, 1)).toEqual([1]);
  });

  test('a quarantined job delays no other', async () => {
    const [alice, bob] = [await agent(), await agent()];
    await submit(alice, 8);
    await database.pool.query(`update ai_jobs set "quarantinedAt" = now() where "startOrder" = 1`);
    expect(await submit(bob, 1)).toEqual([2]);
  });

  test('jobs without an agent count as one agent', async () => {
    const alice = await agent();
    expect(await submit(null, 2)).toEqual([1, 2]);
    expect(await submit(alice, 1)).toEqual([1]);
    expect(await submit(null, 1)).toEqual([3]);
  });

  test('no place is greater than the queue can keep', async () => {
    const alice = await agent();
    await submit(alice, 1);
    await database.pool.query(`update ai_jobs set "startOrder" = $1`, [LAST_PLACE]);
    expect(await submit(alice, 1)).toEqual([LAST_PLACE]);
  });
});
