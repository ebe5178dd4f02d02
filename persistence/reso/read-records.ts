import type { QueryResultRow } from 'pg';
import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import { ConditionSql, fieldOf } from './condition-sql.ts';
import type { Expansion, Field, Resource } from './fields.ts';
import { type Condition, type OrderPart, QueryFault } from './query-tree.ts';

/** One record by the names of its fields, as it is sent. */
export type FeedRecord = Record<string, unknown>;

export interface PageQuery {
  readonly filter: Condition | null;
  readonly order: readonly OrderPart[];
  /** Names of fields; the key is always among what is read. */
  readonly select: readonly string[];
  readonly skip: number;
  readonly limit: number;
  /** Where the page before ended: the values of the order, and of the key. */
  readonly after: readonly (string | null)[] | null;
}

export interface FeedPage {
  readonly records: FeedRecord[];
  /** Where the next page begins; null when this is the last one. */
  readonly next: (string | null)[] | null;
}

/** How a field is read, so that pg gives what JSON takes. */
function shown(field: Field): string {
  if (field.type === 'key' || field.type === 'date') return `(${field.sql})::text`;
  if (field.type === 'int' || field.type === 'decimal') return `(${field.sql})::float8`;
  return field.sql;
}

const TYPES: Readonly<Record<Field['type'], string>> = {
  key: 'uuid',
  string: 'text',
  strings: 'text[]',
  int: 'numeric',
  decimal: 'numeric',
  date: 'date',
  instant: 'timestamptz',
  boolean: 'boolean',
};

/** The order with the key at its end, so that no two rows are equal. */
function orderOf(resource: Resource, order: readonly OrderPart[]): (OrderPart & { of: Field })[] {
  const parts = order.some(({ field }) => field === resource.key)
    ? order
    : [...order, { field: resource.key, isDescending: false }];
  return parts.map((part) => {
    const of = fieldOf(resource, part.field, '$orderby');
    if (of.type === 'strings')
      throw new QueryFault(`${part.field} is a list and gives no order.`, '$orderby');
    return { ...part, of };
  });
}

/** Nulls are less than every value. A field without nulls is ordered plainly, as an index has it. */
const direction = ({ of, isDescending }: OrderPart & { of: Field }): string => {
  const nulls = of.isGiven === true ? '' : isDescending ? ' NULLS LAST' : ' NULLS FIRST';
  return `${of.sql} ${isDescending ? 'DESC' : 'ASC'}${nulls}`;
};

function afterSql(
  parts: readonly (OrderPart & { of: Field })[],
  after: readonly (string | null)[],
  values: SqlValues,
): string {
  if (after.length !== parts.length) throw new QueryFault('The link is not of this query.', '$skiptoken');
  const given = parts.map(({ of }, index) => {
    const value = after[index] ?? null;
    return value === null ? null : values.add(value, TYPES[of.type]);
  });
  if (parts.every(({ of, isDescending }) => of.isGiven === true && !isDescending))
    return `(${parts.map(({ of }) => of.sql).join(', ')}) > (${given.map((value) => value ?? 'NULL').join(', ')})`;
  const steps = parts.map(({ of, isDescending }, index) => {
    const equal = parts.slice(0, index).map((part, before) => {
      const value = given[before] ?? null;
      return value === null ? `${part.of.sql} IS NULL` : `${part.of.sql} = ${value}`;
    });
    return `(${[...equal, beyond(of, given[index] ?? null, isDescending)].join(' AND ')})`;
  });
  return `(${steps.join(' OR ')})`;
}

function beyond({ sql }: Field, value: string | null, isDescending: boolean): string {
  if (value === null) return isDescending ? 'false' : `${sql} IS NOT NULL`;
  return isDescending ? `(${sql} < ${value} OR ${sql} IS NULL)` : `${sql} > ${value}`;
}

const whereOf = (resource: Resource, conditions: readonly string[]): string =>
  [resource.where, ...conditions].join(' AND ');

/**
 * A page of records in their order.
 * @throws QueryFault for a query that does not fit the resource
 */
