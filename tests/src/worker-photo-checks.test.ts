import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPostgresActorStore } from '../../persistence/actors/postgres-actor-store.ts';
import { readActor } from '../../persistence/console/actors.ts';
import type { Decoder } from '../../src/images/decoding/decoder.ts';
import { type ObjectStorage, StorageError } from '../../src/storage/object-storage.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createWorkerMetrics } from '../../src/telemetry/worker-metrics.ts';
import { createPhotoChecker } from '../../src/worker/photo-checker.ts';

import type { CheckpointName } from '../../supervisors/ports.ts';
import { giveVerdicts } from '../support/database/photo-verdicts.ts';
import { seedOriginal, seedProperty, seedVariant } from '../support/database/seed.ts';
import { createDeletion } from '../support/database/store-under-test.ts';
import { createManualTime } from '../support/manual-time.ts';
import { useComparisonParts } from '../support/worlds/comparison-parts.ts';
import { createRecordingReporter } from '../support/worlds/recording-ports.ts';

/** Fingerprints and look-ups with a real database, object store and decoder (docs/contract.md#intake). */
const parts = useComparisonParts();
let { database, storage } = parts;
let photo: Buffer;
let staged: Buffer;
beforeAll(() => {
  ({ database, storage, photo, staged } = parts);
});

/** A listing with a photo that has its verdict, and a staged picture of it. */
async function stagedListing({ features = [] as string[] } = {}) {
  const propertyId = await seedProperty(database.pool, { features });
  const original = await seedOriginal(database.pool, { propertyId });
  await storage.put(original.objectKey, photo, { contentType: 'image/jpeg' });
  const imageId = await seedVariant(database.pool, original);
  const key = await keyOf(imageId);
  await storage.put(key, staged, { contentType: 'image/jpeg' });
  return { propertyId, originalId: original.imageId, imageId, key };
}

/** An upload that waits for its verdict. */
async function upload(propertyId: string, bytes: Buffer, given: { isOlder?: boolean } = {}): Promise<string> {
  const { imageId, objectKey } = await seedOriginal(database.pool, { propertyId });
  await storage.put(objectKey, bytes, { contentType: 'image/jpeg' });
  await database.pool.query(
    `update photo_checks set verdict = null, "checkedAt" = null, "nextTryAt" = clock_timestamp(), "isOlder" = $2
     where "imageId" = $1`,
    [imageId, given.isOlder ?? false],
  );
  return imageId;
}

const keyOf = async (imageId: string): Promise<string> =>
  (await database.pool.query('select "objectKey" as key from property_images where id = $1', [imageId]))
    .rows[0].key;
const stateOf = async (imageId: string): Promise<string | null> =>
  (await database.pool.query('select "photoState" as state from property_images where id = $1', [imageId]))
    .rows[0].state;
const checkOf = async (imageId: string) =>
  (await database.pool.query('select * from photo_checks where "imageId" = $1', [imageId])).rows[0];
const fingerprintOf = async (stagedImageId: string) =>
  (await database.pool.query('select * from staged_fingerprints where "stagedImageId" = $1', [stagedImageId]))
    .rows[0];
const isShown = async (imageId: string): Promise<boolean> => {
  const { rows } = await database.pool.query(
    `select coalesce("photoState", 'PHOTO') in ('PHOTO', 'SUSPECT') as shown from property_images where id = $1`,
    [imageId],
  );
  return rows[0].shown;
};

async function started(
  given: {
    storage?: ObjectStorage;
    decoder?: Pick<Decoder, 'run'>;
    checkpoint?: (name: CheckpointName, id?: string) => Promise<void> | void;
    secret?: string;
  } = {},
) {
  const { registry } = createMetrics({ role: 'worker' });
  const reporter = createRecordingReporter();
  const checker = createPhotoChecker({
    timers: parts.time,
    reporter,
    logger: { warn() {}, error() {} } as never,
    storage: given.storage ?? storage,
    checkpoint: given.checkpoint ?? (() => {}),
    config: { userHashSecret: given.secret ?? 'ab'.repeat(32) },
    database,
    workerMetrics: createWorkerMetrics(registry, { enabled: true, perMinute: 6 }),
    comparisonDecoder: given.decoder ?? parts.decoder,
    timings: { photoCheckMs: 1_000 },
  });
  const worker = {
    metrics: () => registry.metrics(),
    problems: () => reporter.problems,
    /** Until the loop has nothing more to do. */
    idle: () => expect.poll(() => parts.time.sleeping().length, { timeout: 30_000 }).toBeGreaterThan(0),
    stop: () => checker.stop(AbortSignal.timeout(5_000)),
  };
  await checker.start();
  parts.running.push(worker);
  return worker;
}

