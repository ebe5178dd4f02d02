/**
 * Whether the release before bears the schema of this one (ARCHITECTURE.md#migrations-on-a-live-system): its processes
 * run between `release` and their own end. A step since that release is accepted when it cannot break the statements of
 * older code. What this cannot see, such as a trigger on an old table, needs a reason in `BORNE`. Part of
 * `npm run check`; `npm run upgrade:check` runs both releases on one schema.
 */
import { readFileSync } from 'node:fs';
import type { Migration } from '@mikro-orm/migrations';
import { z } from 'zod';
import { type OnlineStep, onlineSteps } from '../../persistence/migrations/online-migration.ts';
import { listItems, statementsOf } from './sql-statements.ts';

const LAST_RELEASE = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  migration: z.string().regex(/^\d{4}_\w+$/),
});

/** The release that installations run: its version, its commit and its last migration. */
export function lastRelease(): z.infer<typeof LAST_RELEASE> {
  return LAST_RELEASE.parse(
    JSON.parse(readFileSync(new URL('../release/last-release.json', import.meta.url), 'utf8')),
  );
}

/** Why the release before bears what the rule rejects, by migration; emptied with each release. */
export const BORNE: Readonly<Record<string, string>> = {
  '0131_sample_town': 'older code inserts no photo of the sample, so its photos begin as before',
  '0138_withdrawn_invitations':
    'each act of older code names one person or one listing, which the new check accepts',
  '0139_search_filters':
    'the rows of older code are the same with columns after them, and its writes fill a table that it never reads',
  '0140_filters_in_indexes': 'each index that goes is replaced by one of the same name that holds more',
  '0154_photo_subjects':
    'older code sets the room alone, and then the trigger removes the new subject, so the new check accepts the row',
  '0161_saved_searches':
    'the triggers only add rows to a new table, so older code reads and writes as before',
  '0165_push':
    'changes of tours by older code fill a table that it never reads, and only for those who subscribed',
  '0167_feed_writes':
    'older code writes no listing of a feed, and for all others the triggers do what they did',
  '0168_feed_users': 'older code makes no user of a feed, and the sessions of all others are as before',
  '0177_webhooks':
    'changes by older code fill a table that it never reads, and a suspension turns off rows of another such table',
  '0174_listing_changes':
    'the triggers only add rows to a new table, which wait for a worker of this release, so older code reads and writes as before',
  '0175_api_clients':
    'each act of older code names one person, listing or invitation, which the new check accepts',
  '0185_confirmed_licenses':
    'older code writes no listing of a feed and confirms no license, so the triggers do nothing',
  '0171_feed_display':
    'older code writes no listing of a feed; its changes of agents do nothing while there is none',
};

export interface NamedMigration {
  name: string;
  class: new (...unused: never[]) => Migration;
}

/** What the migrations since the last release have added, by name; older code knows nothing of it. */
interface Added {
  /** Tables, functions, types, views, sequences, indexes. */
  readonly things: Set<string>;
  /** `table.column`. */
  readonly columns: Set<string>;
}

/**
 * @param list all migrations, in order
 * @param since the last migration of the release before
 * @returns one sentence for each step that older code may not bear
 */
export async function olderReleaseProblems(
  list: readonly NamedMigration[],
  since: string,
  borne: Readonly<Record<string, string>> = BORNE,
): Promise<string[]> {
  const at = list.findIndex(({ name }) => name === since);
  if (at < 0) return [`ops/release/last-release.json names the migration ${since}, which is not there`];
  const added: Added = { things: new Set(), columns: new Set() };
  const problems: string[] = [];
  for (const { name, class: migration } of list.slice(at + 1)) {
    const found = await problemsOf(migration, added);
    if (borne[name] === undefined) problems.push(...found.map((problem) => `${name}: ${problem}`));
    else if (found.length === 0) problems.push(`${name}: needs no reason in BORNE`);
  }
  const named = new Set(list.slice(at + 1).map(({ name }) => name));
  const stale = Object.keys(borne).filter((name) => !named.has(name));
  return [...problems, ...stale.map((name) => `${name}: is in BORNE, and not newer than the last release`)];
}

async function problemsOf(migration: NamedMigration['class'], added: Added): Promise<string[]> {
  const steps = onlineSteps(migration).flatMap((step) => stepProblem(step, added) ?? []);
  const one = new migration();
  await one.up();
  const statements = one.getQueries().flatMap((query) => statementsOf(String(query)));
  return [...steps, ...statements.flatMap((statement) => statementProblems(statement, added))];
}

const unquoted = (name: string): string => name.replaceAll('"', '');

