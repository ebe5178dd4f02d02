import { beforeAll, describe, expect, test } from 'vitest';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Answer, Person } from '../../../../support/http/person.ts';

/** The life of an agent's listing over HTTP: which status may follow which, and what the public history shows. */
const DAY = 86_400_000;
const EPOCH = Date.UTC(2026, 9, 1, 12);
let now = EPOCH;
let agent: Person;
let visitor: Person;
const host = useApiHost({ overrides: { clock: { now: () => now } } });
beforeAll(async () => {
  agent = await host.signedIn();
  visitor = host.anonymous();
});

const listing = { listPrice: 500_000, address: '12 Harbour Lane', city: 'Seattle', livingArea: 2000 };
const fieldsOf = (answer: Answer) => Object.keys(answer.body.error.json.data.fields);

async function create(more: object = {}, day = 0): Promise<string> {
  now = EPOCH + day * DAY;
  return (await agent.mutate('properties.create', { ...listing, ...more })).data.propertyId;
}
function update(propertyId: string, change: object, day: number): Promise<Answer> {
  now = EPOCH + day * DAY;
  return agent.mutate('properties.update', { propertyId, ...change });
}
function setStatus(propertyId: string, change: object, day: number): Promise<Answer> {
  now = EPOCH + day * DAY;
  return agent.mutate('properties.setStatus', { propertyId, ...change });
}
const history = async (propertyId: string, more: object = {}) =>
  (await visitor.query('properties.getPriceHistory', { propertyId, ...more })).data;
const mineOf = async (propertyId: string) =>
  (await agent.query('properties.listMine', { limit: 100 })).data.items.find(
    (item: { propertyId: string }) => item.propertyId === propertyId,
  );
const told = async (propertyId: string): Promise<string> =>
  (await history(propertyId)).items.map(({ event }: { event: string }) => event).join(' ');

describe('the life of a listing', () => {
  test('is listed in its price history, newest first', async () => {
    const propertyId = await create({ propertyTimeZoneName: 'America/Los_Angeles' });
    await update(propertyId, { listPrice: 480_000 }, 10);
    await setStatus(propertyId, { standardStatus: 'Pending' }, 20);
    const sale = { standardStatus: 'Closed', closePrice: 492_000, closeDate: '2026-10-25' };
    expect((await setStatus(propertyId, sale, 30)).status).toBe(200);
    const { items, nextCursor } = await history(propertyId);
    expect(nextCursor).toBeNull();
    const common = { currency: 'USD', areaUnits: 'Square Feet', source: 'listing' };
    const plain = { ...common, listingKey: null, note: null, correctsSeq: null };
    expect(items).toEqual([
      {
        seq: 4,
        event: 'SOLD',
        at: '2026-10-25T12:00:00.000Z',
        price: 492_000,
        previousPrice: 480_000,
        changePct: 2.5,
        pricePerArea: 246,
        ...plain,
      },
      {
        seq: 3,
        event: 'PENDING',
        at: '2026-10-21T12:00:00.000Z',
        price: 480_000,
        previousPrice: null,
        changePct: null,
        pricePerArea: 240,
        ...plain,
      },
      {
        seq: 2,
        event: 'PRICE_CHANGED',
        at: '2026-10-11T12:00:00.000Z',
        price: 480_000,
        previousPrice: 500_000,
        changePct: -4,
        pricePerArea: 240,
        ...plain,
      },
      {
        seq: 1,
        event: 'LISTED',
        at: '2026-10-01T12:00:00.000Z',
        price: 500_000,
        previousPrice: null,
        changePct: null,
        pricePerArea: 250,
        ...plain,
      },
    ]);
    const [recorded] = await host.rows<{ recordedByUserId: string }>(
      `select distinct "recordedByUserId" from property_price_events where "propertyId" = $1`,
      [propertyId],
    );
    expect(recorded).toEqual({ recordedByUserId: agent.id });
  });

  test('comes in pages', async () => {
    const propertyId = await create();
    for (let day = 1; day <= 4; day += 1) await update(propertyId, { listPrice: 500_000 + day }, day);
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { seq: number }[]; nextCursor: string | null } = await history(propertyId, {
        limit: 2,
        cursor,
      });
      seen.push(...page.items.map(({ seq }) => seq));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
    const wrong = await visitor.query('properties.getPriceHistory', { propertyId, cursor: 'x' });
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ['cursor']]);
  });

  test('both counts of days: a relisting resets one of them only', async () => {
    const propertyId = await create();
    const days = async (day: number) => {
      now = EPOCH + day * DAY;
      const { daysOnMarket, cumulativeDaysOnMarket } = (
        await visitor.query('properties.getDetail', { propertyId })
      ).data;
      expect(await mineOf(propertyId)).toMatchObject({ propertyId, daysOnMarket, cumulativeDaysOnMarket });
      return [daysOnMarket, cumulativeDaysOnMarket];
    };
    expect(await days(12)).toEqual([12, 12]);
    await setStatus(propertyId, { standardStatus: 'Withdrawn' }, 20);
    expect(await days(30)).toEqual([20, 20]);
    await setStatus(propertyId, { standardStatus: 'Active' }, 40);
    expect(await days(45)).toEqual([5, 25]);
    expect(await told(propertyId)).toBe('RELISTED WITHDRAWN LISTED');
  });
});