export async function readRecords(reader: Reader, resource: Resource, query: PageQuery): Promise<FeedPage> {
  const conditions = new ConditionSql(resource);
  const { values } = conditions;
  const order = orderOf(resource, query.order);
  const where = [
    ...(query.filter === null ? [] : [conditions.of(query.filter)]),
    ...(query.after === null ? [] : [afterSql(order, query.after, values)]),
  ];
  const names = [...new Set([resource.key, ...query.select])];
  const columns = [
    ...names.map((name) => `${shown(fieldOf(resource, name, '$select'))} AS "${name}"`),
    // As text, so that the next page begins exactly behind this row.
    `ARRAY[${order.map(({ of }) => positionOf(of)).join(', ')}] AS "@position"`,
  ];
  const text = `SELECT ${columns.join(', ')} FROM ${resource.from} WHERE ${whereOf(resource, where)}
    ORDER BY ${order.map(direction).join(', ')}
    LIMIT ${values.add(query.limit + 1, 'int')} OFFSET ${values.add(query.skip, 'int')}`;
  const { rows } = await reader.query<QueryResultRow>(text, values.list);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    records: page.map(({ '@position': _, ...record }) => record),
    next: rows.length > query.limit && last !== undefined ? last['@position'] : null,
  };
}

/** Of an instant in UTC, whatever the session's zone. */
const positionOf = ({ type, sql }: Field): string =>
  type === 'instant'
    ? `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : `(${sql})::text`;

/** How many records fit the filter. */
export async function countRecords(
  reader: Reader,
  resource: Resource,
  filter: Condition | null,
): Promise<number> {
  const conditions = new ConditionSql(resource);
  const where = filter === null ? [] : [conditions.of(filter)];
  const { rows } = await reader.query<{ count: number }>(
    `SELECT count(*)::float8 AS count FROM ${resource.from} WHERE ${whereOf(resource, where)}`,
    conditions.values.list,
  );
  return rows[0]?.count ?? 0;
}

/** The record with this key, or null. */
export async function readRecord(
  reader: Reader,
  resource: Resource,
  { key, select }: { key: Condition; select: readonly string[] },
): Promise<FeedRecord | null> {
  const { records } = await readRecords(reader, resource, {
    filter: key,
    order: [],
    select,
    skip: 0,
    limit: 1,
    after: null,
  });
  return records[0] ?? null;
}

/** Most records of a collection that are read with one record. More are there only of pictures of old releases. */
const MOST_EXPANDED = 1_000;

/** Adds to each record the records of another resource that name it, or that it names. */
export async function expandRecords(
  reader: Reader,
  {
    records,
    name,
    expansion,
    to,
    omitsNulls,
  }: {
    /** Each with the field that the expansion begins from. */
    records: readonly FeedRecord[];
    name: string;
    expansion: Expansion;
    to: Resource;
    omitsNulls: boolean;
  },
): Promise<void> {
  const keys = [...new Set(records.map((record) => record[expansion.from]))].filter(
    (value): value is string => typeof value === 'string',
  );
  const values = new SqlValues();
  const field = fieldOf(to, expansion.to);
  const columns = Object.entries(to.fields).map(([column, of]) => `${shown(of)} AS "${column}"`);
  const order = expansion.order === undefined ? [] : [fieldOf(to, expansion.order).sql];
  const { rows } =
    keys.length === 0
      ? { rows: [] }
      : await reader.query<QueryResultRow>(
          `SELECT ${columns.join(', ')} FROM ${to.from}
           WHERE ${whereOf(to, [`${field.sql} = ANY (${values.add(keys, 'uuid[]')})`])}
           ORDER BY ${[...order, fieldOf(to, to.key).sql].join(', ')}`,
          values.list,
        );
  const byKey = Map.groupBy(rows, (row) => row[expansion.to]);
  if (omitsNulls)
    for (const row of rows)
      for (const column of Object.keys(row)) if (row[column] === null) delete row[column];
  for (const record of records) {
    const found = byKey.get(record[expansion.from]) ?? [];
    record[name] = expansion.isCollection ? found.slice(0, MOST_EXPANDED) : (found[0] ?? null);
  }
}