/** Starts a worker, lets it do all there is, and stops it. */
async function worked(given: Parameters<typeof started>[0] = {}) {
  const worker = await started(given);
  await worker.idle();
  await worker.stop();
  parts.time = createManualTime();
  return worker;
}

describe('a photo', () => {
  test('that is a staged picture of its listing is refused, and the original is not', async () => {
    const { propertyId, imageId } = await stagedListing();
    const [copy, again] = [await upload(propertyId, staged), await upload(propertyId, photo)];
    expect(await stateOf(copy)).toBe('WAITING');
    const worker = await worked();
    expect([await stateOf(copy), await stateOf(again)]).toEqual(['STAGED_PICTURE', 'PHOTO']);
    expect(await checkOf(copy)).toMatchObject({
      verdict: 'STAGED_PICTURE',
      nearestId: imageId,
      nextTryAt: null,
    });
    const { likeStaged, likePhoto } = await checkOf(again);
    expect(likePhoto).toBeGreaterThan(likeStaged);
    expect(await worker.metrics()).toContain(
      'proscenium_photo_checks_total{outcome="staged",role="worker"} 1',
    );
    expect(worker.problems()).toEqual([]);
  });

  test('is found on another listing too, and after picture and listing are deleted', async () => {
    const { originalId } = await stagedListing();
    await worked();
    await database.pool.query('delete from property_images where id = $1', [originalId]);
    const copy = await upload(await seedProperty(database.pool), staged);
    await worked();
    expect(await stateOf(copy)).toBe('STAGED_PICTURE');
  });

  test('that looks like a picture from which things were removed is a question, which its agent answers', async () => {
    const { propertyId } = await stagedListing({ features: ['FURNISHED'] });
    const copy = await upload(propertyId, staged);
    await worked();
    expect([await stateOf(copy), await isShown(copy)]).toEqual(['QUESTION', false]);
    await database.pool.query(
      `update photo_checks set answer = 'PHOTO', "answeredBy" = 'AGENT', "answeredAt" = now(),
         "answeredByUserId" = gen_random_uuid() where "imageId" = $1`,
      [copy],
    );
    expect([await stateOf(copy), await isShown(copy)]).toEqual(['PHOTO', true]);
  });

  test('from before there were verdicts stays shown, and is a suspect until an operator decides', async () => {
    const { propertyId } = await stagedListing();
    const copy = await upload(propertyId, staged, { isOlder: true });
    expect([await stateOf(copy), await isShown(copy)]).toEqual([null, true]);
    await worked();
    expect([await stateOf(copy), await isShown(copy)]).toEqual(['SUSPECT', true]);
    await database.pool.query(
      `update photo_checks set answer = 'STAGED_PICTURE', "answeredBy" = 'OPERATOR', "answeredAt" = now()
       where "imageId" = $1`,
      [copy],
    );
    expect([await stateOf(copy), await isShown(copy)]).toEqual(['STAGED_PICTURE', false]);
  });

  test('an agent has no word on what is no question', async () => {
    const { propertyId } = await stagedListing();
    const copy = await upload(propertyId, staged);
    await worked();
    const answer = database.pool.query(
      `update photo_checks set answer = 'PHOTO', "answeredBy" = 'AGENT', "answeredAt" = now(),
         "answeredByUserId" = gen_random_uuid() where "imageId" = $1`,
      [copy],
    );
    await expect(answer).rejects.toThrow('photo_checks_answer_check');
    const shown = database.pool.query(`update property_images set "photoState" = 'PHOTO' where id = $1`, [
      copy,
    ]);
    await expect(shown).rejects.toThrow('follows from its check');
  });

  test('that is refused is no cover, and the cover passes on', async () => {
    const { propertyId, originalId } = await stagedListing();
    const copy = await upload(propertyId, staged);
    await database.pool.query('update property_images set "isMain" = true where id = $1', [copy]);
    await worked();
    const { rows } = await database.pool.query('select id from property_images where "isMain"');
    expect(rows).toEqual([{ id: originalId }]);
  });
});

