import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { addFault, changeSettings, ledgerOf } from '../../../ops/simulator/control-client.ts';
import { queueNames } from '../../../src/queues/names.ts';
import { createBlockingRedis } from '../../../src/queues/redis.ts';
import type { CheckpointName } from '../../../supervisors/ports.ts';
import { eventually } from '../../support/eventually.ts';
import { createListing, jobReaches, jobRow } from '../../support/platform/listing.ts';
import { test } from '../../support/platform/shared-platform.ts';
import { openSharedWorld, type SharedWorld, STEADY } from '../../support/platform/staging-world.ts';

/**
 * Descriptions and old messages through whole processes: an agent requests a text, workers die at the worst
 * points, the queue loses entries, and there is one purchase and one draft.
 */
let world: SharedWorld;
let connection: ReturnType<typeof createBlockingRedis>;
let ai: Queue;
/** A listing of this try alone: a text that is still being written would be the answer to the next request. */
let propertyId: string;
test.beforeAll(async ({ platform }) => {
  world = await openSharedWorld(platform);
  connection = createBlockingRedis(world.platform.kvUrl, () => {});
  ai = new Queue(queueNames(world.platform.queueSuffix).descriptions, { connection });
}, 60_000);
beforeEach(async () => {
  propertyId = await createListing(world.agent);
});
afterEach(() => world.settle());
afterAll(async () => {
  await ai.close();
  connection.disconnect();
  await world.close();
});

