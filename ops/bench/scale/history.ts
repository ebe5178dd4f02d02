import type { Pool, PoolClient } from 'pg';

/**
 * Rows of finished jobs, as many as wanted, copied from one job that the pipeline itself has run: the copies have the
 * model's columns and sizes, with ids, keys and times of their own. Foreign keys and triggers are off meanwhile.
 */

/** Tables of a job, with the columns that differ in each copy: `n` is its number, `id` the new job. */
const COPIES: readonly { readonly table: string; readonly changed: Readonly<Record<string, string>> }[] = [
  {
    table: 'ai_jobs',
    changed: {
      id: 'made.id',
      propertyId: 'made.home',
      dedupeKey: `'scale:' || made.n`,
      createdAt: 'made.at',
      finishedAt: 'made.at',
    },
  },
  { table: 'ai_room_staging_jobs', changed: { aiJobId: 'made.id', originalImageId: 'made.original' } },
  {
    table: 'ai_provider_attempts',
    changed: {
      id: 'made.attempt',
      aiJobId: 'made.id',
      providerPredictionId: `'scale-' || made.n`,
      objectKey: `'staged/' || made.id || '.jpg'`,
      createdAt: 'made.at',
      finishedAt: 'made.at',
    },
  },
];
const PICTURES: readonly { readonly which: string; readonly changed: Readonly<Record<string, string>> }[] = [
  {
    which: 'NOT t."isStyled"',
    changed: {
      id: 'made.original',
      propertyId: 'made.home',
      objectKey: `'originals/' || made.original || '.jpg'`,
      providerInputKey: `'inputs/' || made.original || '.jpg'`,
      paddedInputKey: 'NULL',
    },
  },
  {
    which: 't."isStyled"',
    changed: {
      id: 'made.picture',
      propertyId: 'made.home',
      aiJobId: 'made.id',
      styledFromId: 'made.original',
      objectKey: `'staged/' || made.id || '.jpg'`,
      providerInputKey: 'NULL',
      paddedInputKey: 'NULL',
    },
  },
];
const TABLES = [...COPIES.map(({ table }) => table), 'property_images', 'actor_transitions'];
/** The photos are spread over this many listings. */
const HOMES = 200_000;
/** Rows a statement: progress is printed after each. */
const BATCH = 100_000;
/** The journal is kept for 400 days; what is older is removed. */
const JOURNAL_DAYS = 400;
/** Rows of one actor in the journal of the others. */
const STEPS = 5;

interface History {
  /** The job that all are copied from. */
  readonly model: string;
  readonly jobs: number;
  /** Journal rows of actors without other rows. */
  readonly journal: number;
  print(line: string): void;
}

export async function copyHistory(pool: Pool, history: History): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`SET session_replication_role = replica`);
    await client.query(`SET maintenance_work_mem = '1GB'`);
    await withoutIndexes(client, async () => {
      await copyJobs(client, history);
      await copyJournal(client, history);
    });
    await client.query(`RESET session_replication_role`);
    history.print('vacuum of the tables of jobs');
    await client.query(`VACUUM (ANALYZE) ${TABLES.join(', ')}`);
    await client.query('CHECKPOINT');
  } finally {
    client.release();
  }
}

/** A sorted build takes a tenth of the time of single insertions, so the journal's keys are built at the end, too. */
async function withoutIndexes(client: PoolClient, work: () => Promise<void>): Promise<void> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = 'actor_transitions'::regclass AND contype IN ('p', 'u')`,
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = ANY($1) AND indexname <> ALL(SELECT conname FROM pg_constraint)`,
    [TABLES],
  );
  const name = (text: string) => client.escapeIdentifier(text);
  for (const { name: index } of indexes) await client.query(`DROP INDEX ${name(index)}`);
  for (const key of keys) await client.query(`ALTER TABLE ${key.table} DROP CONSTRAINT ${name(key.name)}`);
  await work();
  for (const key of keys)
    await client.query(`ALTER TABLE ${key.table} ADD CONSTRAINT ${name(key.name)} ${key.definition}`);
  for (const { definition } of indexes) await client.query(definition);
}

