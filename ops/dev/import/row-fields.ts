import { plainDecimal } from './decimal.ts';
import type { TableRow } from './table-file.ts';

/** A number with its limits; both ends are allowed. */
interface Range {
  min: number;
  max: number;
}

/**
 * Reads the cells of one row by column name. Errors are added to `reasons`, as sentences for the owner of the file,
 * and reading continues, so that one run reports every fault of a row. An empty cell is null.
 */
export interface RowFields {
  readonly reasons: readonly string[];
  text(column: string): string | null;
  /** In plain digits, exact, with at most `scale` decimals. */
  decimal(column: string, limits: Range & { scale: number }): string | null;
  integer(column: string, limits: Range): number | null;
  number(column: string, limits: Range): number | null;
  /** `20141013T000000` or `2014-10-13`, as `2014-10-13`. */
  day(column: string, limits: { notAfter: string }): string | null;
  matching(column: string, pattern: RegExp, meaning: string): string | null;
  /** Adds an error when this required cell is empty. */
  require(column: string): void;
  fault(reason: string): void;
}

export type Columns = ReadonlyMap<string, number>;

const LONGEST_SHOWN = 40;
const DAY = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\d{2}:?\d{2}(?::?\d{2})?)?$/;

export function readFields(columns: Columns, row: TableRow): RowFields {
  const reasons: string[] = [];
  const cell = (column: string) => row.cells[columns.get(column) ?? -1]?.trim() ?? '';
  const refuse = (column: string, why: string) => {
    reasons.push(`${column} ${shown(cell(column))} ${why}`);
    return null;
  };
  const decimal: RowFields['decimal'] = (column, { min, max, scale }) => {
    if (cell(column) === '') return null;
    const plain = plainDecimal(cell(column));
    if (plain === null) return refuse(column, 'is not a number');
    if ((plain.split('.')[1]?.length ?? 0) > scale)
      return refuse(column, scale === 0 ? 'is not a whole number' : `has more than ${scale} decimals`);
    if (Number(plain) < min || Number(plain) > max) return refuse(column, `is not between ${min} and ${max}`);
    return plain;
  };
  const number = (column: string, limits: Range & { scale: number }) => {
    const plain = decimal(column, limits);
    return plain === null ? null : Number(plain);
  };
  return {
    reasons,
    decimal,
    text: (column) => (cell(column) === '' ? null : cell(column)),
    integer: (column, limits) => number(column, { ...limits, scale: 0 }),
    number: (column, limits) => number(column, { ...limits, scale: 15 }),
    day(column, { notAfter }) {
      if (cell(column) === '') return null;
      const day = calendarDay(cell(column));
      if (day === null) return refuse(column, 'is not a date that exists');
      return day > notAfter ? refuse(column, 'lies in the future') : day;
    },
    matching(column, pattern, meaning) {
      if (cell(column) === '') return null;
      return pattern.test(cell(column)) ? cell(column) : refuse(column, `is not ${meaning}`);
    },
    require(column) {
      if (cell(column) === '') reasons.push(`${column} is empty`);
    },
    fault: (reason) => void reasons.push(reason),
  };
}

/** Why a whole row cannot be read, or null: a wrong number of cells, or cells that are not text. */
export function rowFault(row: TableRow, width: number): string | null {
  const { length } = row.cells;
  if (length !== width) return `the row has ${length} ${length === 1 ? 'cell' : 'cells'} instead of ${width}`;
  // A replacement character shows that the bytes were not UTF-8; PostgreSQL cannot store NUL.
  if (row.cells.some((cell) => cell.includes('\0') || cell.includes('\ufffd')))
    return 'the row is not valid UTF-8 text';
  return null;
}

/** An existing calendar day, as `yyyy-mm-dd`, or null. */
function calendarDay(text: string): string | null {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || Number(year) < 1) return null;
  const iso = `${year}-${month}-${day}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}

function shown(text: string): string {
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}
