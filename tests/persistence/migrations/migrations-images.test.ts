import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import {
  closeTestDatabases,
  type OpenedDatabase,
  openTestDatabase,
} from '../../support/database/legacy-database.ts';
import { LegacyPlatform } from '../../support/database/legacy-rows.ts';

let database: OpenedDatabase;
let legacy: LegacyPlatform;
let propertyId: string;
afterEach(closeTestDatabases);
beforeEach(async () => {
  database = await openTestDatabase({ until: '0007_user_profiles' });
  legacy = new LegacyPlatform(database.pool);
  propertyId = await legacy.property();
});

const image = async (id: string) =>
  (await database.pool.query('select * from property_images where id = $1', [id])).rows[0];
const reviewEvents = async (imageId: string) =>
  (
    await database.pool.query(
      'select kind, reason, "actorUserId", "propertyId", "styledFromId", "canonicalStyle", "aiJobId", "objectKey", at from property_image_review_events where "imageId" = $1',
      [imageId],
    )
  ).rows;
const outbox = async (): Promise<Record<string, string>> => {
  const { rows } = await database.pool.query<{ objectKey: string; reason: string; status: string }>(
    'select "objectKey", reason, status from storage_deletion_outbox',
  );
  expect(rows.every(({ status }) => status === 'PENDING')).toBe(true);
  expect(new Set(rows.map(({ objectKey }) => objectKey)).size).toBe(rows.length);
  return Object.fromEntries(rows.map(({ objectKey, reason }) => [objectKey, reason]));
};

async function expectRemoved(imageId: string, reason: string): Promise<void> {
  expect(await image(imageId)).toBeUndefined();
  expect(await reviewEvents(imageId)).toMatchObject([{ kind: 'REJECTED', reason, actorUserId: null }]);
}

describe('a staged row that stays', () => {
  test('is approved since its creation, without a reviewer, with one event and one journal line', async () => {
    const original = await legacy.original({ propertyId });
    const createdAt = new Date('2025-03-04T05:06:07.890Z');
    const aiJobId = randomUUID();
    const staged = await legacy.staged({
      propertyId,
      styledFromId: original,
      style: 'Boho',
      objectKey: 'staged/boho',
      aiJobId,
      createdAt: createdAt.toISOString(),
    });
    await migrate(database.url);

    const row = await image(staged);
    expect(row).toMatchObject({
      style: 'Boho',
      canonicalStyle: 'FARMHOUSE',
      reviewStatus: 'APPROVED',
      reviewedAt: createdAt,
      reviewedByUserId: null,
      version: 1,
    });
    expect(await reviewEvents(staged)).toEqual([
      {
        kind: 'APPROVED',
        reason: 'MIGRATED',
        actorUserId: null,
        propertyId,
        styledFromId: original,
        canonicalStyle: 'FARMHOUSE',
        aiJobId,
        objectKey: 'staged/boho',
        at: createdAt,
      },
    ]);
    const journal = await database.pool.query('select * from actor_transitions where "actorId" = $1', [
      staged,
    ]);
    expect(journal.rows).toMatchObject([
      {
        actorKind: 'imageReview',
        seq: 1,
        eventType: 'MIGRATED',
        event: { type: 'MIGRATED', at: expect.any(Number) },
        fromState: null,
        toState: 'APPROVED',
        actedBy: 'migration',
      },
    ]);
    expect(await outbox()).toEqual({});
  });

  test.each([
    ['modern', 'MODERN'],
    ['  Mid-Century   Modern ', 'MODERN'],
    ['JAPANDI', 'SCANDINAVIAN'],
    ['urban industrial', 'INDUSTRIAL'],
    ['french_country', 'FARMHOUSE'],
    ['Traditional', 'TRADITIONAL'],
    ['art-deco', 'LUXURY'],
    ['no-furniture', null],
    ['gothic revival', null],
    [null, null],
  ])('keeps its style text %j and becomes %s', async (style, canonicalStyle) => {
    const original = await legacy.original({ propertyId });
    const staged = await legacy.staged({ propertyId, styledFromId: original, style });
    await migrate(database.url);
    expect(await image(staged)).toMatchObject({ style, canonicalStyle, reviewStatus: 'APPROVED' });
  });
});

