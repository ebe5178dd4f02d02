import { Migration } from '@mikro-orm/migrations';

/**
 * A migration of a database that is in use (ARCHITECTURE.md#migrations-on-a-live-system). Slow work is listed as steps
 * in `online`: they run first, in order, each in its own transaction or outside any, and block no writer. What must
 * happen at one moment is in `up` and commits together with the bookkeeping row. After a failure everything runs again
 * from the first step, so each step first checks what exists already.
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
  /** The SQL after ON: the table, the columns, the condition. */
  readonly on: string;
}

/**
 * Changes rows in batches: one UPDATE or DELETE of at most `$1` rows and their related rows, repeated until it finds
 * none.
 */
export interface BackfillStep {
  readonly backfill: string;
}

/** The online steps of a migration; empty for a migration that is a plain transaction. */
export function onlineSteps(migration: unknown): readonly OnlineStep[] {
  return typeof migration === 'function' && migration.prototype instanceof OnlineMigration
    ? (migration as typeof OnlineMigration).online
    : [];
}
