import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { OnlineMigration } from '../../../persistence/migrations/online-migration.ts';
import { MIGRATION_LOCK_TIMEOUT_MS } from '../../../persistence/migrations/online-steps.ts';
import { pendingMigrations } from '../../../persistence/migrations/pending.ts';
import { migrations } from '../../../persistence/migrations/registry.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';
import { eventually } from '../../support/eventually.ts';

const ROWS = 400_000;
const BEFORE = '0015_favorites';
/** Without a conflicting transaction a migration holds its locks only for an instant. */
const UNDISTURBED_MS = 900;
/** A busy machine alone delays a write; the lock may add at most its timeout. */
const SLACK_MS = 400;

afterEach(closeTestDatabases);

describe('while workers write', () => {
  test('no write waits, and none fails', async () => {
    const { url, pool } = await openTestDatabase({ until: BEFORE });
    await fill(pool);
    const { waits, failures } = await withWriter(url, async () => {
      expect(await migrate(url)).toContain('0024_cost_index');
    });
    expect(failures).toEqual([]);
    expect(Math.max(...waits)).toBeLessThan(UNDISTURBED_MS);
    expect(await invalid(pool)).toEqual([]);
  }, 120_000);

  test('a long transaction delays the migration; writers wait at most for the lock timeout', async () => {
    const { url, pool } = await openTestDatabase({ until: '0020_search_map_index' });
    const reader = await pool.connect();
    const { waits, failures } = await withWriter(url, async (writes) => {
      await reader.query('begin');
      await reader.query('select count(*) from actor_transitions');
      const done = migrate(url, { until: '0021_operations' });
      await eventually(async () => (await waitingMigrations(pool)) > 0, { what: 'a migration that waits' });
      const written = writes.waits.length;
      await eventually(() => writes.waits.length > written + 20, { what: 'writes beside it' });
      await reader.query('commit');
      expect(await done).toEqual(['0021_operations']);
    }).finally(() => reader.release());
    expect(failures).toEqual([]);
    expect(Math.max(...waits)).toBeLessThan(MIGRATION_LOCK_TIMEOUT_MS + SLACK_MS);
  }, 60_000);
});

describe('an online migration', () => {
  class Steps extends OnlineMigration {
    static override readonly online = [
      { column: '"tag"', on: 'tours', type: `text default 'none'` },
      {
        backfill: `update tours set tag = 'old' where id in (select id from tours where tag = 'none' limit $1)`,
      },
      { constraint: 'tours_tag_check', on: 'tours', must: `check (tag is not null)` },
      { index: 'tours_Tag_uidx', unique: true, on: 'tours (tag, id)' },
    ];

    override up(): void {
      this.addSql('alter table tours alter column tag set not null, drop constraint tours_tag_check');
    }
  }
  const list = [...migrations, { name: '9999_steps', class: Steps }];

  /** The state left by a run that ended after its steps, or in the middle of one. */
  test('continues after a run that ended half-way, and rebuilds an invalid index', async () => {
    const { url, pool } = await openTestDatabase({ migrated: true });
    await pool.query(`alter table tours add column tag text default 'none'`);
    await pool.query('alter table tours add constraint tours_tag_check check (tag is not null) not valid');
    await pool.query('create unique index "tours_Tag_uidx" on tours (tag)');
    await pool.query(
      `update pg_index set indisvalid = false where indexrelid = '"tours_Tag_uidx"'::regclass`,
    );
    expect(await invalid(pool)).toEqual(['tours_Tag_uidx']);
    expect(await migrate(url, { list })).toEqual(['9999_steps']);
    expect(await invalid(pool)).toEqual([]);
    const { rows } = await pool.query(
      `select pg_get_indexdef(to_regclass('"tours_Tag_uidx"')) as index, attnotnull as required,
         (select count(*)::int from pg_constraint where conname = 'tours_tag_check') as checks
       from pg_attribute where attrelid = 'tours'::regclass and attname = 'tag'`,
    );
    expect(rows).toEqual([
      {
        index: 'CREATE UNIQUE INDEX "tours_Tag_uidx" ON public.tours USING btree (tag, id)',
        required: true,
        checks: 0,
      },
    ]);
  });

  test('divides the lock time among the statements of its transaction', async () => {
    const { url, pool } = await openTestDatabase({ migrated: true });
    class Slow extends OnlineMigration {
      override up(): void {
        this.addSql('select pg_sleep(0.3)');
        this.addSql(
          `create table left_time as select setting::integer as ms from pg_settings where name = 'lock_timeout'`,
        );
      }
    }
    await migrate(url, { list: [...migrations, { name: '9999_slow', class: Slow }] });
    const { rows } = await pool.query('select ms from left_time');
    expect(rows[0].ms).toBeGreaterThan(0);
    expect(rows[0].ms).toBeLessThanOrEqual(MIGRATION_LOCK_TIMEOUT_MS - 300);
  });

  test('keeps a valid index', async () => {
    const { url, pool } = await openTestDatabase({ migrated: true });
    class One extends OnlineMigration {
      static override readonly online = [{ index: 'tours_newest_idx', on: 'tours (id)' }];
    }
    const before = await oid(pool, 'tours_newest_idx');
    await migrate(url, { list: [...migrations, { name: '9999_one', class: One }] });
    expect(await oid(pool, 'tours_newest_idx')).toBe(before);
  });

  test('fills rows in batches with one commit each', async () => {
    const { url, pool } = await openTestDatabase({ migrated: true });
    await pool.query('create table wide (id integer primary key, tag text, xid xid)');
    await pool.query('insert into wide select n, null, null from generate_series(1, 2500) n');
    class Batches extends OnlineMigration {
      static override readonly online = [
        {
          backfill: `update wide set tag = 'x', xid = pg_current_xact_id()::xid
            where id in (select id from wide where tag is null limit $1)`,
        },
      ];
    }
    await migrate(url, { list: [...migrations, { name: '9999_batches', class: Batches }] });
    const { rows } = await pool.query('select count(*)::int as n from wide group by xid order by n');
    expect(rows.map(({ n }) => n)).toEqual([500, 1000, 1000]);
  });

  test('that finds a wrong row fails with the reason, and stays pending', async () => {
    const { url, pool } = await openTestDatabase({ migrated: true });
    await pool.query('create table wide (id integer)');
    await pool.query('insert into wide values (-1)');
    class Wrong extends OnlineMigration {
      static override readonly online = [{ constraint: 'wide_check', on: 'wide', must: 'check (id > 0)' }];
    }
    const wrong = [...migrations, { name: '9999_wrong', class: Wrong }];
    await expect(migrate(url, { list: wrong })).rejects.toThrow('wide_check');
    await pool.query('delete from wide');
    expect(await migrate(url, { list: wrong })).toEqual(['9999_wrong']);
    expect(await pendingMigrations(pool)).toEqual([]);
  });
});

