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
  M extends AnyStateMachine,
  L extends KindList | null = KindList,
> extends KindDescription<M, L> {
  kind: A['kind'];
  rows: Rows<A>;
  page: KindPage<A>;
}

/** The part that every kind has; the kinds of a job share one lock, and have rows and pages of their own. */
export interface KindDescription<M extends AnyStateMachine, L extends KindList | null = KindList> {
  kind: string;
  machine: M;
  /** The effects of its machine. Any other effect is an error of the machine. */
  effects: readonly EffectType[];
  rows: Place;
  /** In `machines/`, if it is not named after the kind. */
  machineFile?: string;
  /** Where its state is kept, for the charts. */
  keptIn: string;
  /** Other writers change its version too, without a journal row. */
  sharesVersion?: true;
  /** The column with the time of its end. */
  endedAt?: string;
  /** The journal stays for ever; others are removed by age once their actor is over. */
  keepsJournal?: true;
  /** Null where there is nothing to list. */
  list: L;
  /** The label of the kind. */
  label: { one: string; many: string };
  /** The ids by which the operators' search finds an actor: name and column. */
  foundBy: Readonly<Record<string, string>>;
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
  columns: string;
  /** `SELECT … FROM` the table as `t`. */
  select: string;
  lock: string;
  fromRow(row: Row): A;
  /** The parameters of `sets`, id and version first; the last one is the instant, where there is a `stamp`. */
  values(actor: A, at: number): unknown[];
  /** What an UPDATE sets. */
  sets: string;
  /** CTEs that end with `moved`: the id of the row, if it still was at the actor's version. */
  update(actor: A, at: number): Statement;
  /** CTEs that end with `moved`: the id of the new row, if it could be made. */
  insert(actor: A, at: number, more?: MoreColumns): Statement;
  /** Rethrows a failed write as an error that the caller understands. */
  refuse?(error: unknown): never;
}
/** What an INSERT writes that is not the actor's. */
interface MoreColumns {
  given?: Row;
  /** SQL of columns; `:name` is the value of another column or of `given`. */
  computed?: Readonly<Record<string, string>>;
  /** What follows the list of columns. */
  tail?: string;
}
export interface Statement {
  sql: string;
  values: unknown[];
}
// biome-ignore lint/suspicious/noExplicitAny: a row's values are of whatever type the driver gives their columns.
export type Row = Readonly<Record<string, any>>;

/** How one property is stored in columns of the row; under its own name, unless `names` says otherwise. */
export interface Column {
  names?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: see `Row`.
  read(...values: any[]): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: see `Row`.
  write(value: any): readonly unknown[];
  /** Written once, when the actor is created. */
  fixed?: true;
}
export const plain: Column = { read: (value) => value, write: (value) => [value] };
export const instant: Column = { read: toMillis, write: (value) => [toDate(value)] };
export const under = (name: string, column: Column): Column => ({ ...column, names: [name] });
export const fixed = (column: Column): Column => ({ ...column, fixed: true });

/** `sql` where it is not simply the column. */
type StateColumn = Column & { sql?: string };

interface Table<A extends StoredActor<string, unknown>> {
  table: string;
  base?: string;
  lock?: string;
  version?: string;
  state?: StateColumn;
  context: { readonly [P in keyof A['context']]-?: Column };
  /** What is fixed when the actor is created. */
  beside: { readonly [P in Exclude<keyof A, keyof StoredActor<string, unknown>>]-?: Column };
  /** A column that gets the event's instant. */
  stamp?: string;
  /** Columns that get the instant of the birth. */
  bornAt?: readonly string[];
  /** In this state the row is about to go: only its version is written. */
  gone?: string;
  refuse?(error: unknown): never;
}

const quoted = (name: string): string => `"${name}"`;