function stepProblem(step: OnlineStep, added: Added): string | undefined {
  if ('column' in step) {
    added.columns.add(`${unquoted(step.on)}.${unquoted(step.column)}`);
    return undefined;
  }
  if ('constraint' in step) {
    return concernsOnlyNew(step.on, step.must, added)
      ? undefined
      : `${step.constraint} may reject rows of older code`;
  }
  if ('index' in step) {
    const [, table = '', rest = ''] = /^\s*("[^"]+"|\w+)([\s\S]*)$/.exec(step.on) ?? [];
    added.things.add(unquoted(step.index));
    const bears = step.unique !== true || concernsOnlyNew(table, rest, added);
    return bears ? undefined : `the unique index ${step.index} may reject rows of older code`;
  }
  return undefined;
}

/** Older code leaves a new column null or at its default, which a check or a unique index of it then permits. */
function concernsOnlyNew(table: string, sql: string, added: Added): boolean {
  if (added.things.has(unquoted(table))) return true;
  const own = [...added.columns].filter((one) => one.startsWith(`${unquoted(table)}.`));
  const columns = own.map((one) => one.slice(one.indexOf('.') + 1));
  return columns.some((column) => new RegExp(`(?<![\\w"])"?${column}"?(?![\\w"])`).test(sql));
}

const NAME = '("[^"]+"|[\\w.]+)';
const OPTIONAL = '(?:if (?:not )?exists )?';
const CREATE = new RegExp(
  `^create (or replace )?(table|type|sequence|view|function|extension) ${OPTIONAL}${NAME}`,
);
const CREATE_INDEX = new RegExp(`^create (unique )?index ${OPTIONAL}${NAME} on ${NAME}(.*)$`);
const TRIGGER = new RegExp(
  `^(create|drop) (?:or replace )?(?:constraint )?trigger ${OPTIONAL}${NAME}.*? on ${NAME}`,
);
const ALTER_TABLE = new RegExp(`^alter table (?:if exists )?(?:only )?${NAME} (.*)$`);
const DROP = new RegExp(`^drop (table|type|sequence|view|function|index|extension) ${OPTIONAL}${NAME}`);
/** Rows, words about tables, and values that are added to a type. */
const HARMLESS = /^(?:insert into|update|delete from|with|comment on|alter type \S+ add value|grant) ?/;

function statementProblems(statement: string, added: Added): string[] {
  const problem = (text: string) => [`${text}: ${statement.slice(0, 100)}`];
  const isNew = (name: string | undefined) => name !== undefined && added.things.has(unquoted(name));
  const [, replaces, , created] = CREATE.exec(statement) ?? [];
  if (created !== undefined) {
    if (replaces !== undefined && !isNew(created)) return problem('older code may count on the former one');
    added.things.add(unquoted(created));
    return [];
  }
  const [, unique, index, indexed = '', rest = ''] = CREATE_INDEX.exec(statement) ?? [];
  if (index !== undefined) {
    added.things.add(unquoted(index));
    return unique === undefined || concernsOnlyNew(indexed, rest, added)
      ? []
      : problem('may reject rows of older code');
  }
  const [, , , triggered] = TRIGGER.exec(statement) ?? [];
  if (triggered !== undefined) return isNew(triggered) ? [] : problem('changes what writes of older code do');
  const [, altered, actions] = ALTER_TABLE.exec(statement) ?? [];
  if (altered !== undefined && actions !== undefined) {
    if (isNew(altered)) return [];
    return listItems(actions).flatMap((action) => actionProblem(altered, action, added) ?? []);
  }
  const [, , dropped] = DROP.exec(statement) ?? [];
  if (dropped !== undefined) return isNew(dropped) ? [] : problem('older code may use it');
  return HARMLESS.test(statement) ? [] : problem('not known to be borne by older code');
}

const ADD_CONSTRAINT = /^add (?:constraint|check|foreign key|unique|primary key|exclude)\b/;
const ADD_COLUMN = /^add (?:column )?(?:if not exists )?("[^"]+"|\w+) (.+)$/;
const COLUMN = /^(?:alter|drop) (?:column )?(?:if exists )?("[^"]+"|\w+)/;
const BORNE_ACTION =
  /^(?:alter (?:column )?\S+ (?:set (?:default|statistics|storage|compression)|drop not null|reset)|validate constraint|set \(|reset \()/;

function actionProblem(table: string, action: string, added: Added): string | undefined {
  if (ADD_CONSTRAINT.test(action)) {
    return concernsOnlyNew(table, action, added)
      ? undefined
      : `a new constraint on ${table} may reject rows of older code: ${action.slice(0, 100)}`;
  }
  const [, column, type = ''] = ADD_COLUMN.exec(action) ?? [];
  if (column !== undefined) {
    added.columns.add(`${unquoted(table)}.${unquoted(column)}`);
    const isFilled = !/ not null\b/.test(type) || / default /.test(type);
    return isFilled ? undefined : `${table}.${unquoted(column)} is not null, and older code does not fill it`;
  }
  if (BORNE_ACTION.test(action)) return undefined;
  const [, changed] = COLUMN.exec(action) ?? [];
  if (changed !== undefined && added.columns.has(`${unquoted(table)}.${unquoted(changed)}`)) return undefined;
  return `older code counts on ${table} as it is: ${action.slice(0, 100)}`;
}
