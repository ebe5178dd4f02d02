import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countChangedCells } from '../../../persistence/search/cell-counting.ts';
import type { SearchSort, SortPosition } from '../../../persistence/search/search-index.ts';
import {
  createSearchDatabase,
  criteriaOf,
  type SearchDatabase,
  WORLD,
} from '../../support/database/search-database.ts';
import { filters } from '../../support/database/search-filters.ts';
import {
  countyListings,
  insertListings,
  madeUpListings,
  PRESENT,
} from '../../support/database/search-listings.ts';
import {
  type Filters,
  inOrder,
  isInBox,
  type ListingRow,
  MODEL_SORTS,
  matches,
  meters,
  positionOf,
} from '../../support/database/search-model.ts';

const sorts = MODEL_SORTS as SearchSort[];
const ask = (filter: Filters, sort: SearchSort, after: SortPosition | null = null, limit = 40) => ({
  criteria: criteriaOf(filter),
  sort,
  origin: null,
  after,
  limit,
});
const list = ({ index }: Pick<SearchDatabase, 'index'>, ...question: Parameters<typeof ask>) =>
  index.list(ask(...question));
const idsOf = (found: readonly { propertyId: string }[]) => found.map(({ propertyId }) => propertyId);

/** Index walks that stop early, in the middle, and at the end of the index. */
const WALKS = [60, 700, 20_000];

/**
 * List, map and a plain count over the rows agree; the first page equals the model's for every walk length.
 */
async function checkFilter(
  search: SearchDatabase,
  [filter, sort, walks]: [Filters, SearchSort, number[]],
): Promise<void> {
  const expected = search.rows.filter((row) => matches(filter, row, PRESENT)).sort(inOrder(sort));
  const { places, total } = await list(search, filter, sort);
  expect(total).toBe(expected.length);
  expect(idsOf(places)).toEqual(expected.slice(0, 41).map(({ id }) => id));
  for (const steps of walks) {
    const walked = await search.walking({ many: 1, steps }).list(ask(filter, sort));
    expect([walked.total, idsOf(walked.places)]).toEqual([total, idsOf(places)]);
  }
  const onMap = await search.index.map({ criteria: criteriaOf(filter), box: WORLD, zoom: 2 });
  expect(onMap.total).toBe(expected.filter((row) => isInBox(WORLD, row)).length);
  const box = filter.location?.box;
  if (box === undefined) return;
  const { location: _, ...rest } = filter;
  const sameBox = await search.index.map({ criteria: criteriaOf(rest), box, zoom: 9 });
  expect(sameBox.total).toBe(total);
}

