import { randomUUID } from 'node:crypto';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMail } from '../../../ops/dev/stack/mailbox.ts';
import { type RedisServer, startRedis } from '../../../ops/dev/stack/redis.ts';
import {
  addFault,
  changeSettings,
  clearFaults,
  type FaultRuleInput,
  type LedgerEntry,
  ledgerOf,
  releaseHeld,
} from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, onWeb, type Person, signIn } from '../../support/platform/agent.ts';
import { openStorageGate, type StorageGate } from '../../support/platform/gates.ts';
import { LeakSearch } from '../../support/platform/leak-search.ts';
import {
  attemptReaches,
  createListing,
  jobReaches,
  roomPhoto,
  submit,
} from '../../support/platform/listing.ts';
import { logged } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { listKeys, sharedStack, temporaryDirectory } from '../../support/platform/stack.ts';

/**
 * Two webs and two workers at the most verbose log level run successes and failures of every kind. Then all
 * their logs, answers and stored data are searched for every secret in use (I25). The same log lines hold the
 * events (docs/contract.md#events), found by job id.
 */
let redis: RedisServer;
let kv: Redis;
let gate: StorageGate;
let platform: TestPlatform;
let agent: Person;
let propertyId: string;
const people: Person[] = [];
const photos: Buffer[] = [];
/** Bodies and headers of every error response. */
const errors: string[] = [];
/** Every key and value seen in Redis. */
const kept = new Set<string>();
const jobs: Record<string, string> = {};
const atProvider = () => platform.provider.baseUrl;

beforeAll(async () => {
  redis = await startRedis({ dataDir: temporaryDirectory(), durable: false });
  kv = new Redis(redis.url, { maxRetriesPerRequest: 0 });
  kv.on('error', () => {});
  gate = await openStorageGate(sharedStack().s3.endpoint);
  platform = await startTestPlatform({
    webs: 2,
    workers: 2,
    kvUrl: redis.url,
    settings: { LOG_LEVEL: 'trace', S3_ENDPOINT: gate.endpoint },
  });
  await changeSettings(atProvider(), { pictures: 'plain' });
  await liveThroughADay();
}, 110_000);
afterAll(async () => {
  kv.disconnect();
  await platform.stop();
  await gate.close();
  await redis.stop();
});

const refused = (answer: Answer, status: number): void => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  errors.push(JSON.stringify(answer.body), JSON.stringify([...answer.headers]));
};

async function newJob(name: string, person = agent): Promise<string> {
  const photo = await roomPhoto(photos.length);
  photos.push(photo);
  const uploaded = await person.upload(propertyId, photo);
  const { aiJobId } = await submit(person, uploaded.body.imageId ?? uploaded.body.id);
  jobs[name] = aiJobId;
  return aiJobId;
}
async function jobEnds(name: string, { faults = [], ends }: { faults?: FaultRuleInput[]; ends: string }) {
  for (const fault of faults) await addFault(atProvider(), fault);
  const jobId = await newJob(name);
  await jobReaches(platform, jobId, ends);
  await clearFaults(atProvider());
  return jobId;
}
const imageOf = async (jobId: string) =>
  (await platform.rows<{ id: string }>('select id from property_images where "aiJobId" = $1', [jobId]))[0]
    ?.id;

const READERS: Record<string, (key: string) => Promise<unknown>> = {
  hash: (key) => kv.hgetall(key),
  string: (key) => kv.get(key),
  list: (key) => kv.lrange(key, 0, -1),
  set: (key) => kv.smembers(key),
  zset: (key) => kv.zrange(key, '0', '-1'),
  stream: (key) => kv.xrange(key, '-', '+'),
};
/** Records everything in Redis repeatedly, because queue entries are short-lived. */
async function lookIntoStore(): Promise<void> {
  for (const key of await kv.keys('*')) {
    const value = await READERS[await kv.type(key)]?.(key);
    kept.add(`${key} ${JSON.stringify(value)}`);
  }
}

async function liveThroughADay(): Promise<void> {
  people.push(await signIn(platform), await signIn(platform, { web: 1, agent: false }));
  agent = people[0] as Person;
  propertyId = await createListing(agent);
  await ordinaryWork();
  await failures();
  await unauthenticatedCallers();
  await outages();
  await lookIntoStore();
}