const ask = async (locale: 'en' | 'es' = 'en'): Promise<string> => {
  const { status, data, body } = await world.agent.mutate('ai.requestDescription', {
    propertyId,
    locale,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return data.aiJobId;
};
const draftOf = async (aiJobId: string) =>
  (await world.agent.query('ai.getDescriptionJob', { aiJobId })).data;
/** Accepted creates that name the job. */
const boughtFor = async (jobId: string): Promise<number> =>
  (await ledgerOf(world.platform.provider.baseUrl)).filter(
    (entry) =>
      entry.kind === 'create' && entry.accepted && String(entry.prediction?.input.prompt).includes(jobId),
  ).length;

test('an agent requests texts in two languages, reads two drafts and puts one into the listing', async () => {
  await world.platform.startWorker(STEADY);
  const [english, spanish] = [await ask('en'), await ask('es')];
  for (const [jobId, word] of [
    [english, 'bedrooms'],
    [spanish, 'dormitorios'],
  ] as const) {
    await jobReaches(world.platform, jobId, 'SUCCESS');
    expect(await draftOf(jobId)).toMatchObject({ status: 'SUCCESS', errorCode: null });
    expect((await draftOf(jobId)).text).toContain(`3 ${word}`);
    expect(await boughtFor(jobId)).toBe(1);
  }
  const { text } = await draftOf(english);
  const updated = await world.agent.mutate('properties.update', {
    propertyId,
    publicRemarks: text,
  });
  expect(updated.status).toBe(200);
});

const DEATHS: { at: CheckpointName; bought: number; ends: string }[] = [
  { at: 'before-claim', bought: 1, ends: 'SUCCESS' },
  { at: 'after-post', bought: 1, ends: 'SUCCESS' },
  { at: 'after-id-stored', bought: 1, ends: 'SUCCESS' },
];
test.each(DEATHS)('a worker killed $at: the next one finishes it, bought $bought times', async (death) => {
  const dying = await world.platform.startWorker({ TEST_KILL_AT: death.at });
  const jobId = await ask();
  await dying.exited;
  await world.platform.startWorker(STEADY);
  await jobReaches(world.platform, jobId, death.ends);
  expect(await boughtFor(jobId)).toBe(death.bought);
  const journal = await world.platform.rows<{ seq: number }>(
    `select seq from actor_transitions where "actorKind" = 'descriptionJob' and "actorId" = $1 order by seq`,
    [jobId],
  );
  const { version } = await jobRow(world.platform, jobId);
  expect(journal.map(({ seq }) => seq)).toEqual(Array.from({ length: version }, (_, index) => index + 1));
});

test('an answer that is lost on the wire is found in the provider’s list; nothing is bought again', async () => {
  await addFault(world.platform.provider.baseUrl, { fault: 'accept-then-reset' });
  await world.platform.startWorker(STEADY);
  const jobId = await ask();
  await jobReaches(world.platform, jobId, 'SUCCESS');
  expect(await boughtFor(jobId)).toBe(1);
});

test('the loss of all queue entries costs only time', async () => {
  const jobId = await ask();
  await ai.obliterate({ force: true });
  await world.platform.startWorker(STEADY);
  await jobReaches(world.platform, jobId, 'SUCCESS');
  expect(await boughtFor(jobId)).toBe(1);
});

test('with the flag off the worker buys no text; waiting jobs finish when it is on again', async () => {
  const off = await world.platform.startWorker({ ...STEADY, AI_ROOM_STAGING_ENABLED: 'false' });
  const jobId = await ask();
  await jobReaches(world.platform, jobId, 'PENDING.PROVIDER_DISABLED');
  expect(await boughtFor(jobId)).toBe(0);
  await off.stop();
  await world.platform.startWorker(STEADY);
  await jobReaches(world.platform, jobId, 'SUCCESS');
});

test('a description that waits for too long raises an alert of its own', async () => {
  const jobId = await ask();
  await world.platform.rows(
    `update ai_jobs set "createdAt" = now() - interval '6 minutes', phase = 'PROVIDER_DISABLED' where id = $1`,
    [jobId],
  );
  await world.platform.startWorker({ ...STEADY, AI_ROOM_STAGING_ENABLED: 'false' });
  const alerted = (alert: string) =>
    world.platform.lines.some((line) => line.includes(`"alert":"${alert}"`) && line.includes(jobId));
  await eventually(() => alerted('description_pending_too_long'), { what: 'the alert', timeoutMs: 15_000 });
  expect(alerted('staging_pending_too_long')).toBe(false);
  await world.platform.rows(
    `update ai_jobs set status = 'CANCELED', phase = null, "leaseOwner" = null, "leaseExpiresAt" = null
     where id = $1`,
    [jobId],
  );
});

test('an old message waits for the flag as a durable job, then is staged once in spite of repeats', async () => {
  const originalImageId = await world.newOriginal();
  const { data: me } = await world.agent.query('users.getMe');
  const message = { imageId: originalImageId, style: 'loft', roomType: 'living', userId: me.id };
  const off = await world.platform.startWorker({ ...STEADY, AI_ROOM_STAGING_ENABLED: 'false' });
  await ai.add('stage-room', message, { jobId: `old-${randomUUID()}` });
  const job = await eventually(
    async () =>
      (
        await world.platform.rows<{ id: string; legacyStyle: string; requestedByUserId: string }>(
          `select j.id, s."legacyStyle", j."requestedByUserId" from ai_jobs j
           join ai_room_staging_jobs s on s."aiJobId" = j.id where s."originalImageId" = $1`,
          [originalImageId],
        )
      )[0],
    { what: 'the durable job', timeoutMs: 15_000 },
  );
  expect(job).toMatchObject({ legacyStyle: 'loft', requestedByUserId: me.id });
  await jobReaches(world.platform, job.id, 'PENDING.PROVIDER_DISABLED');
  await off.stop();
  await changeSettings(world.platform.provider.baseUrl, { pictures: 'plain' });
  await world.platform.startWorker(STEADY);
  await ai.add('stage-room', message, { jobId: `old-${randomUUID()}` });
  await jobReaches(world.platform, job.id, 'SUCCESS');
  await eventually(async () => (await ai.getJobCounts('wait', 'active', 'delayed')).wait === 0, {
    what: 'the queue to be worked off',
  });
  expect(
    await world.platform.rows('select from ai_room_staging_jobs where "originalImageId" = $1', [
      originalImageId,
    ]),
  ).toHaveLength(1);
});
