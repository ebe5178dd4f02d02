import fc from 'fast-check';
import type { Pool, QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Measure,
  type Neighborhood,
  type NeighborhoodStats,
  neighborhoodStats,
  readNeighborhood,
} from '../../../persistence/listings/neighborhood-stats.ts';
import { recordPastSales } from '../../../persistence/listings/price-events.ts';
import {
  closeTestDatabases,
  type OpenedDatabase,
  openTestDatabase,
} from '../../support/database/legacy-database.ts';
import { insertRow } from '../../support/database/legacy-rows.ts';
import { seedUser } from '../../support/database/seed.ts';

let database: OpenedDatabase;
let agentId: string;
beforeAll(async () => {
  database = await openTestDatabase({ migrated: true });
  agentId = await seedUser(database.pool);
});
afterAll(closeTestDatabases);

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 1, 28, 12);
let regions = 0;
const newRegion = () => {
  regions += 1;
  return `Z${regions}`;
};

async function home(postalCode: string | null, row: Record<string, unknown> = {}): Promise<string> {
  return insertRow(database.pool, 'properties', {
    ownerAgentId: agentId,
    listPrice: 300_000,
    address: '1 Test Lane',
    city: 'Springfield',
    postalCode,
    livingArea: 1000,
    createdAt: new Date(NOW),
    updatedAt: new Date(NOW),
    ...row,
  });
}
async function neighborhoodOf(propertyId: string): Promise<Neighborhood> {
  const of = await readNeighborhood(database.pool, propertyId);
  if (of === null) throw new Error('the listing has no page');
  return of;
}
async function statsOf(propertyId: string): Promise<NeighborhoodStats> {
  return neighborhoodStats(database.pool, { of: await neighborhoodOf(propertyId), at: NOW });
}

interface House {
  /** Days between its listing and NOW; null: known only by its sales. */
  listed: number | null;
  originalPrice: number;
  price: number;
  area: number | null;
  isLease: boolean;
  isEuro: boolean;
  isElsewhere: boolean;
  isHidden: boolean;
  /** Days after the listing; both null while it is active. */
  contractAfter: number | null;
  soldAfter: number | null;
  closePrice: number | null;
  pastSales: { before: number; price: number }[];
}
const price = fc.integer({ min: 1, max: 2_000_000 });
const rarely = fc.integer({ min: 0, max: 9 }).map((value) => value === 0);
const house: fc.Arbitrary<House> = fc.record({
  listed: fc.option(fc.integer({ min: 1, max: 1200 })),
  originalPrice: price,
  price,
  area: fc.option(fc.integer({ min: 1, max: 5000 }), { freq: 8 }),
  isLease: rarely,
  isEuro: rarely,
  isElsewhere: rarely,
  isHidden: rarely,
  contractAfter: fc.option(fc.integer({ min: 0, max: 500 })),
  soldAfter: fc.option(fc.integer({ min: 0, max: 600 })),
  closePrice: fc.option(price, { freq: 8 }),
  pastSales: fc.uniqueArray(fc.record({ before: fc.integer({ min: 1, max: 1200 }), price }), {
    maxLength: 3,
    selector: ({ before }) => before,
  }),
});

/** Writes the houses as agents and the importer do, and returns the expected ledger. */
async function build(region: string, houses: readonly House[]) {
  const sales: Sale[] = [];
  const listed: number[] = [];
  const active: { price: number; original: number }[] = [];
  for (const each of houses) {
    const postalCode = each.isElsewhere ? newRegion() : region;
    const counts = !each.isElsewhere && !each.isLease && !each.isHidden;
    const begin = each.listed === null ? null : NOW - each.listed * DAY;
    const currency = each.isEuro ? 'EUR' : 'USD';
    const id = await home(postalCode, {
      livingArea: each.area,
      currency,
      listPrice: each.price,
      originalListPrice: each.originalPrice,
      propertyType: each.isLease ? 'Residential Lease' : 'Residential',
      ...(begin === null
        ? { standardStatus: 'Hold', originalListPrice: null }
        : { listedAt: new Date(begin), updatedAt: new Date(begin) }),
    });
    if (begin !== null && counts) listed.push(begin);
    const sold = begin === null ? null : await sellWithin(id, each, begin);
    if (sold !== null && counts) sales.push({ ...sold, area: each.area, isEuro: each.isEuro });
    if (sold === null && begin !== null && each.contractAfter === null && counts && !each.isEuro)
      active.push({ price: each.price, original: each.originalPrice });
    const past = each.pastSales.map(({ before, price: paid }) => ({
      propertyId: id,
      at: NOW - before * DAY,
      price: paid,
    }));
    await recordPastSales(database.pool, { sales: past, at: NOW });
    if (counts)
      for (const { at, price: paid } of past)
        if (!(sold !== null && sold.at === at && sold.price === paid))
          sales.push({ at, price: paid, asked: null, days: null, area: each.area, isEuro: each.isEuro });
    if (each.isHidden) await move(id, { standardStatus: 'Delete' }, NOW);
  }
  return { sales, listed, active };
}
interface Sale {
  at: number;
  price: number | null;
  asked: number | null;
  days: number | null;
  area: number | null;
  isEuro: boolean;
}

