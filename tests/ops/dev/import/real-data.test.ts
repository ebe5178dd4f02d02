import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportHarness, type ImportHarness } from './import-harness.ts';

/** The public files themselves, if present; they are not part of the repository. */
const DATA = process.env.SAMPLE_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const SALES = `${DATA}/listings/kc_house_data.csv`;
const CENTROIDS = `${DATA}/places/king_county_zip_centroids.csv`;
const PLACES = ['us_zipcodes.csv', 'wa_cities.csv', 'seattle_neighbourhoods.geojson'].map(
  (name) => `${DATA}/places/${name}`,
);
const isThere = [SALES, CENTROIDS, ...PLACES].every((path) => existsSync(path));
const why = isThere ? '' : ' (skipped: ../shared/data is not here)';

let harness: ImportHarness;
beforeAll(async () => {
  harness = await createImportHarness();
});
afterAll(() => harness.stop());

test.skipIf(!isThere)(`King County: every house once, every sale once, every city found${why}`, async () => {
  const run = await harness.run([SALES, '--places', CENTROIDS]);
  expect(run).toMatchObject({ code: 0 });
  expect(run.text).toContain('house 2402100895 has 33 bedrooms');
  const [counts] = await harness.rows(`
    select count(*)::int as listings, count(*) filter (where city = 'King County')::int as homeless,
      count(distinct city)::int as cities, count(*) filter (where features = '{WATERFRONT}')::int as waterfront,
      count(*) filter (where "bedroomsTotal" = 0)::int as "noBedroom",
      min("listPrice") as least, max("listPrice") as most,
      (select count(*)::int from property_price_events where event = 'SOLD') as sold,
      (select count(distinct "propertyId")::int from property_price_events where event = 'SOLD') as houses
    from properties`);
  expect(counts).toMatchObject({ listings: 21_436, sold: 21_613, houses: 21_436, homeless: 0, cities: 24 });
  expect(counts).toMatchObject({ least: '75000.00', most: '7700000.00', noBedroom: 13 });
  const thrice = await harness.rows(
    `select e.price from property_price_events e join properties p on p.id = e."propertyId"
     where p."originatingSystemKey" = '0795000620' and e.event = 'SOLD' order by e.at`,
  );
  expect(thrice).toEqual([{ price: '115000.00' }, { price: '124000.00' }, { price: '157000.00' }]);

  const state = () =>
    harness.rows(`select sum("searchVersion")::int as versions, max("updatedAt") as latest,
      (select count(*)::int from property_price_events) as events, sum(xmin::text::bigint)::text as writes
      from properties`);
  const before = await state();
  const again = await harness.run([SALES]);
  expect(again).toMatchObject({ code: 0, text: expect.stringContaining('nothing has changed') });
  expect(await state()).toEqual(before);
});

test.skipIf(!isThere)(`places: King County has its position, whichever file came first${why}`, async () => {
  await harness.rows('delete from places');
  for (const path of [CENTROIDS, ...PLACES]) expect(await harness.run([path])).toMatchObject({ code: 0 });
  const kinds = await harness.rows('select kind, count(*)::int from places group by kind order by kind');
  expect(kinds).toContainEqual({ kind: 'postal_code', count: 42_367 });
  expect(kinds).toContainEqual({ kind: 'state', count: 51 });
  const [wrong] = await harness.rows(`select count(*)::int as places from places
    where latitude = 47.432251 and longitude = -121.803388`);
  expect(wrong).toEqual({ places: 0 });
  const [seattle] = await harness.rows(
    `select latitude, longitude from places where id = 'city:us:wa:seattle'`,
  );
  expect(seattle?.latitude).toBeCloseTo(47.61, 1);
  expect(seattle?.longitude).toBeCloseTo(-122.33, 1);
  for (const path of [...PLACES, CENTROIDS]) {
    expect((await harness.run([path])).text).toContain('nothing has changed');
  }
});
