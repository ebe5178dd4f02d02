import type { AnyStateMachine } from 'xstate';
import type { EffectType } from '../../machines/effects.ts';
import type { ActorState } from '../../machines/step.ts';
import { toDate, toMillis } from '../database/instants.ts';
import { columnList, named } from '../database/sql-values.ts';

/**
 * A kind of actor, defined once: its machine, its table and how the row is locked, the columns of its context, the
 * effects of its transitions, and how a person sees it. `deliver`, the stores, the console, the invariants and the
 * charts read it; `actor-kinds.ts` lists all of them.
 */
export interface ActorKindDefinition<
  A extends StoredActor<string, unknown>,
  M extends AnyStateMachine = AnyStateMachine,
  L extends KindList | null = KindList | null,
> {
  kind: A['kind'];
  machine: M;
  /** The name of the machine's file in `machines/` without its extension; the chart has the same name. */
  file: string;
  /** The effects that its machine may emit; any other is an error of the machine. */
  effects: readonly EffectType[];
  rows: Rows<A>;
  /** Where its state is stored, for the charts. */
  keptIn: string;
  /** Set when other writers change the version too, without a journal row. */
  sharesVersion?: true;
  /** The column with the time of its end. */
  endedAt?: string;
  /** The journal is kept forever. Other journals are removed by age once their actor is over. */
  keepsJournal?: true;
  /** Null when the kind has no list. */
  list: L;
  /** The label of the kind. */
  label: { one: string; many: string };
  /** The ids by which operators can find an actor: name and column. */
  foundBy: Readonly<Record<string, string>>;
  page: KindPage<A>;
}

export interface StoredActor<K extends string, C> extends ActorState<C> {
  kind: K;
  id: string;
  /** The number of its journal rows; the compare-and-set value of every write. */
  version: number;
}

/** How SQL finds the actors of a kind. */
export interface Place {
  /** The table, as `t`. */
  from: string;
  /** The condition for a row of the table to be an actor of this kind. */
  base: string;
  /** The machine's name of the state. */
  state: string;
  version: string;
}
/** Statements about the rows of a kind. */
export interface Rows<A> extends Place {
  columns: readonly string[];
  /** `SELECT … FROM` the table as `t`. `more` adds values to the row, as SQL. */
  select(more?: Readonly<Record<string, string>>): string;
  lock: string;
  fromRow(row: Row): A;
  /** The parameters of `sets`: id and version first, the instant last if there is a `stamp`. */
  values(actor: A, at: number): unknown[];
  /** The SET list of an UPDATE. */
  sets: string;
  /** The columns that `sets` assigns, apart from the version: those of `values` after id and version. */
  moving: readonly string[];
  /** CTEs, one of them `moved`: the id of the row, if its version still was the actor's and `onlyIf` is true. */
  update(actor: A, at: number, onlyIf?: string): Statement;
  /** CTEs that end with `moved`: the id of the new row, if it was inserted. */
  insert(actor: A, at: number, more?: MoreColumns): Statement;
  /** Rethrows a failed write as an error that callers handle. */
  refuse?(error: unknown): never;
}
/** Values that an INSERT writes in addition to the actor's. */
interface MoreColumns {
  given?: Row;
  /** SQL of columns; `:name` is the value of another column or of `given`. */
  computed?: Readonly<Record<string, string>>;
  from?: string;
  /** Conditions; the row is inserted if all are true. */
  where?: readonly string[];
}
export interface Statement {
  sql: string;
  values: unknown[];
}
// biome-ignore lint/suspicious/noExplicitAny: a row's values are of whatever type the driver gives their columns.
export type Row = Readonly<Record<string, any>>;

/**
 * How one property is stored in columns of the row. The column has the property's name unless `names` says otherwise.
 * `s.prompt` is the column of a joined table.
 */
export interface Column<V> {
  names?: readonly string[];
  /** Further columns that `read` gets, which this property does not write. */
  alsoFrom?: readonly string[];
  read(...values: never[]): V;
  /** Absent when other statements write the property. */
  write?(value: V): readonly unknown[];
  /** Written only when the actor is created. */
  fixed?: true;
  /** There is no column: the reader of the row adds the value. */
  added?: true;
}
export const plain = { read: (value: never) => value, write: (value: unknown) => [value] };
export const instant = { read: toMillis, write: (value: number | null) => [toDate(value)] };
export const under = <C extends Column<unknown>>(name: string, column: C): C => ({
  ...column,
  names: [name],
});
export const fixed = <C extends Column<unknown>>(column: C): C => ({ ...column, fixed: true });
/** Other statements write the column. */
export const readOnly = <C extends Column<unknown>>({ write: _, ...column }: C) => column;
/** The kind fixes the value; there is no column. */
export const always = <V>(value: V): Column<V> => ({ names: [], read: () => value, write: () => [] });