/** Rows of a working pipeline: its journal, and finished jobs. */
async function fill(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into actor_transitions
       ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
     select 'providerAttempt', gen_random_uuid(), 1, 'PREDICTION_CREATED', '{}', 'SENT', 'RUNNING', now(), 'worker:1'
     from generate_series(1, $1::int)`,
    [ROWS],
  );
  await pool.query(
    `insert into ai_jobs (id, type, status, phase, "dedupeKey", "createdAt", "updatedAt", "finishedAt")
     select gen_random_uuid(), 'ROOM_STAGING', 'SUCCESS', null, n::text, now(), now(), now()
     from generate_series(1, $1::int) n`,
    [ROWS],
  );
}

interface Writes {
  /** How long each statement took, in milliseconds. */
  readonly waits: number[];
  readonly failures: string[];
}

/** During `work`, writes journal rows and heartbeats repeatedly, as a worker does. */
async function withWriter(url: string, work: (writes: Writes) => Promise<void>): Promise<Writes> {
  const writes: Writes = { waits: [], failures: [] };
  const client = new pg.Client({ connectionString: url, lock_timeout: 5_000 });
  await client.connect();
  await client.query(
    `insert into ai_jobs (id, type, status, "dedupeKey", "createdAt", "updatedAt", "finishedAt")
     values ('${JOB}', 'ROOM_STAGING', 'SUCCESS', 'written', now(), now(), now())`,
  );
  let stopped = false;
  const writing = (async () => {
    while (!stopped) {
      for (const statement of WRITES) {
        const began = performance.now();
        await client.query(statement).catch((error: Error) => writes.failures.push(error.message));
        writes.waits.push(performance.now() - began);
      }
    }
  })();
  try {
    await eventually(() => writes.waits.length > 5, { what: 'the first writes' });
    await work(writes);
  } finally {
    stopped = true;
    await writing;
    await client.end();
  }
  return writes;
}

const JOB = '00000000-0000-4000-8000-00000000000a';
const WRITES = [
  `insert into actor_transitions
     ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
   values ('stagingJob', gen_random_uuid(), 1, 'X', '{}', 'A', 'B', now(), 'worker:1')`,
  `update ai_jobs set "heartbeatAt" = now() where id = '${JOB}'`,
  'select pg_sleep(0.01)',
];

async function waitingMigrations(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int as n from pg_stat_activity
     where application_name = 'proscenium-migrate' and datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].n;
}

async function invalid(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `select relname as name from pg_index join pg_class on oid = indexrelid where not indisvalid order by name`,
  );
  return rows.map(({ name }) => name);
}

async function oid(pool: pg.Pool, name: string): Promise<number> {
  const { rows } = await pool.query('select to_regclass($1)::oid::int as oid', [name]);
  return rows[0].oid;
}
