import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmIndexed } from '../../../persistence/search/search-documents.ts';
import { giveVerdicts } from '../../support/database/photo-verdicts.ts';
import {
  createSearchDatabase,
  criteriaOf,
  type SearchDatabase,
  WORLD,
} from '../../support/database/search-database.ts';
import { madeUpListings } from '../../support/database/search-listings.ts';
import type { Filters } from '../../support/database/search-model.ts';
import { seedOriginal, seedProperty, seedUser, seedVariant } from '../../support/database/seed.ts';

let search: SearchDatabase;
let pool: Pool;
let ownerAgentId: string;
beforeAll(async () => {
  search = await createSearchDatabase(madeUpListings(400));
  pool = search.pool;
  ownerAgentId = await seedUser(pool);
});
afterAll(() => search.drop());

const PLACE = { latitude: 47.6, longitude: -122.3 };
const seed = (columns: Record<string, unknown> = {}) =>
  seedProperty(pool, { ownerAgentId, ...PLACE, ...columns });
const rowOf = async (id: string) =>
  (await pool.query('select *, xmin::text as "writtenBy" from search_listings where "propertyId" = $1', [id]))
    .rows[0];
const set = (id: string, assignment: string) =>
  pool.query(`update properties set ${assignment} where id = $1`, [id]);

/** True when list and map both find the listing; fails when they disagree. */
async function isFound(id: string, filters: Filters = {}): Promise<boolean> {
  const criteria = criteriaOf({ ...filters, location: { circle: { ...PLACE, radiusMeters: 5 } } });
  const { places, total } = await search.index.list({
    criteria,
    sort: 'NEWEST',
    origin: null,
    after: null,
    limit: 100,
  });
  expect((await search.index.map({ criteria, box: WORLD, zoom: 17 })).total).toBe(total);
  return places.some(({ propertyId }) => propertyId === id);
}

describe('the result directly after each write', () => {
  test('the four statuses of the market, and no other', async () => {
    const id = await seed();
    const found: string[] = [];
    for (const status of [
      'Active',
      'Incomplete',
      'Pending',
      'Hold',
      'Coming Soon',
      'Withdrawn',
      'Canceled',
    ]) {
      await set(id, `"standardStatus" = '${status}'`);
      if (await isFound(id)) found.push(status);
    }
    for (const status of ['Active Under Contract', 'Expired', 'Delete', 'Closed']) {
      await set(id, `"standardStatus" = '${status}'`);
      if (await isFound(id)) found.push(status);
    }
    expect(found).toEqual(['Active', 'Pending', 'Coming Soon', 'Active Under Contract']);
    expect(await isFound(id, { statuses: ['Closed'] })).toBe(true);
    await set(id, `"standardStatus" = 'Delete'`);
    expect(await isFound(id, { statuses: ['Closed', 'Active'] })).toBe(false);
  });

  test('new, changed and deleted listings', async () => {
    const id = await seed({ listPrice: '300000.50' });
    expect(await isFound(id, { price: { min: 300_000.5, max: 300_000.5 } })).toBe(true);
    await set(id, '"listPrice" = 299999.99');
    expect(await isFound(id, { price: { min: 300_000.5 } })).toBe(false);
    expect(await isFound(id, { priceReduced: true })).toBe(true);
    await pool.query('delete from properties where id = $1', [id]);
    expect(await isFound(id)).toBe(false);
  });

  test('nothing of a transaction that is rolled back', async () => {
    const id = await seed();
    const client = await pool.connect();
    await client.query('begin');
    await client.query(`update properties set "standardStatus" = 'Hold' where id = $1`, [id]);
    await client.query('rollback');
    client.release();
    expect(await isFound(id)).toBe(true);
  });

  test('the first photo moves a listing up, a staged one does not, deleting the last one moves it down', async () => {
    const id = await seed({ standardStatus: 'Pending' });
    const rank = async () => (await rowOf(id)).rank;
    expect(await rank()).toBe(0);
    const original = await seedOriginal(pool, { propertyId: id });
    expect(await rank()).toBe(2);
    await seedVariant(pool, original, { reviewStatus: 'APPROVED' });
    await set(id, `"standardStatus" = 'Active'`);
    expect(await rank()).toBe(3);
    await pool.query('delete from property_images where id = $1', [original.imageId]);
    expect(await rank()).toBe(1);
  });

  test('a photo counts from its verdict on', async () => {
    const id = await seed();
    await pool.query(
      `insert into property_images (id, "propertyId", "objectKey", "roomType")
       values (gen_random_uuid(), $1::uuid, 'originals/' || $1 || '.jpg', 'LIVING_ROOM')`,
      [id],
    );
    expect(await isFound(id, { onlyWithPhotos: true })).toBe(false);
    await giveVerdicts(pool);
    expect(await isFound(id, { onlyWithPhotos: true })).toBe(true);
  });

  test('new words of a description and an address, and none of a listing that is hidden', async () => {
    const id = await seed({ publicRemarks: 'Über-cozy COTTAGE: 2 decks!', address: '7 Grün Road' });
    const finds = async (...words: string[]) =>
      (await Promise.all(words.map((each) => isFound(id, { words: each })))).join(' ');
    expect(await finds('cottage', 'uber deckS 7 grun', 'cottag', 'deck', 'cottage moat')).toBe(
      'true true false false false',
    );
    await set(id, `"publicRemarks" = 'A castle with a moat'`);
    expect(await finds('moat grun', 'cottage')).toBe('true false');
    await set(id, `address = '7 Red Road'`);
    expect(await finds('moat grun', 'moat red')).toBe('false true');
    const kept = async () =>
      (await pool.query('select from search_words where "propertyId" = $1', [id])).rowCount;
    await set(id, `"standardStatus" = 'Hold'`);
    expect([await finds('moat'), await kept()]).toEqual(['false', 0]);
    await set(id, `"publicRemarks" = 'A ruin'`);
    await set(id, `"standardStatus" = 'Pending'`);
    expect([await finds('moat', 'ruin'), await kept()]).toEqual(['false true', 1]);
    await set(id, `"hiddenFor" = '{TAKEN_DOWN}'`);
    expect([await finds('ruin'), await kept()]).toEqual(['false', 0]);
  });
});

