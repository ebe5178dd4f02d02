import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STANDARD_STATUSES, type StandardStatus } from '../../../persistence/entities/values.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';
import { Rows } from '../../support/database/schema-rows.ts';

/** The triggers of 0012, tested by plain SQL: every write of a listing also writes its history. */
let rows: Rows;
beforeAll(async () => {
  rows = new Rows((await openTestDatabase({ migrated: true })).pool);
});
afterAll(closeTestDatabases);

const DAY = 86_400_000;
const EPOCH = Date.UTC(2026, 0, 1);
const day = (number: number) => new Date(EPOCH + number * DAY);

interface EventRow {
  event: string;
  at: Date;
  price: string | null;
  previousPrice: string | null;
  changePct: string | null;
  [column: string]: unknown;
}
async function history(propertyId: string): Promise<EventRow[]> {
  const { rows: found } = await rows.pool.query(
    'select * from property_price_events where "propertyId" = $1 order by id',
    [propertyId],
  );
  return found;
}
const names = async (propertyId: string) => (await history(propertyId)).map(({ event }) => event).join(' ');
const last = async (propertyId: string) => (await history(propertyId)).at(-1);

async function create(status: StandardStatus, columns: Record<string, unknown> = {}): Promise<string> {
  return rows.property({ standardStatus: status, createdAt: day(0), updatedAt: day(0), ...columns });
}
const set = (propertyId: string, assignment: string, at = day(1)) =>
  rows.pool.query(`update properties set "updatedAt" = $2, ${assignment} where id = $1`, [propertyId, at]);
const move = (propertyId: string, to: StandardStatus, at = day(1)) =>
  set(propertyId, `"standardStatus" = '${to}'`, at);
const market = async (propertyId: string) => {
  const { listedAt, offMarketAt, statusChangedAt, marketDaysBefore, originalListPrice } = await rows.one(
    'properties',
    propertyId,
  );
  return { listedAt, offMarketAt, statusChangedAt, marketDaysBefore, originalListPrice };
};

const ON_THE_MARKET: StandardStatus[] = ['Active', 'Active Under Contract', 'Coming Soon', 'Pending'];
const LEFT: StandardStatus[] = ['Canceled', 'Closed', 'Delete', 'Expired', 'Incomplete', 'Withdrawn'];

/** The expected history event of the change `from -> to` for a listing that was Active before. */
function expectedMove(from: StandardStatus, to: StandardStatus): string {
  if (from === to) return '';
  const back = LEFT.includes(from);
  const told: Record<StandardStatus, string> = {
    Active: back ? 'RELISTED' : 'BACK_ON_MARKET',
    'Active Under Contract': back ? 'RELISTED UNDER_CONTRACT' : 'UNDER_CONTRACT',
    Pending: back ? 'RELISTED PENDING' : 'PENDING',
    'Coming Soon': 'COMING_SOON',
    Hold: 'HOLD',
    Canceled: 'CANCELED',
    Expired: 'EXPIRED',
    Withdrawn: 'WITHDRAWN',
    Closed: 'SOLD',
    Delete: back ? '' : 'WITHDRAWN',
    Incomplete: back ? '' : 'WITHDRAWN',
  };
  return told[to];
}

