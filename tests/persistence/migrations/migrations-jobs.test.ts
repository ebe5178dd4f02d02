import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import {
  closeTestDatabases,
  type OpenedDatabase,
  openTestDatabase,
} from '../../support/database/legacy-database.ts';
import { type LegacyJob, LegacyPlatform } from '../../support/database/legacy-rows.ts';

let database: OpenedDatabase;
let legacy: LegacyPlatform;
let propertyId: string;
let originalId: string;
afterEach(closeTestDatabases);
beforeEach(async () => {
  database = await openTestDatabase({ until: '0007_user_profiles' });
  legacy = new LegacyPlatform(database.pool);
  propertyId = await legacy.property();
  originalId = await legacy.original({ propertyId });
});

const job = async (id: string) =>
  (await database.pool.query('select * from ai_jobs where id = $1', [id])).rows[0];
const details = async (id: string) =>
  (await database.pool.query('select * from ai_room_staging_jobs where "aiJobId" = $1', [id])).rows[0];
const staging = (overrides: LegacyJob & { style?: string; roomType?: string } = {}) => {
  const { style = 'Boho', roomType = 'living-room', ...rest } = overrides;
  return legacy.job({ propertyId, payload: { imageId: originalId, style, roomType }, ...rest });
};

describe('a waiting staging job', () => {
  test('becomes a v2 job that can run unchanged', async () => {
    const userId = randomUUID();
    const id = await staging({ userId });
    await migrate(database.url);
    expect(await job(id)).toMatchObject({
      type: 'ROOM_STAGING',
      status: 'PENDING',
      phase: 'QUEUED',
      errorCode: null,
      dedupeKey: `staging:${originalId}:FARMHOUSE`,
      requestedByUserId: userId,
      propertyId,
      finishedAt: null,
      version: 1,
    });
    const row = await details(id);
    expect(row).toMatchObject({
      originalImageId: originalId,
      resultImageId: null,
      canonicalRoomType: 'LIVING_ROOM',
      canonicalStyle: 'FARMHOUSE',
      styleModifier: 'layered textiles',
      promptVersion: 'room-staging-migrated',
      providerModel: 'openai/gpt-image-2',
      quality: 'medium',
      aspectRatio: '1:1',
      outputFormat: 'jpeg',
      outputCompression: 92,
      submittedStyle: 'Boho',
      legacyStyle: 'Boho',
    });
    expect(row.prompt).toMatch(/^Edit this photo.*Living room: .*Farmhouse style: .*; layered textiles\.$/);
    const { rows } = await database.pool.query('select * from actor_transitions where "actorId" = $1', [id]);
    expect(rows).toMatchObject([
      {
        actorKind: 'stagingJob',
        seq: 1,
        eventType: 'MIGRATED',
        fromState: null,
        toState: 'PENDING.QUEUED',
        actedBy: 'migration',
      },
    ]);
  });

  test.each([
    ['an unknown style', { style: 'gothic' }, 'FAILED', 'UNKNOWN_STYLE'],
    ['no furniture', { style: 'no-furniture' }, 'FAILED', 'UNKNOWN_STYLE'],
    ['an unknown room', { roomType: 'garage' }, 'FAILED', 'UNKNOWN_ROOM_TYPE'],
    ['no payload at all', { payload: {} }, 'FAILED', 'UNKNOWN_STYLE'],
    [
      'an original that is gone',
      { payload: { imageId: randomUUID(), style: 'loft', roomType: 'office' } },
      'CANCELED',
      null,
    ],
    [
      'an image id that is none',
      { payload: { imageId: 'photo 7', style: 'loft', roomType: 'office' } },
      'CANCELED',
      null,
    ],
  ])('ends for %s', async (_, overrides, status, errorCode) => {
    const id = await staging(overrides);
    await migrate(database.url);
    const row = await job(id);
    expect(row).toMatchObject({ status, phase: null, errorCode, version: 1 });
    expect(row.finishedAt).toEqual(row.updatedAt);
    expect(row.canceledAt).toEqual(status === 'CANCELED' ? row.updatedAt : null);
    expect(await details(id)).toMatchObject({ promptVersion: 'legacy', prompt: '' });
  });

  test('ends when another job has already made its picture', async () => {
    await legacy.staged({ propertyId, styledFromId: originalId, style: 'moroccan' });
    const id = await staging();
    await migrate(database.url);
    expect(await job(id)).toMatchObject({ status: 'FAILED', errorCode: 'VARIANT_EXISTS' });
  });

  test('succeeds when its own result exists', async () => {
    const id = await staging();
    const result = await legacy.staged({ propertyId, styledFromId: originalId, style: 'Boho', aiJobId: id });
    await migrate(database.url);
    expect(await job(id)).toMatchObject({ status: 'SUCCESS', errorCode: null });
    expect(await details(id)).toMatchObject({ resultImageId: result });
  });

  test('is the only one for its picture: the oldest goes on, the others end', async () => {
    const second = await staging({ createdAt: '2025-01-02T00:00:00Z', style: 'moroccan' });
    const first = await staging({ createdAt: '2025-01-01T00:00:00Z', style: 'Farmhouse' });
    const active = await staging({ createdAt: '2024-12-31T00:00:00Z', status: 'active' });
    const other = await staging({ createdAt: '2025-01-03T00:00:00Z', style: 'luxury' });
    await migrate(database.url);
    expect(await job(first)).toMatchObject({ status: 'PENDING', phase: 'QUEUED' });
    expect(await job(other)).toMatchObject({ status: 'PENDING', phase: 'QUEUED' });
    for (const id of [second, active])
      expect(await job(id)).toMatchObject({ status: 'FAILED', errorCode: 'MIGRATED_DUPLICATE' });
  });
});

