import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROVEN_ELSEWHERE } from '../../../ops/invariants/elsewhere.ts';
import { openStoreDatabase, type StoreDatabase } from '../../support/database/store-database.ts';
import { createBucket, listKeys, sharedStack, type TestBucket } from '../../support/platform/stack.ts';
import { type Life, liveThroughIt } from '../../support/worlds/life.ts';
import { openSimulator, TOKEN } from '../../support/worlds/simulator-harness.ts';

/** The command as operators run it, over rows of every kind. */
const kvUrl = new URL(sharedStack().kvUrl);
kvUrl.pathname = '/13';
const queueSuffix = `-${randomUUID().slice(0, 8)}`;
let database: StoreDatabase;
let bucket: TestBucket;
let redis: Redis;
let life: Life;
beforeAll(async () => {
  database = await openStoreDatabase();
  bucket = await createBucket();
  redis = new Redis(kvUrl.href);
  life = await liveThroughIt(database);
});
afterAll(async () => {
  redis.disconnect();
  await bucket.remove();
  await database.close();
});

const invariants = (args: string[] = [], env: Record<string, string> = {}) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const settings = {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      QUEUE_SUFFIX: queueSuffix,
      ...env,
    };
    execFile(
      process.execPath,
      ['ops/cli/invariants.ts', ...args],
      { env: settings },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    );
  });
const withStores = () => ({
  KV_URL: kvUrl.href,
  S3_ENDPOINT: bucket.endpoint,
  S3_BUCKET: bucket.bucket,
  S3_REGION: bucket.region,
  S3_ACCESS_KEY_ID: bucket.accessKeyId,
  S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
});

