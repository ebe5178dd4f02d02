import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RedisServer, startRedis } from '../../../ops/dev/stack/redis.ts';
import { addFault, changeSettings, clearFaults } from '../../../ops/simulator/control-client.ts';
import { newWebhookSecret, signWebhook } from '../../../ops/simulator/webhook-signature.ts';
import { eventually } from '../../support/eventually.ts';
import { jobReaches, jobRow } from '../../support/platform/listing.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../support/platform/staging-world.ts';
import { commandOf, commandsOf, run, sqlOf } from './commands.ts';

/**
 * The drills of the other runbooks: each makes a real fault, runs the page's commands and waits for the
 * page's "over when". The key-value store belongs to this file, because it is flushed.
 */
let redis: RedisServer;
let world: StagingWorld;
let env: Record<string, string>;

beforeAll(async () => {
  redis = await startRedis({ dataDir: temporaryDirectory(), durable: false });
  world = await openStagingWorld({ kvUrl: redis.url, workers: 0 });
  const { platform } = world;
  env = {
    DATABASE_URL: platform.pool.options.connectionString ?? '',
    KV_URL: platform.kvUrl,
    QUEUE_SUFFIX: platform.queueSuffix,
    PUBLIC_BASE_URL: platform.urls[0] ?? '',
    PROVIDER_BASE_URL: platform.provider.baseUrl,
    PROVIDER_API_TOKEN: platform.provider.token,
  };
  await (await platform.startWorker(STEADY)).ready;
}, 60_000);
afterEach(async () => {
  await world.calm();
  // What a failed try has paused, or left under way, would be counted by the next one.
  if ((await switchJournal()).at(-1)?.toState === 'PAUSED')
    await operate('kill-switch.md', 'resume-starting');
  await eventually(async () => (await ask('kill-switch.md', 'psql')).length === 0, {
    what: 'all jobs to end',
  });
});
afterAll(async () => {
  await world.close();
  await redis.stop();
});

const operate = async (page: string, words: string) => {
  const done = await run(commandOf(page, words), env);
  expect(done, done.text).toMatchObject({ code: 0 });
  return done.text;
};
/** The rows of the page's `psql` command. */
const ask = (page: string, words: string) => world.platform.rows<Record<string, unknown>>(sqlOf(page, words));
/** Who paused and resumed, oldest first. */
const switchJournal = () =>
  world.platform.rows<{ toState: string; actedBy: string; note: string }>(
    `select "toState", "actedBy", note from actor_transitions
     where "actorKind" = 'startGate' and "eventType" <> 'SERVER_SEEN' order by seq`,
  );
const bought = async () => [...(await world.platform.purchases()).values()].flat().length;

test('kill switch: paused, a submission waits and nothing is bought; resumed, it is staged', async () => {
  const entries = (await switchJournal()).length;
  expect(await operate('kill-switch.md', 'pause-starting')).toMatch(/PAUSED/i);
  // Workers read the pause switch every second: a job taken before that is bought, and the next one waits.
  const aiJobId = await eventually(
    async () => {
      const { aiJobId: id } = await world.newJob();
      const taken = async () => (await jobRow(world.platform, id)).phase !== 'QUEUED';
      await eventually(taken, { what: 'the job to be taken' });
      return (await jobRow(world.platform, id)).phase === 'PROVIDER_DISABLED' && id;
    },
    { what: 'the worker to have seen the gate' },
  );
  await eventually(async () => (await ask('kill-switch.md', 'psql')).length === 1, {
    what: 'earlier jobs to end',
  });
  const before = await bought();
  expect(await ask('kill-switch.md', 'psql')).toEqual([
    { status: 'PENDING', phase: 'PROVIDER_DISABLED', count: '1' },
  ]);
  const foreseen = await run(commandOf('kill-switch.md', 'cancel-job --all'), env);
  expect(foreseen, foreseen.text).toMatchObject({ code: 0, text: expect.stringContaining('dry run') });
  expect((await jobRow(world.platform, aiJobId)).status).toBe('PENDING');
  expect(await bought()).toBe(before);
  await operate('kill-switch.md', 'resume-starting');
  await jobReaches(world.platform, aiJobId, 'SUCCESS');
  expect(await bought()).toBe(before + 1);
  const actedBy = expect.stringMatching(/^operator:/);
  expect((await switchJournal()).slice(entries)).toEqual([
    { toState: 'PAUSED', actedBy, note: 'provider bills twice, ticket 123' },
    { toState: 'OPEN', actedBy, note: 'ticket 123 is solved' },
  ]);
});

test('provider outage: rejected purchases wait, the pause holds the rest back, and all end bought once', async () => {
  const { platform } = world;
  const before = await bought();
  await addFault(platform.provider.baseUrl, { fault: 'refuse-503' });
  const early = await world.newJob();
  await operate('provider-outage.md', 'pause-starting');
  const late = await world.newJob('LUXURY');
  expect((await ask('provider-outage.md', 'psql')).every(({ status }) => typeof status === 'string')).toBe(
    true,
  );
  await clearFaults(platform.provider.baseUrl);
  await operate('provider-outage.md', 'resume-starting');
  for (const { aiJobId } of [early, late]) await jobReaches(platform, aiJobId, 'SUCCESS');
  expect(await bought()).toBe(before + 2);
});