describe('legacy statuses', () => {
  test.each([
    ['queued', 'PENDING', null],
    ['Waiting', 'PENDING', null],
    ['retrying', 'PENDING', null],
    ['in-progress', 'FAILED', 'MIGRATED_IN_FLIGHT'],
    ['processing', 'FAILED', 'MIGRATED_IN_FLIGHT'],
    ['completed', 'SUCCESS', null],
    ['failed', 'FAILED', 'LEGACY_FAILURE'],
    ['cancelled', 'CANCELED', null],
    ['cancel_requested', 'CANCELED', null],
    ['on holiday', 'FAILED', 'LEGACY_STATUS_UNKNOWN'],
  ])('%s becomes %s', async (status, expected, errorCode) => {
    const id = await staging({ status });
    await migrate(database.url);
    expect(await job(id)).toMatchObject({ status: expected, errorCode });
  });

  test('a job in progress without a canonical style first ends as an unknown style', async () => {
    const id = await staging({ status: 'active', style: 'gothic' });
    await migrate(database.url);
    expect(await job(id)).toMatchObject({ status: 'FAILED', errorCode: 'UNKNOWN_STYLE' });
  });
});

describe('the audit copy', () => {
  test('keeps what was submitted, without links', async () => {
    const id = await staging({
      type: 'Room Staging',
      status: 'failed',
      error: 'cannot read https://files.example.org/a.jpg?signature=abc at all',
      payload: {
        imageId: originalId,
        style: 'Glam',
        roomType: 'bed',
        imageUrl: 'https://x.example/y?sig=1',
        seed: 7,
      },
    });
    await migrate(database.url);
    const row = await details(id);
    expect(row.legacyMetadata).toEqual({
      type: 'Room Staging',
      status: 'failed',
      error: 'cannot read [link] at all',
      payload: { imageId: originalId, style: 'Glam', roomType: 'bed', seed: 7 },
    });
    expect(row).toMatchObject({
      submittedStyle: 'Glam',
      legacyStyle: 'Glam',
      canonicalStyle: 'LUXURY',
      canonicalRoomType: 'BEDROOM',
    });
  });

  test('takes style and original from the result when the payload has none', async () => {
    const id = await staging({ status: 'completed', payload: {} });
    await legacy.staged({ propertyId, styledFromId: originalId, style: 'Nordic', aiJobId: id });
    await migrate(database.url);
    expect(await details(id)).toMatchObject({
      originalImageId: originalId,
      legacyStyle: 'Nordic',
      canonicalStyle: 'SCANDINAVIAN',
    });
  });

  test('drops the legacy columns and the reference to a deleted listing', async () => {
    const id = await staging({ propertyId: randomUUID(), status: 'completed' });
    await migrate(database.url);
    const row = await job(id);
    expect(row.propertyId).toBeNull();
    expect(Object.keys(row).filter((column) => column.startsWith('legacy') || column === 'payload')).toEqual(
      [],
    );
  });
});

test('description jobs become v2 jobs of their own type', async () => {
  const waiting = await legacy.job({ type: 'description', propertyId, payload: { locale: 'es' } });
  const active = await legacy.job({ type: 'generate-description', propertyId, status: 'active' });
  await migrate(database.url);
  // Its output is no longer read: 0017 replaces it.
  expect(await job(waiting)).toMatchObject({
    type: 'DESCRIPTION',
    status: 'FAILED',
    phase: null,
    errorCode: 'MIGRATED_NOT_STARTED',
    dedupeKey: `description:${propertyId}:es`,
    version: 0,
  });
  expect(await job(active)).toMatchObject({
    type: 'DESCRIPTION',
    status: 'FAILED',
    errorCode: 'MIGRATED_IN_FLIGHT',
  });
  expect(await details(waiting)).toBeUndefined();
});
