import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askStores, type Stores } from '../../../ops/invariants/ask-stores.ts';
import { beginSearchEpoch, finishSearchEpoch } from '../../../persistence/search/search-epoch.ts';
import { queueNames } from '../../../src/queues/names.ts';
import { createSearchQueue } from '../../../src/queues/search-queue.ts';
import { documentKey } from '../../../src/search/document.ts';
import { createDocumentStore } from '../../../src/search/document-store.ts';
import { indexProperty } from '../../../src/search/indexer.ts';
import { createObjectStorage, type ObjectStorage } from '../../../src/storage/object-storage.ts';
import { systemClock } from '../../../src/time.ts';
import { drainDeletions } from '../../../supervisors/sweepers/deletion-drain.ts';
import { GIVE_UP_FINGERPRINTS } from '../../support/database/photo-verdicts.ts';
import {
  seedDeletion,
  seedOriginal,
  seedProperty,
  seedStagingJob,
  seedVariant,
} from '../../support/database/seed.ts';
import { openStoreDatabase, type StoreDatabase } from '../../support/database/store-database.ts';
import { NEVER_STOPPED } from '../../support/never-stopped.ts';
import { createBucket, listKeys, sharedStack, type TestBucket } from '../../support/platform/stack.ts';
import { JobDriver, openTestRuntime, ROUTES, succeeded } from '../../support/worlds/job-driver.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

/** A logical database of the store that no other test file uses: documents and their keys have no prefix. */
const kvUrl = new URL(sharedStack().kvUrl);
kvUrl.pathname = '/12';
const queueSuffix = `-${randomUUID().slice(0, 8)}`;
const publicBaseUrl = 'https://api.example.com';
let database: StoreDatabase;
let redis: Redis;
let bucket: TestBucket;
let objects: ObjectStorage;
let stores: Stores;
beforeAll(async () => {
  database = await openStoreDatabase();
  redis = new Redis(kvUrl.href);
  bucket = await createBucket();
  objects = createObjectStorage(bucket);
  stores = { pool: database.pool, redis, objects, queueSuffix, publicBaseUrl };
});
afterAll(async () => {
  await redis.flushdb();
  redis.disconnect();
  objects.close();
  await bucket.remove();
  await database.close();
});
beforeEach(async () => {
  await database.clear();
  await redis.flushdb();
  for (const key of await listKeys(bucket.client, bucket.bucket)) await objects.delete(key);
});

const put = (key: string) =>
  bucket.client.send(new PutObjectCommand({ Bucket: bucket.bucket, Key: key, Body: 'x' }));
const ask = async (asked: Partial<Stores> = {}, when: 'both' | 'always' = 'both') =>
  new Map((await askStores({ ...stores, ...asked }, when)).map((verdict) => [verdict.id, verdict] as const));
const index = (propertyId: string) =>
  indexProperty(
    {
      pool: database.pool,
      documents: createDocumentStore(redis),
      clock: systemClock,
      publicBaseUrl,
      reporter: createRecordingReporter(),
      checkpoint: () => {},
    },
    propertyId,
  );
const storedOriginal = async () => {
  const original = await seedOriginal(database.pool);
  await put(original.objectKey);
  await put(original.providerInputKey);
  return original;
};

test('an idle installation violates nothing, and nothing is written', async () => {
  const original = await storedOriginal();
  const variant = await seedVariant(database.pool, original);
  await put(`staged/${variant}.jpg`);
  await index(original.propertyId);
  const before = [await redis.keys('*'), await listKeys(bucket.client, bucket.bucket)];
  const verdicts = [...(await ask()).values()];
  expect(verdicts.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['I14b', 'holds'],
    ['I18', 'holds'],
    ['I19', 'holds'],
    ['I20', 'holds'],
    ['I24', 'holds'],
  ]);
  expect([await redis.keys('*'), await listKeys(bucket.client, bucket.bucket)]).toEqual(before);
});

test('an invariant over an unconfigured store is not checked, and the reason is given; a store that is away leaves it unanswered', async () => {
  const verdicts = await ask({ redis: null, objects: null });
  expect([...verdicts.values()].map(({ outcome }) => outcome)).toEqual(Array(5).fill('not asked'));
  expect(verdicts.get('I18')?.note).toContain('KV_URL');
  expect(verdicts.get('I19')?.note).toContain('S3_ENDPOINT');
  const nowhere = createObjectStorage({ ...bucket, endpoint: 'http://127.0.0.1:1' });
  expect((await ask({ objects: nowhere })).get('I20')?.outcome).toBe('unanswered');
  nowhere.close();
});

