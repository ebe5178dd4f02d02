import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';

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

test('listings from before are found by the garage, the fee, the kind, the sale and words, as new ones are', async () => {
  const { url, pool } = await openTestDatabase({ until: '0138_withdrawn_invitations' });
  const home = {
    garageSpaces: 2,
    associationFee: 1_200,
    associationFeeFrequency: 'Annually',
    propertySubType: 'Condominium',
    publicRemarks: 'A quiet attic.',
  };
  for (const standardStatus of ['Active', 'Closed', 'Incomplete'])
    await seedProperty(pool, {
      ...home,
      standardStatus,
      closeDate: standardStatus === 'Closed' ? '2026-01-02' : null,
    });
  await migrate(url);
  const { rows } = await pool.query(
    `select "standardStatus", "garageSpaces", "monthlyFee", "propertySubType", "soldAt", words @@ 'attic' as "isFound"
     from search_listings left join search_words using ("propertyId") order by 1`,
  );
  const kept = { garageSpaces: 2, monthlyFee: 100, propertySubType: 'Condominium', isFound: true };
  expect(rows).toEqual([
    { standardStatus: 'Active', ...kept, soldAt: null },
    { standardStatus: 'Closed', ...kept, soldAt: new Date('2026-01-02T00:00:00.000Z') },
  ]);
  const { rows: others } = await pool.query(
    'select * from search_listings except select found.* from properties p, search_listing_of(p) found',
  );
  expect(others).toEqual([]);
});

test('listings that change or leave while those from before are filled have their words, or none', async () => {
  const { url, pool } = await openTestDatabase({ until: '0138_withdrawn_invitations' });
  const home = { standardStatus: 'Active', publicRemarks: 'A quiet attic.' };
  const [changed, leaving] = [await seedProperty(pool, home), await seedProperty(pool, home)];
  await migrate(url, { until: '0139_search_filters' });
  await pool.query(`update properties set "listPrice" = 1, "updatedAt" = clock_timestamp() where id = $1`, [
    changed,
  ]);
  // Its build would wait for the writer.
  await pool.query(
    'create index search_listings_without_garage_idx on search_listings ("propertyId") where "garageSpaces" is null',
  );
  const writer = await pool.connect();
  try {
    await writer.query('begin');
    await writer.query(
      `update properties set "standardStatus" = 'Delete', "updatedAt" = clock_timestamp() where id = $1`,
      [leaving],
    );
    const migrating = migrate(url);
    const waits = `select from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%garageSpaces%' and datname = current_database()`;
    await eventually(async () => ((await pool.query(waits)).rowCount ?? 0) > 0, {
      what: 'the back-fill waits',
    });
    await writer.query('commit');
    await migrating;
  } finally {
    writer.release(true);
  }
  const { rows } = await pool.query(
    `select "propertyId", "garageSpaces", words @@ 'attic' as "isFound"
     from search_listings left join search_words using ("propertyId")`,
  );
  expect(rows).toEqual([{ propertyId: changed, garageSpaces: 0, isFound: true }]);
});