describe('covers', () => {
  test('a staged cover is cleared and the first original takes its place', async () => {
    const later = await legacy.original({ propertyId, position: 2 });
    const first = await legacy.original({ propertyId, position: 1 });
    const staged = await legacy.staged({ propertyId, styledFromId: later, style: 'modern', isMain: true });
    await migrate(database.url);
    expect((await image(staged)).isMain).toBe(false);
    expect((await image(first)).isMain).toBe(true);
    expect((await image(later)).isMain).toBe(false);
  });

  test('an original that is the cover stays the cover, and a second cover is cleared', async () => {
    const first = await legacy.original({ propertyId, position: 0 });
    const cover = await legacy.original({ propertyId, position: 1, isMain: true });
    const second = await legacy.original({ propertyId, position: 2, isMain: true });
    await legacy.staged({ propertyId, styledFromId: cover, style: 'modern', isMain: true });
    await migrate(database.url);
    const mains = await Promise.all([first, cover, second].map(async (id) => (await image(id)).isMain));
    expect(mains).toEqual([false, true, false]);
  });

  test('the cover of a removed staged row is replaced too; a listing without a cover is left alone', async () => {
    const original = await legacy.original({ propertyId });
    await legacy.staged({ propertyId, styledFromId: randomUUID(), style: 'modern', isMain: true });
    const bare = await legacy.original({ propertyId: await legacy.property() });
    await migrate(database.url);
    expect((await image(original)).isMain).toBe(true);
    expect((await image(bare)).isMain).toBe(false);
  });
});

describe('rows that are removed', () => {
  test('orphans: original deleted, never named, itself staged, or of another listing', async () => {
    const original = await legacy.original({ propertyId });
    const foreign = await legacy.original({ propertyId: await legacy.property() });
    const kept = await legacy.staged({ propertyId, styledFromId: original, style: 'modern' });
    const orphans = {
      'staged/gone': await legacy.staged({
        propertyId,
        styledFromId: randomUUID(),
        style: 'modern',
        objectKey: 'staged/gone',
      }),
      'staged/none': await legacy.staged({
        propertyId,
        styledFromId: null,
        style: 'modern',
        objectKey: 'staged/none',
      }),
      'staged/child': await legacy.staged({
        propertyId,
        styledFromId: kept,
        style: 'luxury',
        objectKey: 'staged/child',
      }),
      'staged/foreign': await legacy.staged({
        propertyId,
        styledFromId: foreign,
        style: 'loft',
        objectKey: 'staged/foreign',
      }),
    };
    await migrate(database.url);
    for (const id of Object.values(orphans)) await expectRemoved(id, 'MIGRATED_ORPHAN');
    expect(await image(kept)).toBeDefined();
    expect(await outbox()).toEqual(
      Object.fromEntries(Object.keys(orphans).map((key) => [key, 'MIGRATED_ORPHAN'])),
    );
  });

  test('duplicates of one style: the newest stays, then the greatest id', async () => {
    const original = await legacy.original({ propertyId });
    const make = (style: string, createdAt: string, id: string) =>
      legacy.staged({
        propertyId,
        styledFromId: original,
        style,
        createdAt,
        id,
        objectKey: `staged/${id[0]}`,
      });
    const at = (id: string) => `${id}0000000-0000-4000-8000-000000000000`;
    await make('modern', '2025-01-03T00:00:00Z', at('1'));
    await make('Contemporary', '2025-01-09T00:00:00Z', at('2'));
    await make('bauhaus', '2025-01-09T00:00:00Z', at('3'));
    await make('luxury', '2025-01-01T00:00:00Z', at('4'));
    await migrate(database.url);
    await expectRemoved(at('1'), 'MIGRATED_DUPLICATE');
    await expectRemoved(at('2'), 'MIGRATED_DUPLICATE');
    expect(await image(at('3'))).toMatchObject({ style: 'bauhaus', canonicalStyle: 'MODERN' });
    expect(await image(at('4'))).toMatchObject({ canonicalStyle: 'LUXURY' });
    expect(await outbox()).toEqual({ 'staged/1': 'MIGRATED_DUPLICATE', 'staged/2': 'MIGRATED_DUPLICATE' });
  });

  test('duplicates of one legacy style, and of none', async () => {
    const original = await legacy.original({ propertyId });
    const make = (style: string | null, day: number) =>
      legacy.staged({ propertyId, styledFromId: original, style, createdAt: `2025-01-0${day}T00:00:00Z` });
    const old = [await make('gothic', 1), await make('no-furniture', 1), await make(null, 1)];
    const fresh = [await make('gothic', 2), await make('no-furniture', 2), await make(null, 2)];
    await migrate(database.url);
    for (const id of old) await expectRemoved(id, 'MIGRATED_DUPLICATE_LEGACY');
    for (const id of fresh)
      expect(await image(id)).toMatchObject({ canonicalStyle: null, reviewStatus: 'APPROVED' });
    expect(Object.values(await outbox())).toEqual(Array(3).fill('MIGRATED_DUPLICATE_LEGACY'));
  });

  test('of several results of one job the newest stays; an original never names a job', async () => {
    const aiJobId = randomUUID();
    const original = await legacy.original({ propertyId, aiJobId, styledFromId: randomUUID() });
    const make = (style: string, day: number) =>
      legacy.staged({
        propertyId,
        styledFromId: original,
        style,
        aiJobId,
        createdAt: `2025-01-0${day}T00:00:00Z`,
      });
    const old = await make('modern', 1);
    const fresh = await make('luxury', 2);
    await migrate(database.url);
    await expectRemoved(old, 'MIGRATED_DUPLICATE_JOB_RESULT');
    expect(await image(fresh)).toMatchObject({ aiJobId });
    expect(await image(original)).toMatchObject({ aiJobId: null, styledFromId: null, reviewStatus: null });
    expect(Object.values(await outbox())).toEqual(['MIGRATED_DUPLICATE_JOB_RESULT']);
  });

  test('a file of a remaining row is not deleted, and no file is deleted twice', async () => {
    const original = await legacy.original({ propertyId, objectKey: 'originals/a' });
    const copyOfOriginal = await legacy.staged({
      propertyId,
      styledFromId: original,
      style: 'loft',
      objectKey: 'originals/a',
    });
    const kept = await legacy.staged({
      propertyId,
      styledFromId: original,
      style: 'modern',
      objectKey: 'staged/shared',
      createdAt: '2025-02-02T00:00:00Z',
    });
    const sharers = await Promise.all(
      ['luxury', 'rustic'].map((style) =>
        legacy.staged({
          propertyId,
          styledFromId: original,
          style,
          objectKey: 'staged/shared',
          createdAt: '2025-01-01T00:00:00Z',
        }),
      ),
    );
    const orphans = await Promise.all(
      ['x', 'y'].map((style) =>
        legacy.staged({ propertyId, styledFromId: randomUUID(), style, objectKey: 'staged/twice' }),
      ),
    );
    const orphanOfShared = await legacy.staged({
      propertyId,
      styledFromId: randomUUID(),
      style: 'z',
      objectKey: 'staged/shared',
    });
    await migrate(database.url);
    await expectRemoved(copyOfOriginal, 'MIGRATED_DUPLICATE');
    for (const id of sharers) await expectRemoved(id, 'MIGRATED_DUPLICATE');
    for (const id of [...orphans, orphanOfShared]) await expectRemoved(id, 'MIGRATED_ORPHAN');
    expect(await image(original)).toBeDefined();
    expect(await image(kept)).toBeDefined();
    expect(await outbox()).toEqual({ 'staged/twice': 'MIGRATED_ORPHAN' });
  });
});