async function ordinaryWork(): Promise<void> {
  const approved = await jobEnds('approved', { ends: 'SUCCESS' });
  await agent.mutate('ai.approveStagedVariant', { imageId: await imageOf(approved) });
  const rejected = await jobEnds('rejected', { ends: 'SUCCESS' });
  await onWeb(platform, agent, 1).mutate('ai.rejectStagedVariant', { imageId: await imageOf(rejected) });
  await changeSettings(atProvider(), { hold: true });
  const canceled = await newJob('canceled', onWeb(platform, agent, 1));
  await attemptReaches(platform, canceled, 'RUNNING');
  await lookIntoStore();
  await agent.mutate('ai.cancelStagingJob', { aiJobId: canceled });
  await jobReaches(platform, canceled, 'CANCELED');
  await releaseHeld(atProvider());
}

async function failures(): Promise<void> {
  await jobEnds('embedded', { faults: [{ fault: 'output-data-uri', times: 1 }], ends: 'SUCCESS' });
  await jobEnds('lostAnswer', { faults: [{ fault: 'accept-then-reset', times: 1 }], ends: 'SUCCESS' });
  await jobEnds('throttled', {
    faults: [{ fault: 'throttle-text', times: 1, options: { seconds: 1 } }],
    ends: 'SUCCESS',
  });
  await jobEnds('moderated', {
    faults: [{ fault: 'failed', times: 1, options: { error: 'flagged as sensitive (E005)' } }],
    ends: 'FAILED',
  });
  await jobEnds('unauthorized', { faults: [{ fault: 'unauthorized', times: 1 }], ends: 'FAILED' });
  await jobEnds('elsewhere', {
    faults: [{ fault: 'output-redirect', times: 1, options: { to: 'http://127.0.0.1:9/x', downloads: 1 } }],
    ends: 'FAILED',
  });
  const retried = await jobEnds('retried', {
    faults: [{ fault: 'failed', times: 1, options: { error: 'busy (E003)' } }],
    ends: 'RETRYING.BACKOFF',
  });
  await platform.rows('update ai_jobs set "retryAt" = now() where id = any($1)', [[retried]]);
  await jobReaches(platform, retried, 'SUCCESS');
}

async function unauthenticatedCallers(): Promise<void> {
  const [attempt] = await platform.rows<{ id: string }>('select id from ai_provider_attempts limit 1');
  const forged = await fetch(`${platform.urls[1]}/api/webhooks/provider/staging/${attempt?.id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'msg_forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32, 7).toString('base64')}`,
    },
    body: JSON.stringify({ id: 'p1', status: 'succeeded' }),
  });
  expect(forged.status).toBe(401);
  errors.push(await forged.text());
  const [, customer] = people as [Person, Person];
  refused(
    await customer.request('POST', '/api/auth/sign-in/email-otp', {
      body: '{"email":"a@example.org","otp":"1"}',
    }),
    400,
  );
  refused(await customer.query('ai.getStagingJob', { aiJobId: jobs.approved }), 403);
  refused(await agent.mutate('ai.cancelStagingJob', { aiJobId: randomUUID() }), 404);
  refused(await agent.mutate('ai.submitRoomStaging', { assignments: 'none' }), 400);
  refused(await agent.upload(propertyId, Buffer.from('not a picture at all')), 415);
  refused(await agent.request('DELETE', `/api/property-images/${await imageOf(jobs.approved ?? '')}`), 400);
}

