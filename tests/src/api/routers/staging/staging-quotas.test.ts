import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedOriginal } from '../../../../support/database/seed.ts';
import { waitForBlocked } from '../../../../support/database/store-database.ts';
import { type ApiHost, startApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';
import { noisy } from '../../../../support/pictures/photo-fixtures.ts';

/** Half past three in the afternoon. */
const NOW = Date.UTC(2026, 10, 22, 15, 30);
const MIDNIGHT = '2026-11-23T00:00:00.000Z';
const FOUR = '2026-11-22T16:00:00.000Z';
const overrides = { clock: { now: () => NOW } };
const QUOTAS = {
  AI_STAGING_QUOTA_HOUR: '4',
  AI_STAGING_QUOTA_DAY: '6',
  AI_STAGING_QUOTA_FIRST_DAY: '2',
  AI_STAGING_QUOTA_PLATFORM_DAY: '100',
  AI_STAGING_OPEN_JOBS_PER_AGENT: '9',
};

const assignmentsOf = (imageIds: readonly string[]) => ({
  assignments: imageIds.map((originalImageId) => ({ originalImageId, roomType: 'OFFICE', style: 'MODERN' })),
});
async function photosOf(host: ApiHost, agent: Person, count: number): Promise<string[]> {
  const { propertyId, imageId } = await host.listing(agent);
  const ids = [imageId];
  while (ids.length < count) ids.push((await seedOriginal(host.pool, { propertyId })).imageId);
  return ids;
}
const submit = (agent: Person, imageIds: readonly string[]) =>
  agent.mutate('ai.submitRoomStaging', assignmentsOf(imageIds));

describe('with quotas', () => {
  let host: ApiHost;
  beforeAll(async () => {
    host = await startApiHost({ settings: QUOTAS, overrides });
  });
  afterAll(() => host.stop());

  test('ai.getQuota shows each limit, and a call that exceeds one is rejected whole with the remaining number', async () => {
    const agent = await host.signedIn();
    const photos = await photosOf(host, agent, 6);
    expect((await submit(agent, photos.slice(0, 3))).status).toBe(200);
    expect((await agent.query('ai.getQuota')).data).toEqual({
      hour: { used: 3, limit: 4, resetsAt: FOUR },
      day: { used: 3, limit: 6, resetsAt: MIDNIGHT },
      platformDay: { used: 3, limit: 50, resetsAt: MIDNIGHT },
      openJobs: { used: 3, limit: 9, resetsAt: null },
      costMicrousd: null,
    });
    const refused = await submit(agent, photos.slice(2));
    expect([refused.status, refused.errorCode]).toEqual([429, 'STAGING_QUOTA_REACHED']);
    expect(refused.body.error.json.data).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      messageKey: 'staging.quotaReached',
      details: { quota: 'hour', remaining: 1, resetsAt: FOUR },
    });
    expect(refused.headers.get('retry-after')).toBe('1800');
    expect(await host.rows('select 1 from ai_jobs')).toHaveLength(3);
    expect(host.queue.enqueued).toHaveLength(3);
    expect((await submit(agent, photos.slice(2, 4))).data.results).toMatchObject([
      { disposition: 'EXISTING' },
      { disposition: 'ENQUEUED' },
    ]);
  });

  test('a person who has just become an agent has the limits of the first day', async () => {
    const person = await host.signedIn({ role: 'customer' });
    await person.mutate('users.becomeAgent', { licenseNumber: 'L-1', officeName: 'Office' });
    const refused = await submit(person, await photosOf(host, person, 3));
    expect(refused.body.error.json.data.details).toEqual({
      quota: 'day',
      remaining: 2,
      resetsAt: new Date(NOW + 86_400_000).toISOString(),
    });
    // Renewing the license does not change it.
    await host.rows(`update agent_standings set "agentSince" = $2 where "agentId" = $1`, [
      person.id,
      new Date(NOW - 86_400_000),
    ]);
    await person.mutate('users.becomeAgent', { licenseNumber: 'L-2', officeName: 'Office' });
    expect((await person.query('ai.getQuota')).data.day).toMatchObject({ limit: 6 });
  });

  test('when all places for open jobs are taken, the error has no reset time', async () => {
    const agent = await host.signedIn();
    const photos = await photosOf(host, agent, 1);
    await host.rows(
      `insert into ai_jobs (type, status, phase, "dedupeKey", "requestedByUserId")
       select 'ROOM_STAGING', 'PENDING', 'QUEUED', $1 || n, $1::uuid from generate_series(1, 9) n`,
      [agent.id],
    );
    const refused = await submit(agent, photos);
    expect(refused.body.error.json.data.details).toEqual({
      quota: 'openJobs',
      remaining: 0,
      resetsAt: null,
    });
    expect(refused.headers.get('retry-after')).toBeNull();
  });

  test('an old photo is not prepared for a call that exceeds a quota', async () => {
    const agent = await host.signedIn();
    const photos = await photosOf(host, agent, 5);
    await host.rows('update property_images set "providerInputKey" = null where id = any($1)', [photos]);
    // Preparing would answer PHOTO_BROKEN, because the files do not exist.
    expect((await submit(agent, photos)).errorCode).toBe('STAGING_QUOTA_REACHED');
    expect((await submit(agent, photos.slice(1))).errorCode).toBe('PHOTO_BROKEN');
  });
});