test('redis loss: after a flush during work everything recovers by itself', async () => {
  const { platform } = world;
  const before = await bought();
  await changeSettings(platform.provider.baseUrl, { hold: true });
  const { aiJobId } = await world.newJob();
  await jobReaches(platform, aiJobId, 'PROCESSING.ATTEMPT');
  await eventually(async () => (await bought()) === before + 1, { what: 'the purchase' });
  expect(await operate('redis-loss.md', 'redis-cli')).toContain('noeviction');
  await world.kv.flushall();
  const waiting = await world.newJob('INDUSTRIAL');
  await world.calm();
  for (const job of [aiJobId, waiting.aiJobId]) await jobReaches(platform, job, 'SUCCESS');
  expect(await bought()).toBe(before + 2);
  await eventually(async () => (await run(commandOf('redis-loss.md', '--verify'), env)).code === 0, {
    what: 'every search document to be whole',
  });
});

test('output host refused: paused, mended and resumed, the pictures of the last hour are collected', async () => {
  const { platform } = world;
  const page = 'alerts/output-host-refused.md';
  const before = await bought();
  await addFault(platform.provider.baseUrl, { fault: 'output-redirect', times: 1 });
  const { aiJobId } = await world.newJob();
  expect(await jobReaches(platform, aiJobId, 'FAILED')).toMatchObject({ errorCode: 'OUTPUT_HOST_REFUSED' });
  await operate(page, 'pause-starting');
  const { host } = new URL(platform.provider.baseUrl);
  const mended = { PROVIDER_OUTPUT_HOSTS: `${host},${host.replace('127.0.0.1', 'localhost')}` };
  await Promise.all(
    platform.roles.filter(({ name }) => name.startsWith('worker')).map((role) => role.stop()),
  );
  await (await platform.startWorker({ ...STEADY, ...mended })).ready;
  await operate(page, 'resume-starting');
  const foreseen = await run(commandOf(page, '--dry-run'), env);
  expect(foreseen.text).toContain('is not in PROVIDER_OUTPUT_HOSTS here');
  const done = await run(commandOf(page, 'collect-output --all --reason'), { ...env, ...mended });
  expect(done, done.text).toMatchObject({ code: 0, text: expect.stringContaining('1 done') });
  await jobReaches(platform, aiJobId, 'SUCCESS');
  expect(await bought()).toBe(before + 1);
});

test('secret rotation: both secrets are valid meanwhile, the old one is not afterwards, unsigned never is', async () => {
  const { platform } = world;
  expect(await operate('secret-rotation.md', 'fetch-webhook-secret')).toContain(
    platform.provider.webhookSecret,
  );
  const [newer, older] = [newWebhookSecret(), newWebhookSecret()];
  const answers = async (secrets: string) => {
    const web = await platform.startWeb({ PROVIDER_WEBHOOK_SIGNING_SECRET: secrets });
    const url = await web.ready;
    const statuses = [
      await callback(url, newer),
      await callback(url, older),
      await callback(url, newWebhookSecret()),
    ];
    const probe = await run(commandOf('secret-rotation.md', 'probe-webhook'), {
      ...env,
      PUBLIC_BASE_URL: url,
    });
    expect(probe, probe.text).toMatchObject({ code: 0 });
    await web.stop();
    return statuses;
  };
  // 404: verified, but the attempt is unknown.
  expect(await answers(`${newer} ${older}`)).toEqual([404, 404, 401]);
  expect(await answers(newer)).toEqual([404, 401, 401]);
});

test('rollout: the second migration run does nothing, and the probe of the receiver succeeds', async () => {
  expect(await operate('rollout-order.md', 'migrate')).toContain('Migrations up to date');
  expect(await operate('rollout-order.md', 'probe-webhook')).toContain('401');
  const nowhere = await run(commandOf('rollout-order.md', 'probe-webhook'), {
    ...env,
    PUBLIC_BASE_URL: 'http://127.0.0.1:9',
  });
  expect(nowhere.code).not.toBe(0);
});

test('the bridge must not end before operators have confirmed it', async () => {
  const asked = await run(commandOf('legacy-bridge-end.md', 'legacy:status'), env);
  expect(asked.code).toBe(1);
  expect(commandsOf('legacy-bridge-end.md')).toHaveLength(1);
});

async function callback(url: string, secret: string): Promise<number> {
  const body = Buffer.from(JSON.stringify({ id: 'rotation', status: 'succeeded' }));
  const delivery = { id: `msg_${randomUUID()}`, timestamp: Math.floor(Date.now() / 1_000), body };
  const { statusCode, body: words } = await request(`${url}/api/webhooks/provider/staging/${randomUUID()}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(delivery.timestamp),
      'webhook-signature': signWebhook(secret, delivery),
    },
    body,
  });
  await words.dump();
  return statusCode;
}