test('every listing is marked for indexing', async () => {
  await migrate(database.url, { until: '0010_ai_room_staging_v2_constraints' });
  const { rows } = await database.pool.query(
    'select "searchDirtyAt", "searchVersion", "searchIndexedAt" from properties',
  );
  expect(rows).toEqual([{ searchDirtyAt: expect.any(Date), searchVersion: '1', searchIndexedAt: null }]);
});

test('a backfill that fails changes nothing and can be run again', async () => {
  const original = await legacy.original({ propertyId });
  const staged = await legacy.staged({ propertyId, styledFromId: original, style: 'modern' });
  const strange = await legacy.job({ type: 'mow-the-lawn' });
  await expect(migrate(database.url)).rejects.toThrow('mow-the-lawn');
  expect(await image(staged)).toMatchObject({ reviewStatus: null, canonicalStyle: null, version: 0 });
  expect(await reviewEvents(staged)).toEqual([]);
  await database.pool.query('delete from ai_jobs where id = $1', [strange]);
  expect(await migrate(database.url, { until: '0010_ai_room_staging_v2_constraints' })).toEqual([
    '0009_ai_room_staging_v2_backfill',
    '0010_ai_room_staging_v2_constraints',
  ]);
  expect(await image(staged)).toMatchObject({ reviewStatus: 'APPROVED' });
});

test('version equals the number of journal lines for every row', async () => {
  const original = await legacy.original({ propertyId });
  await legacy.staged({ propertyId, styledFromId: original, style: 'modern' });
  await legacy.job({ payload: { imageId: original, style: 'luxury', roomType: 'bedroom' } });
  await migrate(database.url);
  expect(await versionGaps(database.pool)).toEqual([]);
});

async function versionGaps(pool: pg.Pool): Promise<unknown[]> {
  const { rows } = await pool.query(`
    select a.id from (
      select id, version from property_images union all
      select id, version from ai_jobs union all
      select id, version from storage_deletion_outbox) a
    where version <> (select count(*) from actor_transitions t where t."actorId" = a.id)`);
  return rows;
}
