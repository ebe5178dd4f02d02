import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countChangedCells } from '../../../persistence/search/cell-counting.ts';
import type { MapAnswer } from '../../../persistence/search/search-grid.ts';
import type { GeoBox } from '../../../persistence/search/search-index.ts';
import { FEATURE_KEYS } from '../../../src/wire/listings/feature-keys.ts';
import {
  createSearchDatabase,
  criteriaOf,
  type SearchDatabase,
  WORLD,
} from '../../support/database/search-database.ts';
import { insertListings, madeUpListings } from '../../support/database/search-listings.ts';

let search: SearchDatabase;
beforeAll(async () => {
  search = await createSearchDatabase(madeUpListings(2_000));
});
afterAll(() => search.drop());

/** Every listing meets it, but only without filters are counted cells used. */
const ANY_PRICE = { price: { min: 0 } };
const ofAnyCurrency = (filters: object) => ({ ...criteriaOf(filters), currency: null });
const countAll = async () => {
  while ((await countChangedCells(search.pool, 1_000)) > 0);
};

const usesCells = () => search.statements().some(({ sql }) => sql.includes('search_cells'));

/** A ten-millionth of a degree would do; the offset keeps averages of surveyed places away from the middle of two. */
const rounded = (degrees: number) => Math.round(degrees * 1e6 + 0.1234567);

