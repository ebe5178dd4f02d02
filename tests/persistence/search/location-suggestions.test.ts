import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Reader } from '../../../persistence/database/reader.ts';
import { suggestLocations } from '../../../persistence/search/location-suggestions.ts';
import { countChangedRegions } from '../../../persistence/search/region-counting.ts';
import { createSearchDatabase, type SearchDatabase } from '../../support/database/search-database.ts';
import { madeUpListings } from '../../support/database/search-listings.ts';
import { seedProperty, seedUser } from '../../support/database/seed.ts';
import { watchPlans } from '../../support/database/watched-plans.ts';

/** Suggestions from many addresses: what is counted, and what is not read. */
let search: SearchDatabase;
beforeAll(async () => {
  search = await createSearchDatabase(madeUpListings(1_000));
});
afterAll(() => search.drop());

const suggest = (text: string) => suggestLocations(search.reader, { text, near: null, limit: 10 });
const labels = async (text: string) => (await suggest(text)).map(({ label }) => label);
const CHANGES = 'select distinct "regionText" as region from listing_region_changes order by 1';
const changed = async () =>
  (await search.pool.query<{ region: string }>(CHANGES)).rows.map(({ region }) => region);
const PLACE = '"regionText", city, "stateOrProvince", "postalCode", country';
const OF_ADDRESSES = `select ${PLACE}, count(*), count(latitude), min(longitude), min(latitude), max(longitude),
  max(latitude) from listing_addresses group by 1, 2, 3, 4, 5`;
const COUNTED = `select ${PLACE}, listings, placed, west, south, east, north from listing_regions`;
const WRONG_REGIONS = `(${OF_ADDRESSES} except all ${COUNTED}) union all (${COUNTED} except all ${OF_ADDRESSES})`;
const countAll = async () => {
  while ((await changed()).length > 0) await countChangedRegions(search.pool, 1_000);
};

describe('cities and postal codes of listings', () => {
  const TEXTS = [
    'seattle',
    'st louis',
    'louis mo',
    '98101',
    '98',
    'zurich',
    '8001',
    'kent',
    'test bay',
    '97111',
  ];
  /** Degrees are averages that were added in another order. */
  const places = async () => {
    const answers = await Promise.all(TEXTS.map(suggest));
    const rounded = (degrees: number | null) => degrees && Math.round(degrees * 1e6 + 0.1234567);
    return answers.map((found) =>
      found.map((place) => ({
        ...place,
        latitude: rounded(place.latitude),
        longitude: rounded(place.longitude),
      })),
    );
  };
  const corner = `(select id from properties where city = 'Test Bay' and latitude = 47.3)`;
  beforeEach(async () => {
    const there = { city: 'Test Bay', stateOrProvince: 'WA', postalCode: '97111' };
    for (const latitude of [47.1, 47.2, 47.3])
      await seedProperty(search.pool, { ...there, latitude, longitude: -75 - latitude });
    return async () => {
      await search.pool.query(
        `delete from properties where "stateOrProvince" = 'WA' and "postalCode" = '97111'`,
      );
    };
  });

  test('are suggested the same before and after they are counted', async () => {
    expect((await changed()).length).toBeGreaterThan(3);
    const before = await places();
    expect(before.every((found) => found.length > 0)).toBe(true);
    await countAll();
    expect(await places()).toEqual(before);
  });

  test.each([
    [
      'a listing that moves',
      `update properties set city = 'Kent', "stateOrProvince" = null where id = ${corner}`,
    ],
    ['a listing whose pin is moved', `update properties set latitude = 40 where id = ${corner}`],
    [
      'a listing that is not shown any more',
      `update properties set "standardStatus" = 'Delete' where id = ${corner}`,
    ],
    ['a listing that is deleted', `delete from properties where id = ${corner}`],
    [
      'the last listings of a place',
      `update properties set city = 'Nowhere', "stateOrProvince" = null where city = 'Test Bay'`,
    ],
    [
      'a place in a new spelling',
      `update properties set city = 'TEST-BAY', "stateOrProvince" = 'Wa' where city = 'Test Bay'`,
    ],
  ])('follow %s, and are then what all addresses say', async (_, change) => {
    await countAll();
    const before = await places();
    await search.pool.query(change);
    const after = await places();
    expect(after).not.toEqual(before);
    await countAll();
    expect(await places()).toEqual(after);
    expect((await search.pool.query(WRONG_REGIONS)).rows).toEqual([]);
  });

  test('hold no change that commits after its region was counted, so its addresses are read', async () => {
    await countAll();
    const late = await search.pool.connect();
    try {
      await late.query('begin');
      await seedPropertyLate(late);
      // Another change of the same region is counted meanwhile.
      await search.pool.query(
        `insert into listing_region_changes ("regionText") values (' lateville wa 97000')`,
      );
      await countChangedRegions(search.pool, 1_000);
      expect(await labels('lateville')).toEqual([]);
      await late.query('commit');
    } finally {
      late.release();
    }
    const found = ['Lateville, WA', '97000, Lateville, WA'];
    expect(await labels('lateville')).toEqual(found);
    await countAll();
    expect(await labels('lateville')).toEqual(found);
  });

  async function seedPropertyLate(client: { query: SearchDatabase['pool']['query'] }) {
    const ownerAgentId = await seedUser(search.pool);
    const there = { city: 'Lateville', stateOrProvince: 'WA', postalCode: '97000', ownerAgentId };
    await seedProperty(client as SearchDatabase['pool'], there);
  }

  test('are not counted again for what changes elsewhere in a listing', async () => {
    await countAll();
    await search.pool.query('update properties set "listPrice" = "listPrice" + 1, "bedroomsTotal" = 3');
    expect(await changed()).toEqual([]);
  });
});

