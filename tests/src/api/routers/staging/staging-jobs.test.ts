import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedProperty, seedStagingJob, seedVariant } from '../../../../support/database/seed.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';
import { MANUAL_EPOCH } from '../../../../support/manual-time.ts';

let agent: Person;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
});

async function original() {
  const { propertyId, imageId } = await host.listing(agent);
  return { propertyId, imageId, objectKey: '', providerInputKey: `inputs/${imageId}.jpg` };
}
const attempt = (jobId: string, columns: Record<string, unknown>) => {
  const names = Object.keys(columns);
  return host.rows(
    `insert into ai_provider_attempts ("aiJobId", ${names.map((name) => `"${name}"`).join(', ')})
     values ($1, ${names.map((_, index) => `$${index + 2}`).join(', ')})`,
    [jobId, ...Object.values(columns)],
  );
};

describe('ai.getStagingJob', () => {
  test('shows the job and its attempts', async () => {
    const { jobId, imageId } = await seedStagingJob(host.pool, {
      original: await original(),
      job: {
        status: 'PROCESSING',
        phase: 'ATTEMPT',
        heartbeatAt: new Date(MANUAL_EPOCH + 1),
        version: 3,
      },
    });
    const at = new Date(MANUAL_EPOCH);
    await attempt(jobId, { attemptNumber: 1, status: 'FAILED', providerStatus: 'failed', createdAt: at });
    await attempt(jobId, {
      attemptNumber: 2,
      status: 'RUNNING',
      providerPredictionId: 'p-9',
      providerStatus: 'processing',
      createdAt: at,
    });
    const { data } = await agent.query('ai.getStagingJob', { aiJobId: jobId });
    expect(data).toEqual({
      aiJobId: jobId,
      status: 'PROCESSING',
      phase: 'ATTEMPT',
      errorCode: null,
      originalImageId: imageId,
      resultImageId: null,
      canonicalRoomType: 'LIVING_ROOM',
      canonicalStyle: 'MODERN',
      attempts: [
        {
          attemptNumber: 1,
          status: 'FAILED',
          providerStatus: 'failed',
          createdAt: '2026-01-15T12:00:00.000Z',
        },
        {
          attemptNumber: 2,
          status: 'RUNNING',
          providerStatus: 'processing',
          createdAt: '2026-01-15T12:00:00.000Z',
        },
      ],
      waitReason: 'provider',
      createdAt: '2026-01-15T12:00:00.000Z',
      heartbeatAt: '2026-01-15T12:00:00.001Z',
      cancelRequestedAt: null,
      canceledAt: null,
      groupId: null,
    });
  });

  test('a finished job waits for review as long as its image does', async () => {
    const seeded = await seedStagingJob(host.pool, {
      original: await original(),
      job: { status: 'SUCCESS', phase: null },
    });
    const variant = await seedVariant(host.pool, seeded, { aiJobId: seeded.jobId });
    await host.rows('update ai_room_staging_jobs set "resultImageId" = $2 where "aiJobId" = $1', [
      seeded.jobId,
      variant,
    ]);
    const look = async () => (await agent.query('ai.getStagingJob', { aiJobId: seeded.jobId })).data;
    expect(await look()).toMatchObject({ status: 'SUCCESS', resultImageId: variant, waitReason: 'review' });
    await agent.mutate('ai.approveStagedVariant', { imageId: variant });
    expect(await look()).toMatchObject({ waitReason: null });
  });
});

describe('ai.listStagingJobs', () => {
  test('pages through a property newest first, without gaps or repeats, also within one millisecond', async () => {
    const base = await original();
    const jobs: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const { jobId } = await seedStagingJob(host.pool, {
        original: base,
        createdAt: MANUAL_EPOCH + Math.floor(index / 3),
        job: { status: index % 2 === 0 ? 'FAILED' : 'CANCELED', phase: null },
      });
      await host.rows(
        `update ai_jobs set "createdAt" = "createdAt" + $2 * interval '1 microsecond' where id = $1`,
        [jobId, index],
      );
      jobs.unshift(jobId);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { data } = await agent.query('ai.listStagingJobs', {
        propertyId: base.propertyId,
        limit: 3,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...data.items.map(({ aiJobId }: { aiJobId: string }) => aiJobId));
      cursor = data.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(jobs);
    const failed = await agent.query('ai.listStagingJobs', {
      propertyId: base.propertyId,
      statuses: ['FAILED'],
    });
    expect(failed.data.items).toHaveLength(4);
    expect(failed.data.nextCursor).toBeNull();
  });

  test('an empty page of the caller’s own property is a valid page', async () => {
    const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
    expect((await agent.query('ai.listStagingJobs', { propertyId })).data).toEqual({
      items: [],
      nextCursor: null,
    });
  });

  test('a cursor of another property is rejected', async () => {
    const elsewhere = await seedStagingJob(host.pool, { original: await original() });
    const here = await seedStagingJob(host.pool, { original: await original() });
    const { data } = await agent.query('ai.listStagingJobs', {
      propertyId: here.propertyId,
      cursor: elsewhere.jobId,
    });
    expect(data.items).toEqual([]);
  });

  test('an unknown status is rejected', async () => {
    const answer = await agent.query('ai.listStagingJobs', {
      propertyId: randomUUID(),
      statuses: ['ENQUEUED'],
    });
    expect(answer.status).toBe(400);
  });
});

describe('ai.cancelStagingJob', () => {
  test('before the start: canceled at once, removed from the queue, no attempt; a repeat gets the same answer', async () => {
    const { jobId } = await seedStagingJob(host.pool, { original: await original() });
    const answers = await Promise.all(
      [1, 2, 3].map(() => agent.mutate('ai.cancelStagingJob', { aiJobId: jobId })),
    );
    for (const { status, data } of answers) {
      expect(status).toBe(200);
      expect(data).toEqual({ aiJobId: jobId, status: 'CANCELED' });
    }
    const { data } = await agent.query('ai.getStagingJob', { aiJobId: jobId });
    expect(data).toMatchObject({ status: 'CANCELED', attempts: [], waitReason: null });
    expect(data.cancelRequestedAt).not.toBeNull();
    expect(data.canceledAt).not.toBeNull();
    expect(host.queue.removed.filter((id) => id === jobId)).toHaveLength(1);
    const noted = host.lines.filter(({ event }) => event === 'ai_room_staging.cancel_requested');
    expect(noted.filter(({ jobId: id }) => id === jobId)).toMatchObject([{ userId: agent.id }]);
  });

  test('under way: the cancellation is requested, and idempotent; a final job does not change', async () => {
    const seeded = await seedStagingJob(host.pool, {
      original: await original(),
      job: { status: 'PROCESSING', phase: 'ATTEMPT' },
    });
    await attempt(seeded.jobId, { attemptNumber: 1, status: 'RUNNING', providerPredictionId: randomUUID() });
    for (let times = 0; times < 2; times += 1) {
      const { data } = await agent.mutate('ai.cancelStagingJob', { aiJobId: seeded.jobId });
      expect(data.status).toBe('CANCEL_REQUESTED');
    }
    const { data } = await agent.query('ai.getStagingJob', { aiJobId: seeded.jobId });
    expect(data.attempts).toMatchObject([{ status: 'CANCELING' }]);
    expect(data.waitReason).toBe('cancellation');

    const done = await seedStagingJob(host.pool, {
      original: await original(),
      job: { status: 'SUCCESS', phase: null },
    });
    const late = await agent.mutate('ai.cancelStagingJob', { aiJobId: done.jobId });
    expect(late.data).toEqual({ aiJobId: done.jobId, status: 'SUCCESS' });
  });
});
