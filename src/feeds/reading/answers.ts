import { FeedError, type FeedKey, type FeedRecord, type FeedSource } from './feed-reading.ts';
import { keyField, TIME_FIELD } from './requests.ts';
import { timeOf } from './times.ts';

/** An answer, read. */
export interface RowsAnswer {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly count: number | null;
  /** The source's clock, else ours; comparable text. */
  readonly at: string;
}
export type Row = Readonly<Record<string, unknown>>;

/** The largest page that profiles allow is of 300,000 keys. */
const MOST_ROWS = 300_000;
const MOST_KEY = 255;

/** @throws FeedError for text that is no JSON object */
export function parseObject(text: string): Row {
  let value: unknown;
  try {
    // PostgreSQL's jsonb takes neither NUL nor half of a surrogate pair. Few answers have one, so few pay for the look.
    value = /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.parse(text, withoutUnstorable) : JSON.parse(text);
  } catch {
    throw new FeedError('BROKEN_ANSWER', 'the answer is no JSON, or was cut off');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FeedError('BROKEN_ANSWER', 'the answer is no object');
  return value as Row;
}

const clean = (text: string) => text.replaceAll('\0', '\u{fffd}').toWellFormed();
function withoutUnstorable(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [clean(name), one]));
}

/** @throws FeedError when it is no page of rows */
export function readRows(text: string, at: number): RowsAnswer {
  const body = parseObject(text);
  const { value } = body;
  if (!Array.isArray(value)) throw new FeedError('BROKEN_ANSWER', 'the answer has no rows');
  if (value.length > MOST_ROWS) throw new FeedError('BROKEN_ANSWER', 'the answer has too many rows');
  if (!value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
    throw new FeedError('BROKEN_ANSWER', 'a row of the answer is no object');
  const next = body['@odata.nextLink'];
  const count = Number(body['@odata.count'] ?? Number.NaN);
  return {
    rows: value as Row[],
    next: typeof next === 'string' && next !== '' ? next : null,
    count: Number.isSafeInteger(count) && count >= 0 ? count : null,
    at: timeOf(new Date(at).toISOString()) as string,
  };
}

/** @throws FeedError for a row without a key */
export function keyOf(resource: string, row: Row): string {
  const value = row[keyField(resource)];
  const key = typeof value === 'number' ? String(value) : value;
  if (typeof key !== 'string' || key === '' || key.length > MOST_KEY)
    throw new FeedError('BROKEN_ANSWER', `a record of ${resource} has no key`);
  return key;
}

export const rowTime = (row: Row): string | null => timeOf(row[TIME_FIELD]);

/** The newest time of rows, and of what was there before. */
export function newestOf(rows: readonly Row[], before: string | null): string | null {
  let newest = before;
  for (const row of rows) {
    const time = rowTime(row);
    if (time !== null && (newest === null || time > newest)) newest = time;
  }
  return newest;
}

/** Rows as records, without those that the feed's own sign says have left. */
export function sortRows(
  { profile: { deletion } }: FeedSource,
  resource: string,
  rows: readonly Row[],
): { readonly records: FeedRecord[]; readonly gone: FeedKey[] } {
  const records: FeedRecord[] = [];
  const gone: FeedKey[] = [];
  for (const row of rows) {
    const key = keyOf(resource, row);
    if (deletion.sign === 'FIELD' && row[deletion.field] === deletion.value) gone.push({ resource, key });
    else records.push({ resource, key, modifiedAt: modifiedAt(row), body: row });
  }
  return { records, gone };
}

/** As the feed wrote it, when it is a time. */
export function modifiedAt(row: Row): string | null {
  return rowTime(row) === null ? null : (row[TIME_FIELD] as string);
}
