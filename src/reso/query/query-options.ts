import { fieldOf } from '../../../persistence/reso/condition-sql.ts';
import type { Resource } from '../../../persistence/reso/fields.ts';
import { type Condition, cut, type OrderPart, QueryFault } from '../../../persistence/reso/query-tree.ts';
import { parseFilter } from './parse-filter.ts';

/** The query part of an address of the feed (docs/feeds.md#queries). */
export interface QueryOptions {
  readonly filter: Condition | null;
  readonly order: readonly OrderPart[];
  readonly select: readonly string[];
  readonly expand: readonly string[];
  /** Records in all; null without `$top`. */
  readonly top: number | null;
  readonly skip: number;
  readonly isCounted: boolean;
  readonly after: readonly (string | null)[] | null;
}

const OF_COLLECTIONS = ['$filter', '$orderby', '$top', '$skip', '$count', '$skiptoken'];
const OF_RECORDS = ['$select', '$expand', '$format'];
const MOST_ORDER = 5;
const MOST_NUMBER = 2_000_000_000;
/** Rows that a page may pass over. Links pass over none. */
export const MOST_SKIPPED = 100_000;

/** @throws QueryFault for an option that is not known, is there twice, or does not fit the resource */
export function readOptions(
  query: URLSearchParams,
  resource: Resource,
  { isCollection }: { isCollection: boolean },
): QueryOptions {
  const known = isCollection ? [...OF_COLLECTIONS, ...OF_RECORDS] : OF_RECORDS;
  for (const name of new Set(query.keys())) {
    if (name.startsWith('$') && !known.includes(name))
      throw new QueryFault(`${cut(name)} is not taken here.`, cut(name));
    if (query.getAll(name).length > 1) throw new QueryFault(`${name} is there twice.`, name);
  }
  requireJson(query.get('$format'));
  const filter = query.get('$filter');
  const names = (option: string): string[] | null => {
    const text = query.get(option);
    return text === null ? null : text.split(',').map((name) => name.trim());
  };
  const select = names('$select');
  const expand = names('$expand') ?? [];
  for (const name of select ?? []) if (name !== '*') fieldOf(resource, name, '$select');
  for (const name of expand)
    if (!Object.hasOwn(resource.expansions, name))
      throw new QueryFault(`${resource.name} cannot expand ${cut(name)}.`, '$expand');
  return {
    filter: filter === null ? null : parseFilter(filter),
    order: orderOf(query.get('$orderby'), resource),
    select: select === null || select.includes('*') ? Object.keys(resource.fields) : [...new Set(select)],
    expand: [...new Set(expand)],
    top: numberOf(query.get('$top'), '$top', MOST_NUMBER),
    skip: numberOf(query.get('$skip'), '$skip', MOST_SKIPPED) ?? 0,
    isCounted: isTrue(query.get('$count')),
    after: positionOf(query.get('$skiptoken')),
  };
}

function requireJson(format: string | null): void {
  if (format === null || /^(?:json|application\/json(?:;.*)?)$/.test(format)) return;
  throw new QueryFault('Records are answered as application/json.', '$format');
}

function numberOf(text: string | null, target: string, most: number): number | null {
  if (text === null) return null;
  if (!/^\d{1,10}$/.test(text) || Number(text) > most)
    throw new QueryFault(`${target} takes a whole number from 0 to ${most}.`, target);
  return Number(text);
}

function isTrue(text: string | null): boolean {
  if (text === null || text === 'false') return false;
  if (text !== 'true') throw new QueryFault('$count takes true or false.', '$count');
  return true;
}

function orderOf(text: string | null, resource: Resource): OrderPart[] {
  if (text === null) return [];
  const parts = text.split(',');
  if (parts.length > MOST_ORDER)
    throw new QueryFault(`$orderby takes at most ${MOST_ORDER} fields.`, '$orderby');
  const order = parts.map((part) => {
    const [, field, way] = /^\s*(\w{1,128})(?:\s+(asc|desc))?\s*$/.exec(part) ?? [];
    if (field === undefined) throw new QueryFault('$orderby takes fields with asc or desc.', '$orderby');
    fieldOf(resource, field, '$orderby');
    return { field, isDescending: way === 'desc' };
  });
  if (new Set(order.map(({ field }) => field)).size < order.length)
    throw new QueryFault('$orderby names a field twice.', '$orderby');
  return order;
}

/** Where a page ended, as a link carries it. */
export const writePosition = (position: readonly (string | null)[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

const MOST_TOKEN = 4_000;

function positionOf(token: string | null): (string | null)[] | null {
  if (token === null) return null;
  const wrong = new QueryFault('This link is not one of ours.', '$skiptoken');
  if (token.length > MOST_TOKEN || !/^[\w-]+$/.test(token)) throw wrong;
  try {
    const read: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(read) || read.length > MOST_ORDER + 1) throw wrong;
    return read.map((value) => {
      if (value !== null && (typeof value !== 'string' || value.includes('\0'))) throw wrong;
      return value;
    });
  } catch (error) {
    if (error instanceof QueryFault) throw error;
    throw wrong;
  }
}
