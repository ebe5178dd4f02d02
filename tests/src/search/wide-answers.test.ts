import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchIndex } from '../../../persistence/search/postgres-search-index.ts';
import { createWideAnswers, type WideAnswerLimits } from '../../../src/search/wide-answers.ts';
import {
  createSearchDatabase,
  criteriaOf,
  type SearchDatabase,
  WORLD,
} from '../../support/database/search-database.ts';
import { insertListings, madeUpListings, type NewListing } from '../../support/database/search-listings.ts';

const COUNTY = { west: -122.5, south: 47.2, east: -121.4, north: 47.8 };
const STREET = { west: -122.331, south: 47.609, east: -122.329, north: 47.611 };
const LIMITS: WideAnswerLimits = { maxAgeMs: 1_000, many: 100, maxSize: 50_000 };

let search: SearchDatabase;
let now = 0;
const clock = { now: () => now };
beforeAll(async () => {
  search = await createSearchDatabase(madeUpListings(1_500));
});
afterAll(() => search.drop());

const keeping = (limits: Partial<WideAnswerLimits> = {}, index: SearchIndex = search.index) =>
  createWideAnswers(clock, { ...LIMITS, ...limits })(index);
const mapOf = (index: SearchIndex, box = COUNTY, filters = {}) =>
  index.map({ criteria: criteriaOf(filters), box, zoom: 9 });
const listOf = (index: SearchIndex, box = COUNTY) =>
  index.list({
    criteria: criteriaOf({ location: { box } }),
    sort: 'NEWEST',
    origin: null,
    after: null,
    limit: 50,
  });
/** Takes the newest listing of the box off the market. */
async function withdrawOne(box = COUNTY): Promise<string> {
  const { rows } = await search.pool.query<{ id: string }>(
    `update properties set "standardStatus" = 'Withdrawn', "updatedAt" = now() where id = (
       select "propertyId" from search_listings where "onMarket" and longitude between $1 and $2
       and latitude between $3 and $4 order by "listedAt" desc nulls last, "propertyId" desc limit 1) returning id`,
    [box.west, box.east, box.south, box.north],
  );
  return rows[0]?.id as string;
}
const statements = () => search.statements().length;

test('a crowd that asks for the map of a county costs one query, and those of the next second none', async () => {
  const kept = keeping();
  statements();
  const answers = await Promise.all(Array.from({ length: 30 }, () => mapOf(kept)));
  expect(new Set(answers).size).toBe(1);
  now += LIMITS.maxAgeMs - 1;
  expect(await mapOf(kept)).toBe(answers[0]);
  expect(statements()).toBe(1);
  now += 1;
  await mapOf(kept);
  expect(statements()).toBe(1);
});

test('other filters, another box and another zoom are other questions', async () => {
  const kept = keeping();
  await mapOf(kept);
  statements();
  await mapOf(kept, COUNTY, { beds: { min: 2 } });
  await mapOf(kept, WORLD);
  await kept.map({ criteria: criteriaOf({}), box: COUNTY, zoom: 8 });
  // A wide box with filters is asked for in four slices.
  expect(statements()).toBe(4 + 1 + 1);
});

test('a listing that leaves the market is on no map after a second, and in no list at once', async () => {
  const kept = keeping();
  const before = await mapOf(kept);
  const gone = await withdrawOne();
  const { places, total } = await listOf(kept);
  expect(places.map(({ propertyId }) => propertyId)).not.toContain(gone);
  // One filter, one total: the list counts as the map beside it did.
  expect(total).toBe(before.total);
  now += LIMITS.maxAgeMs;
  expect((await listOf(kept)).total).toBe(before.total - 1);
  expect((await mapOf(kept)).total).toBe(before.total - 1);
});

test('a few streets are asked anew each time: a change is seen at once, in map and list', async () => {
  const kept = keeping({ many: 0 });
  const before = await mapOf(kept, STREET);
  expect((await listOf(kept, STREET)).total).toBe(before.total);
  await withdrawOne(STREET);
  expect((await mapOf(kept, STREET)).total).toBe(before.total - 1);
  expect((await listOf(kept, STREET)).total).toBe(before.total - 1);
});

test('an answer with few listings is not kept, however wide its area', async () => {
  const kept = keeping({ many: 1_000_000 });
  const before = await mapOf(kept);
  const [made] = madeUpListings(1) as [NewListing];
  await insertListings(search.pool, [{ ...made, latitude: 47.5, longitude: -122, standardStatus: 'Active' }]);
  expect((await mapOf(kept)).total).toBe(before.total + 1);
  expect((await listOf(kept)).total).toBe(before.total + 1);
});

test('kept marks have a bound: the oldest are forgotten', async () => {
  const kept = keeping({ maxSize: 0 });
  const first = await mapOf(kept);
  expect(await mapOf(kept)).not.toBe(first);
  const roomy = keeping();
  const one = await mapOf(roomy);
  await mapOf(roomy, WORLD);
  expect(await mapOf(roomy)).toBe(one);
});

test('a failure reaches everyone who waited, and the next one asks again', async () => {
  let failures = 1;
  const kept = keeping(
    {},
    {
      ...search.index,
      map: (question) =>
        failures-- > 0 ? Promise.reject(new Error('no connection')) : search.index.map(question),
    },
  );
  const both = await Promise.allSettled([mapOf(kept), mapOf(kept)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await mapOf(kept)).total).toBeGreaterThan(0);
});
