import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeSettings } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Person, signIn } from '../../support/platform/agent.ts';
import { openStorageGate, type StorageGate } from '../../support/platform/gates.ts';
import {
  attemptReaches,
  createListing,
  jobRow,
  roomPhoto,
  submit,
  uploadRoom,
} from '../../support/platform/listing.ts';
import { finishBoughtOnce, lineLogged, readyz } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { listKeys, sharedStack } from '../../support/platform/stack.ts';

/** An outage of the object store: results wait, uploads are rejected whole, deletions are retried. */
let gate: StorageGate;
let platform: TestPlatform;
let agent: Person;
let propertyId: string;
let seed = 0;

beforeAll(async () => {
  gate = await openStorageGate(sharedStack().s3.endpoint);
  platform = await startTestPlatform({ settings: { S3_ENDPOINT: gate.endpoint } });
  await changeSettings(platform.provider.baseUrl, { pictures: 'plain' });
  agent = await signIn(platform);
  propertyId = await createListing(agent);
}, 60_000);
afterEach(() => gate.heal());
afterAll(async () => {
  await platform.stop();
  await gate.close();
});

const newOriginal = () => {
  seed += 1;
  return uploadRoom(agent, propertyId, seed);
};
const storedKeys = () => listKeys(platform.bucket.client, platform.bucket.bucket);
const imageCount = async () =>
  (await platform.rows<{ images: number }>('select count(*)::int as images from property_images'))[0]?.images;

interface OutboxItem {
  id: string;
  objectKey: string;
  status: string;
  attempts: number;
  errorClass: string | null;
  lastError: string | null;
  waitMs: number;
}
const outboxOf = (keys: readonly string[]) =>
  platform.rows<OutboxItem>(
    `select *, extract(epoch from "nextAttemptAt" - now())::float8 * 1000 as "waitMs"
       from storage_deletion_outbox where "objectKey" = any($1) order by "objectKey"`,
    [keys],
  );
const outboxReaches = (keys: readonly string[], fits: (item: OutboxItem) => boolean) =>
  eventually(
    async () => {
      const items = await outboxOf(keys);
      if (items.length === keys.length && items.every(fits)) return items;
      throw new Error(JSON.stringify(items));
    },
    { what: `the deletion of ${keys.length} objects to move` },
  );
const hurry = (keys: readonly string[]) =>
  platform.rows('update storage_deletion_outbox set "nextAttemptAt" = now() where "objectKey" = any($1)', [
    keys,
  ]);
const keysOf = async (imageId: string): Promise<string[]> => {
  const [row] = await platform.rows<{ objectKey: string; paddedInputKey: string }>(
    'select "objectKey", "paddedInputKey" from property_images where id = $1',
    [imageId],
  );
  return [row?.objectKey ?? '', row?.paddedInputKey ?? ''].sort();
};
const isStored = (key: string) =>
  platform.bucket.client
    .send(new HeadObjectCommand({ Bucket: platform.bucket.bucket, Key: key }))
    .then(() => true)
    .catch(() => false);

test('a result that cannot be put waits in COLLECTING with its prediction, and is stored when the store is back', async () => {
  const originalImageId = await newOriginal();
  gate.refuse('unavailable', (method, path) => method === 'PUT' && path.includes('/staged/'));
  const { aiJobId } = await submit(agent, originalImageId);
  const waiting = await attemptReaches(platform, aiJobId, 'COLLECTING');
  await eventually(
    async () => {
      const [row] = await platform.rows<{ since: Date | null }>(
        'select "storageFailingSince" as since from ai_provider_attempts where id = $1',
        [waiting.id],
      );
      // More than one pass of the activity; each pass tries twice.
      return row?.since !== null && gate.refused.length >= 4;
    },
    { what: 'the put to be refused more than once' },
  );
  expect(await attemptReaches(platform, aiJobId, 'COLLECTING')).toMatchObject({
    providerPredictionId: waiting.providerPredictionId,
    objectKey: waiting.objectKey,
  });
  expect(await jobRow(platform, aiJobId)).toMatchObject({ status: 'PROCESSING', errorCode: null });
  expect(await isStored(waiting.objectKey ?? '')).toBe(false);

  gate.heal();
  await finishBoughtOnce(platform, [aiJobId]);
  expect(await attemptReaches(platform, aiJobId, 'SUCCEEDED')).toMatchObject({
    providerPredictionId: waiting.providerPredictionId,
    objectKey: waiting.objectKey,
  });
  expect(await isStored(waiting.objectKey ?? '')).toBe(true);
});