describe('the row of a listing', () => {
  test.each([
    ['Square Feet', 'Square Feet', 100, 200],
    ['Square Meters', 'Square Meters', 100 / 0.09290304, 200 / 0.09290304],
    ['Square Feet', 'Acres', 100, 8_712_000],
    ['Square Feet', 'Hectares', 100, 2_000_000 / 0.09290304],
  ])('holds %s and %s in square feet', async (livingAreaUnits, lotSizeUnits, living, lot) => {
    const id = await seed({ livingArea: 100, livingAreaUnits, lotSizeArea: 200, lotSizeUnits });
    expect(await rowOf(id)).toMatchObject({
      livingArea: living,
      lotSize: lot,
      pricePerArea: 250_000 / living,
    });
  });

  test.each([
    ['Annually', 1_200, 100],
    ['Semi-Annually', 600, 100],
    ['Quarterly', 300, 100],
    ['Seasonal', 300, 100],
    ['Bi-Monthly', 200, 100],
    ['Monthly', 100, 100],
    ['Semi-Monthly', 50, 100],
    ['Bi-Weekly', 600, 1_300],
    ['Weekly', 600, 2_600],
    ['Daily', 12, 365],
    ['One Time', 100, null],
    ['Monthly', 0, null],
    [null, null, null],
  ])(
    'holds a fee that is paid %s as that of a month',
    async (associationFeeFrequency, associationFee, month) => {
      const id = await seed({ associationFeeFrequency, associationFee });
      expect((await rowOf(id)).monthlyFee).toEqual(month === null ? null : expect.closeTo(month, 6));
    },
  );

  test('has no price per area without an area', async () => {
    expect(await rowOf(await seed({ livingArea: 0 }))).toMatchObject({ livingArea: 0, pricePerArea: null });
    expect(await rowOf(await seed())).toMatchObject({ livingArea: null, pricePerArea: null });
  });

  test.each([
    { latitude: 47.6, longitude: null },
    { latitude: null, longitude: 3 },
    { latitude: null, longitude: null },
  ])('has no position with %j', async (place) => {
    expect(await rowOf(await seed(place))).toMatchObject({ latitude: null, longitude: null, cellX: null });
  });

  test.each([
    [
      { latitude: 5e-324, longitude: -5e-324 },
      { latitude: 0, longitude: -0, cellX: 419_430, cellY: 419_430 },
    ],
    [
      { latitude: 90, longitude: 180 },
      { cellX: 838_860, cellY: 0 },
    ],
    [
      { latitude: -90, longitude: -180 },
      { cellX: 0, cellY: 838_860 },
    ],
  ])('takes any position on the globe: %j', async (place, expected) => {
    const id = await seed(place);
    const { latitude, longitude, ...cells } = { ...place, ...expected };
    expect(await rowOf(id)).toMatchObject(cells);
    const circle = { ...place, radiusMeters: 1 };
    const { total } = await search.index.list({
      criteria: criteriaOf({ location: { circle } }),
      sort: 'DISTANCE',
      origin: place,
      after: null,
      limit: 1,
    });
    expect(total).toBeGreaterThan(0);
  });

  test('is not written again by an invisible change', async () => {
    const id = await seed();
    const before = await rowOf(id);
    await confirmIndexed(pool, { written: [{ propertyId: id, version: 1 }], at: 1 });
    await set(id, '"searchDirtyAt" = now()');
    await set(id, `"publicRemarks" = 'A view.'`);
    await seedOriginal(pool, { propertyId: id }).then(({ imageId }) =>
      pool.query('delete from property_images where id = $1', [imageId]),
    );
    const after = await rowOf(id);
    expect({ ...after, writtenBy: '' }).toEqual({ ...before, writtenBy: '' });
    await set(id, `"publicRemarks" = 'No view.'`);
    expect((await rowOf(id)).writtenBy).toBe(after.writtenBy);
  });

  test('equals the row that a rebuild makes, for every listing', async () => {
    await pool.query(
      `update properties set "listPrice" = "listPrice" + 1, "lotSizeUnits" = 'Acres',
         "standardStatus" = (array['Active', 'Incomplete', 'Pending'])[1 + floor(random() * 3)::int]
       where random() < 0.5 and "standardStatus" <> 'Closed'`,
    );
    await pool.query('delete from properties where random() < 0.1');
    const { rows } = await pool.query(
      `(select * from search_listings except select s.* from properties p, search_listing_of(p) s)
       union all (select s.* from properties p, search_listing_of(p) s except select * from search_listings)`,
    );
    expect(rows).toEqual([]);
    const { rows: count } = await pool.query('select count(*)::int as all from search_listings');
    expect(count[0].all).toBeGreaterThan(100);
  });
});

test('after two simultaneous changes the second one is stored', async () => {
  const id = await seed();
  const [one, two] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    await one.query('begin');
    await one.query('update properties set "listPrice" = 1 where id = $1', [id]);
    const waiting = two.query('update properties set "bedroomsTotal" = 7 where id = $1', [id]);
    await one.query('commit');
    await waiting;
  } finally {
    one.release();
    two.release();
  }
  expect(await rowOf(id)).toMatchObject({ listPrice: 1, bedroomsTotal: 7 });
  expect(await rowOf(randomUUID())).toBeUndefined();
});