describe('made-up listings', () => {
  let search: SearchDatabase;
  beforeAll(async () => {
    search = await createSearchDatabase(madeUpListings(3_000));
  });
  afterAll(() => search.drop());

  test('a large city is counted in four slices, and its homes that have no place on the map', async () => {
    const filter: Filters = { place: { of: 'city', key: 'us:wa:seattle' }, beds: { min: 2 } };
    const expected = search.rows.filter((row) => matches(filter, row, PRESENT));
    expect(expected.some((row) => positionOf(row) === null)).toBe(true);
    search.statements();
    expect(await search.sliced.count(criteriaOf(filter))).toBe(expected.length);
    const asked = search.statements().filter(({ sql }) => sql.startsWith('SELECT count(*)'));
    expect(asked.map(({ sql }) => /ANY|IS NULL/.exec(sql)?.[0])).toEqual([
      'ANY',
      'ANY',
      'ANY',
      'ANY',
      'IS NULL',
    ]);
    expect(await search.index.count(criteriaOf(filter))).toBe(expected.length);
    expect(search.statements()).toHaveLength(2);
  });

  test('random filters find the same rows as a plain scan', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom(...sorts), (filter, sort) =>
        checkFilter(search, [filter, sort, WALKS]),
      ),
      { numRuns: 250, endOnFailure: true },
    );
  });

  test('both ends of a range and of a box belong to it', async () => {
    const row = search.rows.find(
      (each) =>
        matches({ yearBuilt: {}, location: { box: WORLD } }, each, PRESENT) && each.yearBuilt !== null,
    ) as ListingRow;
    const at = { latitude: row.latitude as number, longitude: row.longitude as number };
    const box = { west: at.longitude, east: at.longitude, south: at.latitude, north: at.latitude };
    const price = { min: row.listPrice, max: row.listPrice };
    const year = row.yearBuilt as number;
    const found = await list(
      search,
      { price, yearBuilt: { min: year, max: year }, location: { box } },
      'NEWEST',
    );
    expect(idsOf(found.places)).toContain(row.id);
  });

  test('a polygon over the antimeridian is one shape', async () => {
    // Listings have coordinates in ten-millionths of a degree; this value lies between two of them.
    const box = { west: 179.01300005, south: -17.40100005, east: -179.10700005, north: -16.60300005 };
    const polygon = [
      { latitude: box.south, longitude: box.west },
      { latitude: box.south, longitude: box.east },
      { latitude: box.north, longitude: box.east },
      { latitude: box.north, longitude: box.west },
    ];
    const { total } = await list(search, { location: { polygon } }, 'NEWEST');
    expect(total).toBe(search.rows.filter((row) => matches({ location: { box } }, row, PRESENT)).length);
    expect(total).toBeGreaterThan(100);
  });

  test.each([
    [{}, { latitude: 47.61, longitude: -122.33 }],
    [{ location: { box: WORLD } }, { latitude: -17, longitude: 179.99 }],
    [{ statuses: ['Active', 'Closed'] }, { latitude: 89, longitude: 0 }],
  ])('DISTANCE from %j sorts outwards; listings without a position come last', async (filter, origin) => {
    const expected = search.rows.filter((row) => matches(filter, row, PRESENT));
    const found: SortPosition[] = [];
    for (let after: SortPosition | null = null; ; after = found.at(-1) ?? null) {
      const question = { criteria: criteriaOf(filter), sort: 'DISTANCE' as const, origin, after, limit: 250 };
      const { places } = await search.index.list(question);
      found.push(...places.slice(0, 250));
      if (places.length <= 250) break;
    }
    expect(idsOf(found).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
    const rows = new Map(expected.map((row) => [row.id, row]));
    const distances = found.map(({ propertyId }) => {
      const position = positionOf(rows.get(propertyId) as ListingRow);
      return position === null ? Number.POSITIVE_INFINITY : meters(origin, position);
    });
    for (const [index, distance] of distances.entries())
      expect(distance).toBeGreaterThanOrEqual((distances[index - 1] ?? 0) - 1e-3);
  });

  test('the nearest are the first of DISTANCE, within the circle', async () => {
    const origin = { latitude: 47.5, longitude: -122 };
    const filter = { location: { circle: { ...origin, radiusMeters: 30_000 } } };
    const nearest = await search.index.nearest({ criteria: criteriaOf(filter), origin, limit: 500 });
    const expected = search.rows.filter((row) => matches(filter, row, PRESENT));
    const byDistance = (a: ListingRow, b: ListingRow) =>
      meters(origin, positionOf(a) as never) - meters(origin, positionOf(b) as never) ||
      (a.id < b.id ? -1 : 1);
    expect(nearest).toHaveLength(Math.min(500, expected.length));
    expect(nearest.slice(0, 20)).toEqual(
      expected
        .sort(byDistance)
        .slice(0, 20)
        .map(({ id }) => id),
    );
  });

  test('the types are those of listings on the market', async () => {
    const onMarket = search.rows.filter((row) => matches({}, row, PRESENT));
    const types = onMarket.map((row) => row.propertySubType ?? row.propertyType);
    const expected = [...new Set(types.filter((type) => type !== null))].sort();
    expect(await search.index.propertyTypes()).toEqual(expected);
  });
});

