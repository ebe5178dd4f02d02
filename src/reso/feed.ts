import type { Reader } from '../../persistence/database/reader.ts';
import { fieldOf } from '../../persistence/reso/condition-sql.ts';
import type { Resource } from '../../persistence/reso/fields.ts';
import { type Condition, QueryFault } from '../../persistence/reso/query-tree.ts';
import {
  countRecords,
  expandRecords,
  type FeedRecord,
  readRecord,
  readRecords,
} from '../../persistence/reso/read-records.ts';
import { type QueryOptions, readOptions, writePosition } from './query/query-options.ts';

/** What the feed answers to a query, without HTTP (docs/feeds.md#answers). */
const DEFAULT_PAGE = 500;
export const MOST_PAGE = 1_000;

export interface Preferences {
  /** `odata.maxpagesize`, null without it. */
  readonly pageSize: number | null;
  /** `omit-values=nulls`. */
  readonly omitsNulls: boolean;
}

export interface Feed {
  /** Of the service: `…/reso/odata`. */
  readonly root: string;
  readonly resources: ReadonlyMap<string, Resource>;
}

/** The fields that are sent, in the order of the resource, with what was expanded. */
function written(
  record: FeedRecord,
  { select, expand }: QueryOptions,
  { omitsNulls }: Preferences,
): FeedRecord {
  const names = [...select, ...expand];
  const shown = names.map((name) => [name, record[name]] as const);
  return Object.fromEntries(omitsNulls ? shown.filter(([, value]) => value !== null) : shown);
}

/** The fields that must be read: those that are sent, and those that the expansions begin from. */
const readNames = (resource: Resource, { select, expand }: QueryOptions): string[] => [
  ...new Set([resource.key, ...select, ...expand.flatMap((name) => resource.expansions[name]?.from ?? [])]),
];

async function expanded(
  feed: Feed,
  reader: Reader,
  {
    resource,
    records,
    expand,
    omitsNulls,
  }: { resource: Resource; records: readonly FeedRecord[]; expand: readonly string[]; omitsNulls: boolean },
): Promise<void> {
  for (const name of expand) {
    const expansion = resource.expansions[name];
    const to = feed.resources.get(expansion?.resource ?? '');
    if (expansion === undefined || to === undefined)
      throw new QueryFault(`${resource.name} cannot expand ${name}.`, '$expand');
    await expandRecords(reader, { records, name, expansion, to, omitsNulls });
  }
}

/** What is loaded, and how it is written without waiting. */
export interface Loaded {
  readonly write: () => Record<string, unknown>;
}

/** A collection: `GET {root}/Property?…`. @param query as in the address */
export async function loadCollection(
  feed: Feed,
  reader: Reader,
  { resource, query, preferences }: { resource: Resource; query: URLSearchParams; preferences: Preferences },
): Promise<Loaded> {
  const options = readOptions(query, resource, { isCollection: true });
  const { top, filter, order, skip, after, isCounted, expand } = options;
  const pageSize = Math.min(MOST_PAGE, preferences.pageSize ?? DEFAULT_PAGE);
  const limit = Math.min(pageSize, top ?? pageSize);
  const select = readNames(resource, options);
  const { records, next } = await readRecords(reader, resource, {
    filter,
    order,
    select,
    skip,
    limit,
    after,
  });
  await expanded(feed, reader, { resource, records, expand, omitsNulls: preferences.omitsNulls });
  const count = isCounted ? await countRecords(reader, resource, filter) : undefined;
  const rest = top === null ? null : top - records.length;
  const isLast = next === null || rest === 0;
  return {
    write: () => ({
      '@odata.context': `${feed.root}/$metadata#${resource.name}`,
      ...(count === undefined ? {} : { '@odata.count': count }),
      value: records.map((record) => written(record, options, preferences)),
      ...(isLast ? {} : { '@odata.nextLink': nextLink(feed, resource, { query, next, rest }) }),
    }),
  };
}

/** The same query from the end of this page on. */
function nextLink(
  { root }: Feed,
  { name }: Resource,
  { query, next, rest }: { query: URLSearchParams; next: readonly (string | null)[]; rest: number | null },
): string {
  const kept = [...query].filter(([option]) => !['$skip', '$skiptoken', '$top'].includes(option));
  const all = [
    ...kept,
    ...(rest === null ? [] : [['$top', String(rest)]]),
    ['$skiptoken', writePosition(next)],
  ];
  return `${root}/${name}?${all.map(([option = '', value = '']) => `${option}=${encodeURIComponent(value)}`).join('&')}`;
}

/** One record: `GET {root}/Property('…')`. Null when it is not served. */
export async function loadRecord(
  feed: Feed,
  reader: Reader,
  {
    resource,
    key,
    query,
    preferences,
  }: { resource: Resource; key: Condition; query: URLSearchParams; preferences: Preferences },
): Promise<Loaded | null> {
  const options = readOptions(query, resource, { isCollection: false });
  const record = await readRecord(reader, resource, { key, select: readNames(resource, options) });
  if (record === null) return null;
  const { expand } = options;
  await expanded(feed, reader, { resource, records: [record], expand, omitsNulls: preferences.omitsNulls });
  return {
    write: () => ({
      '@odata.context': `${feed.root}/$metadata#${resource.name}/$entity`,
      ...written(record, options, preferences),
    }),
  };
}

/** How many records there are: `GET {root}/Property/$count`. */
export async function loadCount(reader: Reader, resource: Resource, query: URLSearchParams): Promise<number> {
  const { filter } = readOptions(query, resource, { isCollection: true });
  return countRecords(reader, resource, filter);
}

/** The condition of a key as it stands in an address: `'…'` with doubled quotes, or a number. Null when it is neither. */
export function keyCondition(resource: Resource, text: string): Condition | null {
  const { type } = fieldOf(resource, resource.key);
  const isNumber = type === 'int';
  if (isNumber ? !/^\d{1,18}$/.test(text) : !/^'(?:[^']|'')*'$/.test(text)) return null;
  const value = isNumber ? text : text.slice(1, -1).replaceAll("''", "'");
  const literal = isNumber ? ({ kind: 'number', value } as const) : ({ kind: 'string', value } as const);
  return { kind: 'compare', field: resource.key, operator: 'eq', literal };
}