describe('the order of work', () => {
  test('photos that wait for nothing go first, then the fingerprints that photos wait for', async () => {
    const order: string[] = [];
    const [older, newer] = [await stagedListing(), await stagedListing()];
    const waits = await upload(older.propertyId, photo);
    const free = await upload(await seedProperty(database.pool), photo);
    const seen: Record<string, string> = {
      [waits]: 'photo that waits',
      [free]: 'free photo',
      [older.imageId]: 'fingerprint waited for',
      [newer.imageId]: 'other fingerprint',
    };
    await worked({ checkpoint: (_, id) => void order.push(seen[String(id)] ?? 'unknown') });
    expect(order).toEqual(['free photo', 'fingerprint waited for', 'photo that waits', 'other fingerprint']);
  });

  test('agents take turns: many photos of one agent delay no first photo of another, who delays them no more', async () => {
    const order: string[] = [];
    const [many, few] = [await seedProperty(database.pool), await seedProperty(database.pool)];
    const seen: Record<string, string> = {};
    const uploaded = async (propertyId: string, name: string) => {
      const imageId = await upload(propertyId, photo);
      seen[imageId] = name;
      return imageId;
    };
    const checked = [await uploaded(many, 'many 1'), await uploaded(many, 'many 2')];
    for (const at of [3, 4, 5]) await uploaded(many, `many ${at}`);
    for (const imageId of checked) await giveVerdicts(database.pool, imageId);
    for (const at of [1, 2]) await uploaded(few, `few ${at}`);
    await worked({ checkpoint: (_, id) => void order.push(seen[String(id)] ?? 'unknown') });
    expect(order).toEqual(['many 3', 'few 1', 'many 4', 'few 2', 'many 5']);
  });

  test('a fingerprint that comes late makes later photos of its listing due again', async () => {
    const { propertyId, imageId } = await stagedListing();
    await database.pool.query(`update staged_fingerprints set "nextTryAt" = null, "givenUp" = 'TRIES'`);
    const copy = await upload(propertyId, staged);
    await worked();
    expect(await stateOf(copy)).toBe('PHOTO');
    await database.pool.query(
      `update staged_fingerprints set "nextTryAt" = now(), "givenUp" = null where "stagedImageId" = $1`,
      [imageId],
    );
    await worked();
    expect(await stateOf(copy)).toBe('STAGED_PICTURE');
  });

  test('the files of a fingerprint are deleted only after it is made, or after a day', async () => {
    const { key, originalId } = await stagedListing();
    const { rows } = await database.pool.query('select "objectKey" from property_images where id = $1', [
      originalId,
    ]);
    const keys = [key, rows[0].objectKey].sort();
    const store = createPostgresActorStore(database.pool);
    const at = Date.now();
    for (const objectKey of keys)
      await store.transaction((tx) =>
        createDeletion(tx, { objectKey, reason: 'STAGED_IMAGE_DELETED', notBefore: at, at }),
      );
    const due = (when = at) =>
      store.transaction(async (tx) =>
        (await tx.lockDueDeletions({ at: when, limit: 10 })).map(({ objectKey }) => objectKey).sort(),
      );
    const age = (by: string) =>
      database.pool.query('update staged_fingerprints set "createdAt" = clock_timestamp() - $1::interval', [
        by,
      ]);
    expect(await due()).toEqual([]);
    // A worker whose clock is wrong waits too.
    expect(await due(at + 48 * 3_600_000)).toEqual([]);
    const waits = async () => {
      const { rows } = await database.pool.query<{ id: string }>(
        'select id from storage_deletion_outbox where "objectKey" = any($1)',
        [keys],
      );
      const seen = await Promise.all(rows.map(({ id }) => readActor(database.pool, 'deletionItem', id)));
      return seen.map((one) => one?.beside.awaitsFingerprint);
    };
    expect(await waits()).toEqual([true, true]);
    await age('25 hours');
    expect([await due(), await waits()]).toEqual([keys, [false, false]]);
    await age('1 hour');
    expect(await due()).toEqual([]);
    await worked();
    expect(await due()).toEqual(keys);
  });

  test('two workers share the photos', async () => {
    const property = await seedProperty(database.pool);
    for (let at = 0; at < 4; at++) await upload(property, photo);
    const claims: string[] = [];
    const checkpoint = (_: CheckpointName, id?: string) => void claims.push(String(id));
    await Promise.all([started({ checkpoint }), started({ checkpoint })]);
    await expect.poll(() => parts.time.sleeping().length, { timeout: 30_000 }).toBe(2);
    expect([claims.length, new Set(claims).size]).toEqual([4, 4]);
  });
});