describe('an upload', () => {
  const refusedUpload = async () => {
    const before = { keys: await storedKeys(), images: await imageCount() };
    const answer = await agent.upload(propertyId, await roomPhoto(80));
    expect(answer).toMatchObject({
      status: 503,
      body: {
        error: { code: 'SERVICE_UNAVAILABLE', message: expect.any(String), messageKey: expect.any(String) },
      },
    });
    expect(await imageCount()).toBe(before.images);
    const added = (await storedKeys()).filter((key) => !before.keys.includes(key));
    return added;
  };

  test.each(['unavailable', 'denied'] as const)('is rejected whole when the store is %s', async (error) => {
    gate.refuse(error);
    expect(await refusedUpload()).toEqual([]);
    expect(await readyz(platform.urls[0] ?? '')).toMatchObject({
      status: 503,
      checks: { objects: { ok: false }, database: { ok: true } },
    });
    gate.heal();
    expect((await readyz(platform.urls[0] ?? '')).ready).toBe(true);
  });

  test('deletes the first object when the second cannot be put', async () => {
    gate.refuse('unavailable', (method, path) => method === 'PUT' && path.includes('/provider-inputs/'));
    expect(await refusedUpload()).toEqual([]);
  });

  test('leaves an object that it cannot delete to the deletion outbox', async () => {
    gate.refuse('unavailable', (method, path) => method === 'DELETE' || path.includes('/provider-inputs/'));
    const [left, ...others] = await refusedUpload();
    expect(others).toEqual([]);
    expect(await outboxOf([left ?? ''])).toMatchObject([{ status: 'PENDING', attempts: 0 }]);
    gate.heal();
    await hurry([left ?? '']);
    await outboxReaches([left ?? ''], ({ status }) => status === 'DELETED');
    expect(await isStored(left ?? '')).toBe(false);
  });
});

describe('a deletion', () => {
  const isDelete = (method: string) => method === 'DELETE';

  test('backs off while the store is unavailable, and succeeds afterwards', async () => {
    const imageId = await newOriginal();
    const keys = await keysOf(imageId);
    gate.refuse('unavailable', isDelete);
    expect((await agent.request('DELETE', `/api/property-images/${imageId}`)).status).toBe(200);
    const failed = await outboxReaches(
      keys,
      ({ status, attempts }) => status === 'PENDING' && attempts === 1,
    );
    for (const item of failed) {
      expect(item).toMatchObject({
        errorClass: 'transient',
        lastError: expect.stringContaining('ServiceUnavailable'),
      });
      expect(item.waitMs).toBeGreaterThan(0);
    }
    await hurry(keys);
    const again = await outboxReaches(keys, ({ status, attempts }) => status === 'PENDING' && attempts === 2);
    // The second wait is twice the first, which was five seconds.
    for (const item of again) expect(item.waitMs).toBeGreaterThan(6_000);
    for (const key of keys) expect(await isStored(key)).toBe(true);

    gate.heal();
    await hurry(keys);
    await outboxReaches(keys, ({ status }) => status === 'DELETED');
    for (const key of keys) expect(await isStored(key)).toBe(false);
  });

  test('that is denied is marked as needing an operator', async () => {
    const imageId = await newOriginal();
    const keys = await keysOf(imageId);
    gate.refuse('denied', isDelete);
    expect((await agent.request('DELETE', `/api/property-images/${imageId}`)).status).toBe(200);
    const failed = await outboxReaches(keys, ({ status }) => status === 'FAILED');
    for (const { id, attempts, errorClass, lastError } of failed) {
      expect({ attempts, errorClass, lastError }).toMatchObject({
        attempts: 1,
        errorClass: 'needs-person',
        lastError: expect.stringContaining('AccessDenied'),
      });
      expect(
        await lineLogged(platform, 'of the alert', (line) => line.alert !== undefined && line.actorId === id),
      ).toMatchObject({
        level: 'error',
        alert: 'deletion_failed',
        actorKind: 'deletionItem',
        errorClass: 'needs-person',
      });
    }
    for (const key of keys) expect(await isStored(key)).toBe(true);
  });
});
