import { Migration } from '@mikro-orm/migrations';

/**
 * A migration of a database that is in use (ARCHITECTURE.md#migrations-on-a-live-system). What takes long is told
 * as steps, in `online`: they run first, in order, each in a transaction of its own or outside any, and block no
 * writer. What must happen at one moment stands in `up` and commits together with the bookkeeping row. After a
 * failure everything runs again from the first step, so each step first looks at what is there already.
 */
export abstract class OnlineMigration extends Migration {
  static readonly online: readonly OnlineStep[] = [];

  override up(): void {}
}

/** Names of tables, columns and their types are SQL, quoted where they must be; names of new things are plain. */
export type OnlineStep = ColumnStep | ConstraintStep | IndexStep | BackfillStep;

/** Adds a column: nullable, or with a constant default. */
interface ColumnStep {
  readonly column: string;
  readonly on: string;
  readonly type: string;
}

/** Adds `check (...)` or `foreign key (...) references ...` as NOT VALID, then validates it while writers go on. */
export interface ConstraintStep {
  readonly constraint: string;
  readonly on: string;
  readonly must: string;
}

/** Builds an index CONCURRENTLY. A build that failed has left an invalid index, which is dropped first. */
export interface IndexStep {
  readonly index: string;
  readonly unique?: boolean;
  /** What follows ON: the table, the columns, the condition. */
  readonly on: string;
}

/** Changes rows in batches: one UPDATE or DELETE of at most `$1` rows, with what goes with them, repeated until it finds none. */
export interface BackfillStep {
  readonly backfill: string;
}

/** The steps of a migration; none for one that is a plain transaction. */
export function onlineSteps(migration: unknown): readonly OnlineStep[] {
  return typeof migration === 'function' && migration.prototype instanceof OnlineMigration
    ? (migration as typeof OnlineMigration).online
    : [];
}