describe('I14b', () => {
  test.each(['staging', 'descriptions'] as const)('an entry of a job that is over, in %s', async (name) => {
    const { jobId: over } = await seedStagingJob(database.pool, { job: { status: 'FAILED', phase: null } });
    const { jobId: open } = await seedStagingJob(database.pool);
    const queue = new Queue(queueNames(queueSuffix)[name], { connection: redis });
    for (const jobId of [over, open, 'no-uuid']) await queue.add('entry', {}, { jobId, delay: 60_000 });
    await queue.add('entry', {}, { jobId: randomUUID() });
    const { outcome, lines } = (await ask()).get('I14b') ?? {};
    await queue.close();
    expect([outcome, lines]).toEqual([
      'broken',
      [`job ${over} is over and still in ${queueNames(queueSuffix)[name]}`],
    ]);
  });
});

describe('I18', () => {
  test.each(['images', 'anythingElse'])(
    'an image that waits for its review, in the field %s',
    async (field) => {
      const original = await seedOriginal(database.pool);
      const [waiting, approved] = [
        await seedVariant(database.pool, original),
        await seedVariant(database.pool, original, { canonicalStyle: 'LUXURY', reviewStatus: 'APPROVED' }),
      ];
      const shown = JSON.stringify([approved, waiting].map((imageId) => ({ imageId })));
      await redis.hset(documentKey(original.propertyId), { [field]: shown });
      expect((await ask()).get('I18')).toMatchObject({
        outcome: 'broken',
        lines: [`image ${waiting} waits for its review and is in the document of ${original.propertyId}`],
      });
    },
  );
});

describe('I19', () => {
  test('an object counts as an orphan only if no row needs, collects or deletes it', async () => {
    await storedOriginal();
    const driver = await JobDriver.open(openTestRuntime(database));
    await driver.play([...ROUTES.RUNNING(), { to: 'attempt', say: succeeded('staged/collecting.jpg') }]);
    await seedDeletion(database.pool, { objectKey: 'gone/due.jpg' });
    await seedDeletion(database.pool, { objectKey: 'gone/failed.jpg', status: 'FAILED' });
    await seedDeletion(database.pool, { objectKey: 'gone/done.jpg', status: 'DELETED' });
    const known = ['staged/collecting.jpg', 'gone/due.jpg', 'gone/failed.jpg'];
    for (const key of [...known, 'gone/done.jpg', 'stray.jpg']) await put(key);
    expect((await ask()).get('I19')).toMatchObject({
      outcome: 'broken',
      count: 2,
      lines: ['object gone/done.jpg belongs to no row', 'object stray.jpg belongs to no row'],
    });
  });

  test('an object that is removed during the check is no violation', async () => {
    await put('stray.jpg');
    const vanishing = { ...objects, exists: async () => false };
    expect((await ask({ objects: vanishing })).get('I19')?.outcome).toBe('holds');
  });
});