describe('paging while listings are added, changed and deleted', () => {
  test.each([...sorts, 'DISTANCE' as const])(
    '%s yields each untouched listing exactly once',
    async (sort) => {
      const search = await createSearchDatabase(madeUpListings(600));
      try {
        const origin = sort === 'DISTANCE' ? { latitude: 47.6, longitude: -122.3 } : null;
        const filter: Filters = { price: { max: 5_000_000 }, statuses: ['Active', 'Pending', 'Closed'] };
        const expected = search.rows.filter((row) => matches(filter, row, PRESENT));
        const touched = new Set<string>();
        const seen: string[] = [];
        for (let after: SortPosition | null = null; ; ) {
          const question = { criteria: criteriaOf(filter), sort, origin, after, limit: 37 };
          const { places } = await search.index.list(question);
          seen.push(...idsOf(places.slice(0, 37)));
          after = places[36] ?? null;
          if (places.length <= 37) break;
          // The listing at the cursor is deleted, too.
          for (const id of [after?.propertyId, ...pick(search.rows, 4)]) if (id) touched.add(id);
          await disturb(search, [...touched].slice(-5));
        }
        const counts = Map.groupBy(seen, (id) => id);
        const untouched = expected.filter(({ id }) => !touched.has(id));
        expect(untouched.length).toBeGreaterThan(100);
        expect(untouched.filter(({ id }) => counts.get(id)?.length !== 1)).toEqual([]);
      } finally {
        await search.drop();
      }
    },
  );

  const pick = (rows: readonly ListingRow[], count: number) =>
    fc.sample(fc.constantFrom(...rows.map(({ id }) => id)), count);

  async function disturb({ pool }: SearchDatabase, [gone, ...changed]: string[]): Promise<void> {
    await pool.query('delete from properties where id = $1', [gone]);
    await pool.query(
      `update properties set "listPrice" = (random() * 5000000)::int, "bedroomsTotal" = (random() * 7)::int,
         "livingArea" = (random() * 3000)::int, "listedAt" = now() - random() * interval '300 days',
         "standardStatus" = (array['Active', 'Pending', 'Incomplete'])[1 + floor(random() * 3)::int],
         "updatedAt" = now() where id = any ($1::uuid[])`,
      [changed],
    );
    await insertListings(pool, madeUpListings(6));
  }
});