describe('failures', () => {
  test('a picture whose object is gone, or cannot be read, is given up at once, and no photo waits for it', async () => {
    const [gone, broken] = [await stagedListing(), await stagedListing()];
    await storage.delete(gone.key);
    await storage.put(broken.key, Buffer.from('no picture'), { contentType: 'image/jpeg' });
    const uploads = [await upload(gone.propertyId, photo), await upload(broken.propertyId, photo)];
    const worker = await worked();
    expect(await fingerprintOf(gone.imageId)).toMatchObject({
      givenUp: 'OBJECT_MISSING',
      tries: 1,
      nextTryAt: null,
    });
    expect(await fingerprintOf(broken.imageId)).toMatchObject({
      givenUp: 'UNREADABLE',
      tries: 1,
      nextTryAt: null,
    });
    for (const id of uploads) expect(await stateOf(id)).toBe('PHOTO');
    expect(await worker.metrics()).toContain(
      'proscenium_staged_fingerprints_total{outcome="given_up",role="worker"} 2',
    );
  });

  test('an object store that is away costs no try, and the photo stays private', async () => {
    const property = await seedProperty(database.pool);
    const one = await upload(property, photo);
    const away: ObjectStorage = {
      ...storage,
      get: () => Promise.reject(new StorageError('transient', 'TIMEOUT', 'get')),
    };
    await worked({ storage: away });
    expect([await stateOf(one), (await checkOf(one)).tries]).toEqual(['WAITING', 0]);
    await database.pool.query('update photo_checks set "nextTryAt" = now()');
    await worked();
    expect(await stateOf(one)).toBe('PHOTO');
  });

  test('a fingerprint that cannot be opened keeps photos private', async () => {
    const { propertyId } = await stagedListing();
    await worked();
    const one = await upload(propertyId, staged);
    const worker = await worked({ secret: 'cd'.repeat(32) });
    expect([await stateOf(one), (await checkOf(one)).tries, worker.problems().length]).toEqual([
      'WAITING',
      1,
      1,
    ]);
  });

  test.each(['after-photo-claim', 'after-fingerprint-claim'] as const)(
    'a worker that dies %s holds its work for a minute at most, and what it says later counts no more',
    async (point) => {
      const { propertyId, imageId } = await stagedListing();
      const copy = await upload(propertyId, staged);
      const dying = Promise.withResolvers<void>();
      let reached = 0;
      await started({
        checkpoint: (name) => (name === point && ++reached === 1 ? dying.promise : undefined),
      });
      await expect.poll(() => reached, { timeout: 20_000 }).toBe(1);
      const { rows } = await database.pool.query(
        `select extract(epoch from max("nextTryAt") - clock_timestamp()) < 61 as soon from (
           select "nextTryAt", claim from photo_checks union all select "nextTryAt", claim from staged_fingerprints) held
         where claim is not null`,
      );
      expect(rows).toEqual([{ soon: true }]);
      for (const table of ['photo_checks', 'staged_fingerprints'])
        await database.pool.query(`update ${table} set "nextTryAt" = now() where claim is not null`);
      await started();
      await expect.poll(() => stateOf(copy), { timeout: 20_000 }).toBe('STAGED_PICTURE');
      const after = [await checkOf(copy), await fingerprintOf(imageId)];
      dying.resolve();
      await expect.poll(() => parts.time.sleeping().length, { timeout: 20_000 }).toBe(2);
      expect([await checkOf(copy), await fingerprintOf(imageId)]).toEqual(after);
    },
  );

  test('a fingerprint whose tries all ended with their workers is given up', async () => {
    const { imageId } = await stagedListing();
    await database.pool.query('update staged_fingerprints set tries = 3, claim = $1', [randomUUID()]);
    await worked();
    expect(await fingerprintOf(imageId)).toMatchObject({ givenUp: 'TRIES', nextTryAt: null });
  });
});

test('pictures are encrypted, made once, and kept', async () => {
  const { imageId } = await stagedListing();
  await worked();
  const { pictures, madeAt, stagedKey, margins } = await fingerprintOf(imageId);
  expect([madeAt instanceof Date, stagedKey, margins]).toEqual([true, null, [0, 0, 0, 0]]);
  expect(pictures.includes('WEBP')).toBe(false);
  const { rows } = await database.pool.query('select count(*)::int as keys from staged_fingerprint_keys');
  expect(rows).toEqual([{ keys: 20 }]);
  for (const sql of ['update staged_fingerprints set tries = 0', 'delete from staged_fingerprints'])
    await expect(database.pool.query(sql)).rejects.toThrow('never changed');
  await giveVerdicts(database.pool);
});