describe('corrections', () => {
  test('a wrong price is corrected by a visible row with its reason', async () => {
    const propertyId = await create({ listPrice: 5_000_000 });
    const priceCorrection = { reason: 'A zero too many.' };
    expect((await update(propertyId, { listPrice: 500_000, priceCorrection }, 1)).status).toBe(200);
    expect((await history(propertyId)).items).toMatchObject([
      {
        event: 'CORRECTION',
        price: 500_000,
        previousPrice: 5_000_000,
        note: 'A zero too many.',
        correctsSeq: 1,
      },
      { event: 'LISTED', price: 5_000_000 },
    ]);
    const detail = (await visitor.query('properties.getDetail', { propertyId })).data;
    expect(detail).toMatchObject({ listPrice: 500_000, originalListPrice: 500_000 });
    await update(propertyId, { listPrice: 490_000 }, 2);
    expect(await told(propertyId)).toBe('PRICE_CHANGED CORRECTION LISTED');
  });

  test('after a sale the price can only be corrected', async () => {
    const propertyId = await create();
    await setStatus(propertyId, { standardStatus: 'Closed', closePrice: 40_000, closeDate: '2026-10-02' }, 1);
    const refused = await update(propertyId, { listPrice: 1 }, 2);
    expect([refused.status, refused.errorCode]).toEqual([409, 'LISTING_SETTLED']);
    const sale = { standardStatus: 'Closed', closePrice: 400_000, closeDate: '2026-10-02' };
    expect((await setStatus(propertyId, sale, 2)).errorCode).toBe('LISTING_SETTLED');
    expect(await told(propertyId)).toBe('SOLD LISTED');
    const priceCorrection = { reason: 'A zero was missing.' };
    expect((await update(propertyId, { closePrice: 400_000, priceCorrection }, 3)).status).toBe(200);
    expect((await history(propertyId)).items[0]).toMatchObject({
      event: 'CORRECTION',
      correctsSeq: 2,
      price: 400_000,
    });
    expect((await setStatus(propertyId, sale, 4)).status).toBe(200);
    // Texts can still be changed.
    expect((await update(propertyId, { publicRemarks: 'Sold.' }, 5)).status).toBe(200);
  });

  test.each([
    ['a reason without a price', { priceCorrection: { reason: 'x' } }, 'priceCorrection'],
    ['a price without a reason', { closePrice: 1 }, 'closePrice'],
    ['a sale that never was', { closePrice: 1, priceCorrection: { reason: 'x' } }, 'closePrice'],
    ['an empty reason', { listPrice: 1, priceCorrection: { reason: ' ' } }, 'priceCorrection.reason'],
  ])('is rejected: %s', async (_, change, field) => {
    const propertyId = await create();
    const answer = await update(propertyId, change, 1);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
    expect(await told(propertyId)).toBe('LISTED');
  });
});

