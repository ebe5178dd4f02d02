import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCommandRedis } from '../../../src/queues/redis.ts';
import { type CardReader, createCardReaders } from '../../../src/search/cards.ts';
import { documentKey } from '../../../src/search/document.ts';
import { createDocumentReader, createDocumentStore } from '../../../src/search/document-store.ts';
import { indexProperty } from '../../../src/search/indexer.ts';
import { systemTimers } from '../../../src/time.ts';
import type { PictureChoice } from '../../../src/wire/listings/picture-choice.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import {
  seedApproval,
  seedOriginal,
  seedProperty,
  seedUser,
  seedVariant,
} from '../../support/database/seed.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { kvUrl } from '../../support/platform/stack.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

const DAY = 86_400_000;
const publicBaseUrl = 'https://api.example.com';
let database: TestDatabase;
let pool: pg.Pool;
let redis: Redis;
let cards: CardReader;
let now = MANUAL_EPOCH;
let asked: string[] = [];
let ownerAgentId: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  redis = new Redis(kvUrl());
  const query = (sql: string, values: unknown[]) => {
    asked.push(sql);
    return pool.query(sql, values);
  };
  cards = createCardReaders({
    documents: createDocumentReader(redis, systemTimers),
    clock: { now: () => now },
    publicBaseUrl,
  })({ query } as unknown as pg.Pool);
  ownerAgentId = await seedUser(pool);
});
afterAll(async () => {
  const { rows } = await pool.query<{ id: string }>('select id from properties');
  if (rows.length > 0) await redis.del(rows.map(({ id }) => documentKey(id)));
  redis.disconnect();
  await pool.end();
  await database.drop();
});
beforeEach(() => {
  now = MANUAL_EPOCH;
  asked = [];
});

const LISTING = {
  listPrice: '1250000.50',
  bathroomsTotal: '2.50',
  livingArea: '180.25',
  livingAreaUnits: 'Square Meters',
  bedroomsTotal: 3,
  latitude: 47.6,
  longitude: -122.3,
  features: ['FIREPLACE', 'DECK'],
  listedAt: new Date(MANUAL_EPOCH - 3 * DAY),
  updatedAt: new Date(MANUAL_EPOCH - 3 * DAY),
};
const seed = (columns: Record<string, unknown> = {}) =>
  seedProperty(pool, { ownerAgentId, ...LISTING, ...columns });
const index = (propertyId: string) =>
  indexProperty(
    {
      pool,
      documents: createDocumentStore(redis),
      clock: { now: () => now },
      publicBaseUrl,
      reporter: createRecordingReporter(),
      checkpoint: () => {},
    },
    propertyId,
  );
const cardOf = async (propertyId: string) => (await cards.of([propertyId], 'any'))[0];
const withoutDocument = async (propertyId: string) => {
  await redis.del(documentKey(propertyId));
  return cardOf(propertyId);
};

describe('a document', () => {
  test('has the fields of the card, and gives the same card back', async () => {
    const propertyId = await seed();
    const front = { roomType: null, imageOf: 'Front of Structure' };
    const cover = await seedOriginal(pool, { propertyId, isMain: true, position: 3, ...front });
    const staged = await seedVariant(pool, cover, { reviewStatus: 'APPROVED' });
    await seedVariant(pool, cover, { style: 'LUXURY', canonicalStyle: 'LUXURY' });
    await index(propertyId);
    const document = await redis.hgetall(documentKey(propertyId));
    expect(document).toMatchObject({
      propertyId,
      listPrice: '1250000.5',
      bathroomsTotal: '2.5',
      livingArea: '180.25',
      bedroomsTotal: '3',
      stateOrProvince: '',
      features: '["FIREPLACE","DECK"]',
      coverImageId: cover.imageId,
      standardStatus: 'Active',
      daysOnMarket: '3',
      indexedAt: new Date(now).toISOString(),
    });
    expect(JSON.parse(document.images ?? '')).toEqual([
      {
        imageId: cover.imageId,
        url: `${publicBaseUrl}/api/images/${cover.imageId}`,
        isStyled: false,
        disclosureLabel: null,
        imageOf: 'Front of Structure',
      },
      {
        imageId: staged,
        url: `${publicBaseUrl}/api/images/${staged}`,
        isStyled: true,
        disclosureLabel: 'AI · Virtually staged',
        imageOf: 'Living Room',
      },
    ]);
    const fromDocument = await cardOf(propertyId);
    expect(asked).toHaveLength(1);
    const fromDatabase = await withoutDocument(propertyId);
    expect(fromDocument).toEqual(fromDatabase);
    const {
      hiddenStagedCount,
      imageCount,
      isNew,
      priceChange,
      openHouse,
      closePrice,
      closeDate,
      listedBy,
      ...kept
    } = fromDatabase ?? {};
    expect({
      hiddenStagedCount,
      imageCount,
      isNew,
      priceChange,
      openHouse,
      closePrice,
      closeDate,
      listedBy,
    }).toEqual({
      hiddenStagedCount: 0,
      imageCount: 2,
      isNew: false,
      priceChange: null,
      openHouse: null,
      closePrice: null,
      closeDate: null,
      listedBy: null,
    });
    expect(Object.keys(document).sort()).toEqual(
      [...Object.keys(kept), 'indexedAt', 'documentVersion'].sort(),
    );
  });

  test('of a listing with only required fields is complete', async () => {
    const propertyId = await seedProperty(pool, { ownerAgentId });
    await index(propertyId);
    const card = await cardOf(propertyId);
    expect(asked).toHaveLength(1);
    expect(card).toEqual(await withoutDocument(propertyId));
    expect(card).toMatchObject({ bedroomsTotal: null, latitude: null, images: [], coverImageId: null });
  });

  test('never has a staged picture as the cover', async () => {
    const propertyId = await seed();
    const original = await seedOriginal(pool, { propertyId });
    await seedVariant(pool, original, { reviewStatus: 'APPROVED', position: -1 });
    await index(propertyId);
    expect((await redis.hgetall(documentKey(propertyId))).coverImageId).toBe(original.imageId);
  });
});