describe('every pair of statuses', () => {
  test.each(STANDARD_STATUSES.flatMap((from) => STANDARD_STATUSES.map((to) => [from, to] as const)))(
    'of a listing that was on the market: %s -> %s',
    async (from, to) => {
      const id = await create('Active');
      if (from !== 'Active') await move(id, from, day(1));
      const before = await names(id);
      await move(id, to, day(2));
      expect((await names(id)).slice(before.length).trim()).toBe(expectedMove(from, to));
      for (const { at } of (await history(id)).slice(before.split(' ').length)) expect(at).toEqual(day(2));
    },
  );

  test.each<[StandardStatus, string]>([
    ['Active', 'LISTED'],
    ['Active Under Contract', 'LISTED UNDER_CONTRACT'],
    ['Coming Soon', 'COMING_SOON'],
    ['Pending', 'LISTED PENDING'],
    ['Hold', ''],
    ['Incomplete', ''],
    ['Delete', ''],
    ['Withdrawn', ''],
    ['Canceled', ''],
    ['Expired', ''],
    ['Closed', ''],
  ])('a new row in %s writes %j', async (status, told) => {
    expect(await names(await create(status))).toBe(told);
    const prepared = await create('Incomplete');
    await move(prepared, status);
    // A sale off the market is a sale; other ends of a listing that was never Active write nothing.
    expect(await names(prepared)).toBe(status === 'Closed' ? 'SOLD' : told);
  });

  test.each<[StandardStatus, string]>([
    ['Active', 'LISTED'],
    ['Pending', 'LISTED PENDING'],
    ['Hold', 'HOLD'],
    ['Withdrawn', 'WITHDRAWN'],
  ])('Coming Soon, never on the market -> %s', async (to, told) => {
    const id = await create('Coming Soon');
    await move(id, to, day(5));
    expect(await names(id)).toBe(`COMING_SOON ${told}`);
    if (ON_THE_MARKET.includes(to)) expect((await market(id)).listedAt).toEqual(day(5));
  });

  test('a lease is listed for rent and rented', async () => {
    const id = await create('Active', { propertyType: 'Residential Lease' });
    await set(id, `"standardStatus" = 'Closed', "closePrice" = 2400, "closeDate" = '2026-01-02'`);
    expect(await names(id)).toBe('LISTED_FOR_RENT RENTED');
  });
});

describe('time on the market', () => {
  test('starts again with a relisting, and the earlier days are kept', async () => {
    const id = await create('Active');
    await move(id, 'Withdrawn', day(10));
    expect(await market(id)).toMatchObject({ listedAt: day(0), offMarketAt: day(10), marketDaysBefore: 0 });
    await move(id, 'Expired', day(20));
    expect(await market(id)).toMatchObject({ offMarketAt: day(10), statusChangedAt: day(20) });
    await set(id, `"listPrice" = 400000`, day(25));
    await move(id, 'Active', day(30));
    expect(await market(id)).toEqual({
      listedAt: day(30),
      offMarketAt: null,
      statusChangedAt: day(30),
      marketDaysBefore: 10,
      originalListPrice: '400000.00',
    });
    expect(await last(id)).toMatchObject({
      event: 'RELISTED',
      price: '400000.00',
      previousPrice: '450000.00',
    });
    await move(id, 'Canceled', day(35));
    await move(id, 'Coming Soon', day(40));
    await move(id, 'Active', day(47));
    expect(await market(id)).toMatchObject({ listedAt: day(47), marketDaysBefore: 15 });
  });

  test('a pause, a failed contract and a change to Coming Soon remove no days', async () => {
    const id = await create('Active');
    for (const [index, status] of (['Hold', 'Pending', 'Coming Soon'] as const).entries()) {
      await move(id, status, day(2 * index + 1));
      await move(id, 'Active', day(2 * index + 2));
    }
    expect(await market(id)).toMatchObject({ listedAt: day(0), offMarketAt: null, marketDaysBefore: 0 });
  });

  test('days before the listing was first Active do not count as days on market', async () => {
    const id = await create('Coming Soon');
    await move(id, 'Withdrawn', day(9));
    await move(id, 'Active', day(20));
    expect(await market(id)).toMatchObject({ listedAt: day(20), marketDaysBefore: 0 });
    expect(await names(id)).toBe('COMING_SOON WITHDRAWN LISTED');
  });

  test('an imported row keeps its own dates', async () => {
    const id = await create('Active', { listedAt: day(-90), originalListPrice: '500000.00' });
    expect(await history(id)).toMatchObject([
      { event: 'LISTED', at: day(-90), price: '500000.00', recordedAt: day(0) },
      {
        event: 'PRICE_CHANGED',
        at: day(0),
        price: '450000.00',
        previousPrice: '500000.00',
        changePct: '-10.00',
      },
    ]);
  });

  test('a statement without a time gets the database time', async () => {
    const id = await create('Active');
    await rows.pool.query(`update properties set "standardStatus" = 'Hold' where id = $1`, [id]);
    expect((await last(id))?.at.getTime()).toBeGreaterThan(day(1).getTime());
    expect((await rows.one('properties', id)).updatedAt).toEqual((await last(id))?.at);
  });

  test('changes at the same instant all keep that instant', async () => {
    const id = await create('Active');
    await move(id, 'Pending', day(0));
    await move(id, 'Active', day(0));
    expect((await history(id)).map(({ at }) => at)).toEqual([day(0), day(0), day(0)]);
  });
});

