import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';
import { seedProperty } from '../../support/database/seed.ts';

afterEach(closeTestDatabases);

test('listings from before are found by their city and postal code, as suggestions name them', async () => {
  const { url, pool } = await openTestDatabase({ until: '0084_compared_neighbours' });
  const home = { country: 'US', stateOrProvince: 'MO', city: 'St. Louis', standardStatus: 'Active' };
  await seedProperty(pool, { ...home, postalCode: '63101-2' });
  await seedProperty(pool, { ...home, stateOrProvince: null, standardStatus: 'Closed' });
  await migrate(url);
  const { rows } = await pool.query('select "cityKey", "postalCodeKey" from search_listings order by 1');
  expect(rows).toEqual([
    { cityKey: 'us:mo:st-louis', postalCodeKey: 'us:63101-2' },
    { cityKey: 'us:st-louis', postalCodeKey: null },
  ]);
});

test('the places of listings from before are counted', async () => {
  const { url, pool } = await openTestDatabase({ until: '0086_place_search' });
  const there = { city: 'Oldtown', stateOrProvince: 'WA', postalCode: '98001' };
  await seedProperty(pool, { ...there, latitude: 47.1, longitude: -122.1 });
  await seedProperty(pool, { ...there, latitude: 47.3, longitude: -122.3 });
  await seedProperty(pool, { ...there, city: 'Hidden', standardStatus: 'Incomplete' });
  await migrate(url);
  const { rows } = await pool.query('select "regionText", listings, west, north from listing_regions');
  expect(rows).toEqual([{ regionText: ' oldtown wa 98001', listings: 2, west: -122.3, north: 47.3 }]);
});