describe('cards', () => {
  test('are read from the documents, with one query for all of them', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => seed()));
    for (const id of ids) await index(id);
    asked = [];
    const found = await cards.of(ids, 'any');
    expect(found.map(({ propertyId }) => propertyId)).toEqual(ids);
    expect(asked).toHaveLength(1);
  });

  test('are kept for ten seconds, while the database says that their version is the right one', async () => {
    const propertyId = await seed();
    await index(propertyId);
    const documents = createDocumentReader(redis, systemTimers);
    const read: (readonly string[])[] = [];
    const keeping = createCardReaders({
      documents: {
        read(ids) {
          read.push(ids);
          return documents.read(ids);
        },
      },
      clock: { now: () => now },
      publicBaseUrl,
    })(pool);
    const price = async () => (await keeping.of([propertyId], 'any'))[0]?.listPrice;
    const [first, second] = [await price(), await price()];
    expect([first, second, read]).toEqual([1250000.5, 1250000.5, [[propertyId], []]]);
    await pool.query('update properties set "listPrice" = 9 where id = $1', [propertyId]);
    await index(propertyId);
    // The old card is in the way once.
    expect([await price(), await price(), await price(), read.length]).toEqual([9, 9, 9, 5]);
    expect(read.slice(2)).toEqual([[], [propertyId], []]);
    now += 10_000;
    expect([await price(), read.at(-1)]).toEqual([9, [propertyId]]);
    await pool.query(
      `update properties set "standardStatus" = 'Incomplete', "searchVersion" = "searchVersion" - 1 where id = $1`,
      [propertyId],
    );
    expect(await price()).toBe(undefined);
  });

  test('that are missing are read from the database, with one more query for all of them', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => seed()));
    for (const id of ids.slice(0, 10)) await index(id);
    asked = [];
    const found = await cards.of([...ids, randomUUID(), ids[0] as string], 'any');
    expect(found.map(({ propertyId }) => propertyId)).toEqual([...ids, ids[0]]);
    expect(asked).toHaveLength(2);
  });

  test('of an empty list need no query', async () => {
    expect(await cards.of([], 'any')).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('show committed values, whatever the document contains', async () => {
    const propertyId = await seed();
    const original = await seedOriginal(pool, { propertyId });
    const variant = await seedVariant(pool, original);
    await index(propertyId);
    await pool.query('update properties set "listPrice" = 7 where id = $1', [propertyId]);
    expect(await cardOf(propertyId)).toMatchObject({ listPrice: 7 });
    await seedApproval(pool, variant);
    expect((await cardOf(propertyId))?.images).toHaveLength(2);
    await pool.query('delete from property_images where id = $1', [variant]);
    expect((await cardOf(propertyId))?.images).toHaveLength(1);
  });

  test('are shown by status: on the market, off the market, and never', async () => {
    const propertyId = await seed();
    await index(propertyId);
    const seen: string[] = [];
    for (const status of [
      'Active',
      'Hold',
      'Withdrawn',
      'Incomplete',
      'Pending',
      'Canceled',
      'Expired',
      'Closed',
    ]) {
      await pool.query('update properties set "standardStatus" = $2 where id = $1', [propertyId, status]);
      const card = await cardOf(propertyId);
      if (card) seen.push(card.standardStatus);
    }
    expect(seen).toEqual(['Active', 'Hold', 'Withdrawn', 'Pending', 'Canceled', 'Expired', 'Closed']);
    await pool.query(`update properties set "standardStatus" = 'Delete' where id = $1`, [propertyId]);
    expect(await cards.of([propertyId], 'any')).toEqual([]);
    await pool.query('delete from properties where id = $1', [propertyId]);
    expect(await cards.of([propertyId], 'any')).toEqual([]);
    await redis.del(documentKey(propertyId));
  });

  test('of a hidden listing are omitted even while its document exists', async () => {
    const propertyId = await seed();
    await index(propertyId);
    await pool.query(
      `update properties set "standardStatus" = 'Incomplete', "searchVersion" = "searchVersion" - 1 where id = $1`,
      [propertyId],
    );
    expect(await redis.exists(documentKey(propertyId))).toBe(1);
    expect(await cards.of([propertyId], 'any')).toEqual([]);
  });

  test('compute the days on the market when read, and stop when the listing leaves the market', async () => {
    const propertyId = await seed();
    await index(propertyId);
    now += 10 * DAY;
    expect(await cardOf(propertyId)).toMatchObject({ daysOnMarket: 13 });
    expect((await redis.hgetall(documentKey(propertyId))).daysOnMarket).toBe('3');
    await pool.query(`update properties set "standardStatus" = 'Withdrawn', "updatedAt" = $2 where id = $1`, [
      propertyId,
      new Date(MANUAL_EPOCH + 2 * DAY),
    ]);
    expect(await cardOf(propertyId)).toMatchObject({ daysOnMarket: 5, standardStatus: 'Withdrawn' });
  });

  test.each<[string, Record<string, string>]>([
    ['broken JSON', { images: '[{' }],
    ['an image that does not say whether it is staged', { images: '[{"imageId":"a","url":"u"}]' }],
    ['a price in words', { listPrice: 'much' }],
    ['no price', { listPrice: '' }],
    ['an unknown status', { standardStatus: 'Sold' }],
    ['no date', { listedAt: 'yesterday' }],
  ])('are not read from a document with %s', async (_, damage) => {
    const propertyId = await seed();
    await index(propertyId);
    await redis.hset(documentKey(propertyId), damage);
    const card = await cardOf(propertyId);
    expect(asked).toHaveLength(2);
    expect(card).toEqual(await withoutDocument(propertyId));
  });

  test.each(['document', 'database'])('read from the %s show the pictures that were chosen', async (from) => {
    const propertyId = await seed();
    const second = await seedOriginal(pool, { propertyId, position: 2 });
    const first = await seedOriginal(pool, { propertyId, isMain: true, position: 1 });
    const ofFirst = await seedVariant(pool, first, { reviewStatus: 'APPROVED' });
    const ofSecond = await seedVariant(pool, second, { reviewStatus: 'APPROVED' });
    await seedVariant(pool, second, { style: 'LUXURY', canonicalStyle: 'LUXURY' });
    if (from === 'document') await index(propertyId);
    asked = [];
    const shown = async (pictures: PictureChoice) => {
      const [card] = await cards.of([propertyId], pictures);
      expect(card?.coverImageId).toBe(first.imageId);
      return { ids: card?.images.map(({ imageId }) => imageId), hidden: card?.hiddenStagedCount };
    };
    expect(await shown('any')).toEqual({
      ids: [first.imageId, ofFirst, second.imageId, ofSecond],
      hidden: 0,
    });
    expect(await shown('realFirst')).toEqual({
      ids: [first.imageId, second.imageId, ofFirst, ofSecond],
      hidden: 0,
    });
    expect(await shown('realOnly')).toEqual({ ids: [first.imageId, second.imageId], hidden: 2 });
    expect(asked).toHaveLength(from === 'document' ? 3 : 6);
  });

  test('have five pictures of all, the cover first, and say how many there are', async () => {
    const propertyId = await seed();
    const photos = [];
    for (let position = 1; position <= 6; position += 1)
      photos.push(await seedOriginal(pool, { propertyId, position, isMain: position === 1 }));
    for (const photo of photos.slice(0, 2)) await seedVariant(pool, photo, { reviewStatus: 'APPROVED' });
    await index(propertyId);
    const [first, second, ...others] = photos.map(({ imageId }) => imageId);
    for (const [pictures, imageCount] of [
      ['any', 8],
      ['realFirst', 8],
      ['realOnly', 6],
    ] as const) {
      const [card] = await cards.of([propertyId], pictures);
      expect([card?.images.length, card?.imageCount, card?.images[0]?.imageId]).toEqual([
        5,
        imageCount,
        first,
      ]);
      if (pictures !== 'any')
        expect(card?.images.map(({ imageId }) => imageId)).toEqual([first, second, ...others.slice(0, 3)]);
    }
  });

  test('say for three days that a home is new, and for thirty what its last price change took off', async () => {
    const propertyId = await seed();
    await index(propertyId);
    const news = async () => {
      const card = await cardOf(propertyId);
      return [card?.isNew, card?.priceChange];
    };
    now -= 1;
    expect(await news()).toEqual([true, null]);
    now += 1;
    expect(await news()).toEqual([false, null]);
    const minute = (minutes: number) => new Date(MANUAL_EPOCH + minutes * 60_000);
    const lowered = async (listPrice: number, minutes: number) => {
      const change = 'update properties set "listPrice" = $2, "updatedAt" = $3 where id = $1';
      await pool.query(change, [propertyId, listPrice, minute(minutes)]);
      now = Math.max(now, minute(minutes).getTime());
      const [, cut] = await news();
      return cut;
    };
    expect(await lowered(1_150_000.5, 1)).toEqual({ amount: 100_000, at: minute(1).toISOString() });
    // Nine minutes later: one change with the one before.
    expect(await lowered(1_200_000.5, 10)).toEqual({ amount: 50_000, at: minute(10).toISOString() });
    expect(await lowered(1_190_000.25, 20)).toEqual({ amount: 10_000.25, at: minute(20).toISOString() });
    expect(await lowered(1_300_000, 40)).toBe(null);
    const cut = { amount: 300_000, at: minute(60).toISOString() };
    expect(await lowered(1_000_000, 60)).toEqual(cut);
    now = minute(60).getTime() + 30 * DAY;
    await index(propertyId);
    expect(await news()).toEqual([false, cut]);
    now += 1;
    expect(await news()).toEqual([false, null]);
    now -= DAY;
    expect((await withoutDocument(propertyId))?.priceChange).toEqual(cut);
    await pool.query(
      `update properties set "standardStatus" = 'Closed', "closePrice" = 990000, "closeDate" = '2026-02-03' where id = $1`,
      [propertyId],
    );
    expect(await cardOf(propertyId)).toMatchObject({
      priceChange: null,
      closePrice: 990_000,
      closeDate: '2026-02-03',
    });
  });

  test('have images with the current base URL', async () => {
    const propertyId = await seed();
    const original = await seedOriginal(pool, { propertyId });
    const staged = await seedVariant(pool, original, { reviewStatus: 'APPROVED' });
    await index(propertyId);
    const moved = createCardReaders({
      documents: createDocumentReader(redis, systemTimers),
      clock: { now: () => now },
      publicBaseUrl: 'https://new.example.com',
    })(pool);
    const base = 'https://new.example.com';
    expect((await moved.of([propertyId], 'any'))[0]?.images).toMatchObject([
      { url: `${base}/api/images/${original.imageId}`, provenanceUrl: null },
      { url: `${base}/api/images/${staged}`, provenanceUrl: `${base}/provenance/${staged}` },
    ]);
  });
});

