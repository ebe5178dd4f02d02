import type { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { ActorKind } from '../../../persistence/actors/actor-kinds.ts';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import { type DatabaseOptions, openDatabase } from '../../../persistence/database/database.ts';
import { createDatabase } from './database.ts';

/** A migrated database with the project's own pool and the actor store on it. */
export interface StoreDatabase {
  url: string;
  pool: Pool;
  store: ActorStore;
  /** Removes every row that a test may have written. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** @param by how the pool reaches the database; default: directly */
export async function openStoreDatabase(
  by: (url: string) => DatabaseOptions = (url) => ({ url }),
): Promise<StoreDatabase> {
  const { url, drop } = await createDatabase();
  const database = await openDatabase(by(url));
  const { pool } = database;
  return {
    url,
    pool,
    store: createPostgresActorStore(pool),
    async clear() {
      // Without triggers, which refuse to remove approvals and records.
      await pool.query(`set local session_replication_role = replica;
        truncate "user", sign_in_codes, console_sign_outs, properties, property_images, ai_jobs, storage_deletion_outbox,
        actor_transitions, property_image_review_events, drift_comparisons, provenance_records, provenance_events, provenance_due,
        staged_fingerprints, search_tombstones, legacy_messages, platform_job_counts cascade`);
      await pool.query(`update start_places set "usedAt" = '-infinity' where "usedAt" <> '-infinity'`);
      await pool.query(
        `update start_gate set status = 'OPEN', "changedAt" = null, server = null, "trustedAt" = null, "newServer" = null,
           "certainUntil" = null, "gapFrom" = null, "gapUntil" = null, version = 0`,
      );
    },
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** The database of one test file: opened before its first test and closed after its last one. */
export function useStoreDatabase(by?: (url: string) => DatabaseOptions): StoreDatabase {
  const database = {} as StoreDatabase;
  beforeAll(async () => {
    Object.assign(database, await openStoreDatabase(by));
  });
  afterAll(() => database.close());
  return database;
}

export interface JournalRow {
  seq: number;
  eventType: string;
  event: Record<string, unknown>;
  fromState: string | null;
  toState: string;
  at: Date;
  actedBy: string;
  note: string | null;
  leaseEpoch: number | null;
}

/** The journal of one actor in order. */
export async function journalOf(pool: Pool, kind: ActorKind, id: string): Promise<JournalRow[]> {
  const { rows } = await pool.query<JournalRow>(
    `select seq, "eventType", event, "fromState", "toState", at, "actedBy", note, "leaseEpoch"
     from actor_transitions where "actorKind" = $1 and "actorId" = $2 order by seq`,
    [kind, id],
  );
  return rows;
}

/** Until so many sessions of the database wait for a lock. */
export async function waitForBlocked(pool: Pool, count: number): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { rows } = await pool.query<{ blocked: number }>(
      `select pg_sleep(0.01), count(*)::int as blocked from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((rows[0]?.blocked ?? 0) >= count) return;
  }
  throw new Error('no transaction waits for a lock');
}
