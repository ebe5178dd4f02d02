import pg from 'pg';
import { causesOf } from '../database/database-failure.ts';
import type { BackfillStep, ConstraintStep, IndexStep, OnlineStep } from './online-migration.ts';

/**
 * Runs the steps of a migration, and retries what got no lock. While a statement waits for a strong lock on a table,
 * all writers of that table wait behind it. So it waits only for a short time, lets the writers pass, and tries again.
 */

/**
 * The longest that a waiting migration holds up a writer. After one second of waiting PostgreSQL cancels an autovacuum
 * that is in the way (deadlock_timeout). With a shorter timeout, a vacuum of an hour would block the migration for an
 * hour.
 */
export const MIGRATION_LOCK_TIMEOUT_MS = 1_500;
/**
 * Gives the next statement the rest of that time, because the transaction still has the locks of earlier statements.
 */
export const LEAVE_LOCK_TIME = `select set_config('lock_timeout', greatest(50,
  ${MIGRATION_LOCK_TIMEOUT_MS} - extract(epoch from clock_timestamp() - now()) * 1000)::integer::text, true)`;
/** With the pauses below about six minutes. A lock that is held for longer needs a person. */
const LOCK_TRIES = 40;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A concurrent build waits for every older transaction of the database, but no writer waits for the build. */
const INDEX_LOCK_TIMEOUT_MS = 300_000;
const BATCH_ROWS = 1_000;
/** A back-fill whose condition still matches the rows that it has changed would never end. */
const MOST_BATCHES = 1_000_000;
/** lock_not_available, deadlock_detected. */
const LOCK_FAILURES = new Set(['55P03', '40P01']);

/**
 * Retries work that got no lock.
 * @throws Error naming what was tried when no try got the lock; any other failure at once.
 */
export async function retryLocks<T>(what: () => string, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isLockFailure(error)) throw error;
      if (tries === LOCK_TRIES) {
        throw new Error(`${what()} got no lock in ${tries} tries: pg_blocking_pids() shows who holds it`, {
          cause: error,
        });
      }
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS));
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function isLockFailure(error: unknown): boolean {
  return causesOf(error).some((cause) => 'code' in cause && LOCK_FAILURES.has(String(cause.code)));
}

/** Runs the steps in order; each may have been done before, wholly or partly. */
export async function runSteps(client: pg.Client, steps: readonly OnlineStep[]): Promise<void> {
  for (const step of steps) {
    await setLockTimeout(client, 'index' in step ? INDEX_LOCK_TIMEOUT_MS : MIGRATION_LOCK_TIMEOUT_MS);
    if ('index' in step) await buildIndex(client, step);
    else if ('constraint' in step) await addConstraint(client, step);
    else if ('backfill' in step) await backfill(client, step);
    else await client.query(`alter table ${step.on} add column if not exists ${step.column} ${step.type}`);
  }
}

async function setLockTimeout(client: pg.Client, ms: number): Promise<void> {
  await client.query(`set lock_timeout = ${ms}`);
}

async function buildIndex(client: pg.Client, { index, on, unique }: IndexStep): Promise<void> {
  const name = pg.escapeIdentifier(index);
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (rows[0]?.indisvalid) return;
  try {
    if (rows[0] !== undefined) await client.query(`drop index concurrently ${name}`);
    await client.query(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`);
  } catch (error) {
    if (!isLockFailure(error)) throw error;
    // Not retried here: each try would read the whole table again, in vain.
    throw new Error(
      `index ${index} waited too long for an older transaction: see pg_stat_activity.xact_start`,
    );
  }
}

async function addConstraint(client: pg.Client, { constraint, on, must }: ConstraintStep): Promise<void> {
  const name = pg.escapeIdentifier(constraint);
  const { rows } = await client.query<{ convalidated: boolean }>(
    'select convalidated from pg_constraint where conrelid = $1::regclass and conname = $2',
    [on, constraint],
  );
  if (rows[0]?.convalidated) return;
  if (rows[0] === undefined) {
    await client.query(`alter table ${on} add constraint ${name} ${must} not valid`);
  }
  await client.query(`alter table ${on} validate constraint ${name}`);
}

async function backfill(client: pg.Client, step: BackfillStep): Promise<void> {
  for (let batches = 0; batches < MOST_BATCHES; batches++) {
    const { rowCount } = await client.query(step.backfill, [BATCH_ROWS]);
    if (rowCount === 0) return;
  }
  throw new Error(`still finds rows after ${MOST_BATCHES} batches: ${step.backfill}`);
}