describe('statuses', () => {
  test.each([
    [['Active'], 'Coming Soon'],
    [['Active', 'Hold'], 'Coming Soon'],
    [['Active'], 'Incomplete'],
    [['Active', 'Withdrawn'], 'Hold'],
    [['Incomplete'], 'Withdrawn'],
    [['Active', 'Delete'], 'Active'],
  ])('after %j the status %s is rejected', async (path, wanted) => {
    const propertyId = await create({ standardStatus: path[0] });
    for (const standardStatus of path.slice(1)) await setStatus(propertyId, { standardStatus }, 1);
    const answer = await setStatus(propertyId, { standardStatus: wanted }, 2);
    expect([answer.status, answer.errorCode, fieldsOf(answer)]).toEqual([
      409,
      'LISTING_STATUS_REFUSED',
      ['standardStatus'],
    ]);
    const [row] = await host.rows<{ standardStatus: string }>(
      'select "standardStatus" from properties where id = $1',
      [propertyId],
    );
    expect(row?.standardStatus).toBe(path.at(-1));
  });

  test('a sale can only be followed by a new listing', async () => {
    const propertyId = await create();
    await setStatus(propertyId, { standardStatus: 'Closed', closePrice: null, closeDate: '2026-10-02' }, 1);
    expect((await setStatus(propertyId, { standardStatus: 'Pending' }, 2)).errorCode).toBe(
      'LISTING_STATUS_REFUSED',
    );
    expect((await setStatus(propertyId, { standardStatus: 'Active' }, 90)).status).toBe(200);
    expect(await told(propertyId)).toBe('RELISTED SOLD LISTED');
    expect((await visitor.query('properties.getDetail', { propertyId })).data).toMatchObject({
      closePrice: null,
      closeDate: null,
      daysOnMarket: 0,
      cumulativeDaysOnMarket: 1,
    });
  });

  test.each([
    ['without its facts', {}, ['closePrice', 'closeDate']],
    ['without its day', { closePrice: 1 }, ['closeDate']],
    ['with a day that is none', { closePrice: 1, closeDate: '2026-02-30' }, ['closeDate']],
    ['in the future', { closePrice: 1, closeDate: '2026-10-08' }, ['closeDate']],
    ['before the listing', { closePrice: 1, closeDate: '2026-09-30' }, ['closeDate']],
    ['for a third of a cent', { closePrice: 1.001, closeDate: '2026-10-02' }, ['closePrice']],
  ])('a sale is rejected %s', async (_, sale, fields) => {
    const propertyId = await create();
    const answer = await setStatus(propertyId, { standardStatus: 'Closed', ...sale }, 5);
    expect([answer.status, answer.errorCode, fieldsOf(answer)]).toEqual([400, 'INVALID_INPUT', fields]);
  });

  test('the day of a sale is the local day of the property', async () => {
    const honolulu = await create({ propertyTimeZoneName: 'Pacific/Honolulu' });
    const kiritimati = await create({ propertyTimeZoneName: 'Pacific/Kiritimati' });
    const sale = { standardStatus: 'Closed', closePrice: 1, closeDate: '2026-10-07' };
    // Noon UTC of October 6: early morning in Hawaii, October 7 on Kiritimati.
    expect((await setStatus(honolulu, sale, 5)).status).toBe(400);
    expect((await setStatus(kiritimati, sale, 5)).status).toBe(200);
  });

  test('the fields of a sale are rejected with other statuses', async () => {
    const propertyId = await create();
    const answer = await setStatus(propertyId, { standardStatus: 'Pending', closeDate: '2026-10-02' }, 1);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['closeDate']]);
    const closed = await agent.mutate('properties.create', { ...listing, standardStatus: 'Closed' });
    expect([closed.status, fieldsOf(closed)]).toEqual([400, ['standardStatus']]);
  });
});