async function move(id: string, columns: Record<string, unknown>, at: number): Promise<void> {
  const names = Object.keys(columns);
  await database.pool.query(
    `update properties set "updatedAt" = $2, ${names.map((name, index) => `"${name}" = $${index + 3}`).join(', ')}
     where id = $1`,
    [id, new Date(at), ...Object.values(columns)],
  );
}

async function sellWithin(
  id: string,
  { contractAfter, soldAfter, closePrice, price: asked }: House,
  begin: number,
) {
  if (contractAfter === null || begin + contractAfter * DAY > NOW) {
    if (contractAfter !== null) await move(id, { standardStatus: 'Pending' }, NOW);
    return null;
  }
  await move(id, { standardStatus: 'Pending' }, begin + contractAfter * DAY);
  if (soldAfter === null) return null;
  const at = begin + (contractAfter + soldAfter) * DAY;
  if (at > NOW) return null;
  await move(id, { standardStatus: 'Closed', closePrice }, at);
  return { at, price: closePrice, asked, days: contractAfter };
}

/** The reference computation, over plain arrays. */
function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
function yearBefore(at: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  // February 29 has no counterpart; PostgreSQL takes the 28th.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
function reference({ sales, listed, active }: Awaited<ReturnType<typeof build>>) {
  const newest = sales.length === 0 ? null : Math.max(...sales.map(({ at }) => at));
  const figures = (from: number, to: number) => {
    const within = sales.filter(({ at }) => at > from && at <= to);
    const measure = (values: (number | null)[]): Measure => {
      const known = values.filter((value) => value !== null);
      return { value: median(known), n: known.length };
    };
    const dollars = within.filter(({ isEuro }) => !isEuro);
    return {
      homesSold: { value: within.length, n: within.length },
      medianSalePrice: measure(dollars.map((sale) => sale.price)),
      medianPricePerArea: measure(
        dollars.map((sale) =>
          sale.price === null || !sale.area ? null : Math.round((sale.price / sale.area) * 100) / 100,
        ),
      ),
      medianDaysOnMarket: measure(within.map(({ days }) => (days === null || days > 365 ? null : days))),
      saleToListRatio: measure(
        dollars.map((sale) => (sale.price === null || sale.asked === null ? null : sale.price / sale.asked)),
      ),
    };
  };
  const end = newest ?? 0;
  const first = yearBefore(end);
  const since = yearBefore(NOW);
  const count = (from: number, to: number) => listed.filter((at) => at > from && at <= to).length;
  return {
    sales: newest === null ? null : { from: first, to: end },
    now: figures(first, end),
    before: figures(yearBefore(first), first),
    newListings: count(since, NOW),
    newListingsBefore: count(yearBefore(since), since),
    activeInventory: active.length,
    medianListPrice: median(active.map((each) => each.price)),
    shareWithPriceCut:
      active.length === 0 ? null : active.filter((a) => a.price < a.original).length / active.length,
  };
}

function expectMeasure(name: string, actual: Measure, expected: Measure, tolerance: number): void {
  expect([name, actual.n]).toEqual([name, expected.n]);
  if (expected.value === null) expect([name, actual.value]).toEqual([name, null]);
  else expect(Math.abs((actual.value ?? Number.NaN) - expected.value), name).toBeLessThanOrEqual(tolerance);
}

test('every figure equals a plain computation over the same homes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(house, { maxLength: 40 }), async (houses) => {
      const region = newRegion();
      const subject = await home(region, { standardStatus: 'Hold' });
      const expected = reference(await build(region, houses));
      const { figures, sales, ...stats } = await statsOf(subject);
      expect(stats).toMatchObject({
        isLease: false,
        currency: 'USD',
        region: { type: 'POSTAL_CODE', name: region },
      });
      expect(sales).toEqual(expected.sales);
      const tolerances = {
        homesSold: 0,
        medianSalePrice: 0.0051,
        medianPricePerArea: 0.011,
        medianDaysOnMarket: 0.051,
        saleToListRatio: 0.000051,
      };
      for (const name of Object.keys(tolerances) as (keyof typeof tolerances)[]) {
        expectMeasure(name, figures[name], expected.now[name], tolerances[name]);
        if (expected.sales !== null)
          expectMeasure(`${name} before`, figures[name].before, expected.before[name], tolerances[name]);
      }
      const { newListings, newListingsBefore, activeInventory: n } = expected;
      expect(figures.newListings).toEqual({
        value: newListings,
        n: newListings,
        before: { value: newListingsBefore, n: newListingsBefore },
      });
      expect(figures.activeInventory).toEqual({ value: n, n });
      expectMeasure('list price', figures.medianListPrice, { value: expected.medianListPrice, n }, 0.0051);
      expectMeasure(
        'price cuts',
        figures.shareWithPriceCut,
        { value: expected.shareWithPriceCut, n },
        0.000051,
      );
    }),
    { numRuns: 25 },
  );
}, 120_000);