describe('the sales of a county', () => {
  let search: SearchDatabase;
  beforeAll(async () => {
    search = await createSearchDatabase(countyListings());
    await countChangedCells(search.pool, 100_000);
    await search.pool.query('vacuum analyze search_cells, search_cell_changes');
  });
  afterAll(() => search.drop());

  test('are complete: 21,613 rows', () => {
    expect(search.rows).toHaveLength(21_613);
  });

  test('200 random filters: list, map and a plain count agree', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom(...sorts), (filter, sort) =>
        checkFilter(search, [filter, sort, []]),
      ),
      { numRuns: 200, endOnFailure: true },
    );
  });

  test('every order pages through all of them', async () => {
    const expected = search.rows.filter((row) => matches({}, row, PRESENT));
    for (const sort of sorts) {
      const seen: string[] = [];
      for (let after: SortPosition | null = null; ; ) {
        const { places } = await list(search, {}, sort, after, 3_000);
        seen.push(...idsOf(places.slice(0, 3_000)));
        if (places.length <= 3_000) break;
        after = places[2_999] ?? null;
      }
      expect(seen).toEqual(expected.toSorted(inOrder(sort)).map(({ id }) => id));
    }
  });

  /** The plans of the statements since the last call, without their costs. */
  async function plans(): Promise<string> {
    const texts: string[] = [];
    const asked = search.statements().filter(({ sql }) => !sql.startsWith('EXPLAIN'));
    for (const { sql, values } of asked) {
      const { rows } = await search.pool.query<Record<string, string>>(`explain (costs off) ${sql}`, values);
      texts.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return texts.join('\n\n');
  }

  const box = { box: { west: -122.4, south: 47.5, east: -122.3, north: 47.6 } };
  const weekend = {
    from: new Date(PRESENT).toISOString(),
    to: new Date(PRESENT + 2 * 86_400_000).toISOString(),
  };
  test.each<[string, Filters, SearchSort]>([
    ['a box', { location: box }, 'PRICE_ASC'],
    [
      'a circle',
      { location: { circle: { latitude: 47.6, longitude: -122.3, radiusMeters: 3_000 } } },
      'NEWEST',
    ],
    ['features', { features: ['WATERFRONT'] }, 'NEWEST'],
    ['a price', { price: { min: 3_000_000 } }, 'PRICE_ASC'],
    ['an area', { livingArea: { min: 6_000 } }, 'LOT_DESC'],
    ['a year', { yearBuilt: { max: 1900 } }, 'NEWEST'],
    ['a garage', { garage: { min: 3 }, location: box }, 'NEWEST'],
    ['a fee', { maxMonthlyFee: 200, location: box }, 'PRICE_ASC'],
    ['a kind', { propertyTypes: ['Townhouse'], location: box }, 'NEWEST'],
    ['photos', { onlyWithPhotos: true, location: box }, 'RELEVANCE'],
    ['words of a description', { words: 'cafe side', location: box }, 'NEWEST'],
    ['words of an address', { words: '2402100895 lane' }, 'NEWEST'],
    ['sales', { soldWithinDays: 3 }, 'RECENTLY_SOLD'],
    ['open houses', { openHouse: weekend }, 'NEWEST'],
  ])('%s is served by an index', async (_, filter, sort) => {
    search.statements();
    expect((await list(search, filter, sort)).total).toBeGreaterThan(0);
    expect(await plans()).not.toMatch(/Seq Scan on search_(listings|words)/);
  });

  const city = { box: { west: -122.44, south: 47.49, east: -122.24, north: 47.74 } };
  const streets = { box: { west: -122.34, south: 47.6, east: -122.33, north: 47.62 } };
  test.each<[string, Filters, string]>([
    // Where there are few cities, as here, the index of cities is as good.
    ['usual filters of a city', { price: { max: 500_000 }, beds: { min: 3 }, location: city }, 'tiles|city'],
    ['usual filters of a few streets', { beds: { min: 3 }, location: streets }, 'common'],
    [
      'homes of a postal code',
      { beds: { min: 3 }, place: { of: 'postalCode', key: 'us:98103' } },
      'postal_code',
    ],
  ])('%s are counted in one index', async (_, filter, index) => {
    search.statements();
    await search.index.count(criteriaOf(filter));
    expect(await plans()).toMatch(new RegExp(`(using|on) search_listings_(${index})_idx`));
  });

  test('what filters compare is compared in the index of an area', async () => {
    search.statements();
    await search.sliced.count(
      criteriaOf({ livingArea: { min: 1_500 }, yearBuilt: { min: 1_990 }, location: city }),
    );
    expect(await plans()).toMatch(
      /search_listings_stripes_idx.*\n *Index Cond: .*"livingArea" >= .*"yearBuilt" >= /,
    );
  });

  test.each([
    ['RELEVANCE', 'relevance'],
    ['NEWEST', 'newest'],
    ['RECENTLY_SOLD', 'sold'],
    ['PRICE_ASC', 'price'],
    ['PRICE_DESC', 'price'],
    ['RECENTLY_CHANGED', 'changed'],
    ['LIVING_AREA_DESC', 'living_area'],
    ['LOT_DESC', 'lot'],
    ['BEDS_DESC', 'beds'],
    ['BATHS_DESC', 'baths'],
    ['PRICE_PER_AREA_ASC', 'price_per_area'],
  ] as const)('a page of %s among many is read along the index, from the cursor on', async (sort, index) => {
    const walking = search.walking({ many: 1, steps: 20_000 });
    const first = await walking.list(ask({ beds: { min: 1 } }, sort));
    search.statements();
    await walking.list(ask({ beds: { min: 1 } }, sort, first.places[39]));
    const plan = (await plans()).split('\n\n').at(-1);
    expect(plan).toMatch(new RegExp(`Index Scan( Backward)? using search_listings_${index}_idx`));
    expect(plan).toMatch(/Index Cond: .*ROW\(/);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  });

  test.each<[SearchSort, Filters]>([
    ['PRICE_ASC', { price: { min: 600_000 } }],
    ['PRICE_DESC', { price: { max: 400_000 } }],
    ['LIVING_AREA_DESC', { livingArea: { max: 1_500 } }],
    ['LOT_DESC', { lotSize: { max: 5_000 } }],
    ['BEDS_DESC', { beds: { max: 3 } }],
    ['BATHS_DESC', { baths: { max: 2 } }],
  ])('a walk in the order of %s begins where the range of its filter does', async (sort, filter) => {
    search.statements();
    await search.walking({ many: 1, steps: 60 }).list(ask({ ...filter, yearBuilt: { min: 1900 } }, sort));
    const [, ...reads] = search.statements();
    expect(reads.map(({ sql }) => sql)).toEqual([expect.stringContaining('AS walked')]);
  });
});
