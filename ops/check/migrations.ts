/**
 * Checks whether a migration could block a database in use (ARCHITECTURE.md#migrations-on-a-live-system), whether the
 * release before bears it (older-release.ts), and whether the roles know of it. A statement that is not known to be short is rejected. Migrations up to 0015 may block: they convert
 * the old release's database while no role runs. Part of `npm run check`.
 */
import type { Migration } from '@mikro-orm/migrations';
import { MIGRATION_NAMES } from '../../persistence/migrations/names.ts';
import { type OnlineStep, onlineSteps } from '../../persistence/migrations/online-migration.ts';
import { migrations } from '../../persistence/migrations/registry.ts';
import { lastRelease, olderReleaseProblems } from './older-release.ts';
import { listItems, statementsOf } from './sql-statements.ts';

type MigrationClass = new (...unused: never[]) => Migration;

interface Transaction {
  /** Tables created by this migration: no other transaction waits for them. */
  readonly fresh: Set<string>;
  /** Checks validated by its steps, as `table check ("column" is not null)`. */
  readonly validated: ReadonlySet<string>;
}

const FIRST_ON_A_LIVE_SYSTEM = '0016';

/** Statements that block or may block, one sentence each; empty for a safe migration. */
export async function migrationProblems(name: string, migration: MigrationClass): Promise<string[]> {
  const steps = onlineSteps(migration);
  const problems = steps.flatMap((step) => stepProblem(step) ?? []);
  const one = new migration();
  if (!one.isTransactional()) problems.push('is not transactional: say as online steps what runs outside');
  await one.up();
  const transaction = { fresh: new Set<string>(), validated: new Set(steps.flatMap(validatedCheck)) };
  for (const query of one.getQueries()) {
    for (const statement of statementsOf(String(query))) {
      problems.push(...statementProblems(statement, transaction));
    }
  }
  return problems.map((problem) => `${name}: ${problem}`);
}

function stepProblem(step: OnlineStep): string | undefined {
  if ('column' in step) return columnProblem(normal(step.type));
  if ('backfill' in step) {
    const bounded = /^(?:with|update|delete)\b.*\blimit \$1/.test(normal(step.backfill));
    return bounded ? undefined : 'a back-fill is one statement that changes at most $1 rows (limit $1)';
  }
  if ('constraint' in step && !/^(?:check|foreign key)\b/.test(normal(step.must))) {
    return `constraint ${step.constraint} cannot be added as NOT VALID: build its index as a step`;
  }
  return undefined;
}

function validatedCheck(step: OnlineStep): string[] {
  return 'constraint' in step ? [`${step.on} ${normal(step.must)}`] : [];
}

function normal(sql: string): string {
  return statementsOf(sql).join('; ');
}

const SHORT =
  /^(?:create (?:type|extension|sequence|view|(?:or replace )?function|(?:constraint )?trigger)|alter (?:type|function|sequence|trigger|index)|comment on|drop (?:type|table|view|sequence|function|trigger|index|extension)) /;
const NAME = '(?:if (?:not )?exists )?(?:only )?("[^"]+"|[\\w.]+)';
const CREATE_TABLE = new RegExp(`^create table ${NAME}`);
const CREATE_INDEX = new RegExp(`^create (?:unique )?index .*? on ${NAME}`);
const ALTER_TABLE = new RegExp(`^alter table ${NAME} (.*)$`);
const WRITE = new RegExp(`^(insert into|update|delete from) ${NAME}`);

