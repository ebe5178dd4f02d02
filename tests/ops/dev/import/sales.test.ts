import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { whileOnlyImport } from '../../../../persistence/listings/listing-import.ts';
import { seedUser } from '../../../support/database/seed.ts';
import { eventually } from '../../../support/eventually.ts';
import { createImportHarness, type ImportHarness, imported, saleLine, salesFile } from './import-harness.ts';

let harness: ImportHarness;
beforeAll(async () => {
  harness = await createImportHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.clear());

const importSales = (lines: string[], args: string[] = []) =>
  harness.run([harness.file('sales.csv', salesFile(...lines)), ...args]);
const houses = () =>
  harness.rows(`select * from properties where "originatingSystemName" = 'King County sales'
    order by "originatingSystemKey"`);
const history = () =>
  harness.rows(`select p."originatingSystemKey" as key, e.event, e.at::text, e.price, e.source
    from property_price_events e join properties p on p.id = e."propertyId" order by key, e.at, e.event`);

test('sales in another currency than the site’s are refused before anything is written', async () => {
  const file = harness.file('sales.csv', salesFile(saleLine()));
  const { code, text } = await harness.run([file], { siteCurrency: 'EUR' });
  expect([code, text]).toEqual([
    2,
    expect.stringContaining('sales.csv has prices in USD, and prices on this site are in EUR'),
  ]);
  expect(await houses()).toEqual([]);
});

describe('a house of the sales file', () => {
  test('becomes a listing at its last price, with the fields of the file and nothing else', async () => {
    const run = await importSales([
      saleLine({ id: '7129300520', floors: '1.5', bathrooms: '2.25', waterfront: '1', yr_renovated: '1991' }),
    ]);
    expect(run).toMatchObject({ code: 0, text: expect.stringContaining('King County house sales') });
    const [house] = await houses();
    expect(house).toMatchObject({
      originatingSystemKey: '7129300520',
      address: 'Parcel 7129300520',
      city: 'King County',
      standardStatus: 'Active',
      listPrice: '221900.00',
      currency: 'USD',
      propertyType: 'Residential',
      bedroomsTotal: 3,
      bathroomsTotal: '2.25',
      livingArea: '1180.00',
      livingAreaUnits: 'Square Feet',
      lotSizeArea: '5650.00',
      stories: '1.5',
      yearBuilt: 1955,
      yearBuiltEffective: 1991,
      stateOrProvince: 'WA',
      countyOrParish: 'King',
      country: 'US',
      postalCode: '98178',
      latitude: 47.5112,
      longitude: -122.257,
      propertyTimeZoneName: 'America/Los_Angeles',
      features: ['WATERFRONT'],
      publicRemarks: null,
      closePrice: null,
      listedAt: new Date('2014-10-13T13:00:00Z'),
    });
    expect(house?.searchDirtyAt).not.toBeNull();
    const [owner] = await harness.rows(`select * from "user" where id = $1`, [house?.ownerAgentId]);
    expect(owner).toMatchObject({ name: 'County Records', role: 'agent' });
  });

  test('gets back the leading zeros that a spreadsheet removed, and its exact price', async () => {
    await importSales([
      saleLine({ id: '795000620', price: '1.225E+06' }),
      saleLine({ id: '1', price: '2.00E+06' }),
      saleLine({ id: '2', price: '1.23456789E+05' }),
      saleLine({ id: '3', price: '75000.10' }),
    ]);
    const found = await houses();
    expect(found.map((house) => [house.originatingSystemKey, house.listPrice])).toEqual([
      ['0000000001', '2000000.00'],
      ['0000000003', '75000.10'],
      ['0795000620', '1225000.00'],
    ]);
  });

  test('is one listing with all its sales as history, in any order of the file', async () => {
    const house = (date: string, price: string, bedrooms: string) =>
      saleLine({ id: '795000620', date: `${date}T000000`, price, bedrooms });
    await importSales([
      house('20141215', '124000', '3'),
      house('20150311', '157000', '4'),
      house('20140924', '115000', '2'),
    ]);
    expect(await houses()).toMatchObject([{ listPrice: '157000.00', bedroomsTotal: 4 }]);
    expect(await history()).toEqual([
      ...[
        ['2014-09-24', '115000.00'],
        ['2014-12-15', '124000.00'],
        ['2015-03-11', '157000.00'],
      ].map(([day, price]) => ({
        key: '0795000620',
        event: 'SOLD',
        at: `${day} 12:00:00+00`,
        price,
        source: 'import',
      })),
      {
        key: '0795000620',
        event: 'LISTED',
        at: '2015-03-11 13:00:00+00',
        price: '157000.00',
        source: 'listing',
      },
    ]);
  });

  test('with --status Closed it is sold: off the market, with the sale and no asking price', async () => {
    await importSales([saleLine()], ['--status', 'Closed']);
    expect(await houses()).toMatchObject([
      { standardStatus: 'Closed', closePrice: '221900.00', listedAt: null, features: [] },
    ]);
    expect(await harness.rows(`select "closeDate"::text from properties`)).toEqual([
      { closeDate: '2014-10-13' },
    ]);
    expect(await history()).toMatchObject([{ event: 'SOLD', source: 'import' }]);
  });

  test('belongs to the agent of --agent; the id must be that of an agent', async () => {
    const agentId = await seedUser(harness.pool, { email: 'ada@example.com' });
    await seedUser(harness.pool, { email: 'carl@example.com', role: 'customer' });
    await importSales([saleLine()], ['--agent', 'Ada@example.com']);
    expect(await houses()).toMatchObject([{ ownerAgentId: agentId }]);
    for (const [email, words] of [
      ['carl@example.com', 'is a customer'],
      ['nobody@example.com', 'No agent has the address'],
    ] as const) {
      const run = await importSales([saleLine({ id: '2' })], ['--agent', email]);
      expect(run).toMatchObject({ code: 2, text: expect.stringContaining(words) });
    }
    expect(await houses()).toHaveLength(1);
  });
});

describe('odd data in the file', () => {
  test('unusual houses are imported unchanged: 33 bedrooms with a warning, zero rooms without one', async () => {
    const run = await importSales([
      saleLine({ id: '2402100895', bedrooms: '33', sqft_living: '1620' }),
      saleLine({ id: '1', bedrooms: '0', bathrooms: '0', sqft_above: '' }),
    ]);
    expect(run.code).toBe(0);
    expect(run.text).toContain('sales.csv:2: warning: house 2402100895 has 33 bedrooms');
    expect(run.text).not.toContain('left out');
    expect(await houses()).toMatchObject([
      { bedroomsTotal: 0, bathroomsTotal: '0.00' },
      { bedroomsTotal: 33, livingArea: '1620.00' },
    ]);
  });

  test('houses with the same coordinate stay separate, and the view column creates no feature', async () => {
    await importSales([saleLine({ id: '1', view: '4' }), saleLine({ id: '2', view: '4' })]);
    expect((await houses()).map(({ features }) => features)).toEqual([[], []]);
  });

  test('a row that repeats a sale counts once', async () => {
    const run = await importSales([saleLine(), saleLine()]);
    expect(run.text).toContain('1 rows repeat another one');
    expect(await history()).toHaveLength(2);
  });

  const bad: [string, Record<string, string>, RegExp][] = [
    ['a price in words', { price: 'cheap' }, /price "cheap" is not a number/],
    ['no price', { price: '' }, /price is empty/],
    ['a price of nothing', { price: '0' }, /price "0" is not between 0.01 and/],
    ['a price that the column cannot hold', { price: '1E+13' }, /price "1E\+13" is not between/],
    ['a third of a cent', { price: '100.333' }, /price "100.333" has more than 2 decimals/],
    [
      'a day that is not on the calendar',
      { date: '20150230T000000' },
      /date "20150230T000000" is not a date/,
    ],
    ['a day to come', { date: '29990101T000000' }, /date "29990101T000000" lies in the future/],
    ['a latitude beyond the pole', { lat: '97.5112' }, /lat "97.5112" is not between -90 and 90/],
    ['half a position', { long: '' }, /one of lat and long is empty/],
    ['half a bedroom', { bedrooms: '2.5' }, /bedrooms "2.5" is not a whole number/],
    ['minus one bathroom', { bathrooms: '-1' }, /bathrooms "-1" is not between 0 and/],
    [
      'a parcel number in scientific notation',
      { id: '7.1293E+09' },
      /id "7.1293E\+09" is not a parcel number/,
    ],
    ['a short postal code', { zipcode: '9817' }, /zipcode "9817" is not a postal code/],
    ['a quotation mark that is never closed', { grade: '"7' }, /a quotation mark is never closed/],
    ['two faults at once', { price: 'x', lat: '1E3' }, /price "x" is not a number; lat "1E3" is not between/],
    ['a cell too many', { grade: '7,8' }, /the row has 22 cells instead of 21/],
    ['text that is not UTF-8', { grade: '\ufffd' }, /the row is not valid UTF-8/],
  ];
  test.each(bad)('%s skips that row and no other', async (_, cells, words) => {
    const run = await importSales([saleLine({ id: '1' }), saleLine(cells), saleLine({ id: '3' })]);
    expect(run.code).toBe(1);
    expect(run.text).toMatch(new RegExp(`sales.csv:3: .*${words.source}`));
    expect(run.text).toContain('1 rows were left out');
    expect((await houses()).map((house) => house.originatingSystemKey)).toEqual(['0000000001', '0000000003']);
  });

  test('the screen shows twenty errors, the --errors file shows all', async () => {
    const errors = harness.file('errors.txt', '');
    const lines = Array.from({ length: 25 }, (_, index) => saleLine({ id: `${index}`, price: `${index}x` }));
    const run = await importSales([...lines, saleLine()], ['--errors', errors]);
    expect(run.code).toBe(1);
    expect(run.text.match(/is not a number/g)).toHaveLength(20);
    expect(run.text).toContain('and 5 more rows that were left out; all are in');
    const { readFileSync } = await import('node:fs');
    const written = readFileSync(errors, 'utf8').trimEnd().split('\n');
    expect(written).toHaveLength(25);
    expect(written[24]).toBe('sales.csv:26: price "24x" is not a number');
    expect(await houses()).toHaveLength(1);
  });

  test('Windows line ends, a byte order mark, blank lines and another column order change nothing', async () => {
    const [header = '', line = ''] = salesFile(saleLine()).split('\n');
    const turned = [header, line].map((row) => row.split(',').reverse().join(','));
    const text = `\ufeff${turned[0]}\r\n\r\n${turned[1]}\r\n\r\n`;
    const run = await harness.run([harness.file('turned.csv', text)]);
    expect(run).toMatchObject({ code: 0 });
    expect(await houses()).toMatchObject([{ originatingSystemKey: '7129300520', listPrice: '221900.00' }]);
  });
});

describe('a second import', () => {
  const file = [
    saleLine({ id: '1' }),
    saleLine({ id: '2', date: '20140601T000000', price: '100000' }),
    saleLine({ id: '2', date: '20150101T000000', price: '150000' }),
  ];

  test('changes nothing, not even a search version, and reports so', async () => {
    await importSales(file);
    const before = {
      ...(await imported(harness)),
      versions: await harness.rows(`select xmin from properties`),
    };
    const run = await importSales(file);
    expect(run).toMatchObject({ code: 0, text: expect.stringContaining('nothing has changed') });
    const after = {
      ...(await imported(harness)),
      versions: await harness.rows(`select xmin from properties`),
    };
    expect(after).toEqual(before);
  });

  test("keeps the agent's changes and adds the new sales", async () => {
    await importSales(file);
    await harness.rows(`update properties set "listPrice" = 99000, city = 'Tukwila', "bedroomsTotal" = 9
      where "originatingSystemKey" = '0000000001'`);
    const run = await importSales([
      ...file,
      saleLine({ id: '1', date: '20150201T000000', price: '300000', bedrooms: '5' }),
    ]);
    expect(run.text).toContain('1 sales added');
    const [first] = await houses();
    expect(first).toMatchObject({ listPrice: '99000.00', city: 'Tukwila', bedroomsTotal: 9 });
    expect(
      (await history()).filter(({ key, event }) => key === '0000000001' && event === 'SOLD'),
    ).toHaveLength(2);
  });

  test('with --refresh overwrites the existing fields with those of the file, except prices', async () => {
    await importSales(file);
    const places = harness.file(
      'zips.csv',
      'zipcode,city,state,lat,lon,sales,lat_min,lat_max,lon_min,lon_max\n' +
        '98178,Seattle,WA,47.49915,-122.2465,262,47.4816,47.5121,-122.279,-122.22\n',
    );
    const run = await importSales(file, ['--places', places, '--refresh']);
    expect(run.text).toContain('2 of them refreshed');
    expect(await houses()).toMatchObject([
      { city: 'Seattle', listPrice: '221900.00' },
      { city: 'Seattle', listPrice: '150000.00' },
    ]);
    expect((await importSales(file, ['--refresh'])).text).toContain('nothing has changed');
  });
});

describe('an interrupted import', () => {
  const many = Array.from({ length: 1_600 }, (_, index) =>
    saleLine({ id: `${Math.floor(index / 2) + 1}`, date: `201${4 + (index % 2)}0102T000000` }),
  );
  const sessions = () =>
    harness.rows<{ pid: number; waits: boolean }>(
      `select pid, wait_event_type = 'Lock' as waits from pg_stat_activity
       where datname = $1 and application_name = 'proscenium-import'`,
      [harness.database.name],
    );
  /** Stops the importer in its second batch, at a house row that another transaction has locked. */
  const stoppedInTheMiddle = async (end: (program: ReturnType<ImportHarness['start']>) => unknown) => {
    const path = harness.file('many.csv', salesFile(...many));
    const owner = await seedUser(harness.pool);
    const client = await harness.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `insert into properties ("ownerAgentId", "listPrice", address, city, "originatingSystemName", "originatingSystemKey")
         values ($1, 1, 'held', 'held', 'King County sales', '0000000600')`,
        [owner],
      );
      const program = harness.start([path]);
      const isWritten = async () => (await harness.rows('select from properties limit 500')).length === 500;
      await eventually(async () => (await isWritten()) && (await sessions()).some(({ waits }) => waits), {
        what: 'the first batch to be written and the second to wait',
      });
      await end(program);
      const code = await program.ended();
      await client.query('rollback');
      return { code, path, text: program.said() };
    } finally {
      client.release();
    }
  };
  const whole = async () => {
    await eventually(async () => (await sessions()).length === 0, { what: 'the importer to be gone' });
    const [counts] = await harness.rows(`select count(*)::int as houses,
      (select count(*)::int from property_price_events where event = 'SOLD') as sales from properties`);
    return counts;
  };

  test('when killed in the middle it leaves whole batches, and a new run ends with the same rows', async () => {
    const { path } = await stoppedInTheMiddle((program) => program.signal('SIGKILL'));
    expect(await whole()).toEqual({ houses: 500, sales: 1_000 });
    expect(await harness.run([path])).toMatchObject({ code: 0 });
    const resumed = await imported(harness);
    await harness.clear();
    expect(await harness.run([path])).toMatchObject({ code: 0 });
    expect(await whole()).toEqual({ houses: 800, sales: 1_600 });
    const owner = ({ listing }: Record<string, unknown>) => listing;
    expect(resumed.listings.map(owner)).toEqual((await imported(harness)).listings.map(owner));
    expect(resumed.history).toEqual((await imported(harness)).history);
  });

  test('when killed between a house and its sales it leaves neither', async () => {
    const client = await harness.pool.connect();
    try {
      await client.query('begin; lock table property_price_events in exclusive mode');
      const path = harness.file('many.csv', salesFile(...many));
      // The history of a house that was sold begins with its sales.
      const program = harness.start([path, '--status', 'Closed']);
      await eventually(async () => (await sessions()).some(({ waits }) => waits), {
        what: 'the importer to wait',
      });
      program.signal('SIGKILL');
      await program.ended();
      await client.query('rollback');
    } finally {
      client.release();
    }
    expect(await whole()).toEqual({ houses: 0, sales: 0 });
  });

  test('a database failure is reported in one sentence, and the same command continues from there', async () => {
    const { code, path, text } = await stoppedInTheMiddle(() =>
      harness.rows(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'proscenium-import' and wait_event_type = 'Lock'`),
    );
    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('The database failed') });
    expect(text).toContain('begin again with the same command');
    expect(text).not.toContain('    at ');
    expect(await harness.run([path])).toMatchObject({ code: 0 });
    expect(await whole()).toEqual({ houses: 800, sales: 1_600 });
  });

  test('a second import at the same time is rejected', async () => {
    const path = harness.file('one.csv', salesFile(saleLine()));
    const second = await whileOnlyImport(harness.pool, () => harness.run([path]));
    expect(second).toMatchObject({ code: 2, text: expect.stringContaining('Another import is running') });
    expect(await houses()).toEqual([]);
    expect(await harness.run([path])).toMatchObject({ code: 0 });
  });
});