describe('prices', () => {
  test('a change is recorded once, with the difference and the price per area', async () => {
    const id = await create('Active', { livingArea: '1500.00' });
    await set(id, '"listPrice" = 427500, "publicRemarks" = null');
    await set(id, '"listPrice" = 427500.00', day(2));
    expect(await history(id)).toMatchObject([
      { event: 'LISTED', price: '450000.00', previousPrice: null, changePct: null, pricePerArea: '300.00' },
      {
        event: 'PRICE_CHANGED',
        at: day(1),
        price: '427500.00',
        previousPrice: '450000.00',
        changePct: '-5.00',
        pricePerArea: '285.00',
        areaUnits: 'Square Feet',
        currency: 'USD',
        source: 'listing',
        note: null,
        recordedByUserId: null,
      },
    ]);
  });

  test.each(STANDARD_STATUSES)('of a listing that is %s', async (status) => {
    const id = await create('Active');
    if (status !== 'Active') await move(id, status);
    const before = await names(id);
    await set(id, '"listPrice" = 400000', day(2));
    const told = (await names(id)).slice(before.length).trim();
    expect(told).toBe(ON_THE_MARKET.includes(status) ? 'PRICE_CHANGED' : '');
  });

  test('a change made off the market shows when the listing comes back', async () => {
    const id = await create('Active');
    await move(id, 'Hold');
    await set(id, '"listPrice" = 360000', day(2));
    await move(id, 'Active', day(3));
    expect(await last(id)).toMatchObject({
      event: 'BACK_ON_MARKET',
      previousPrice: '450000.00',
      changePct: '-20.00',
    });
  });

  test('a change of currency has no percentage', async () => {
    const id = await create('Active');
    await set(id, `currency = 'EUR'`);
    expect(await last(id)).toMatchObject({
      event: 'PRICE_CHANGED',
      currency: 'EUR',
      previousPrice: null,
      changePct: null,
    });
  });

  test('a change from 0 has no percentage', async () => {
    const id = await create('Active', { listPrice: '0.00' });
    await set(id, '"listPrice" = 5');
    expect(await last(id)).toMatchObject({ event: 'PRICE_CHANGED', previousPrice: '0.00', changePct: null });
  });

  test('a sale is compared with the list price and counts the days to the contract', async () => {
    const id = await create('Active');
    await move(id, 'Pending', day(3));
    await move(id, 'Active', day(5));
    await move(id, 'Active Under Contract', day(12));
    await move(id, 'Pending', day(20));
    await set(id, `"standardStatus" = 'Closed', "closePrice" = 459000, "closeDate" = '2026-01-26'`, day(40));
    expect(await last(id)).toMatchObject({
      event: 'SOLD',
      at: new Date('2026-01-26T12:00:00Z'),
      recordedAt: day(40),
      price: '459000.00',
      previousPrice: '450000.00',
      changePct: '2.00',
      daysOnMarket: 12,
    });
    expect((await market(id)).offMarketAt).toEqual(new Date('2026-01-26T12:00:00Z'));
    await move(id, 'Active', day(60));
    expect(await rows.one('properties', id)).toMatchObject({ closePrice: null, closeDate: null });
  });

  test('a sale is never dated before the event that it ends', async () => {
    const id = await create('Active');
    await move(id, 'Pending', day(10));
    await set(id, `"standardStatus" = 'Closed', "closeDate" = '2026-01-04'`, day(11));
    expect(await last(id)).toMatchObject({ event: 'SOLD', at: day(10), price: null });
  });
});

