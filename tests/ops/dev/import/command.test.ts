import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plainDecimal } from '../../../../ops/dev/import/decimal.ts';
import { createProgressBar } from '../../../../ops/dev/import/screen.ts';
import { lockDataDir } from '../../../../ops/dev/stack/launcher-lock.ts';
import { runningStack } from '../../../../ops/dev/stack/running-stack.ts';
import { temporaryDirectory } from '../../../support/platform/stack.ts';
import { startProgram } from '../../../support/platform/started-program.ts';
import { createImportHarness, type ImportHarness, saleLine, salesFile } from './import-harness.ts';

let harness: ImportHarness;
beforeAll(async () => {
  harness = await createImportHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.clear());

const ZIPS = 'zipcode,city,state,lat,lon,sales,lat_min,lat_max,lon_min,lon_max\n';

describe('npm run import', () => {
  test('as a program: detects the kind of a file, imports it, and reports by its exit code whether every row was imported', async () => {
    const good = harness.start([harness.file('good.csv', salesFile(saleLine()))]);
    expect(await good.ended()).toBe(0);
    expect(good.said()).toMatch(/good.csv: King County house sales\n.*1 of 1 {2}[\d,]+ rows\/s\n/);
    const bad = harness.start([harness.file('bad.csv', salesFile(saleLine({ price: 'x' })))]);
    expect(await bad.ended()).toBe(1);
    const help = startProgram(['ops/cli/import.ts', '--help'], { env: { DATABASE_URL: '' } });
    expect(await help.ended()).toBe(0);
    expect(help.said()).toContain('--status');
  });

  test.each([
    [[], 'Name at least one file'],
    [['x.csv', '--status', 'Sold'], '--status is Active or Closed, not "Sold"'],
    [['x.csv', '--city', 'Seattle'], '--city is a name and a state'],
    [['x.csv', '--colour', 'red'], "Unknown option '--colour'"],
    [['there-is-none.csv'], 'there-is-none.csv does not exist.'],
    [['tests'], 'tests is a folder, not a file.'],
    [['package.json'], 'package.json is none of the files that are known. It is JSON, but no GeoJSON'],
    [['README.md'], 'README.md is none of the files that are known'],
  ])('%j is rejected before anything is written', async (args, words) => {
    const run = await harness.run(args);
    expect(run).toMatchObject({ code: 2, text: expect.stringContaining(words) });
  });

  test('a file that lacks columns is reported with their names, and the other files are not imported', async () => {
    const sales = harness.file('sales.csv', salesFile(saleLine()));
    const halved = harness.file('half.csv', 'id,date,price,sqft_living\n1,20140101T000000,1,1\n');
    const run = await harness.run([sales, halved]);
    expect(run.code).toBe(2);
    expect(run.text).toContain('half.csv looks like King County house sales, but these columns are missing');
    expect(await harness.rows('select id from properties')).toEqual([]);
    for (const [name, text] of [
      ['empty.csv', ''],
      ['cut.geojson', '{"type":"FeatureCollection","features":[{"type'],
      ['twice.csv', salesFile().replace('long,', 'lat,long,').trimEnd()],
    ] as const) {
      expect(await harness.run([harness.file(name, text)])).toMatchObject({ code: 2 });
    }
  });

  test('without a database, or with one that does not answer, it prints what to do', async () => {
    const file = harness.file('sales.csv', salesFile(saleLine()));
    const nowhere = temporaryDirectory();
    const none = await harness.run([file, '--data', nowhere], { databaseUrl: undefined });
    expect(none).toMatchObject({ code: 2, text: expect.stringContaining('DATABASE_URL is not set') });
    expect(none.text).toContain('npm start');
    const wrong = await harness.run([file], { databaseUrl: 'mysql://x' });
    expect(wrong).toMatchObject({ code: 2, text: expect.stringContaining('not a postgresql:// address') });
    const dead = await harness.run([file], { databaseUrl: 'postgres://ada:geheim@127.0.0.1:1/none' });
    expect(dead).toMatchObject({ code: 2, text: expect.stringContaining('cannot be reached') });
    expect(dead.text).not.toContain('geheim');
  });

  test('a database with pending migrations is not changed', async () => {
    await harness.rows(`delete from mikro_orm_migrations where name = '0014_places'`);
    try {
      const run = await harness.run([harness.file('sales.csv', salesFile(saleLine()))]);
      expect(run).toMatchObject({ code: 2, text: expect.stringContaining('npm run migrate') });
    } finally {
      await harness.rows(`insert into mikro_orm_migrations (name) values ('0014_places')`);
    }
  });

  test('finds the database of the running local stack, and of no other', async () => {
    const dataDir = temporaryDirectory();
    const address = { databaseUrl: harness.database.url };
    writeFileSync(join(dataDir, 'stack.json'), JSON.stringify(address));
    // The remains of a killed launcher: its address file, and a lock of a process that has ended.
    writeFileSync(join(dataDir, 'launcher.json'), JSON.stringify({ pid: 2 ** 22, startedAt: 'then' }));
    expect(runningStack(dataDir)).toBeUndefined();
    const unlock = lockDataDir(dataDir);
    try {
      const sales = harness.file('sales.csv', salesFile(saleLine()));
      expect(await harness.run([sales, '--data', dataDir], { databaseUrl: undefined })).toMatchObject({
        code: 0,
      });
      expect(await harness.rows('select city from properties')).toHaveLength(1);
    } finally {
      unlock();
    }
    expect(runningStack(dataDir)).toBeUndefined();
  });

  test('imports places before sales, so that houses get their city at once', async () => {
    const sales = harness.file('sales.csv', salesFile(saleLine(), saleLine({ id: '1', zipcode: '98001' })));
    const zips = harness.file('zips.csv', `${ZIPS}98178,Seattle,WA,47.4,-122.2,2,47.4,47.5,-122.3,-122.2\n`);
    const run = await harness.run([sales, zips]);
    expect(run.text).toContain('1 houses are in "King County"');
    const cities = await harness.rows('select city from properties order by "originatingSystemKey"');
    expect(cities).toEqual([{ city: 'King County' }, { city: 'Seattle' }]);
  });

  test('an --errors file that cannot be written is rejected first', async () => {
    const sales = harness.file('sales.csv', salesFile(saleLine()));
    const run = await harness.run([sales, '--errors', join(temporaryDirectory(), 'no', 'such', 'folder')]);
    expect(run).toMatchObject({ code: 2, text: expect.stringContaining('cannot be written') });
    expect(await harness.rows('select id from properties')).toEqual([]);
  });
});

describe('numbers as spreadsheets write them', () => {
  test.each([
    ['1.225E+06', '1225000'],
    ['2.00E+06', '2000000'],
    ['221900', '221900'],
    ['75000.10', '75000.1'],
    ['1.5e-1', '0.15'],
    ['123456789E-2', '1234567.89'],
    ['007', '7'],
    ['.5', '0.5'],
    ['-0', '0'],
    ['-2.50', '-2.5'],
    ['0.1e1', '1'],
    ['1e30', `1${'0'.repeat(30)}`],
  ])('%s is %s', (text, plain) => expect(plainDecimal(text)).toBe(plain));

  test.each(['', '.', 'e5', '1e31', '1e999999999', '1,000', '0x10', 'NaN', 'Infinity', '1 2', '١', '--1'])(
    '%j is not a number',
    (text) => expect(plainDecimal(text)).toBeNull(),
  );

  test('any spelling of a double is read as the same double', () => {
    const moderate = fc
      .double({ min: -1e20, max: 1e20, noNaN: true })
      .filter((n) => n === 0 || Math.abs(n) > 1e-20);
    fc.assert(
      fc.property(moderate, (value) => {
        expect(Number(plainDecimal(value.toExponential()))).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});

describe('the progress bar', () => {
  const shown = (redraws: boolean, columns = 100) => {
    let text = '';
    const write = (more: string) => {
      text += more;
    };
    const screen = { redraws, columns, write };
    const bar = createProgressBar(screen, { label: 'sales.csv', total: 1_000, startedAt: 0 });
    for (let done = 100; done <= 1_000; done += 100) bar.show(done, done * 2);
    bar.end();
    return text;
  };

  test('redraws one line on a terminal and never wraps it', () => {
    const text = shown(true, 40);
    expect(text).not.toContain('\n');
    const lines = text.split('\r\u001b[K');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(40);
    expect(shown(true)).toContain('████████████░░░░░░░░░░░░  500 of 1,000  500 rows/s');
    expect(text.endsWith('\r\u001b[K')).toBe(true);
  });

  test('prints five lines in a pipe', () => {
    expect(shown(false).trimEnd().split('\n')).toHaveLength(5);
    expect(shown(false)).toContain('sales.csv: 1,000 of 1,000  500 rows/s\n');
  });
});