/** Several properties as one object. */
export function record<T extends object>(columns: Columns<T>): Column<T> {
  const fields = fieldsOf(columns);
  const names = fields.flatMap((field) => field.names);
  return {
    names,
    read: (...values) =>
      readAll(fields, Object.fromEntries(names.map((name, index) => [name, values[index]]))) as T,
    write: (value) => fields.flatMap(({ property, write }) => write?.(propertyOf(value, property)) ?? []),
  };
}

type Columns<T> = { readonly [P in keyof T]-?: Column<T[P]> };

interface Table<A extends StoredActor<string, unknown>> {
  table: string;
  /** Tables whose columns are read as well. */
  joins?: string;
  base?: string;
  lock?: string;
  version?: string;
  state?: Column<string>;
  /** SQL of the state's name, if it is not simply the state column. */
  stateName?: string;
  context: Columns<A['context']>;
  /** Values that other statements write, or that are fixed when the actor is created. */
  beside: Columns<Omit<A, keyof StoredActor<string, unknown>>>;
  /** Columns that are set to the event's instant. */
  stamps?: readonly string[];
  /** Columns that are set to the instant of the birth. */
  bornAt?: readonly string[];
  /** Further assignments of every move; `$3` is the state's first column. */
  resets?: string;
  /** In this state the row is about to be deleted: only its version is written. */
  gone?: string;
  refuse?(error: unknown): never;
}

const quoted = (name: string): string => `"${name}"`;
function selected(name: string): string {
  const [table, column] = name.split('.');
  return column === undefined ? `t."${name}"` : `${table}."${column}" AS "${name}"`;
}

interface Field extends Column<unknown> {
  property: string;
  names: readonly string[];
}
const fieldsOf = (columns: Readonly<Record<string, Column<unknown>>>): Field[] =>
  Object.entries(columns).map(([property, column]) => ({ names: [property], ...column, property }));
const readAll = (fields: readonly Field[], row: Row) =>
  Object.fromEntries(
    fields.map(({ property, names, alsoFrom = [], read }) => [
      property,
      read(...[...names, ...alsoFrom].map((name) => row[name] as never)),
    ]),
  );
/** Skips columns of joined tables, because other statements write them. */
const writeAll = (fields: readonly Field[], owner: unknown): [string, unknown][] =>
  fields.flatMap(({ property, names, write }) => {
    const values = write?.(propertyOf(owner, property)) ?? [];
    return values
      .map((value, index): [string, unknown] => [names[index] ?? '', value])
      .filter(([name]) => !name.includes('.'));
  });
const propertyOf = (owner: unknown, property: string): unknown => (owner as Row)[property];

/** For a kind whose actors each have one row in one table. */
export function rowsOfTable<A extends StoredActor<string, unknown>>(
  kind: A['kind'],
  given: Table<A>,
): Rows<A> {
  const {
    table,
    joins = '',
    version = 'version',
    stamps = [],
    bornAt = [],
    resets,
    gone,
    base = 'true',
  } = given;
  const state: Field = { property: 'state', names: ['status'], ...(given.state ?? plain) };
  const context = fieldsOf(given.context);
  const beside = fieldsOf(given.beside);
  const moving = context.filter((field) => !field.fixed && field.write);
  const assigned = [state, ...moving].flatMap(({ names }) => names);
  const sets = [
    `${quoted(version)} = ${quoted(version)} + 1`,
    ...assigned.map((name, index) => `${quoted(name)} = $${index + 3}`),
    ...stamps.map((name) => `${quoted(name)} = $${assigned.length + 3}`),
    ...(resets === undefined ? [] : [resets]),
  ];
  const values = (actor: A, at: number): unknown[] => [
    actor.id,
    actor.version,
    ...writeAll([state], actor).map(([, value]) => value),
    ...writeAll(moving, actor.context).map(([, value]) => value),
    ...(stamps.length === 0 ? [] : [toDate(at)]),
  ];
  const updateTo = (set: readonly string[], onlyIf: string) => `moved AS (
    UPDATE ${table} SET ${set.join(', ')} WHERE id = $1 AND ${quoted(version)} = $2 AND ${onlyIf} RETURNING id)`;
  const stored = [state, ...context, ...beside]
    .filter(({ added }) => !added)
    .flatMap(({ names, alsoFrom = [] }) => [...names, ...alsoFrom]);
  const columns = [...new Set(['id', version, ...stored])].map(selected);
  return {
    from: `${table} t`,
    base,
    state: given.stateName ?? `t.${quoted(state.names[0] ?? '')}::text`,
    version: `t.${quoted(version)}`,
    columns,
    select(more = {}) {
      const values = Object.entries(more).map(([name, sql]) => `${sql} AS "${name}"`);
      return `SELECT ${[...columns, ...values].join(', ')} FROM ${table} t ${joins}`;
    },
    lock: `${given.lock ?? 'FOR UPDATE'} OF t`,
    fromRow: (row) =>
      ({
        kind,
        id: row.id,
        version: Number(row[version]),
        ...readAll([state, ...beside], row),
        context: readAll(context, row),
      }) as A,
    sets: sets.join(', '),
    moving: [...assigned, ...stamps],
    values,
    update: (actor, at, onlyIf = 'true') =>
      actor.state === gone
        ? { sql: updateTo(sets.slice(0, 1), onlyIf), values: [actor.id, actor.version] }
        : { sql: updateTo(sets, onlyIf), values: values(actor, at) },
    insert(actor, at, { given: more = {}, computed = {}, from, where = [] } = {}) {
      const row: Row = Object.fromEntries([
        ['id', actor.id],
        [version, actor.version],
        ...writeAll([state, ...beside], actor),
        ...writeAll(context, actor.context),
        ...bornAt.map((name) => [name, toDate(at)]),
        ...Object.entries(more),
      ]);
      const names = Object.keys({ ...row, ...computed });
      const list = names.map((name) => computed[name] ?? `:${name}`).join(', ');
      const { text, values } = named(
        `moved AS (INSERT INTO ${table} (${columnList(names)}) SELECT ${list}${from === undefined ? '' : ` FROM ${from}`}
          WHERE ${['true', ...where].join(' AND ')} RETURNING id)`,
        row,
      );
      return { sql: text, values };
    },
    ...(given.refuse === undefined ? {} : { refuse: given.refuse }),
  };
}