/** Centers are averages that were added in another order. */
const comparable = ({ clusters, pins, total }: MapAnswer) => ({
  total,
  clusters: clusters
    .map(({ latitude, longitude, ...rest }) => ({ ...rest, at: [rounded(latitude), rounded(longitude)] }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
  pins: pins.toSorted((a, b) => (a.propertyId < b.propertyId ? -1 : 1)),
});

/** The same questions of the counted cells and of the listings. */
async function checkBox(box: GeoBox, zoom: number): Promise<void> {
  const { index } = search;
  const [counted, read] = [criteriaOf({}), ofAnyCurrency(ANY_PRICE)];
  const map = await index.map({ criteria: counted, box, zoom });
  expect(comparable(map)).toEqual(comparable(await index.map({ criteria: read, box, zoom })));
  const list = (filters: object) =>
    index.list({
      criteria: ofAnyCurrency({ ...filters, location: { box } }),
      sort: 'NEWEST',
      origin: null,
      after: null,
      limit: 1,
    });
  expect((await list({})).total).toBe(map.total);
  expect((await list(ANY_PRICE)).total).toBe(map.total);
}

const edges = (min: number, max: number) =>
  fc
    .tuple(fc.double({ min, max, noNaN: true }), fc.double({ min, max, noNaN: true }))
    .map(([one, other]) => (one < other ? [one, other] : [other, one]) as [number, number]);
/** From a street to the world; most are about a county. */
const boxes: fc.Arbitrary<GeoBox> = fc
  .oneof(
    { weight: 4, arbitrary: fc.tuple(edges(-122.6, -121.3), edges(47.1, 47.9)) },
    { weight: 2, arbitrary: fc.tuple(edges(-180, 180), edges(-90, 90)) },
    {
      weight: 1,
      arbitrary: fc.constant([
        [-180, 180],
        [-90, 90],
      ] as [[number, number], [number, number]]),
    },
  )
  .map(([[west, east], [south, north]]) => ({ west, south, east, north }));

/** Moves, prices, sales, returns to the market, deletions and new listings, of some rows at a time. */
const changes: fc.Arbitrary<string | NewListings> = fc.oneof(
  { arbitrary: fc.record({ seed: fc.nat() }), weight: 1 },
  {
    arbitrary: fc.constantFrom(
      `update properties set latitude = latitude + (random() - 0.5) / 50, longitude = longitude + (random() - 0.5) / 50
   where id in (select id from properties where abs(latitude) < 80 and abs(longitude) < 179 order by random() limit 15)`,
      `update properties set "listPrice" = "listPrice" + 1000
   where id in (select id from properties order by random() limit 15)`,
      `update properties set currency = 'CHF' where id in (select id from properties order by random() limit 3)`,
      `update properties set latitude = null where id in (select id from properties order by random() limit 2)`,
      `update properties set "standardStatus" = (array['Active', 'Closed', 'Withdrawn'])[1 + floor(random() * 3)::int]
   where id in (select id from properties order by random() limit 15)`,
      'delete from properties where id in (select id from properties order by random() limit 5)',
    ),
    weight: 6,
  },
);

interface NewListings {
  readonly seed: number;
}

async function change(what: string | NewListings): Promise<void> {
  if (typeof what === 'string') await search.pool.query(what);
  else await insertListings(search.pool, madeUpListings(10, what.seed));
}

describe('counted cells', () => {
  test('answer as the listings do, whatever changes and however much of it is counted again', async () => {
    const acts = fc.record({
      changed: fc.array(changes, { maxLength: 3 }),
      counted: fc.constantFrom(0, 1, 20, 100_000),
      box: boxes,
      zoom: fc.integer({ min: 0, max: 17 }),
    });
    let withCells = 0;
    await fc.assert(
      fc.asyncProperty(acts, async ({ changed, counted, box, zoom }) => {
        for (const what of changed) await change(what);
        if (counted > 0) await countChangedCells(search.pool, counted);
        search.statements();
        await checkBox(box, zoom);
        withCells += usesCells() ? 1 : 0;
      }),
      { numRuns: 200, endOnFailure: true },
    );
    expect(withCells).toBeGreaterThan(50);
  });

  test('are exactly what their listings say when all changes are counted', async () => {
    await countAll();
    const { rows } = await search.pool.query(
      `select shift, count(*)::int as cells, sum(count)::int as listings, min("minPrice") as cheapest,
         max("maxPrice") as dearest from search_cells group by shift order by shift`,
    );
    const { rows: all } = await search.pool.query(
      `select count(*)::int as listings, min("listPrice") as cheapest, max("listPrice") as dearest
       from search_listings where "onMarket" and "cellX" is not null`,
    );
    expect(rows.map(({ shift }) => shift)).toEqual([3, 6, 9, 12]);
    for (const { listings, cheapest, dearest } of rows)
      expect({ listings, cheapest, dearest }).toEqual(all[0]);
    for (const { shift, cells } of rows) {
      const { rows: expected } = await search.pool.query(
        `select count(distinct ("cellX" >> $1, "cellY" >> $1))::int as cells
         from search_listings where "onMarket" and "cellX" is not null`,
        [shift],
      );
      expect(cells).toBe(expected[0]?.cells);
    }
  });

  test('are not read for what a listing changes beside its place, price and status', async () => {
    await countAll();
    await search.pool.query('update properties set "bedroomsTotal" = 3, "updatedAt" = now()');
    expect(await countChangedCells(search.pool, 1_000)).toBe(0);
  });

  test('hold no change that commits after its cell was counted, so its listings are read', async () => {
    await countAll();
    const before = await search.index.map({ criteria: criteriaOf({}), box: WORLD, zoom: 4 });
    const late = await search.pool.connect();
    try {
      await late.query('begin');
      await late.query(
        `update properties set "standardStatus" = 'Withdrawn' where id = (select "propertyId"
         from search_listings where "onMarket" and "cellX" is not null order by 1 limit 1)`,
      );
      // Another change of the same cell is counted meanwhile.
      await search.pool.query(
        `insert into search_cell_changes (x, y) select "cellX" >> 3, "cellY" >> 3
         from search_listings where "onMarket" and "cellX" is not null order by "propertyId" limit 1`,
      );
      expect(await countChangedCells(search.pool, 1_000)).toBe(1);
      await late.query('commit');
    } finally {
      late.release();
    }
    const after = await search.index.map({ criteria: criteriaOf({}), box: WORLD, zoom: 4 });
    expect(after.total).toBe(before.total - 1);
    await countAll();
    await checkBox(WORLD, 4);
  });

  test('never make writers wait for each other, in whatever order they touch the same cells', async () => {
    const { rows } = await search.pool.query<{ id: string }>(
      `select "propertyId" as id from search_listings where "onMarket" and abs(latitude) < 80 order by 1 limit 2`,
    );
    const [one, other] = rows.map(({ id }) => id) as [string, string];
    const at = (
      id: string,
    ) => `update properties set latitude = 47.61, longitude = -122.33, "listPrice" = random() * 1e6
      where id = '${id}'`;
    const [first, second] = [await search.pool.connect(), await search.pool.connect()];
    try {
      for (const client of [first, second]) await client.query("begin; set local lock_timeout = '5s'");
      await first.query(at(one));
      await second.query(at(other));
      await first.query('commit');
      await second.query('commit');
    } finally {
      first.release();
      second.release();
    }
    await checkBox(WORLD, 3);
    await countAll();
    await checkBox(WORLD, 3);
  });

  test('are counted by one at a time: another one leaves what waits alone', async () => {
    await countAll();
    await search.pool.query(`update properties set "listPrice" = "listPrice" + 1`);
    const both = await Promise.all([
      countChangedCells(search.pool, 100_000),
      countChangedCells(search.pool, 100_000),
    ]);
    expect(Math.min(...both)).toBe(0);
    expect(Math.max(...both)).toBeGreaterThan(1_000);
    await checkBox(WORLD, 5);
  });
});

test('each feature of the catalog has a bit of its own', async () => {
  const { rows } = await search.pool.query<{ bits: string }>(
    'select search_feature_bits(array[key]) as bits from unnest($1::text[]) as key',
    [FEATURE_KEYS],
  );
  const bits = rows.map((row) => BigInt(row.bits));
  expect(new Set(bits).size).toBe(FEATURE_KEYS.length);
  for (const one of bits) expect([one > 0n, one & (one - 1n)]).toEqual([true, 0n]);
});
