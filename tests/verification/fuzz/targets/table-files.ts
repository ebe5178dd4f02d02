import fc from 'fast-check';
import { expect } from 'vitest';
import { readSales } from '../../../../ops/dev/import/king-county-sales.ts';
import { readPlaces } from '../../../../ops/dev/import/place-tables.ts';
import type { TableKind, TableSource } from '../../../../ops/dev/import/source-file.ts';
import { headerCells } from '../../../../ops/dev/import/table-file.ts';
import { defineTarget } from '../target.ts';
import { hostileText } from '../values/hostile-values.ts';

const HEADERS: Record<TableKind, string> = {
  'king-county-sales':
    'id,date,price,bedrooms,bathrooms,sqft_living,sqft_lot,floors,waterfront,yr_built,yr_renovated,zipcode,lat,long',
  'postal-code-boxes': 'zipcode,city,state,lat,lon,sales,lat_min,lat_max,lon_min,lon_max',
  'us-postal-codes': 'code,city,state,county,lat,lon',
  'us-cities': 'state_code,state_name,city,county,latitude,longitude',
};
const SOUND: Record<TableKind, string> = {
  'king-county-sales': '7129300520,20141013T000000,221900,3,1,1180,5650,1,0,1955,0,98178,47.5112,-122.257',
  'postal-code-boxes': '98178,Seattle,WA,47.5,-122.2,262,47.4,47.6,-122.3,-122.1',
  'us-postal-codes': '98178,Seattle,WA,King,47.5,-122.2',
  'us-cities': 'WA,Washington,Seattle,King,47.6,-122.3',
};

interface FuzzInput {
  readonly kind: TableKind;
  readonly lines: readonly string[];
}

const cell = fc.oneof(
  fc.constantFrom(
    '',
    '1e9',
    '-0',
    '1e-31',
    '.5',
    '5.',
    '+7',
    '1,5',
    '"',
    '""',
    '"a""b"',
    '"a',
    'NaN',
    '٣',
    '1_000',
    '20140230',
  ),
  fc.constantFrom(
    '\ufffd',
    '\0',
    '__proto__',
    'WA',
    '98101',
    '20141013T000000',
    '99999999999999999999',
    '20991231',
  ),
  hostileText.filter((text) => text.length < 500),
  fc.double().map(String),
);
const lineOf = (kind: TableKind): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constant(SOUND[kind]), weight: 2 },
    {
      arbitrary: fc.array(fc.tuple(fc.nat(13), cell), { maxLength: 3 }).map((changes) => {
        const cells = SOUND[kind].split(',');
        for (const [at, text] of changes) cells[at % cells.length] = text;
        return cells.join(',');
      }),
      weight: 6,
    },
    { arbitrary: fc.array(cell, { maxLength: 20 }).map((cells) => cells.join(',')), weight: 1 },
    { arbitrary: hostileText, weight: 1 },
  );

/** Files of a county's sales and of places: no row stops the import; each is taken, merged or reported. */
export const tableFiles = defineTarget<unknown, FuzzInput>({
  name: 'table-files',
  about: 'rows of the CSV files that the importer takes',
  runs: 500,
  mustSee: ['read'],
  input: () =>
    fc
      .constantFrom(...(Object.keys(HEADERS) as TableKind[]))
      .chain((kind) =>
        fc.record({ kind: fc.constant(kind), lines: fc.array(lineOf(kind), { maxLength: 12 }) }),
      ),
  feed({ kind, lines }) {
    const header = headerCells(HEADERS[kind]) ?? [];
    const source: TableSource = {
      kind,
      name: 'file.csv',
      title: kind,
      width: header.length,
      firstLine: 2,
      columns: new Map(header.map((column, index) => [column, index])),
      // Because the file is split into lines before rows are read.
      lines: lines.flatMap((line) => line.split('\n')),
    };
    const complaints: string[] = [];
    const problems = {
      failed: (_: string, line: number, reasons: readonly string[]) =>
        void complaints.push(`${line}: ${reasons.join()}`),
      odd: () => {},
    } as unknown as Parameters<typeof readPlaces>[1];
    if (kind === 'king-county-sales') checkSales(source, problems, complaints);
    else checkPlaces(source, problems, complaints);
    expect(complaints.filter((text) => text.length > 4_000)).toEqual([]);
    return 'read';
  },
});

function checkSales(
  source: TableSource,
  problems: Parameters<typeof readPlaces>[1],
  complaints: string[],
): void {
  const read = readSales(source, { problems, today: '2026-01-15', cityOf: () => null });
  const sales = read.houses.reduce((sum, house) => sum + house.sales.length, 0);
  expect(sales + read.repeated + complaints.length).toBe(read.rows);
  for (const { address, latitude, longitude, sales: each } of read.houses) {
    expect(address).toMatch(/^Parcel \d{10}$/);
    expect([latitude ?? 0, longitude ?? 0].every(Number.isFinite)).toBe(true);
    for (const { soldOn, price } of each)
      expect(`${soldOn} ${price}`).toMatch(/^\d{4}-\d\d-\d\d \d{1,12}(\.\d{1,2})?$/);
  }
}

function checkPlaces(
  source: TableSource,
  problems: Parameters<typeof readPlaces>[1],
  complaints: string[],
): void {
  const { places, rows } = readPlaces(source, problems);
  const own = source.kind === 'us-cities' ? 'city' : 'postal_code';
  expect(places.filter(({ kind }) => kind === own).length + complaints.length).toBeGreaterThanOrEqual(rows);
  for (const place of places) expect(JSON.stringify(place)).not.toMatch(/\\u0000/);
}