describe('the other fields', () => {
  const more = {
    propertySubType: 'Townhouse',
    unitNumber: '4B',
    countyOrParish: 'King',
    subdivisionName: 'Pier',
    lotSizeArea: 0.25,
    lotSizeUnits: 'Acres',
    stories: 1.5,
    roomsTotal: 6,
    garageSpaces: 2,
    parkingTotal: 3,
    yearBuilt: 1960,
    yearBuiltEffective: 2011,
    associationFee: 120.5,
    associationFeeFrequency: 'Monthly',
    taxAnnualAmount: 4321.09,
    taxYear: 2025,
    propertyTimeZoneName: 'America/Los_Angeles',
    showingAdvanceNotice: 24,
    showingStartTime: '09:30',
    showingEndTime: '17:00',
    autoConfirmTours: true,
    showingDays: ['Sunday', 'Saturday', 'Sunday'],
  };

  test('have the time zone of the position, unless the call names another', async () => {
    const propertyId = await create({ latitude: 47.6, longitude: -122.33 });
    const place = async (change: object) => {
      await update(propertyId, change, 1);
      return (await mineOf(propertyId)).propertyTimeZoneName;
    };
    expect((await mineOf(propertyId)).propertyTimeZoneName).toBe('America/Los_Angeles');
    expect(await place({ latitude: 40.42, longitude: -3.7 })).toBe('Europe/Madrid');
    expect(await place({ listPrice: 480_000 })).toBe('Europe/Madrid');
    const there = { latitude: 21.31, longitude: -157.86 };
    expect(await place({ ...there, propertyTimeZoneName: 'UTC' })).toBe('UTC');
    expect(await place({ latitude: null, longitude: null })).toBe('UTC');
    expect(await place(there)).toBe('Pacific/Honolulu');
    expect((await mineOf(await create())).propertyTimeZoneName).toBe('UTC');
  });

  test('are stored and returned as they were sent', async () => {
    const propertyId = await create(more);
    expect(await mineOf(propertyId)).toMatchObject({
      ...listing,
      ...more,
      showingDays: ['Saturday', 'Sunday'],
      propertyId,
    });
    await update(propertyId, { showingStartTime: null, showingEndTime: null, associationFee: 99 }, 1);
    expect(await mineOf(propertyId)).toMatchObject({
      showingStartTime: null,
      showingEndTime: null,
      associationFee: 99,
      stories: 1.5,
    });
  });

  test.each([
    ['no time zone', { propertyTimeZoneName: 'Mars/Olympus' }, 'propertyTimeZoneName'],
    ['an offset for a time zone', { propertyTimeZoneName: '+01:00' }, 'propertyTimeZoneName'],
    ['half an hour of notice', { showingAdvanceNotice: 0.5 }, 'showingAdvanceNotice'],
    [
      'an hour that does not exist',
      { showingStartTime: '24:00', showingEndTime: '25:00' },
      'showingStartTime',
    ],
    ['a day that does not exist', { showingDays: ['Someday'] }, 'showingDays.0'],
    ['hours that end before they begin', { showingEndTime: '09:00' }, 'showingEndTime'],
    ['half of the hours', { showingStartTime: null }, 'showingStartTime'],
    ['a fee without its rhythm', { associationFeeFrequency: null }, 'associationFeeFrequency'],
    ['a rhythm without its fee', { associationFee: null }, 'associationFee'],
    ['a third of a floor', { stories: 1.33 }, 'stories'],
    ['what would be stored as a thousand floors', { stories: 999.999999999 }, 'stories'],
    ['an unknown unit', { lotSizeUnits: 'Rods' }, 'lotSizeUnits'],
  ])('%s is rejected, on creation and on a change', async (_, wrong, field) => {
    const created = await agent.mutate('properties.create', { ...listing, ...more, ...wrong });
    expect([created.status, created.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(fieldsOf(created)).toContain(field);
    const propertyId = await create(more);
    const changed = await update(propertyId, wrong, 1);
    expect(changed.status).toBe(400);
    expect(fieldsOf(changed)).toContain(field);
  });
});