describe('a photo that is too small', () => {
  let host: ApiHost;
  let agent: Person;
  beforeAll(async () => {
    host = await startApiHost({ overrides });
    agent = await host.signedIn();
  });
  afterAll(() => host.stop());

  test('rejects the whole call and is named; it can be uploaded all the same', async () => {
    const [big = ''] = await photosOf(host, agent, 1);
    const { propertyId } = await host.listing(agent);
    const upload = async (width: number, height: number): Promise<string> =>
      (await agent.upload(await noisy(width, height).jpeg().toBuffer(), { propertyId })).body.imageId;
    const small = await upload(900, 511);
    const refused = await submit(agent, [big, small]);
    expect([refused.status, refused.errorCode]).toEqual([422, 'PHOTO_TOO_SMALL']);
    expect(Object.keys(refused.body.error.json.data.fields)).toEqual(['assignments.1.originalImageId']);
    expect(await host.rows('select 1 from ai_jobs')).toEqual([]);
    expect((await submit(agent, [big, await upload(512, 700)])).status).toBe(200);
  });

  test('from an earlier release is measured when its copy is made, and gets no copy', async () => {
    const { propertyId } = await host.listing(agent);
    const { imageId, objectKey } = await seedOriginal(host.pool, { propertyId, providerInputKey: null });
    await host.putObject(objectKey, await noisy(400, 900).png().toBuffer());
    expect((await submit(agent, [imageId])).errorCode).toBe('PHOTO_TOO_SMALL');
    expect(
      await host.rows('select 1 from property_images where id = $1 and "providerInputKey" is null', [
        imageId,
      ]),
    ).toHaveLength(1);
  });
});

test('an agent whose calls wait for each other uses one connection, so that others do not wait with them', async () => {
  const host = await startApiHost({ overrides });
  const holder = await host.pool.connect();
  try {
    const [busy, other] = [await host.signedIn(), await host.signedIn()];
    const photos = await photosOf(host, busy, 30);
    await holder.query('begin');
    await holder.query('select from "user" where id = $1 for no key update', [busy.id]);
    const calls = photos.map((id) => submit(busy, [id]));
    const settled = Promise.all(calls);
    await waitForBlocked(host.pool, 1);
    expect((await other.query('ai.getQuota')).status).toBe(200);
    expect((await submit(other, await photosOf(host, other, 1))).status).toBe(200);
    await holder.query('commit');
    expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    holder.release();
    await host.stop();
  }
});

test("AGENT_APPROVAL=manual: a new agent can list and upload, and can stage after an operator's approval", async () => {
  const host = await startApiHost({ settings: { AGENT_APPROVAL: 'manual' }, overrides });
  try {
    const person = await host.signedIn({ role: 'customer' });
    await person.mutate('users.becomeAgent', { licenseNumber: 'L-1', officeName: 'Office' });
    const { propertyId } = await host.listing(person);
    const uploaded = await person.upload(await noisy(800, 600).jpeg().toBuffer(), { propertyId });
    expect(uploaded.status).toBe(201);
    const photos = [uploaded.body.imageId];
    const refused = await submit(person, photos);
    expect([refused.status, refused.errorCode]).toEqual([403, 'AGENT_NOT_APPROVED']);
    expect(refused.body.error.json.data.messageKey).toBe('staging.agentNotApproved');
    expect(await host.rows('select 1 from ai_jobs')).toEqual([]);
    await host.rows(
      `update agent_standings set "approvedAt" = now(), "approvedBy" = 'ada', "approvalReason" = 'known'
       where "agentId" = $1`,
      [person.id],
    );
    expect((await submit(person, photos)).status).toBe(200);
  } finally {
    await host.stop();
  }
});

test('ai.getQuota shows the price of a picture in the configured quality', async () => {
  const costOf = async (settings: Record<string, string>) => {
    const host = await startApiHost({ settings, overrides });
    try {
      return (await (await host.signedIn()).query('ai.getQuota')).data.costMicrousd;
    } finally {
      await host.stop();
    }
  };
  const prices = { AI_STAGING_COST_MICROUSD_LOW: '12000', AI_STAGING_COST_MICROUSD_HIGH: '128000' };
  expect(await costOf({ ...prices, AI_STAGING_QUALITY: 'high' })).toBe(128_000);
  expect(await costOf({ ...prices, AI_STAGING_QUALITY: 'medium' })).toBeNull();
});
