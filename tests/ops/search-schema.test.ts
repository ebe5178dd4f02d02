import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConsumer, searchEntry } from '../../src/queues/consumer.ts';
import { queueNames } from '../../src/queues/names.ts';
import { documentKey } from '../../src/search/document.ts';
import { createDocumentStore } from '../../src/search/document-store.ts';
import { indexProperty } from '../../src/search/indexer.ts';
import { systemClock, systemTimers } from '../../src/time.ts';
import { createDatabase, type TestDatabase } from '../support/database/database.ts';
import { insertListings, madeUpListings } from '../support/database/search-listings.ts';
import { seedOriginal, seedVariant } from '../support/database/seed.ts';
import { eventually } from '../support/eventually.ts';
import { sharedStack } from '../support/platform/stack.ts';
import { createRecordingReporter } from '../support/worlds/recording-ports.ts';
import { isRebuilt, startRebuilder } from '../support/worlds/search-workers.ts';

/** A logical database of the store that no other test file uses: the operation reads every document in it. */
const kvUrl = new URL(sharedStack().kvUrl);
kvUrl.pathname = '/11';
const publicBaseUrl = 'https://api.example.com';
const suffix = `-${randomUUID()}`;
let database: TestDatabase;
let pool: pg.Pool;
let redis: Redis;
let queue: Queue;
beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
  redis = new Redis(kvUrl.href);
  queue = new Queue(queueNames(suffix).search, { connection: redis });
  await insertListings(pool, madeUpListings(1_300));
  const { rows } = await pool.query<{ id: string }>('select id from properties order by id limit 3');
  for (const { id } of rows)
    await seedVariant(pool, await seedOriginal(pool, { propertyId: id }), { reviewStatus: 'APPROVED' });
});
afterAll(async () => {
  await redis.flushdb();
  await queue.close();
  redis.disconnect();
  await pool.end();
  await database.drop();
});

const searchSchema = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const settings = {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      KV_URL: kvUrl.href,
      QUEUE_SUFFIX: suffix,
      PUBLIC_BASE_URL: publicBaseUrl,
      ...env,
    };
    execFile(
      process.execPath,
      ['ops/cli/search-schema.ts', ...args],
      { env: settings },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    );
  });

const active = async (): Promise<string[]> =>
  (
    await pool.query<{ id: string }>(
      `select id from properties where "standardStatus" in
         ('Active', 'Active Under Contract', 'Coming Soon', 'Pending') order by id`,
    )
  ).rows.map(({ id }) => id);

const indexing = () => ({
  pool,
  documents: createDocumentStore(redis),
  clock: systemClock,
  publicBaseUrl,
  reporter: createRecordingReporter(),
  checkpoint: () => {},
});

/** Runs a worker until every requested rebuild is done and the queue is empty. */
async function work(): Promise<void> {
  const consumer = createConsumer({
    queue: queueNames(suffix).search,
    connect: () => new Redis(kvUrl.href, { maxRetriesPerRequest: null }),
    payload: searchEntry,
    handle: async ({ propertyId }) => {
      await indexProperty(indexing(), propertyId);
      return null;
    },
    reporter: createRecordingReporter(),
    timers: systemTimers,
    worker: { concurrency: 8 },
  });
  await consumer.start();
  const rebuilder = await startRebuilder({ pool, redis, holder: 'worker' });
  try {
    await eventually(() => isRebuilt(pool, redis), { what: 'the rebuild of all documents' });
    await eventually(async () => (await queue.getJobCountByTypes('waiting', 'active')) === 0, {
      what: 'the queue to be empty',
    });
  } finally {
    await rebuilder.stop();
    await consumer.stop(AbortSignal.timeout(1_000));
  }
}

/** Brings every document to its correct state. */
async function complete(): Promise<void> {
  await redis.flushdb();
  for (const id of (await pool.query<{ id: string }>('select id from properties')).rows)
    await indexProperty(indexing(), id.id);
  await pool.query('delete from search_tombstones');
}

describe('the whole procedure', () => {
  test('dry-run, enqueue twice, the worker, verify', async () => {
    await redis.flushdb();
    const ids = await active();
    const state = async () => [
      await redis.keys('*'),
      (await pool.query('select id, "searchDirtyAt", "searchVersion" from properties order by id')).rows,
    ];
    const before = await state();
    const dry = await searchSchema(['--dry-run']);
    expect(dry).toEqual({
      code: 0,
      text: expect.stringContaining(`${ids.length} active property documents; 0 are`),
    });
    expect(await state()).toEqual(before);

    await pool.query('update properties set "searchDirtyAt" = null');
    const surplus = randomUUID();
    await redis.hset(documentKey(surplus), { propertyId: surplus });
    const epochs = new Set<string>();
    for (const done of [0, 200]) {
      // As far as a worker may be.
      await pool.query('update search_epoch set "throughId" = $1', [ids[done - 1] ?? null]);
      const { code, text } = await searchSchema(['--enqueue']);
      expect([code, text]).toEqual([
        0,
        expect.stringContaining(
          `${ids.length} rebuilds asked for, and 1 removals; ${done} of ${ids.length} are done`,
        ),
      ]);
      epochs.add((await pool.query('select epoch from search_epoch')).rows[0].epoch);
    }
    expect(epochs.size).toBe(1);
    await pool.query('update search_epoch set "throughId" = null');
    const entries = await queue.getJobs(['waiting']);
    expect(entries.map(({ id }) => id)).toEqual([surplus]);
    const owed = await pool.query('select id from properties where "searchDirtyAt" is not null');
    expect(owed.rows).toEqual([]);

    const refused = await searchSchema(['--verify']);
    expect(refused).toEqual({
      code: 2,
      text: expect.stringMatching(/^Not verified: a rebuild of all documents has not ended\. .*1 waiting/),
    });
    await work();
    expect(await searchSchema(['--verify'])).toEqual({
      code: 0,
      text: `${ids.length} search documents verified: all complete and right.\n`,
    });
    expect((await searchSchema(['--dry-run'])).text).toContain(`; ${ids.length} are stored now`);
  });
});

