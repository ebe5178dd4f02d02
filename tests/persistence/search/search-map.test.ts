import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchIndex } from '../../../persistence/search/postgres-search-index.ts';
import { MAX_MARKS, type MapAnswer } from '../../../persistence/search/search-grid.ts';
import {
  createSearchDatabase,
  criteriaOf,
  type SearchDatabase,
  WORLD,
} from '../../support/database/search-database.ts';
import {
  insertListings,
  madeUpListings,
  PRESENT,
  somewhere,
} from '../../support/database/search-listings.ts';
import {
  type Box,
  type Filters,
  isInBox,
  type ListingRow,
  matches,
  type Point,
  readListings,
} from '../../support/database/search-model.ts';

let search: SearchDatabase;
let onMarket: ListingRow[];
beforeAll(async () => {
  search = await createSearchDatabase(madeUpListings(3_000));
  onMarket = search.rows.filter((row) => matches({}, row, PRESENT));
});
afterAll(() => search.drop());

const ask = (box: Box, zoom: number, filters: Filters = {}) =>
  search.index.map({ criteria: criteriaOf(filters), box, zoom });

const COUNTY: Box = { west: -122.5, south: 47.2, east: -121.4, north: 47.8 };

/** The grid as specified: cells of 40 pixels in a Mercator world of 512 pixels at zoom 0; coordinates from 17 on. */
function cellOf(
  { latitude, longitude }: { latitude: number | null; longitude: number | null },
  zoom: number,
) {
  if (latitude === null || longitude === null) return '';
  if (zoom > 16) return `${latitude} ${longitude}`;
  const sine = Math.sin((Math.max(-89.9, Math.min(89.9, latitude)) * Math.PI) / 180);
  const y = Math.min(1, Math.max(0, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)));
  const cells = (512 * 2 ** zoom) / 40;
  return `${Math.floor((longitude / 360 + 0.5) * cells)} ${Math.floor(y * cells)}`;
}

/** The deepest zoom, at most the requested one, that has few enough marks. */
function shownZoom(rows: typeof onMarket, asked: number): number {
  const isCrowded = (zoom: number) => new Set(rows.map((row) => cellOf(row, zoom))).size > MAX_MARKS;
  let zoom = asked;
  while (zoom > 0 && isCrowded(zoom)) zoom -= 1;
  return zoom;
}

/** Compares an answer with the rows, cell by cell. */
function checkAnswer(answer: MapAnswer, box: Box, asked: number, rows = onMarket): void {
  const inside = rows.filter((row) => isInBox(box, row));
  expect(answer.total).toBe(inside.length);
  const zoom = shownZoom(inside, asked);
  const cells = Map.groupBy(inside, (row) => cellOf(row, zoom));
  const marks = new Set([...answer.clusters, ...answer.pins].map((mark) => cellOf(mark, zoom)));
  expect(marks).toEqual(new Set(cells.keys()));
  expect(answer.clusters.length + answer.pins.length).toBe(cells.size);
  for (const cluster of answer.clusters) {
    const members = cells.get(cellOf(cluster, zoom)) ?? [];
    expect(cluster.count).toBe(members.length);
    expect(cluster.count).toBeGreaterThan(1);
    const prices = members.map(({ listPrice }) => listPrice);
    expect([cluster.minPrice, cluster.maxPrice]).toEqual([Math.min(...prices), Math.max(...prices)]);
    expect(cluster.expansionZoom).toBe(firstSplit(members, zoom));
  }
  for (const pin of answer.pins) {
    const [member, ...more] = cells.get(cellOf(pin, zoom)) ?? [];
    expect(more).toEqual([]);
    expect(pin).toEqual({
      propertyId: member?.id,
      latitude: member?.latitude,
      longitude: member?.longitude,
      listPrice: member?.listPrice,
      currency: member?.currency,
    });
  }
  const ids = answer.clusters.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
}