describe('the region', () => {
  test('is the city when there is no postal code, in upper or lower case', async () => {
    const city = `Town ${newRegion()}`;
    const inWa = { city, stateOrProvince: 'WA' };
    const subject = await home(null, inWa);
    await home('98101', { city: city.toUpperCase(), stateOrProvince: 'WA' });
    await home(null, { city, stateOrProvince: 'OR' });
    await home(null, { ...inWa, country: 'CA' });
    const stats = await statsOf(subject);
    expect(stats.region).toEqual({ type: 'CITY', name: city, country: 'US' });
    expect(stats.figures.activeInventory.n).toBe(2);
    expect(stats.sales).toBeNull();
  });

  test('of a lease counts leases', async () => {
    const region = newRegion();
    const lease = { propertyType: 'Residential Lease', listPrice: 2000 };
    const subject = await home(region, lease);
    await home(region);
    await move(await home(region, lease), { standardStatus: 'Closed', closePrice: 1900 }, NOW);
    const stats = await statsOf(subject);
    expect(stats.isLease).toBe(true);
    expect(stats.figures.medianListPrice).toEqual({ value: 2000, n: 1 });
    expect(stats.figures.medianSalePrice).toMatchObject({ value: 1900, n: 1 });
  });

  test('ignores the duration of sales that took more than a year', async () => {
    const region = newRegion();
    for (const days of [10, 365, 366]) {
      const id = await home(region, { updatedAt: new Date(NOW - days * DAY) });
      await move(id, { standardStatus: 'Closed', closePrice: 1 }, NOW);
    }
    const { homesSold, medianDaysOnMarket } = (await statsOf(await home(region))).figures;
    expect(homesSold.n).toBe(3);
    expect(medianDaysOnMarket).toMatchObject({ value: 187.5, n: 2 });
  });

  test('counts a corrected sale with its corrected values', async () => {
    const region = newRegion();
    const id = await home(region);
    await move(id, { standardStatus: 'Closed', closePrice: 30_000 }, NOW - DAY);
    await move(id, { closePrice: 300_000 }, NOW);
    const { medianSalePrice, medianPricePerArea } = (await statsOf(id)).figures;
    expect(medianSalePrice).toMatchObject({ value: 300_000, n: 1 });
    expect(medianPricePerArea).toMatchObject({ value: 300, n: 1 });
  });
});

test.each([
  { of: 'a postal code', region: newRegion, index: 'postal_region_idx' },
  { of: 'a city', region: () => null, index: 'city_region_idx' },
])('the query from the region to its sales uses indexes: $of', async ({ region, index }) => {
  const of = await neighborhoodOf(await home(region()));
  const statements: QueryConfig[] = [];
  const query = (statement: QueryConfig) => {
    statements.push(statement);
    return database.pool.query(statement);
  };
  await neighborhoodStats({ query } as Pool, { of, at: NOW });
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    // The tables are small here: the test only checks that an index can be used.
    await client.query('set local enable_seqscan = off');
    // A prepared statement has the plan for any values from its sixth time on.
    const { rows } = await client.query(`explain (generic_plan) ${statements[0]?.text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    for (const used of [index, 'price_events_sales_idx', 'correctsId_idx']) expect(plan).toContain(used);
    expect(plan).not.toMatch(/Seq Scan on (properties|property_price_events)/);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