describe('addresses of which very many match', () => {
  const usesSample = () => search.statements().some(({ sql }) => sql.includes('tablesample'));
  beforeAll(async () => {
    const agent = await seedUser(search.pool);
    await search.pool.query(
      `insert into properties (id, "ownerAgentId", "listPrice", address, city, "standardStatus")
       select gen_random_uuid(), $1, 1, concat_ws(' ', 'Quay Street', nullif(n, 0)), 'Longtown', 'Active'
       from generate_series(0, 30000) as n order by md5(n::text)`,
      [agent],
    );
    await search.pool.query(
      `insert into properties (id, "ownerAgentId", "listPrice", address, city, "postalCode", "standardStatus")
       select gen_random_uuid(), $1, 1, concat_ws(' ', n, 'Pier Road'), 'Pierton', '54321', 'Active'
       from generate_series(1, 4000) as n`,
      [agent],
    );
    await countAll();
    await search.pool.query('vacuum analyze listing_addresses, listing_regions');
  });

  test('ten of them are given, and not all are read', async () => {
    search.statements();
    const found = await labels('street');
    expect(found).toHaveLength(10);
    expect(usesSample()).toBe(true);
  });

  test('those that begin with the text come first, the text itself before all', async () => {
    const numbers = ['', ' 1', ' 10', ' 100', ' 1000', ...[0, 1, 2, 3, 4].map((last) => ` 1000${last}`)];
    expect(await labels('quay street')).toEqual(numbers.map((number) => `Quay Street${number}, Longtown`));
    expect(usesSample()).toBe(true);
  });

  test('a text that few match is looked for in all', async () => {
    search.statements();
    expect(await labels('29123 quay street')).toEqual(['Quay Street 29123, Longtown']);
    expect(await labels('29123 longtown')).toEqual(['Quay Street 29123, Longtown']);
    expect(usesSample()).toBe(false);
  });

  test.each(['54321', 'pierton'])('of those in %s, which is the whole text, none is read', async (text) => {
    const { pool, plans } = watchPlans(search.pool);
    const reader = {
      query: (sql: string, values: unknown[]) =>
        (sql.startsWith('EXPLAIN') ? search.pool : pool).query(sql, values),
    } as unknown as Reader;
    const found = await suggestLocations(reader, { text, near: null, limit: 10 });
    expect(found.map(({ kind }) => kind)).not.toContain('address');
    const ofAddresses = plans.filter(
      ({ sql }) => sql.includes('listing_addresses a') && !sql.includes('word_similarity'),
    );
    expect(ofAddresses.length).toBeGreaterThan(0);
    expect(Math.max(...ofAddresses.map(({ rowsRead }) => rowsRead))).toBeLessThan(1_000);
  });

  test('one word with a typing error is found by the others; without others, a sample is compared', async () => {
    search.statements();
    expect(await labels('29123 quya street')).toContain('Quay Street 29123, Longtown');
    expect(usesSample()).toBe(false);
    expect(await labels('qauy')).toEqual([]);
    expect(usesSample()).toBe(true);
  });
});
