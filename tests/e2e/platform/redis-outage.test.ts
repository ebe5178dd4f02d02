import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RedisServer, startRedis } from '../../../ops/dev/stack/redis.ts';
import { addFault, changeSettings, clearFaults, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { onWeb, type Person, signIn } from '../../support/platform/agent.ts';
import {
  attemptReaches,
  createListing,
  jobReaches,
  jobRow,
  submit,
  uploadRoom,
} from '../../support/platform/listing.ts';
import { expectWholeJournals, finishBoughtOnce, opsUrlOf, readyz } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/**
 * PostgreSQL decides, Redis delivers: a flush or an outage of the key-value store costs time but never work,
 * and nothing is bought twice. The store belongs to this file.
 */
let redis: RedisServer;
let kv: Redis;
let platform: TestPlatform;
let agent: Person;
let propertyId: string;
let seed = 0;

beforeAll(async () => {
  redis = await startRedis({ dataDir: temporaryDirectory(), durable: false });
  kv = new Redis(redis.url, { maxRetriesPerRequest: 0 });
  kv.on('error', () => {});
  platform = await startTestPlatform({
    kvUrl: redis.url,
    settings: { AI_STAGING_CONCURRENCY: '2' },
  });
  await changeSettings(platform.provider.baseUrl, { pictures: 'plain' });
  agent = await signIn(platform);
  propertyId = await createListing(agent);
}, 60_000);
afterAll(async () => {
  kv.disconnect();
  await platform.stop();
  await redis.stop();
});

const newJob = async (person = agent) => {
  seed += 1;
  const { aiJobId, disposition } = await submit(person, await uploadRoom(agent, propertyId, seed));
  expect(disposition).toBe('ENQUEUED');
  return aiJobId;
};
const hold = () => changeSettings(platform.provider.baseUrl, { hold: true });
const release = () => releaseHeld(platform.provider.baseUrl);
const documentOf = (id: string) => kv.hgetall(`psearch:property:${id}`);
const documentThere = (id: string, fits: (document: Record<string, string>) => boolean = () => true) =>
  eventually(
    async () => {
      const document = await documentOf(id);
      return Object.keys(document).length > 0 && fits(document) ? document : false;
    },
    { what: `the search document of ${id}` },
  );
const imageOf = async (jobId: string): Promise<string> => {
  const [image] = await platform.rows<{ id: string }>('select id from property_images where "aiJobId" = $1', [
    jobId,
  ]);
  return image?.id ?? '';
};

test('FLUSHALL with jobs pending, delayed and running: all finish, bought once, and documents are rebuilt', async () => {
  await addFault(platform.provider.baseUrl, { fault: 'failed', times: 1, options: { error: 'busy (E003)' } });
  const delayed = await newJob();
  await jobReaches(platform, delayed, 'RETRYING.BACKOFF');
  await clearFaults(platform.provider.baseUrl);
  await hold();
  const running = [await newJob(), await newJob()];
  for (const jobId of running) await attemptReaches(platform, jobId, 'RUNNING');
  // Both slots are taken, so these stay in the queue.
  const pending = [await newJob(), await newJob()];
  const before = await documentThere(propertyId, ({ images }) => JSON.parse(images ?? '[]').length === seed);
  await eventually(
    async () => {
      const keys = await kv.keys(`bull:ai-staging${platform.queueSuffix}:*`);
      return [...running, ...pending].every((jobId) => keys.some((key) => key.endsWith(jobId)));
    },
    { what: 'entries of all four jobs in the queue' },
  );
  for (const jobId of pending) expect(await jobRow(platform, jobId)).toMatchObject({ phase: 'QUEUED' });

  // Distinguishes the old document from the rebuilt one.
  await kv.hset(`psearch:property:${propertyId}`, 'beforeTheFlush', 'yes');
  await redis.flush();
  await release();
  await platform.rows('update ai_jobs set "retryAt" = now() where id = $1', [delayed]);

  await finishBoughtOnce(platform, [...running, ...pending]);
  await finishBoughtOnce(platform, [delayed], { attempts: 2 });
  await expectWholeJournals(platform, [delayed, ...running, ...pending]);
  const after = await documentThere(propertyId, ({ beforeTheFlush }) => beforeTheFlush === undefined);
  expect(after).toMatchObject({ address: before.address, images: before.images });
});

describe.each([
  { how: 'killed', leave: () => redis.crash(), comeBack: () => redis.start() },
  { how: 'frozen', leave: async () => redis.pause(), comeBack: async () => redis.resume() },
  {
    how: 'empty and full',
    leave: async () => {
      await kv.config('SET', 'maxmemory', '1');
      await redis.flush();
    },
    comeBack: () => kv.config('SET', 'maxmemory', '0'),
  },
  {
    how: 'a replica',
    leave: () => kv.replicaof('127.0.0.1', '9'),
    comeBack: () => kv.replicaof('NO', 'ONE'),
  },
])('the store is $how', ({ how, leave, comeBack }) => {
  let isAway = false;
  // A failed try may have left the store away.
  afterEach(async () => {
    if (isAway) await comeBack();
    isAway = false;
  });

  test('agents go on submitting, approving, rejecting and canceling; everything finishes afterwards', async () => {
    await release();
    const [approved, rejected] = [await newJob(), await newJob()];
    await finishBoughtOnce(platform, [approved, rejected]);
    await hold();
    const [canceled, survivor] = [await newJob(), await newJob()];
    for (const jobId of [canceled, survivor]) await attemptReaches(platform, jobId, 'RUNNING');
    isAway = true;
    await leave();
    const leftAt = Date.now();
    const said = platform.lines.length;

    const submitted = [await newJob(), await newJob()];
    expect(
      (await agent.mutate('ai.approveStagedVariant', { imageId: await imageOf(approved) })).data,
    ).toEqual(expect.objectContaining({ reviewStatus: 'APPROVED' }));
    expect(
      (await agent.mutate('ai.rejectStagedVariant', { imageId: await imageOf(rejected) })).data,
    ).toMatchObject({ rejected: true });
    expect((await agent.mutate('ai.cancelStagingJob', { aiJobId: canceled })).data).toMatchObject({
      status: 'CANCEL_REQUESTED',
    });
    // Already running, so these two need only the database and the provider.
    await jobReaches(platform, canceled, 'CANCELED');
    await release();
    await jobReaches(platform, survivor, 'SUCCESS');

    const refused = await agent.request('POST', '/api/auth/email-otp/send-verification-otp', {
      body: JSON.stringify({ email: 'somebody@example.org', type: 'sign-in' }),
    });
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'RATE_LIMIT_UNAVAILABLE', message: expect.any(String) });
    expect(refused.headers.get('retry-after')).toBe('5');

    if (how === 'killed') {
      const late = await platform.startWeb();
      await late.ready;
      const there = onWeb(platform, agent, platform.urls.length - 1);
      expect((await there.query('users.getMe')).status).toBe(200);
      submitted.push(await newJob(there));
      const report = await readyz(await opsUrlOf(platform, late));
      expect(report).toMatchObject({ status: 503, ready: false, checks: { kv: { ok: false } } });
      expect(report.checks.database).toMatchObject({ ok: true });
    }
    // Long enough for every reconnect, lease and sweep to fail more than once.
    await eventually(
      async () => {
        expect((await agent.query('users.getMe')).status).toBe(200);
        expect(platform.roles.every((role) => role.isRunning())).toBe(true);
        return Date.now() - leftAt > 12_000;
      },
      { what: 'the outage to have lasted', intervalMs: 500 },
    );
    for (const jobId of submitted) expect((await jobRow(platform, jobId)).status).toBe('PENDING');
    const seconds = (Date.now() - leftAt) / 1_000;
    const complaints = platform.lines.slice(said).filter((line) => /"level":"(?:warn|error)"/.test(line));
    expect(complaints.length).toBeLessThanOrEqual((seconds + 1) * platform.roles.length);

    await comeBack();
    isAway = false;
    await finishBoughtOnce(platform, [...submitted, survivor]);
    await expectWholeJournals(platform, [...submitted, survivor, canceled]);
    await documentThere(propertyId, ({ images }) => images?.includes('AI · Virtually staged') ?? false);
    expect((await signIn(platform)).cookie).not.toBe('');
  });
});