/** For a kind with one row of one table for each actor. */
export function rowsOfTable<A extends StoredActor<string, unknown>>(
  kind: A['kind'],
  given: Table<A>,
): Rows<A> {
  const { table, version = 'version', stamp, bornAt = [], gone, base = 'true' } = given;
  const state: StateColumn = given.state ?? under('status', plain);
  const columnsOf = (columns: Readonly<Record<string, Column>>) =>
    Object.entries(columns).map(([property, column]) => {
      const { names = [property], read, write } = column;
      return { property, names, read, write, fixed: column.fixed === true };
    });
  const context = columnsOf(given.context);
  const beside = columnsOf(given.beside);
  const stateNames = state.names ?? [];
  const readAll = (columns: typeof context, row: Row) =>
    Object.fromEntries(
      columns.map(({ property, names, read }) => [property, read(...names.map((name) => row[name]))]),
    );
  const moving = context.filter((column) => !column.fixed);
  const movingNames = [...stateNames, ...moving.flatMap(({ names }) => names)];
  const movingValues = (actor: A): unknown[] => [
    ...state.write(actor.state),
    ...moving.flatMap(({ property, write }) => write(propertyOf(actor.context, property))),
  ];
  const sets = [
    `${quoted(version)} = ${quoted(version)} + 1`,
    ...movingNames.map((name, index) => `${quoted(name)} = $${index + 3}`),
    ...(stamp === undefined ? [] : [`${quoted(stamp)} = $${movingNames.length + 3}`]),
  ];
  const values = (actor: A, at: number): unknown[] => [
    actor.id,
    actor.version,
    ...movingValues(actor),
    ...(stamp === undefined ? [] : [toDate(at)]),
  ];
  const updateTo = (set: string) => `moved AS (
    UPDATE ${table} SET ${set} WHERE id = $1 AND ${quoted(version)} = $2 RETURNING id)`;
  const [update, touch] = [updateTo(sets.join(', ')), updateTo(sets[0] ?? '')];
  const all = [...stateNames, ...[...context, ...beside].flatMap(({ names }) => names)];
  const columns = ['id', version, ...all].map((name) => `t.${quoted(name)}`).join(', ');
  return {
    from: `${table} t`,
    base,
    state: state.sql ?? `t.${quoted(stateNames[0] ?? '')}::text`,
    version: `t.${quoted(version)}`,
    columns,
    select: `SELECT ${columns} FROM ${table} t`,
    lock: `${given.lock ?? 'FOR UPDATE'} OF t`,
    fromRow: (row) =>
      ({
        kind,
        id: row.id,
        version: Number(row[version]),
        state: state.read(...stateNames.map((name) => row[name])),
        context: readAll(context, row),
        ...readAll(beside, row),
      }) as unknown as A,
    sets: sets.join(', '),
    values,
    update: (actor, at) =>
      actor.state === gone
        ? { sql: touch, values: [actor.id, actor.version] }
        : { sql: update, values: values(actor, at) },
    insert(actor, at, { given: more = {}, computed = {}, tail = '' } = {}) {
      const row: Row = Object.fromEntries([
        ['id', actor.id],
        [version, actor.version],
        ...pairs(stateNames, state.write(actor.state)),
        ...context.flatMap(({ property, names, write }) =>
          pairs(names, write(propertyOf(actor.context, property))),
        ),
        ...beside.flatMap(({ property, names, write }) => pairs(names, write(propertyOf(actor, property)))),
        ...bornAt.map((name) => [name, toDate(at)]),
        ...Object.entries(more),
      ]);
      const names = Object.keys({ ...row, ...computed });
      const list = names.map((name) => computed[name] ?? `:${name}`).join(', ');
      const { text, values } = named(
        `moved AS (INSERT INTO ${table} (${columnList(names)}) SELECT ${list} ${tail} RETURNING id)`,
        row,
      );
      return { sql: text, values };
    },
    ...(given.refuse === undefined ? {} : { refuse: given.refuse }),
  };
}

const propertyOf = (owner: unknown, property: string): unknown => (owner as Row)[property];
const pairs = (names: readonly string[], values: readonly unknown[]): [string, unknown][] =>
  names.map((name, index) => [name, values[index]]);

/**
 * How the operators' lists find the actors of a kind: the first column of the index, the columns of a line, and the
 * filters. Lists and counts use an index, so that they take as long as the page they fill, however many actors there
 * are. No personal data is read: no name, address or text.
 */
export interface KindList {
  /** The condition for a row to be listed, if not every actor is. */
  base?: string;
  /** The first column of the index, its type, and its values in the order of a life. */
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
  /** Conditions that leave few rows, each with an index of its own; left out where they are not useful. */
  narrow: {
    /** Given the parameter that is the listing's id. */
    property?(id: string): string;
    /** Given the parameter that is the node's id. */
    worker?(node: string): string;
    quarantined?: string;
  };
  /** Statuses that an operator may want to see. */
  failed: readonly string[];
}

/** How a person sees an actor. */
interface KindPage<A> {
  /** SQL of the page's further values, by name; the row is `t`. */
  beside: Readonly<Record<string, string>>;
  createdAt: string | null;
  facts(actor: A, beside: Row): Fact[];
  /** Why it does not move; null when it waits for nothing. */
  wait(actor: A, clock: WaitClock): Wait | null;
}
interface Fact {
  label: string;
  value: FactValue;
}
/** Plain text, or what a page shows as a link, a time or a code. */
export type FactValue =
  | string
  | { code: string }
  | { instant: number | null }
  | { due: number }
  | { actor: { kind: string; id: string } }
  | { listing: string }
  | { image: string }
  /** Written by others: shown without what looks like a secret. */
  | { foreign: string }
  | { node: string };
export interface Wait {
  /** The word that clients see. */
  word: string;
  sentence: string;
  /** A person has to do something. */
  person: boolean;
}
export interface WaitClock {
  at: number;
  /** An instant with its distance from now, in words. */
  when(instant: number): string;
  /** Enough of an id to tell a few apart. */
  short(id: string): string;
}