describe('corrections', () => {
  async function correct(propertyId: string, assignment: string, at = day(2)): Promise<void> {
    const client = await rows.pool.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('proscenium.price_correction', 'A zero too many.', true),
        set_config('proscenium.acting_user', '00000000-0000-4000-8000-000000000001', true)`);
      await client.query(`update properties set "updatedAt" = $2, ${assignment} where id = $1`, [
        propertyId,
        at,
      ]);
      await client.query('commit');
    } finally {
      client.release();
    }
  }

  test('replace a wrong list price in one visible row', async () => {
    const id = await create('Active', { listPrice: '4500000.00' });
    await correct(id, '"listPrice" = 450000');
    const [first, second] = await history(id);
    expect(first).toMatchObject({ event: 'LISTED', price: '4500000.00' });
    expect(second).toMatchObject({
      event: 'CORRECTION',
      price: '450000.00',
      previousPrice: '4500000.00',
      changePct: '-90.00',
      note: 'A zero too many.',
      correctsId: first?.id,
      recordedByUserId: '00000000-0000-4000-8000-000000000001',
    });
    expect((await market(id)).originalListPrice).toBe('450000.00');
    // The setting ended with its transaction.
    await set(id, '"listPrice" = 440000', day(3));
    expect(await last(id)).toMatchObject({
      event: 'PRICE_CHANGED',
      previousPrice: '450000.00',
      changePct: '-2.22',
    });
  });

  test('of a sale keep the price that it is compared with', async () => {
    const id = await create('Active');
    await set(id, `"standardStatus" = 'Closed', "closePrice" = 45900, "closeDate" = '2026-01-02'`);
    await correct(id, '"closePrice" = 459000');
    const [, sold, correction] = await history(id);
    expect(correction).toMatchObject({
      event: 'CORRECTION',
      correctsId: sold?.id,
      previousPrice: '45900.00',
    });
    await correct(id, '"closePrice" = 459500', day(4));
    expect(await last(id)).toMatchObject({
      correctsId: sold?.id,
      previousPrice: '459000.00',
      price: '459500.00',
    });
    await move(id, 'Active', day(5));
    expect(await last(id)).toMatchObject({ event: 'RELISTED', price: '450000.00', previousPrice: null });
  });

  test('of a listing without history write nothing', async () => {
    const id = await create('Incomplete');
    await correct(id, '"listPrice" = 1');
    expect(await history(id)).toEqual([]);
  });
});

describe('the history', () => {
  test('is never changed, and is deleted only with its property', async () => {
    const id = await create('Active');
    const run = (sql: string) => rows.pool.query(sql, [id]);
    await expect(
      run(`update property_price_events set price = 1 where "propertyId" = $1`),
    ).rejects.toMatchObject({
      code: '23001',
    });
    await expect(run('delete from property_price_events where "propertyId" = $1')).rejects.toMatchObject({
      code: '23001',
    });
    expect(await names(id)).toBe('LISTED');
    await correctionOf(id);
    await run('delete from properties where id = $1');
    expect(await names(id)).toBe('');
  });

  async function correctionOf(id: string): Promise<void> {
    await rows.pool.query(
      `insert into property_price_events
         ("propertyId", event, at, price, currency, source, "correctsId", note, "recordedAt")
       select "propertyId", 'CORRECTION', at, 1, currency, 'listing', id, 'x', at
       from property_price_events where "propertyId" = $1`,
      [id],
    );
  }
});