describe('verify fails', () => {
  beforeAll(complete);

  test.each([
    ['waiting', {}],
    ['delayed', { delay: 3_600_000 }],
    ['prioritized', { priority: 5 }],
  ])('while entries are %s', async (state, options) => {
    const job = await queue.add('rebuild-document', { propertyId: randomUUID() }, options);
    const { code, text } = await searchSchema(['--verify']);
    await job.remove();
    expect([code, text]).toEqual([2, expect.stringContaining(`1 ${state}`)]);
  });

  test('while entries have failed; enqueue repairs them', async () => {
    const job = await queue.add('rebuild-document', { propertyId: randomUUID() });
    await redis.lrem(queue.toKey('wait'), 0, job.id ?? '');
    await redis.zadd(queue.toKey('failed'), 1, job.id ?? '');
    expect(await searchSchema(['--verify'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('1 failed'),
    });
    expect((await searchSchema(['--enqueue'])).code).toBe(0);
    await work();
    expect((await searchSchema(['--verify'])).code).toBe(0);
  });

  test('while listings are dirty or their tombstones remain', async () => {
    const [id] = await active();
    await pool.query('update properties set "listPrice" = "listPrice" + 1 where id = $1', [id]);
    expect(await searchSchema(['--verify'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('1 listings'),
    });
    await indexProperty(indexing(), id ?? '');
    await pool.query('insert into search_tombstones ("propertyId") values ($1)', [randomUUID()]);
    expect((await searchSchema(['--verify'])).code).toBe(2);
    await pool.query('delete from search_tombstones');
    expect((await searchSchema(['--verify'])).code).toBe(0);
  });
});

describe('verify reports', () => {
  beforeEach(complete);

  test('each missing, superfluous and wrong document, with its fields', async () => {
    const [missing = '', price = '', version = '', extra = '', images = '', indexed = ''] = await active();
    const withImages = (
      await pool.query<{ id: string }>(
        `select "propertyId" as id from property_images where "isStyled" and "propertyId" = any ($1)`,
        [await active()],
      )
    ).rows.map(({ id }) => id);
    const styled = withImages.find((id) => ![missing, price, version, extra, images, indexed].includes(id));
    const off = (await pool.query(`select id from properties where "standardStatus" = 'Hold' limit 1`))
      .rows[0].id;
    await redis.del(documentKey(missing));
    await redis.hset(documentKey(price), { listPrice: '1', features: '[]x' });
    await redis.hset(documentKey(version), { documentVersion: '999' });
    await redis.hset(documentKey(extra), { colour: 'red' });
    await redis.hset(documentKey(images), { images: '[{"imageId":"a","url":"b"}]' });
    await redis.hset(documentKey(indexed), { indexedAt: 'yesterday' });
    await redis.hset(documentKey(off), { propertyId: off });
    await redis.hset(documentKey('no-uuid'), { propertyId: 'no-uuid' });
    const faults = [
      `missing  ${missing}`,
      `wrong    ${price}  features, listPrice`,
      `wrong    ${version}  documentVersion`,
      `wrong    ${extra}  colour`,
      `wrong    ${images}  images`,
      `wrong    ${indexed}  indexedAt`,
      `surplus  ${off}`,
      'surplus  no-uuid',
    ];
    if (styled) {
      const stored = JSON.parse((await redis.hget(documentKey(styled), 'images')) ?? '');
      for (const image of stored) image.isStyled = 'true';
      await redis.hset(documentKey(styled), { images: JSON.stringify(stored) });
      faults.push(`wrong    ${styled}  images`);
    }
    const { code, text } = await searchSchema(['--verify']);
    expect(code).toBe(1);
    expect(text.split('\n').slice(0, -2).toSorted()).toEqual(faults.toSorted());
    expect(text).toContain(`${faults.length} faults in ${(await active()).length} documents`);
  });

  test('images with another base URL, if the right one is given', async () => {
    expect((await searchSchema(['--verify'], { PUBLIC_BASE_URL: 'https://other.example.com' })).code).toBe(1);
    expect((await searchSchema(['--verify'], { PUBLIC_BASE_URL: '' })).code).toBe(0);
  });
});

describe('the command prints', () => {
  test.each([[[]], [['--nonsense']], [['--verify', '--enqueue']], [['verify']]])(
    'its help for %j',
    async (args) => {
      const { code, text } = await searchSchema(args);
      expect([code, text]).toEqual([1, expect.stringContaining('Usage')]);
    },
  );

  test('its help when asked', async () => {
    expect(await searchSchema(['--help'])).toMatchObject({ code: 0, text: expect.stringContaining('Usage') });
  });

  test.each([
    [{ DATABASE_URL: '' }, 'DATABASE_URL is not set'],
    [{ KV_URL: '' }, 'KV_URL is not set'],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'DATABASE_URL cannot be reached'],
    [{ KV_URL: 'redis://127.0.0.1:1' }, 'KV_URL cannot be reached'],
  ])('the mistake in %j', async (env, words) => {
    expect(await searchSchema(['--verify'], env)).toMatchObject({
      code: 1,
      text: expect.stringContaining(words),
    });
  });
});