function statementProblems(statement: string, transaction: Transaction): string[] {
  const created = CREATE_TABLE.exec(statement)?.[1];
  if (created !== undefined) {
    transaction.fresh.add(created);
    return [];
  }
  const isFresh = (table: string | undefined) => table !== undefined && transaction.fresh.has(table);
  const [, altered, actions] = ALTER_TABLE.exec(statement) ?? [];
  if (altered !== undefined && actions !== undefined) {
    if (isFresh(altered)) return [];
    return listItems(actions).flatMap((action) => actionProblem(altered, action, transaction) ?? []);
  }
  const indexed = CREATE_INDEX.exec(statement)?.[1];
  if (indexed !== undefined) {
    return isFresh(indexed) ? [] : [`CREATE INDEX stops the writers of ${indexed}: build it as a step`];
  }
  const [, kind, written] = WRITE.exec(statement) ?? [];
  if (kind !== undefined) {
    if (isFresh(written) || /^insert into [^;]*? values\b/.test(statement)) return [];
    return [`${kind} ${written} may change any number of rows at once: do it as a back-fill`];
  }
  return SHORT.test(statement) ? [] : [`not known to be short: ${statement.slice(0, 80)}`];
}

const SHORT_ACTION =
  /^(?:drop |rename |set \(|reset \(|enable |disable |owner to |add constraint (?:"[^"]+"|\w+) (?:unique|primary key) using index |alter (?:column )?(?:"[^"]+"|\w+) (?:set (?:default|statistics|storage|compression)|drop (?:default|not null|expression|identity)|reset ))/;
const NOT_VALID = /^add (?:constraint (?:"[^"]+"|\w+) )?(?:check|foreign key)\b.* not valid$/;
const ADD_CONSTRAINT = /^add (?:constraint|check|foreign key|unique|primary key|exclude)\b/;
const ADD_COLUMN = /^add (?:column )?(?:if not exists )?(?:"[^"]+"|\w+) (.+)$/;
const SET_NOT_NULL = /^alter (?:column )?("[^"]+"|\w+) set not null$/;

function actionProblem(table: string, action: string, { validated }: Transaction): string | undefined {
  if (SHORT_ACTION.test(action) || NOT_VALID.test(action)) return undefined;
  if (ADD_CONSTRAINT.test(action)) {
    return `a constraint on ${table} is checked against all rows while writers wait: add it as a step`;
  }
  const type = ADD_COLUMN.exec(action)?.[1];
  if (type !== undefined) return columnProblem(type);
  const column = SET_NOT_NULL.exec(action)?.[1];
  if (column !== undefined && validated.has(`${table} check (${column} is not null)`)) return undefined;
  if (column !== undefined) {
    return `SET NOT NULL reads all of ${table}: first the step { constraint, must: 'check (${column} is not null)' }`;
  }
  return `ALTER TABLE ${table} ${action.slice(0, 80)}: not known to be short`;
}

const CONSTANT = /^(?:'\?'|-?[\d.]+|true|false|null|now\(\)|current_timestamp)(?:::[\w"]+(?:\[\])?)?$/;

function columnProblem(type: string): string | undefined {
  if (/\b(?:unique|primary key|references|check|generated)\b/.test(type) || /^\w*serial\b/.test(type)) {
    return `a new column with a constraint or computed values reads or writes all rows: ${type}`;
  }
  const value = / default (.+?)(?: not null)?$/.exec(type)?.[1]?.replace(/ not null\b.*/, '');
  if (value !== undefined && !CONSTANT.test(value)) {
    return `a default that is not constant writes all rows: ${value}`;
  }
  if (value === undefined && / not null\b/.test(type)) return `a new column without default is null: ${type}`;
  return undefined;
}

/** The problems of this repository's migrations. */
export async function ownMigrationProblems(): Promise<string[]> {
  const asked = migrations.filter(({ name }) => name >= FIRST_ON_A_LIVE_SYSTEM);
  const found = await Promise.all(asked.map((one) => migrationProblems(one.name, one.class)));
  const older = await olderReleaseProblems(migrations, lastRelease().migration);
  return [...unnamed(), ...found.flat(), ...older];
}

/** The roles would start on a database without it. */
function unnamed(): string[] {
  const known: readonly string[] = MIGRATION_NAMES;
  const missing = migrations.filter(({ name }) => !known.includes(name));
  return missing.map(({ name }) => `${name}: is not in persistence/migrations/names.ts`);
}

if (import.meta.main) {
  const problems = await ownMigrationProblems();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log('No migration blocks writers or breaks the release before, and the roles know all');
}
