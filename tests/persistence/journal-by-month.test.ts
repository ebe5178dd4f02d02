import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgresActorStore } from '../../persistence/postgres-actor-store.ts';
import { systemTimers } from '../../src/time.ts';
import { createMailroom } from '../../supervisors/deliver.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { createRecordingQueue, createRecordingReporter } from '../supervisors/recording-ports.ts';
import { seedStagingJob } from './seed.ts';

/** ops/partition/journal-by-month.sql on a journal with lines of several months, and the pipeline going on with it. */
const SCRIPT = readFileSync(new URL('../../ops/partition/journal-by-month.sql', import.meta.url), 'utf8');
let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('nothing is lost, the pipeline goes on, an old month is dropped, and tours stay', async () => {
  const { jobId } = await seedStagingJob(pool);
  await pool.query(
    `INSERT INTO actor_transitions ("actorKind", "actorId", seq, "eventType", event, "toState", at, "actedBy")
     SELECT kind, gen_random_uuid(), 1, 'OLD', '{}', 'X', now() - n * interval '1 month', 'test'
     FROM generate_series(2, 14) n, unnest(ARRAY['stagingJob', 'tour']) kind`,
  );
  const lines = async (where = 'true') =>
    Number((await pool.query(`SELECT count(*) FROM actor_transitions WHERE ${where}`)).rows[0]?.count);
  const before = await lines();
  await pool.query(SCRIPT);
  expect(await lines()).toBe(before);

  const mailroom = createMailroom({
    store: createPostgresActorStore(pool),
    queue: createRecordingQueue(),
    nudges: { publish() {} },
    reporter: createRecordingReporter(),
    timers: systemTimers,
    chance: { jitter: () => 0 },
  });
  const event = { type: 'CANCEL_ASKED', at: Date.now() } as const;
  const told = await mailroom.deliver({ to: 'stagingJob', id: jobId, event }, { by: 'test' });
  expect(told).toMatchObject({ outcome: 'applied', state: 'CANCELED' });
  expect(await lines()).toBe(before + 1);

  const {
    rows: [oldest],
  } = await pool.query<{ name: string; held: string }>(
    `SELECT relid::regclass::text AS name, pg_get_expr(relpartbound, oid) AS held
     FROM pg_partition_tree('actor_transitions_pipeline') JOIN pg_class ON oid = relid
     WHERE isleaf AND relid::regclass::text <> 'actor_transitions_rest' ORDER BY 1 LIMIT 1`,
  );
  await pool.query(`DROP TABLE ${oldest?.name}`);
  expect(await lines()).toBe(before);
  expect(await lines(`"actorKind" = 'tour'`)).toBe(13);
  expect(await lines("tableoid = 'actor_transitions_rest'::regclass")).toBe(0);
});

test('a line of a version that exists is refused, and months are made once', async () => {
  const insert = `INSERT INTO actor_transitions ("actorKind", "actorId", seq, "eventType", event, "toState", at, "actedBy")
    VALUES ('stagingJob', '00000000-0000-4000-8000-000000000001', 1, 'X', '{}', 'X', now(), 'test')`;
  await pool.query(insert);
  await expect(pool.query(insert)).rejects.toMatchObject({ code: '23505' });
  const made = `SELECT journal_month((now() + interval '4 months')::date) AS name`;
  const [first, second] = [await pool.query(made), await pool.query(made)];
  expect(second.rows).toEqual(first.rows);
});