/** Three tiles wide, two high. */
function screenAt(at: Point, zoom: number): Box {
  const width = (360 / 2 ** zoom) * 3;
  return {
    west: at.longitude - width < -180 ? at.longitude - width + 360 : at.longitude - width,
    east: at.longitude + width > 180 ? at.longitude + width - 360 : at.longitude + width,
    south: at.latitude - width / 3,
    north: at.latitude + width / 3,
  };
}
const onTheMap = somewhere.filter(
  ({ latitude }) => latitude !== null && Math.abs(latitude) < 80,
) as fc.Arbitrary<Point>;

function firstSplit(members: readonly ListingRow[], zoom: number): number {
  for (let deeper = zoom + 1; deeper <= 16; deeper += 1)
    if (new Set(members.map((row) => cellOf(row, deeper))).size > 1) return deeper;
  return 17;
}

describe('clusters', () => {
  test.each([0, 1, 2, 3])('of the world at zoom %d are its cells', async (zoom) => {
    checkAnswer(await ask(WORLD, zoom), WORLD, zoom);
  });

  test('of any screen contain every listing on the screen, at every zoom', async () => {
    await fc.assert(
      fc.asyncProperty(onTheMap, fc.integer({ min: 4, max: 20 }), async (at, zoom) => {
        const box = screenAt(at, zoom);
        checkAnswer(await ask(box, zoom), box, zoom);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });

  // The first two are in the index of tiles, the others are not; cities and states have one of their own.
  test.each<[string, Filters]>([
    ['rooms and price', { beds: { min: 2 }, price: { max: 900_000 } }],
    ['a feature', { features: ['GARAGE'] }],
    ['a year', { yearBuilt: { min: 1950 } }],
    ['two statuses', { statuses: ['Active', 'Closed'] }],
    ['a city', { place: { of: 'city', key: 'us:wa:seattle' } }],
    ['a city and a year', { place: { of: 'city', key: 'us:wa:seattle' }, yearBuilt: { min: 1930 } }],
    ['a state', { place: { of: 'state', key: 'us:wa' } }],
    ['a postal code', { place: { of: 'postalCode', key: 'us:98101' } }],
  ])(
    'of any screen with a filter of %s contain the listings that match, each in one mark',
    async (_, filters) => {
      const matching = search.rows.filter((row) => matches(filters, row, PRESENT));
      expect(matching.length).toBeGreaterThan(100);
      await fc.assert(
        fc.asyncProperty(onTheMap, fc.integer({ min: 4, max: 17 }), async (at, zoom) => {
          const box = screenAt(at, zoom);
          for (const index of [search.index, search.sliced]) {
            const answer = await index.map({ criteria: criteriaOf(filters), box, zoom });
            checkAnswer(answer, box, zoom, matching);
            const count = await index.count({ ...criteriaOf(filters), areas: [{ box }] });
            expect(count).toBe(answer.total);
          }
        }),
        { numRuns: 80, endOnFailure: true },
      );
    },
  );

  test('of a wide box with filters are asked for in four slices at once, also when the box is named twice', async () => {
    const filters = { beds: { min: 2 } };
    search.statements();
    const answer = await ask(COUNTY, 9, filters);
    expect(search.statements()).toHaveLength(4);
    expect(await ask(COUNTY, 9, { ...filters, location: { box: COUNTY } })).toEqual(answer);
    expect(search.statements()).toHaveLength(4);
  });

  test('of a wide box with filters that few ask for come in one piece when few listings match', async () => {
    const asked = async (index: SearchIndex, filters: Filters) => {
      search.statements();
      const { total } = await index.map({
        criteria: criteriaOf(filters),
        box: WORLD,
        zoom: 9,
      });
      return { total, statements: search.statements().length };
    };
    const palaces = { livingArea: { min: 32_000 } };
    const expectations = 2;
    expect(await asked(search.index, { yearBuilt: { min: 1950 } })).toMatchObject({
      statements: expectations + 4,
    });
    const rare = await asked(search.index, palaces);
    expect(rare).toEqual({
      total: (await asked(search.sliced, palaces)).total,
      statements: expectations + 1,
    });
    expect(rare.total).toBeGreaterThan(0);
  });

  test('of a slice are read by one process, whatever the planner thinks of parallel workers', async () => {
    const plans = async (index: SearchIndex) => {
      search.statements();
      await index.map({ criteria: criteriaOf({ yearBuilt: { min: 1950 } }), box: WORLD, zoom: 9 });
      const client = await search.pool.connect();
      try {
        for (const free of ['setup_cost', 'tuple_cost']) await client.query(`set parallel_${free} = 0`);
        for (const size of ['table', 'index']) await client.query(`set min_parallel_${size}_scan_size = 0`);
        const asked = search.statements().filter(({ sql }) => sql.startsWith('WITH'));
        const found = asked.map(({ sql, values }) => client.query(`explain (costs off) ${sql}`, values));
        return (await Promise.all(found)).map(({ rows }) => JSON.stringify(rows).includes('Gather'));
      } finally {
        client.release(true);
      }
    };
    expect(await plans(search.sliced)).toEqual([false, false, false, false]);
    expect(await plans(search.unsliced)).toEqual([true]);
  });

  test('split at their expansion zoom, around their own position', async () => {
    const { clusters } = await ask(WORLD, 3);
    for (const cluster of clusters.filter(({ count }) => count < 1_000)) {
      const { expansionZoom: zoom } = cluster;
      if (zoom > 16) continue;
      const members = onMarket.filter((row) => cellOf(row, 3) === cellOf(cluster, 3));
      const cellsAt = (at: number) => new Set(members.map((row) => cellOf(row, at))).size;
      expect([cellsAt(zoom - 1), cellsAt(zoom) > 1]).toEqual([1, true]);
    }
  });

  test('at one address never split: they stay a cluster at the deepest zoom', async () => {
    const door = { latitude: 47.61, longitude: -122.33 };
    const box = { west: -122.3301, east: -122.3299, south: 47.6099, north: 47.6101 };
    const members = onMarket.filter(
      (row) => row.latitude === door.latitude && row.longitude === door.longitude,
    );
    for (const zoom of [16, 17, 24]) {
      const { clusters } = await ask(box, zoom);
      expect(clusters).toContainEqual(expect.objectContaining({ count: members.length, expansionZoom: 17 }));
    }
    expect((await ask(box, 18)).clusters[0]).toMatchObject(door);
  });

  test('across the antimeridian are found on both sides', async () => {
    const box = { west: 179.5, east: -179.5, south: -18, north: -16 };
    for (const zoom of [2, 7, 11]) checkAnswer(await ask(box, zoom), box, zoom);
    const answer = await ask(box, 7);
    const sides = new Set([...answer.clusters, ...answer.pins].map(({ longitude }) => Math.sign(longitude)));
    expect(sides).toEqual(new Set([1, -1]));
    const wrong = await ask({ ...box, west: box.east, east: box.west }, 7);
    const { total } = await ask({ ...WORLD, south: box.south, north: box.north }, 7);
    const edges = onMarket.filter(
      (row) => isInBox(box, row) && Math.abs(row.longitude ?? 0) === 179.5,
    ).length;
    expect(wrong.total).toBe(total - answer.total + edges);
  });
});

test('a box that is too large for its zoom is answered by a coarser grid, with the same total', async () => {
  const scattered = await createSearchDatabase([]);
  try {
    const place = fc.record({
      latitude: fc.integer({ min: -600_000, max: 600_000 }).map((step) => step / 10_000),
      longitude: fc.integer({ min: -1_800_000, max: 1_800_000 }).map((step) => step / 10_000),
    });
    const places = fc.sample(place, 5_000);
    const listings = madeUpListings(5_000).map((listing, index) => ({
      ...listing,
      ...places[index],
      standardStatus: 'Active',
      closeDate: null,
    }));
    await insertListings(scattered.pool, listings);
    onMarket = await readListings(scattered.pool);
    for (const zoom of [6, 12, 20]) {
      const answer = await scattered.index.map({ criteria: criteriaOf({}), box: WORLD, zoom });
      expect(answer.total).toBe(5_000);
      expect(answer.clusters.length + answer.pins.length).toBeLessThanOrEqual(MAX_MARKS);
      const coarser = Number(answer.clusters[0]?.id.split('/')[0]);
      checkAnswer(answer, WORLD, coarser);
    }
  } finally {
    await scattered.drop();
  }
});
