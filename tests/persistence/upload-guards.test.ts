import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { NO_GROWTH_LIMITS } from '../../persistence/growth/growth-counts.ts';
import {
  adoptProviderInput,
  insertOriginal,
  type NewOriginal,
} from '../../persistence/images/image-queries.ts';
import { GUARD_MS, guardUploads, UploadExpired } from '../../persistence/images/upload-guards.ts';
import { seedOriginal, seedProperty, seedUser } from '../support/database/seed.ts';
import { useStoreDatabase } from '../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../support/manual-time.ts';

const database = useStoreDatabase();
let agentId: string;
let propertyId: string;
beforeEach(async () => {
  await database.clear();
  agentId = await seedUser(database.pool);
  propertyId = await seedProperty(database.pool, { ownerAgentId: agentId });
});

const original = (keys: string[], overrides: Partial<NewOriginal> = {}): NewOriginal => ({
  imageId: randomUUID(),
  propertyId,
  agentId,
  objectKey: keys[0] ?? '',
  providerInputKey: keys[1] ?? '',
  paddedInputKey: null,
  imageOf: null,
  bytes: 10,
  width: 640,
  height: 480,
  format: 'jpeg',
  checksum: 'ab',
  altered: null,
  credentials: null,
  fileBytes: 10,
  limits: NO_GROWTH_LIMITS,
  at: MANUAL_EPOCH,
  ...overrides,
});
const keepNothing = async () => {};
const keysOf = (name: string) => [`originals/${name}.jpg`, `inputs/${name}.jpg`];
const guard = (keys: string[]) => guardUploads(database.pool, { keys, at: MANUAL_EPOCH });
const rows = async (sql: string) => (await database.pool.query(sql)).rows;
const upload = async (name: string, overrides: Partial<NewOriginal> = {}) =>
  insertOriginal(database.pool, original(keysOf(name), overrides), await guard(keysOf(name)), keepNothing);

describe('guards', () => {
  test('queue the keys for deletion after a quarter of an hour, and are removed when the row is stored', async () => {
    const guards = await guard(keysOf('a'));
    expect(
      await rows(
        'select "objectKey", reason, status, "nextAttemptAt" from storage_deletion_outbox order by 1 desc',
      ),
    ).toEqual(
      keysOf('a').map((objectKey) => ({
        objectKey,
        reason: 'ORIGINAL_IMAGE_DELETED',
        status: 'PENDING',
        nextAttemptAt: new Date(MANUAL_EPOCH + GUARD_MS),
      })),
    );
    const image = await insertOriginal(database.pool, original(keysOf('a')), guards, keepNothing);
    expect(image).toMatchObject({ propertyId, position: 0, isMain: true, isStyled: false, width: 640 });
    expect(await rows('select 1 from storage_deletion_outbox')).toEqual([]);
  });

  test.each([
    [
      'claimed',
      `update storage_deletion_outbox set status = 'PROCESSING', version = 1 where "objectKey" like 'inputs/%'`,
    ],
    [
      'deleted',
      `update storage_deletion_outbox set status = 'DELETED', version = 2 where "objectKey" like 'originals/%'`,
    ],
    ['tried and given back', 'update storage_deletion_outbox set version = 3'],
    ['pruned', `delete from storage_deletion_outbox where "objectKey" like 'inputs/%'`],
  ])('that the sweep has %s make the upload fail without a trace', async (_, sweep) => {
    const guards = await guard(keysOf('a'));
    await database.pool.query(sweep);
    await expect(insertOriginal(database.pool, original(keysOf('a')), guards, keepNothing)).rejects.toThrow(
      UploadExpired,
    );
    expect(await rows('select 1 from property_images')).toEqual([]);
  });

  test('are kept when the property belongs to another agent', async () => {
    const otherUser = await seedUser(database.pool);
    expect(await upload('a', { agentId: otherUser })).toBeNull();
    expect(await upload('b', { propertyId: randomUUID() })).toBeNull();
    expect(await rows('select 1 from storage_deletion_outbox')).toHaveLength(4);
  });
});

describe('originals', () => {
  test('uploaded at once get different positions and one cover', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => upload(name)));
    expect(await rows('select position from property_images order by position')).toEqual(
      [0, 1, 2, 3, 4].map((position) => ({ position })),
    );
    expect(await rows('select 1 from property_images where "isMain"')).toHaveLength(1);
  });

  test('an assigned agent may upload', async () => {
    const assigned = await seedUser(database.pool);
    await database.pool.query('insert into property_agents values ($1, $2)', [propertyId, assigned]);
    expect(await upload('a', { agentId: assigned })).not.toBeNull();
  });

  test('a provider copy of each framing is recorded once, with the size of its photo', async () => {
    const { imageId } = await seedOriginal(database.pool, { propertyId, providerInputKey: null });
    const adopt = async (framing: 'photo' | 'fixed', key: string, photo = { width: 1200, height: 900 }) =>
      adoptProviderInput(database.pool, { imageId, framing, key, photo, guards: await guard([key]) });
    expect(await adopt('fixed', 'inputs/1.jpg')).toBe(true);
    expect(await adopt('fixed', 'inputs/2.jpg')).toBe(false);
    expect(await adopt('photo', 'inputs/3.jpg', { width: 1, height: 1 })).toBe(true);
    expect(
      await rows('select "providerInputKey", "paddedInputKey", "outputWidth" from property_images'),
    ).toEqual([{ providerInputKey: 'inputs/1.jpg', paddedInputKey: 'inputs/3.jpg', outputWidth: 1200 }]);
    expect(await rows('select "objectKey" as key from storage_deletion_outbox')).toEqual([
      { key: 'inputs/2.jpg' },
    ]);
  });
});
