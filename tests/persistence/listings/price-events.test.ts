import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { priceHistory, recordPastSales } from '../../../persistence/listings/price-events.ts';
import { readDocumentStates } from '../../../persistence/search/search-documents.ts';
import {
  closeTestDatabases,
  type OpenedDatabase,
  openTestDatabase,
} from '../../support/database/legacy-database.ts';
import { seedProperty } from '../../support/database/seed.ts';

let database: OpenedDatabase;
beforeAll(async () => {
  database = await openTestDatabase({ migrated: true });
});
afterAll(closeTestDatabases);

const AT = Date.UTC(2026, 0, 1);
const SOLD = Date.UTC(2014, 4, 2);
const events = async (propertyId: string) =>
  (await priceHistory(database.pool, { propertyId, afterSeq: null, limit: 50 })) ?? [];

describe('sales of the past', () => {
  test('are appended with their own date, once', async () => {
    const propertyId = await seedProperty(database.pool, { livingArea: 1000, standardStatus: 'Hold' });
    const sales = [
      { propertyId, at: SOLD, price: 313_000.5, listingKey: '7129300520' },
      { propertyId, at: SOLD + 86_400_000 * 200, price: 400_000 },
      { propertyId: randomUUID(), at: SOLD, price: 1 },
    ];
    expect(await recordPastSales(database.pool, { sales, at: AT })).toBe(2);
    expect(await recordPastSales(database.pool, { sales, at: AT + 1 })).toBe(0);
    expect(await events(propertyId)).toMatchObject([
      { seq: 2, event: 'SOLD', price: 400_000, listingKey: null, pricePerArea: 400 },
      {
        seq: 1,
        event: 'SOLD',
        at: SOLD,
        price: 313_000.5,
        previousPrice: null,
        changePct: null,
        source: 'import',
        listingKey: '7129300520',
        pricePerArea: 313,
        areaUnits: 'Square Feet',
      },
    ]);
  });

  test('one that the listing already has is not added again', async () => {
    const propertyId = await seedProperty(database.pool, {
      standardStatus: 'Closed',
      closePrice: 250_000,
      closeDate: '2014-05-02',
    });
    expect(await events(propertyId)).toMatchObject([{ event: 'SOLD', source: 'listing' }]);
    const sales = [{ propertyId, at: SOLD, price: 250_000 }];
    expect(await recordPastSales(database.pool, { sales, at: AT })).toBe(0);
  });

  test('twice in one batch, or in two imports at once, are stored once', async () => {
    const propertyId = await seedProperty(database.pool, { standardStatus: 'Hold' });
    const sale = { propertyId, at: SOLD, price: 5 };
    const both = await Promise.all(
      [1, 2].map(() => recordPastSales(database.pool, { sales: [sale, sale], at: AT })),
    );
    expect(both[0]! + both[1]!).toBe(1);
    expect(await events(propertyId)).toHaveLength(1);
  });

  test('are accepted in batches of thousands, and in empty ones', async () => {
    const propertyId = await seedProperty(database.pool, { standardStatus: 'Hold' });
    const sales = Array.from({ length: 3000 }, (_, index) => ({
      propertyId,
      at: SOLD + index * 86_400_000,
      price: 1,
    }));
    expect(await recordPastSales(database.pool, { sales, at: AT })).toBe(3000);
    expect(await recordPastSales(database.pool, { sales: [], at: AT })).toBe(0);
  });
});

test('price changes within ten minutes are shown as one, and one that was taken back not at all', async () => {
  const propertyId = await seedProperty(database.pool, { listPrice: 1_085_000 });
  const change = (listPrice: number, minutes: number) =>
    database.pool.query(
      `update properties set "listPrice" = $2, "updatedAt" = "createdAt" + make_interval(mins => $3) where id = $1`,
      [propertyId, listPrice, minutes],
    );
  const changes = async () => (await events(propertyId)).filter(({ event }) => event === 'PRICE_CHANGED');
  await change(108_500, 60);
  await change(1_049_000, 69);
  expect(await changes()).toMatchObject([{ price: 1_049_000, previousPrice: 1_085_000, changePct: -3.32 }]);
  await change(1_000_000, 100);
  expect(await changes()).toMatchObject([
    { price: 1_000_000, previousPrice: 1_049_000 },
    { price: 1_049_000, previousPrice: 1_085_000 },
  ]);
  await change(1_049_000, 105);
  expect(await changes()).toHaveLength(1);
});

test('a card reads the last fifty price changes, however many there are', async () => {
  const propertyId = await seedProperty(database.pool, { listPrice: 1_000_000 });
  await database.pool.query(
    `do $$ begin for minute in 1..60 loop
       update properties set "listPrice" = "listPrice" - 1, "updatedAt" = "createdAt" + make_interval(mins => minute)
       where id = '${propertyId}';
     end loop; end $$`,
  );
  const [state] = await readDocumentStates(database.pool, [propertyId]);
  expect(state?.fresh.loweredBy).toBe(50);
});

test('listings without a history get its first row', async () => {
  const legacy = await openTestDatabase({ until: '0011_listing_details' });
  const listed = new Date('2020-02-02T00:00:00Z');
  const changed = new Date('2020-03-03T00:00:00Z');
  const old = { listedAt: listed, createdAt: listed, updatedAt: changed, livingArea: 1000 };
  const active = await seedProperty(legacy.pool, old);
  const sold = await seedProperty(legacy.pool, { ...old, listedAt: null, standardStatus: 'Closed' });
  const lease = await seedProperty(legacy.pool, { ...old, propertyType: 'Residential Lease' });
  const draft = await seedProperty(legacy.pool, { standardStatus: 'Incomplete' });
  const { migrate } = await import('../../../persistence/migrations/migrator.ts');
  await migrate(legacy.url, { until: '0012_price_history' });
  const { rows } = await legacy.pool.query(
    `select p.id, e.event, e.at, e.price, e."pricePerArea", e.source, p."listedAt", p."offMarketAt", p."originalListPrice"
     from properties p left join property_price_events e on e."propertyId" = p.id`,
  );
  const row = (id: string) => rows.find((one) => one.id === id);
  const first = {
    at: listed,
    price: '250000.00',
    pricePerArea: '250.00',
    source: 'migration',
    listedAt: listed,
  };
  expect(rows).toHaveLength(4);
  expect(row(active)).toMatchObject({
    ...first,
    event: 'LISTED',
    offMarketAt: null,
    originalListPrice: '250000.00',
  });
  expect(row(sold)).toMatchObject({ ...first, event: 'LISTED', offMarketAt: changed });
  expect(row(lease)).toMatchObject({ ...first, event: 'LISTED_FOR_RENT' });
  expect(row(draft)).toMatchObject({ event: null, listedAt: null, originalListPrice: null });
});
