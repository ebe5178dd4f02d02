import type { ImportedFields, ImportedHouse } from '../../../persistence/listings/listing-import.ts';
import type { Problems } from './problems.ts';
import { type RowFields, readFields, rowFault } from './row-fields.ts';
import type { TableSource } from './source-file.ts';
import { tableRows } from './table-file.ts';

/**
 * King County house sales: one row per sale, several for a house that was sold again. The file has no asking
 * prices, no addresses and no cities; missing values are not invented.
 */
export const KING_COUNTY_SALES = 'King County sales';

interface Sale {
  line: number;
  key: string;
  soldOn: string;
  price: string;
  facts: ImportedFields;
}

export interface SalesReading {
  houses: ImportedHouse[];
  rows: number;
  /** Rows with the same house, day and price as another one. */
  repeated: number;
}

const PARCEL_DIGITS = 10;
const FEET = { min: 0, max: 9_999_999_999, scale: 2 };
/** More than any house has; the file's one row with 33 is a typing error. */
const ODD_BEDROOMS = 20;
/** The limits of a listing's columns. */
const PRICE = { min: 0.01, max: 999_999_999_999.99, scale: 2 };
const BATHROOMS = { min: 0, max: 99.99, scale: 2 };
const STORIES = { min: 0, max: 200, scale: 1 };
const EARLIEST_YEAR = 1600;

/**
 * Reads the whole file into houses, in the order in which each first appears.
 * @param today as yyyy-mm-dd; a sale of a later day is refused
 * @param cityOf the city of a postal code, if it is known
 */
export function readSales(
  source: TableSource,
  {
    problems,
    today,
    cityOf,
  }: { problems: Problems; today: string; cityOf(postalCode: string): string | null },
): SalesReading {
  const byHouse = new Map<string, Sale[]>();
  let rows = 0;
  for (const row of tableRows(source.lines, source.firstLine)) {
    rows += 1;
    const sale = 'reason' in row ? [row.reason] : readSale(source, row, today);
    if (Array.isArray(sale)) {
      problems.failed(source.name, row.line, sale);
      continue;
    }
    if (sale.facts.bedroomsTotal !== null && sale.facts.bedroomsTotal > ODD_BEDROOMS) {
      problems.odd(source.name, sale.line, `house ${sale.key} has ${sale.facts.bedroomsTotal} bedrooms`);
    }
    const sales = byHouse.get(sale.key);
    if (sales === undefined) byHouse.set(sale.key, [sale]);
    else sales.push(sale);
  }
  let repeated = 0;
  const houses = [...byHouse.values()].map((sales) => {
    const distinct = new Map(sales.map((sale) => [`${sale.soldOn} ${sale.price}`, sale]));
    repeated += sales.length - distinct.size;
    return houseOf([...distinct.values()], cityOf);
  });
  return { houses, rows, repeated };
}

function readSale(
  { columns, width }: TableSource,
  row: { line: number; cells: readonly string[] },
  today: string,
): Sale | string[] {
  const fault = rowFault(row, width);
  if (fault !== null) return [fault];
  const fields = readFields(columns, row);
  for (const column of ['id', 'date', 'price']) fields.require(column);
  const key = fields.matching('id', /^\d{1,10}$/, 'a parcel number of up to ten digits');
  const soldOn = fields.day('date', { notAfter: today });
  const price = fields.decimal('price', PRICE);
  const facts = readFacts(fields, Number(today.slice(0, 4)));
  if (fields.reasons.length > 0 || key === null || soldOn === null || price === null) {
    return [...fields.reasons];
  }
  // Spreadsheets remove the leading zeros of a number.
  return { line: row.line, key: key.padStart(PARCEL_DIGITS, '0'), soldOn, price, facts };
}

function readFacts(fields: RowFields, thisYear: number): ImportedFields {
  const years = { min: EARLIEST_YEAR, max: thisYear + 5 };
  const renovated = fields.integer('yr_renovated', { min: 0, max: years.max });
  if (renovated !== null && renovated !== 0 && renovated < years.min) {
    fields.fault(`yr_renovated "${renovated}" is not between ${years.min} and ${years.max}, and not 0`);
  }
  const latitude = fields.number('lat', { min: -90, max: 90 });
  const longitude = fields.number('long', { min: -180, max: 180 });
  if ((fields.text('lat') === null) !== (fields.text('long') === null)) {
    fields.fault('one of lat and long is empty, the other is not');
  }
  const waterfront = fields.integer('waterfront', { min: 0, max: 1 });
  return {
    bedroomsTotal: fields.integer('bedrooms', { min: 0, max: 1000 }),
    bathroomsTotal: fields.decimal('bathrooms', BATHROOMS),
    livingArea: fields.decimal('sqft_living', FEET),
    lotSizeArea: fields.decimal('sqft_lot', FEET),
    stories: fields.decimal('floors', STORIES),
    yearBuilt: fields.integer('yr_built', years),
    // Zero means never renovated.
    yearBuiltEffective: renovated === 0 ? null : renovated,
    postalCode: fields.matching('zipcode', /^\d{5}$/, 'a postal code of five digits'),
    latitude,
    longitude,
    // "view" grades the view without naming it: no feature follows from it.
    features: waterfront === 1 ? ['WATERFRONT'] : [],
  };
}

/** The house has the facts of its latest row; every row is one of its sales. */
function houseOf(sales: Sale[], cityOf: (postalCode: string) => string | null): ImportedHouse {
  const inOrder = sales.toSorted((a, b) => a.soldOn.localeCompare(b.soldOn) || a.line - b.line);
  const last = inOrder[inOrder.length - 1]!;
  const { postalCode } = last.facts;
  return {
    key: last.key,
    address: `Parcel ${last.key}`,
    ...last.facts,
    city: (postalCode === null ? null : cityOf(postalCode)) ?? 'King County',
    sales: inOrder.map(({ soldOn, price }) => ({ soldOn, price })),
  };
}