async function copyJobs(client: PoolClient, { model, jobs, print }: History): Promise<void> {
  const original = `(SELECT "originalImageId" FROM ai_room_staging_jobs WHERE "aiJobId" = '${model}')`;
  const rowsOf = (table: string) => (table === 'ai_jobs' ? `t.id = '${model}'` : `t."aiJobId" = '${model}'`);
  await client.query(
    `CREATE TEMPORARY TABLE homes AS SELECT row_number() OVER () - 1 AS number, id
     FROM (SELECT id FROM properties LIMIT ${HOMES}) listed`,
  );
  for (let first = 1; first <= jobs; first += BATCH) {
    const last = Math.min(jobs, first + BATCH - 1);
    await client.query('BEGIN');
    await client.query(
      `CREATE TEMPORARY TABLE made ON COMMIT DROP AS SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS attempt,
         gen_random_uuid() AS original, gen_random_uuid() AS picture, homes.id AS home,
         now() - random() * interval '${JOURNAL_DAYS} days' AS at
       FROM generate_series(${first}, ${last}) n
       JOIN homes ON homes.number = n % (SELECT count(*) FROM homes)`,
    );
    for (const { table, changed } of COPIES) await copyRows(client, { table, changed, which: rowsOf(table) });
    for (const { which, changed } of PICTURES) {
      const row = which.startsWith('NOT') ? `t.id = ${original}` : `t."aiJobId" = '${model}'`;
      await copyRows(client, { table: 'property_images', changed, which: `${which} AND ${row}` });
    }
    await copyOwnJournal(client, model);
    await client.query('COMMIT');
    print(`${last.toLocaleString('en-US')} finished jobs`);
  }
}

interface Copy {
  readonly table: string;
  readonly changed: Readonly<Record<string, string>>;
  /** The rows of the model. */
  readonly which: string;
}

async function copyRows(client: PoolClient, { table, changed, which }: Copy): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = ''`,
    [table],
  );
  const names = rows.map(({ name }) => client.escapeIdentifier(name));
  const values = rows.map(({ name }) => changed[name] ?? `t.${client.escapeIdentifier(name)}`);
  await client.query(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')}
     FROM ${table} t CROSS JOIN made WHERE ${which}`,
  );
}

/** The journals of job, attempt and picture, with the ids of the copies. */
async function copyOwnJournal(client: PoolClient, model: string): Promise<void> {
  await client.query(
    `INSERT INTO actor_transitions ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy",
       "leaseEpoch", note)
     SELECT t."actorKind", CASE t."actorKind" WHEN 'stagingJob' THEN made.id WHEN 'providerAttempt' THEN attempt
       ELSE picture END, t.seq, t."eventType", t.event, t."fromState", t."toState", made.at, t."actedBy", t."leaseEpoch", t.note
     FROM actor_transitions t CROSS JOIN made
     WHERE t."actorId" IN (SELECT id FROM ai_jobs WHERE id = $1
       UNION ALL SELECT id FROM ai_provider_attempts WHERE "aiJobId" = $1
       UNION ALL SELECT id FROM property_images WHERE "aiJobId" = $1)`,
    [model],
  );
}

/** Actors whose other rows are gone or elsewhere: their journals are those of the model's attempt. */
async function copyJournal(client: PoolClient, { model, journal, print }: History): Promise<void> {
  const actors = Math.floor(journal / STEPS);
  const perBatch = BATCH * STEPS;
  for (let first = 1; first <= actors; first += perBatch) {
    const last = Math.min(actors, first + perBatch - 1);
    await client.query(
      `WITH made AS MATERIALIZED (SELECT gen_random_uuid() AS id, now() - random() * interval '${JOURNAL_DAYS} days' AS at
         FROM generate_series(${first}, ${last}))
       INSERT INTO actor_transitions ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at,
         "actedBy", "leaseEpoch", note)
       SELECT 'providerAttempt', made.id, t.seq, t."eventType", t.event, t."fromState", t."toState", made.at, t."actedBy",
         t."leaseEpoch", t.note
       FROM made CROSS JOIN (SELECT * FROM actor_transitions WHERE "actorId" =
         (SELECT id FROM ai_provider_attempts WHERE "aiJobId" = '${model}') AND seq <= ${STEPS} ORDER BY seq LIMIT ${STEPS}) t`,
    );
    print(`${(last * STEPS).toLocaleString('en-US')} journal rows of other actors`);
  }
}
