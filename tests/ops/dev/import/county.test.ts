import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  COUNTY,
  countySales,
  NO_BEDROOMS,
  ODD_BEDROOMS,
  PRICES,
  SOLD_THRICE,
  WATERFRONTS,
} from '../../../support/database/county-sales.ts';
import {
  allCodes,
  codesWithBoxes,
  neighborhoods,
  PLACEHOLDER,
  POSTAL_CODES,
  STATE_COUNT,
  towns,
} from './county-places.ts';
import { createImportHarness, type ImportHarness, saleLine, salesFile } from './import-harness.ts';

/** A whole county at its full size, with everything in one file that makes such files hard to read. */
let harness: ImportHarness;
let files: { sales: string; boxes: string; others: string[] };
beforeAll(async () => {
  harness = await createImportHarness();
  files = {
    sales: harness.file('sales.csv', salesFile(...countySales().map(saleLine))),
    boxes: harness.file('boxes.csv', codesWithBoxes()),
    others: [
      harness.file('codes.csv', allCodes()),
      harness.file('towns.csv', towns()),
      harness.file('neighborhoods.geojson', neighborhoods()),
    ],
  };
});
afterAll(() => harness.stop());

test('a county is imported whole: every house and every sale once, every house in its town', async () => {
  const run = await harness.run([files.sales, '--places', files.boxes]);
  expect(run).toMatchObject({ code: 0 });
  expect(run.text).toContain(`house ${ODD_BEDROOMS.key} has ${ODD_BEDROOMS.bedrooms} bedrooms`);
  const [counts] = await harness.rows(`
    select count(*)::int as listings, count(*) filter (where city = 'King County')::int as homeless,
      count(distinct city)::int as cities, count(*) filter (where features = '{WATERFRONT}')::int as waterfront,
      count(*) filter (where "bedroomsTotal" = 0)::int as "noBedroom",
      min("listPrice") as least, max("listPrice") as most,
      (select count(*)::int from property_price_events where event = 'SOLD') as sold,
      (select count(distinct "propertyId")::int from property_price_events where event = 'SOLD') as houses
    from properties`);
  expect(counts).toEqual({
    listings: COUNTY.houses,
    sold: COUNTY.sales,
    houses: COUNTY.houses,
    homeless: 0,
    cities: COUNTY.towns,
    waterfront: WATERFRONTS,
    noBedroom: NO_BEDROOMS,
    least: `${PRICES.least}.00`,
    most: `${PRICES.most}.00`,
  });
  const thrice = await harness.rows(
    `select e.price from property_price_events e join properties p on p.id = e."propertyId"
     where p."originatingSystemKey" = $1 and e.event = 'SOLD' order by e.at`,
    [SOLD_THRICE.key],
  );
  expect(thrice).toEqual(SOLD_THRICE.prices.map((price) => ({ price: `${price}.00` })));

  const state = () =>
    harness.rows(`select sum("searchVersion")::int as versions, max("updatedAt") as latest,
      (select count(*)::int from property_price_events) as events, sum(xmin::text::bigint)::text as writes
      from properties`);
  const before = await state();
  const again = await harness.run([files.sales]);
  expect(again).toMatchObject({ code: 0, text: expect.stringContaining('nothing has changed') });
  expect(await state()).toEqual(before);
});

test('a county has its own positions, whichever file of places came first', async () => {
  const { boxes, others } = files;
  await harness.rows('delete from places');
  for (const path of [boxes, ...others]) expect(await harness.run([path])).toMatchObject({ code: 0 });
  const kinds = await harness.rows('select kind, count(*)::int from places group by kind order by kind');
  expect(kinds).toContainEqual({ kind: 'postal_code', count: POSTAL_CODES });
  expect(kinds).toContainEqual({ kind: 'state', count: STATE_COUNT });
  expect(kinds).toContainEqual({ kind: 'neighborhood', count: 90 + 15 });
  const [wrong] = await harness.rows(
    'select count(*)::int as places from places where latitude = $1 and longitude = $2',
    [PLACEHOLDER.latitude, PLACEHOLDER.longitude],
  );
  expect(wrong).toEqual({ places: 0 });
  const [seattle] = await harness.rows(
    `select latitude, longitude from places where id = 'city:us:wa:seattle'`,
  );
  expect(seattle?.latitude).toBeCloseTo(47.61, 1);
  expect(seattle?.longitude).toBeCloseTo(-122.33, 1);
  for (const path of [...others, boxes]) {
    expect((await harness.run([path])).text).toContain('nothing has changed');
  }
});