describe('I20', () => {
  test.each(['objectKey', 'providerInputKey'] as const)('a lost %s', async (which) => {
    const original = await storedOriginal();
    await objects.delete(original[which]);
    expect((await ask()).get('I20')).toMatchObject({
      outcome: 'broken',
      lines: [`object ${original[which]} is lost`],
    });
  });

  test('a lost rendition, a lost avatar and a lost heat map', async () => {
    const original = await storedOriginal();
    const { imageId } = original;
    const staged = await seedVariant(database.pool, original);
    const { rows } = await database.pool.query(
      'select "objectKey" as key from property_images where id = $1',
      [staged],
    );
    await put(rows[0].key);
    await database.pool.query(
      `update drift_comparisons set "comparedAt" = now(), "nextTryAt" = null, algorithm = 1, score = 0, boxes = '[]',
         "geometryMoved" = false, flags = '{}', measures = '{}', "heatMapKey" = 'drift/a.png' where "stagedImageId" = $1`,
      [staged],
    );
    await database.pool.query(
      `insert into image_renditions ("imageId", variant, "objectKey", bytes) values ($1, 'w', 'renditions/a', 1)`,
      [imageId],
    );
    await database.pool.query(`insert into avatars (id, "userId", "objectKey", checksum)
      select gen_random_uuid(), id, 'avatars/a', 'x' from "user" limit 1`);
    expect((await ask()).get('I20')?.lines).toEqual([
      'object avatars/a is lost',
      'object drift/a.png is lost',
      'object renditions/a is lost',
    ]);
  });

  test('a picture whose rejection a failover has forgotten, until it is rejected again', async () => {
    const { actorSystem, reporter } = openTestRuntime(database);
    const original = await storedOriginal();
    const id = randomUUID();
    const objectKey = `staged/${id}.jpg`;
    await seedVariant(database.pool, original, { id, objectKey });
    await put(objectKey);
    const byUserId = randomUUID();
    const rejected = async () => {
      const event = { type: 'REJECT', at: systemClock.now(), byUserId, reason: null } as const;
      const delivered = await actorSystem.deliver(
        { to: 'imageReview', id, event },
        { by: `user:${byUserId}` },
      );
      expect(delivered.outcome).toBe('applied');
      await database.pool.query(GIVE_UP_FINGERPRINTS);
      const ports = { actorSystem, reporter, clock: systemClock, checkpoint: () => {}, node: 'n-1' };
      const chance = { id: () => '', jitter: () => 0 };
      const deleter = {
        async delete(key: string) {
          await objects.delete(key);
          return { kind: 'deleted' } as const;
        },
      };
      return drainDeletions({ ...ports, chance, deleter }, NEVER_STOPPED);
    };
    expect(await rejected()).toBe(1);
    expect(await listKeys(bucket.client, bucket.bucket)).not.toContain(objectKey);
    expect((await ask()).get('I20')?.outcome).toBe('holds');
    // What a standby holds on which the rejection had not arrived.
    await database.pool.query(`set local session_replication_role = replica;
      truncate storage_deletion_outbox, actor_transitions, property_image_review_events cascade`);
    await seedVariant(database.pool, original, { id, objectKey });
    expect((await ask({}, 'always')).get('I20')?.lines).toEqual([`object ${objectKey} is lost`]);
    expect(await rejected()).toBe(1);
    expect((await ask({}, 'always')).get('I20')?.outcome).toBe('holds');
  });

  test('an object that came after the listing, or whose row has been removed since, is not lost', async () => {
    const original = await storedOriginal();
    const blind: ObjectStorage = { ...objects, async *list() {} };
    expect((await ask({ objects: blind })).get('I20')?.outcome).toBe('holds');
    const removing: ObjectStorage = {
      ...blind,
      async exists() {
        await database.pool.query('delete from property_images where id = $1', [original.imageId]);
        return false;
      },
    };
    expect((await ask({ objects: removing })).get('I20')?.outcome).toBe('holds');
  });
});

describe('I24', () => {
  test('a document that is wrong, missing or superfluous', async () => {
    const [wrong, missing, surplus] = [
      await seedProperty(database.pool),
      await seedProperty(database.pool),
      randomUUID(),
    ];
    await index(wrong);
    await index(missing);
    await redis.hset(documentKey(wrong), { listPrice: '1' });
    await redis.del(documentKey(missing));
    await redis.hset(documentKey(surplus), { propertyId: surplus });
    const { outcome, lines = [] } = (await ask()).get('I24') ?? {};
    expect(outcome).toBe('broken');
    expect([...lines].sort()).toEqual(
      [
        `document ${wrong} is wrong: listPrice`,
        `document ${missing} is missing`,
        `document ${surplus} is surplus`,
      ].sort(),
    );
  });

  test('is not checked while rebuilds are under way', async () => {
    const propertyId = await seedProperty(database.pool);
    expect((await ask()).get('I24')).toMatchObject({
      outcome: 'not asked',
      note: '1 rebuilds of documents are under way',
    });
    await index(propertyId);
    const queue = createSearchQueue({ redis, suffix: queueSuffix, onProblem: () => {} });
    await queue.enqueue([propertyId]);
    await queue.close();
    expect((await ask()).get('I24')?.outcome).toBe('not asked');
  });

  test('is not checked while all documents are rebuilt', async () => {
    const epoch = randomUUID();
    await beginSearchEpoch(database.pool, epoch);
    expect((await ask()).get('I24')).toMatchObject({
      outcome: 'not asked',
      note: 'a rebuild of all documents is under way',
    });
    await finishSearchEpoch(database.pool, epoch);
    expect((await ask()).get('I24')?.outcome).toBe('holds');
  });
});