/**
 * How the operators' lists find the actors of a kind: the first column of the index, the columns of a line, and the
 * filters. Lists and counts use an index, so that their time depends on the page and not on the number of actors. No
 * personal data is read: no name, address or text.
 */
export interface KindList {
  /** The condition for a row to be listed; absent when every actor is listed. */
  base?: string;
  /** The first column of the index, its type, and its values in the order of the life cycle. */
  status: { column: string; type: string; values: readonly string[] };
  /** When it began; lists are sorted by it. */
  createdAt: string;
  /** SQL of a line's columns, where the kind has them. */
  columns: {
    errorCode?: string;
    propertyId?: string;
    worker?: string;
    jobId?: string;
    quarantined?: string;
  };
  /** Filters that leave few rows, each with its own index; absent where they are not useful. */
  narrow: {
    /** Takes the parameter with the listing's id. */
    property?(id: string): string;
    /** Takes the parameter with the node's id. */
    worker?(node: string): string;
    quarantined?: string;
    /** Those that wait until an operator decides. */
    awaitsOperator?: string;
    /** Those that show a photo as another kind of room than a second picture of it does. */
    roomDiffers?: string;
  };
  /** Statuses that an operator may want to see. */
  failed: readonly string[];
}

/** How the operators' page shows an actor. */
interface KindPage<A> {
  /** SQL of the page's further values, by name; the row is `t`. */
  beside: Readonly<Record<string, string>>;
  createdAt: string | null;
  /** By their labels, the most important first. Null is not shown. */
  facts(actor: A, beside: Row): Readonly<Record<string, FactValue | null>>;
  /** Why the actor does not move. Null when it waits for nothing; `job` when it waits for the same as its job. */
  wait(actor: A, clock: WaitClock, beside: Row): Wait | 'job' | null;
}
/** Plain text, or what a page shows as a link, a time or a code. */
export type FactValue =
  | string
  | { code: string }
  | { instant: number | null; note?: string }
  | { due: number; foreign?: string | null }
  | { ago: number | null }
  | { actor: { kind: string; id: string } }
  | { listing: string }
  | { image: string }
  /** The public record of a staged image, which shows photo and image next to each other. */
  | { record: string }
  /** Text from another system: shown without anything that looks like a secret. */
  | { foreign: string }
  | { node: string }
  | { lease: { owner: string; epoch: number; expiresAt: number } | null; epoch: number }
  /** The job's entry in its queue. */
  | { entry: 'queue' }
  | { errorCode: string }
  /** Shown only when prices are configured. */
  | { microusd: number };
export interface Wait {
  /** The word that clients see. */
  word: string;
  sentence: string;
  /** A person must act. */
  person: boolean;
}
export interface WaitClock {
  at: number;
  /** Formats an instant with its distance from now. */
  when(instant: number): string;
  /** The start of an id, enough to tell a few ids apart. */
  short(id: string): string;
}