/** Every table with its number of rows and the number of rows ever written to it. */
async function traces(): Promise<unknown> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     order by 1`,
  );
  const counts: unknown[] = [];
  for (const { name } of tables) {
    const { rows } = await database.pool.query(
      `select count(*)::int, max(xmin::text::bigint)::text from ${name}`,
    );
    counts.push([name, rows[0]]);
  }
  return {
    counts,
    keys: (await redis.keys('*')).sort(),
    objects: await listKeys(bucket.client, bucket.bucket),
  };
}

test('all hold: one line each, exit code 0, and nothing is written', async () => {
  const before = await traces();
  const { code, text } = await invariants();
  expect([code, text]).toEqual([0, expect.stringMatching(/\n\n\d+ invariants hold\.\n$/)]);
  for (const id of ['I1', 'I4', 'I5', 'I6', 'I8', 'I9', 'I15', 'I23', 'I26', 'T1', 'T2', 'T3'])
    expect(text).toMatch(new RegExp(`^${id} +ok +\\S`, 'm'));
  for (const id of ['I14b', 'I18', 'I24'])
    expect(text).toMatch(new RegExp(`^${id} +not asked .*KV_URL`, 'm'));
  for (const id of ['I2', 'I3', 'I7', 'I22', 'I25'])
    expect(text).toMatch(new RegExp(`^${id} +elsewhere .*tests/`, 'm'));
  expect(text).toContain(`     - job ${life.jobs.switchedOff} is PENDING.PROVIDER_DISABLED`);
  const ids = text.split('\n').flatMap((line) => /^[IT]\d+b?(?= )/.exec(line) ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  await invariants([], withStores());
  expect(await traces()).toEqual(before);
});

test('with the stores configured it checks them too: here every object is missing', async () => {
  const { code, text } = await invariants(['--always-only'], withStores());
  expect(code).toBe(1);
  expect(text).toMatch(/^I18 +ok /m);
  expect(text).toMatch(/^I20 +BROKEN .*\n {5}- object \S+ is lost$/m);
  expect(text).toMatch(/… and \d+ more; the first 20 are shown$/m);
  expect(text).not.toMatch(/^(I14b|I19|I24|I26) /m);
});

test('with --provider a purchase of ours that no attempt knows is reported; it needs the settings', async () => {
  expect((await invariants(['--provider'])).code).toBe(2);
  const simulator = await openSimulator();
  const ours = 'http://127.0.0.1:9/ours';
  const env = {
    PROVIDER_API_TOKEN: TOKEN,
    PROVIDER_BASE_URL: simulator.url,
    PROVIDER_WEBHOOK_BASE_URL: ours,
  };
  const ask = () => invariants(['--provider', '--always-only', '--no-replay'], env);
  try {
    const theirs = await simulator.create({}, { webhook: 'http://127.0.0.1:9/theirs/x' });
    expect(theirs.status).toBe(201);
    expect((await ask()).text).toMatch(/^I41 +ok /m);
    const { body } = await simulator.create(
      {},
      { webhook: `${ours}/api/webhooks/provider/staging/${randomUUID()}` },
    );
    const { code, text } = await ask();
    expect(code).toBe(1);
    expect(text).toMatch(new RegExp(`^I41 +BROKEN .*\\n {5}- no attempt knows prediction ${body.id}$`, 'm'));
  } finally {
    await simulator.close();
  }
});

test('a violation is reported with its row; exit code 1, as text and as JSON', async () => {
  const planted = `update ai_provider_attempts set "providerPredictionId" = $1 where id = $2`;
  const { rows } = await database.pool.query(
    'select "providerPredictionId" as id from ai_provider_attempts where id = $1',
    [life.attempts.running],
  );
  await database.pool.query(planted, ['another', life.attempts.running]);
  const [told, json, quiet, unplayed] = [
    await invariants(),
    await invariants(['--json']),
    await invariants(['--quiet-only']),
    await invariants(['--no-replay']),
  ];
  await database.pool.query(planted, [rows[0].id, life.attempts.running]);
  expect(told.code).toBe(1);
  expect(told.text).toMatch(
    new RegExp(`^I5 +BROKEN .*\n {5}- attempt ${life.attempts.running} was given`, 'm'),
  );
  expect(told.text).toMatch(/^I9 +BROKEN /m);
  expect(told.text).toContain('Not all invariants hold: 2 broken.');
  const report = JSON.parse(json.text);
  expect([json.code, report.holds]).toEqual([1, false]);
  expect(report.invariants.filter((one: { outcome: string }) => one.outcome === 'broken')).toMatchObject([
    { id: 'I5', count: 1, lines: [expect.stringContaining(life.attempts.running)] },
    { id: 'I9', count: 1 },
  ]);
  expect(report.provenElsewhere).toEqual(PROVEN_ELSEWHERE);
  expect(quiet.code).toBe(0);
  expect(quiet.text).not.toMatch(/^I5 /m);
  expect(unplayed.text).not.toMatch(/^I9 /m);
  expect((await invariants()).code).toBe(0);
});

test('a query that takes too long is reported, the others are answered; exit code 2', async () => {
  const client = await database.pool.connect();
  await client.query('begin; lock table tours in access exclusive mode');
  const { code, text } = await invariants(['--timeout', '0.2']);
  await client.query('rollback');
  client.release();
  expect(code).toBe(2);
  for (const id of ['I8', 'I9', 'T1', 'T2', 'T3'])
    expect(text).toMatch(new RegExp(`^${id} +NO ANSWER .*--timeout`, 'm'));
  expect(text).toMatch(/^I5 +ok /m);
  expect(text).toContain('Not all invariants hold: 5 without an answer.');
});

describe('the command prints', () => {
  test('its help when asked', async () => {
    expect(await invariants(['--help'])).toMatchObject({ code: 0, text: expect.stringContaining('Usage') });
  });

  test.each([
    [['--nonsense']],
    [['--timeout', 'soon']],
    [['--timeout', '0']],
    [['--always-only', '--quiet-only']],
  ])('its help for %j', async (args) => {
    expect(await invariants(args)).toMatchObject({ code: 2, text: expect.stringContaining('Usage') });
  });

  test.each([
    [{ DATABASE_URL: '' }, 'DATABASE_URL is not set'],
    [{ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' }, 'DATABASE_URL cannot be reached'],
    [{ KV_URL: 'redis://127.0.0.1:1' }, 'KV_URL cannot be reached'],
    [
      { S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'b' },
      'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY must be set',
    ],
  ])('the mistake in %j', async (env, words) => {
    const { code, text } = await invariants([], env);
    expect([code, text]).toEqual([2, expect.stringContaining(words)]);
    expect(text).not.toContain('nobody:secret');
  });
});