describe('while the key-value store', () => {
  const expected = async (documents: ReturnType<typeof createDocumentReader>) => {
    const propertyId = await seed();
    await index(propertyId);
    const reader = createCardReaders({ documents, clock: { now: () => now }, publicBaseUrl })(pool);
    expect(await reader.of([propertyId], 'any')).toEqual([await cardOf(propertyId)]);
  };

  test('is away, cards are read from the database', async () => {
    const away = createCommandRedis('redis://127.0.0.1:1', () => {});
    try {
      await expected(createDocumentReader(away, systemTimers));
    } finally {
      away.disconnect();
    }
  });

  test('hangs, answers do not wait for it', async () => {
    const hung = {
      status: 'ready',
      pipeline: () => ({ hgetall() {}, exec: () => new Promise(() => {}) }),
    };
    await expected(createDocumentReader(hung as unknown as Redis, systemTimers));
  });

  test('rejects commands, cards are read from the database', async () => {
    const refusing = {
      status: 'ready',
      pipeline: () => ({ hgetall() {}, exec: async () => [[new Error('LOADING'), null]] }),
    };
    await expected(createDocumentReader(refusing as unknown as Redis, systemTimers));
  });
});

test('an older rebuild does not replace a newer document', async () => {
  const propertyId = await seed();
  const store = createDocumentStore(redis);
  await store.write([{ propertyId, version: 5, fields: { documentVersion: '5', address: 'new' } }]);
  await store.write([{ propertyId, version: 4, fields: { documentVersion: '4', address: 'old' } }]);
  expect(await redis.hgetall(documentKey(propertyId))).toEqual({ documentVersion: '5', address: 'new' });
});
