import { toDate } from '../database/instants.ts';
import type { SqlValues } from '../database/sql-values.ts';
import { distanceSql } from './area-sql.ts';
import { rangeSql } from './criteria-sql.ts';
import type { ListQuestion, Position, Range, SearchSort, SortPosition } from './search-index.ts';

/**
 * The orders of search (docs/contract.md#search). All keys of a sort and the id have the same direction, so that one
 * row comparison finds what follows a position, and an index of 0013 serves it. An unknown value comes last, by the
 * same `coalesce` as in the index.
 */
interface SortKey {
  /** The compared value. */
  readonly order: string;
  /** The same as a number; null when unknown. */
  readonly read: string;
  readonly kind: KeyKind;
  /** The value instead of null. */
  readonly last?: string;
}
interface SortRule {
  readonly keys: readonly SortKey[];
  readonly descending: boolean;
  /** The range of the criteria, if any, that bounds the first key. */
  readonly range?: 'listPrice' | 'livingArea' | 'lotSize' | 'bedroomsTotal' | 'bathroomsTotal';
}
/** The type of a key in a cursor: any number, a whole number, or milliseconds since 1970. */
export type KeyKind = 'number' | 'integer' | 'instant';

const column = (name: string, kind: KeyKind = 'number'): SortKey => ({ order: name, read: name, kind });
const lastIfNull = (name: string, last: string, kind: KeyKind = 'number'): SortKey => ({
  order: `coalesce(${name}, ${last})`,
  read: name,
  kind,
  last,
});
const millis = (name: string) => `(extract(epoch from ${name}) * 1000)::float8`;
const LISTED: SortKey = {
  ...lastIfNull('"listedAt"', `'-infinity'`, 'instant'),
  read: millis('"listedAt"'),
};
const SOLD: SortKey = { ...lastIfNull('"soldAt"', `'-infinity'`, 'instant'), read: millis('"soldAt"') };
const CHANGED: SortKey = { ...column('"updatedAt"', 'instant'), read: millis('"updatedAt"') };

const RULES: Record<Exclude<SearchSort, 'DISTANCE'>, SortRule> = {
  /** Listings with photos first, among them those still available, then the newest (`rank` of 0013). */
  RELEVANCE: { keys: [column('rank', 'integer'), LISTED], descending: true },
  NEWEST: { keys: [LISTED], descending: true },
  RECENTLY_SOLD: { keys: [SOLD], descending: true },
  PRICE_ASC: { keys: [column('"listPrice"')], descending: false, range: 'listPrice' },
  PRICE_DESC: { keys: [column('"listPrice"')], descending: true, range: 'listPrice' },
  RECENTLY_CHANGED: { keys: [CHANGED], descending: true },
  LIVING_AREA_DESC: { keys: [lastIfNull('"livingArea"', '-1')], descending: true, range: 'livingArea' },
  LOT_DESC: { keys: [lastIfNull('"lotSize"', '-1')], descending: true, range: 'lotSize' },
  BEDS_DESC: {
    keys: [lastIfNull('"bedroomsTotal"', '-1', 'integer')],
    descending: true,
    range: 'bedroomsTotal',
  },
  BATHS_DESC: { keys: [lastIfNull('"bathroomsTotal"', '-1')], descending: true, range: 'bathroomsTotal' },
  PRICE_PER_AREA_ASC: { keys: [lastIfNull('"pricePerArea"', `'infinity'`)], descending: false },
};

/** The keys in a cursor of the sort, one by one; `nullable` when a listing may have no value. */
export function keysOfSort(sort: SearchSort): { kind: KeyKind; nullable: boolean }[] {
  if (sort === 'DISTANCE') return [{ kind: 'number', nullable: true }];
  return RULES[sort].keys.map(({ kind, last }) => ({ kind, nullable: last !== undefined }));
}

/** The parts of a statement that reads pages in an order. */
export interface SortSql {
  /** `order` is the compared value; `read` is the same as a number, null when unknown. */
  readonly keys: readonly Pick<SortKey, 'order' | 'read'>[];
  readonly way: 'ASC' | 'DESC';
  /** The condition for what follows the position; null for the first page. */
  readonly after: string | null;
  /**
   * The criteria's range of the first key, in which a walk along the index begins and ends; null without one. Asked only
   * for a walk, because it binds values.
   */
  within(): string | null;
}
export type PlaceRow = { propertyId: string } & Record<`key${number}`, number | null>;

export function sortSql(
  sort: SearchSort,
  { origin, after, criteria }: Pick<ListQuestion, 'origin' | 'after' | 'criteria'>,
  values: SqlValues,
): SortSql {
  const { keys, descending, range } = ruleOf(sort, origin, values);
  const order = [...keys.map((key) => key.order), '"propertyId"'];
  const bound = after && [
    ...keys.map((key, index) => bind(key, after.keys[index] ?? null, values)),
    values.add(after.propertyId, 'uuid'),
  ];
  return {
    keys,
    way: descending ? 'DESC' : 'ASC',
    after: bound && `(${order.join(', ')}) ${descending ? '<' : '>'} (${bound.join(', ')})`,
    within: () => (range === undefined ? null : withinSql(keys[0] as SortKey, criteria[range], values)),
  };
}

function withinSql({ order, kind }: SortKey, asked: Range | null, values: SqlValues): string | null {
  return asked && rangeSql(order, asked, (number) => values.add(number, TYPES[kind]));
}

export function placeFromRow({ propertyId, ...keys }: PlaceRow): SortPosition {
  return { propertyId, keys: Object.values(keys) };
}

/** Compares positions that are read already, as the database does: unknown values last. */
export function placesInOrder(sort: SearchSort): (a: SortPosition, b: SortPosition) => number {
  const way = sort !== 'DISTANCE' && RULES[sort].descending ? -1 : 1;
  return (a, b) => {
    for (const [index, key] of a.keys.entries()) {
      const other = b.keys[index] ?? null;
      if (key === other) continue;
      if (key === null || other === null) return key === null ? 1 : -1;
      return key < other ? -way : way;
    }
    return a.propertyId < b.propertyId ? -way : way;
  };
}

function ruleOf(sort: SearchSort, origin: Position | null, values: SqlValues): SortRule {
  if (sort !== 'DISTANCE') return RULES[sort];
  if (origin === null) throw new TypeError('DISTANCE needs an origin');
  return { keys: [lastIfNull(distanceSql(origin, values), `'infinity'`)], descending: false };
}

const TYPES: Record<KeyKind, string> = { number: 'float8', integer: 'int', instant: 'timestamptz' };

function bind({ kind, last }: SortKey, value: number | null, values: SqlValues): string {
  const type = TYPES[kind];
  if (value === null) return `${last}::${type}`;
  return values.add(kind === 'instant' ? toDate(value) : value, type);
}