async function outages(): Promise<void> {
  gate.refuse('unavailable');
  refused(await agent.upload(propertyId, await roomPhoto(1)), 503);
  gate.heal();
  gate.refuse('unavailable', (method, path) => method === 'PUT' && path.includes('/staged/'));
  const discarded = await newJob('discarded');
  await attemptReaches(platform, discarded, 'COLLECTING');
  await eventually(() => gate.refused.some((one) => one.includes('/staged/')), { what: 'a refused put' });
  await agent.mutate('ai.cancelStagingJob', { aiJobId: discarded });
  await jobReaches(platform, discarded, 'CANCELED');
  gate.heal();

  await changeSettings(atProvider(), { hold: true });
  await attemptReaches(platform, await newJob('throughOutages'), 'RUNNING');
  await lookIntoStore();
  await redis.crash();
  refused(
    await agent.request('POST', '/api/auth/email-otp/send-verification-otp', {
      body: JSON.stringify({ email: agent.email, type: 'sign-in' }),
    }),
    503,
  );
  await newJob('withoutStore');
  await platform.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'proscenium-%'`,
  );
  await redis.start();
  await releaseHeld(atProvider());
  for (const name of ['throughOutages', 'withoutStore'])
    await jobReaches(platform, jobs[name] ?? '', 'SUCCESS');
  await platform.provider.crash();
  await newJob('withoutProvider');
  await attemptReaches(platform, jobs.withoutProvider ?? '', 'RESERVED');
  await platform.provider.start();
  await changeSettings(atProvider(), { pictures: 'plain' });
  await jobReaches(platform, jobs.withoutProvider ?? '', 'SUCCESS');
}

function inputsOf(entry: LedgerEntry): string[] {
  if (entry.kind !== 'create') return [];
  const { input_images: images } = (entry.prediction?.input ?? {}) as { input_images?: string[] };
  return images ?? [];
}
function outputsOf(entry: LedgerEntry): string[] {
  if (entry.kind !== 'status') return [];
  return [entry.output as unknown].flat().filter((one) => typeof one === 'string');
}

async function allSecrets(): Promise<LeakSearch> {
  const search = new LeakSearch();
  const { provider } = platform;
  const { secrets, databaseUrl, s3 } = sharedStack();
  search.add('provider token', provider.token);
  search.add('webhook secret', provider.webhookSecret);
  search.add('webhook secret in base64', provider.webhookSecret.slice('whsec_'.length));
  search.add('AUTH_SECRET', secrets.authSecret);
  search.add('user hash secret', secrets.userHashSecret);
  search.add('S3 secret key', s3.secretAccessKey);
  search.add('database password', new URL(databaseUrl).password);
  search.add('Redis password', new URL(redis.url).password);
  search.addWord('a presigned address', 'X-Amz-Signature=');
  for (const [index, { cookie, email }] of people.entries()) {
    const value = cookie.slice(cookie.indexOf('=') + 1);
    search.add(`session cookie ${index}`, value);
    search.add(`session token ${index}`, decodeURIComponent(value).split('.')[0] ?? '');
    for (const mail of await readMail(platform.mailDir, { to: email }))
      search.add(`sign-in code ${index}`, /\b\d{6}\b/.exec(mail.email.text ?? '')?.[0] ?? '');
  }
  for (const entry of await ledgerOf(atProvider())) {
    for (const url of inputsOf(entry))
      search.add('address of an input', new URL(url).searchParams.get('X-Amz-Signature') ?? '');
    for (const output of outputsOf(entry))
      search.add('address of an output', output.startsWith('data:') ? output.slice(60, 120) : output);
  }
  for (const photo of photos) search.addBytes('an uploaded photo', photo);
  for (const Key of await listKeys(platform.bucket.client, platform.bucket.bucket)) {
    const object = await platform.bucket.client.send(
      new GetObjectCommand({ Bucket: platform.bucket.bucket, Key }),
    );
    search.addBytes('a stored picture', Buffer.from((await object.Body?.transformToByteArray()) ?? []));
  }
  return search;
}

const TABLES = [
  'actor_transitions',
  'ai_jobs',
  'ai_room_staging_jobs',
  'ai_provider_attempts',
  'ai_provider_webhook_receipts',
  'property_images',
  'property_image_review_events',
  'storage_deletion_outbox',
  'role_fingerprints',
];

describe('no secret', () => {
  let search: LeakSearch;
  beforeAll(async () => {
    search = await allSecrets();
  });

  test('stands in a log line', () => {
    for (const { pid } of platform.roles)
      expect(logged(platform).filter((line) => line.pid === pid).length).toBeGreaterThan(3);
    expect(logged(platform).some(({ level }) => level === 'debug' || level === 'trace')).toBe(true);
    expect(search.in('log', platform.lines)).toEqual([]);
  });

  test('stands in an error body', () => {
    expect(errors.length).toBeGreaterThan(15);
    expect(search.in('error response', errors)).toEqual([]);
  });

  test('stands in a queue entry or anywhere else in the store', () => {
    const texts = [...kept];
    expect(texts.some((text) => text.startsWith('bull:ai-staging') && text.includes('{\\"aiJobId\\":'))).toBe(
      true,
    );
    expect(texts.some((text) => text.startsWith('psearch:property:'))).toBe(true);
    expect(search.in('store', texts)).toEqual([]);
  });

  test.each(TABLES)('stands in a row of %s', async (table) => {
    const rows = await platform.rows<{ text: string }>(
      `select row_to_json(one)::text as text from ${table} one`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(
      search.in(
        table,
        rows.map(({ text }) => text),
      ),
    ).toEqual([]);
  });

  test('in any of its encodings escapes this search', async () => {
    const { provider } = platform;
    const [person] = people as [Person];
    const cookie = person.cookie.slice(person.cookie.indexOf('=') + 1);
    const [photo] = photos as [Buffer];
    const planted: [secret: string, line: string][] = [
      ['provider token', JSON.stringify({ msg: `Bearer ${provider.token}` })],
      ['webhook secret in base64', `key ${provider.webhookSecret.slice(6)}`],
      ['webhook secret in base64', `?key=${encodeURIComponent(provider.webhookSecret.slice(6))}`],
      ['session cookie 0', JSON.stringify({ headers: { cookie } })],
      ['session token 0', decodeURIComponent(cookie)],
      ['a presigned address', 'http://127.0.0.1/b/k?x-amz-signature=00'],
      ['Redis password', redis.url],
      ['an uploaded photo in base64', `data:image/jpeg;base64,${photo.toString('base64')}`],
      ['an uploaded photo in base64', `data:image/jpeg;base64,${photo.subarray(1).toString('base64')}`],
      ['an uploaded photo in hexadecimal', photo.toString('hex')],
    ];
    const [mail] = await readMail(platform.mailDir, { to: person.email });
    planted.push(['sign-in code 0', JSON.stringify({ otp: /\b\d{6}\b/.exec(mail?.email.text ?? '')?.[0] })]);
    for (const [secret, line] of planted)
      expect(search.in('planted', ['an innocent line', line])).toContain(`planted: ${secret}`);
    expect(search.in('planted', ['an innocent line', '{"bytes":123456}', randomUUID()])).toEqual([]);
  });
});

describe('the events of the worker, by job id', () => {
  const eventsOf = (name: string) =>
    logged(platform).filter(({ jobId, event }) => jobId === jobs[name] && typeof event === 'string');
  const eventOf = (name: string, event: string) => eventsOf(name).find((line) => line.event === event);
  const count = expect.any(Number);
  const text = expect.any(String);

  test('a success', () => {
    expect(eventOf('approved', 'worker_started')).toMatchObject({ queueAttempt: 1, queueWaitMs: count });
    expect(eventOf('approved', 'prediction_created')).toMatchObject({ attemptNumber: 1, predictionId: text });
    expect(eventOf('approved', 'provider_terminal')).toMatchObject({
      providerStatus: 'succeeded',
      predictionId: text,
    });
    expect(eventOf('approved', 'output_validated')).toMatchObject({
      bytes: count,
      format: 'jpeg',
      width: count,
      height: count,
    });
    expect(eventOf('approved', 'completed')).toMatchObject({ attemptCount: 1, processingMs: count });
    expect(eventsOf('approved').map(({ event }) => event)).toEqual([
      'worker_started',
      'prediction_created',
      'provider_terminal',
      'output_validated',
      'completed',
      'ai_room_staging.variant_approved',
    ]);
  });

  test('completed carries the timings of queue and provider', () => {
    expect(eventOf('approved', 'completed')).toMatchObject({ queueWaitMs: count, providerMs: count });
  });

  test('a retry and a failure, with code and category', () => {
    expect(eventOf('retried', 'retry_scheduled')).toMatchObject({
      errorCode: 'PROVIDER_FAILED',
      category: text,
    });
    expect(eventOf('moderated', 'terminal_error')).toMatchObject({
      errorCode: 'PROVIDER_MODERATION',
      category: 'permanent',
    });
    expect(eventsOf('moderated').map(({ event }) => event)).not.toContain('completed');
  });

  test('a cancellation, before and during the put', () => {
    expect(eventOf('canceled', 'canceled')).toBeDefined();
    expect(eventOf('discarded', 'output_discarded')).toBeDefined();
    expect(eventOf('discarded', 'completed')).toBeUndefined();
  });

  test('agents’ actions, with the agent’s id', () => {
    expect(eventOf('canceled', 'ai_room_staging.cancel_requested')).toMatchObject({
      role: 'web',
      userId: text,
    });
    expect(eventOf('approved', 'ai_room_staging.variant_approved')).toMatchObject({
      imageId: text,
      userId: text,
    });
    expect(eventOf('rejected', 'ai_room_staging.variant_rejected')).toMatchObject({
      imageId: text,
      userId: text,
    });
  });
});
