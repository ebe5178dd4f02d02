import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../persistence/database.ts';
import { AiJobEntity } from '../../persistence/entities/ai-job.ts';
import { AiProviderAttemptEntity } from '../../persistence/entities/ai-provider-attempt.ts';
import { PropertyEntity } from '../../persistence/entities/property.ts';
import { PropertyImageEntity } from '../../persistence/entities/property-image.ts';
import { entities } from '../../persistence/entities/registry.ts';
import { closeTestDatabases, openTestDatabase } from './legacy-database.ts';
import { Rows } from './schema-rows.ts';

let url: string;
let database: Database;
let rows: Rows;
beforeAll(async () => {
  const opened = await openTestDatabase({ migrated: true });
  url = opened.url;
  rows = new Rows(opened.pool);
  database = await openDatabase({ url, poolSize: 2, applicationName: 'entities-test' });
});
afterAll(async () => {
  await database.close();
  await closeTestDatabases();
});

interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
}

async function tableColumns(): Promise<Column[]> {
  const { rows: columns } = await database.pool.query<Column>(`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as nullable
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and c.relname <> 'mikro_orm_migrations'`);
  return columns;
}

/** PostgreSQL's own names for what the ORM abbreviates. */
const TYPE_NAMES: Record<string, string> = {
  int: 'integer',
  timestamptz: 'timestamp with time zone',
  'double precision': 'double precision',
  bigserial: 'bigint',
};
const typeName = (type: string) =>
  TYPE_NAMES[type.replace(/\(\d+\)$/, '')] ?? type.replace(/^(char|bpchar)/, 'character').replace(/"/g, '');

function entityColumns(): Column[] {
  return [...database.orm.getMetadata().getAll().values()].flatMap((meta) =>
    meta.props.flatMap((property) =>
      property.fieldNames.map((column, index) => ({
        table: meta.tableName,
        column,
        type: typeName(property.columnTypes[index] ?? ''),
        nullable: property.nullable === true,
      })),
    ),
  );
}
const sorted = (columns: Column[]) =>
  columns
    .map(({ table, column, type, nullable }) => `${table}.${column} ${type}${nullable ? '' : ' not null'}`)
    .sort();

describe('entities and tables', () => {
  test('every table is mapped, column by column, with its type and nullability', async () => {
    expect(sorted(entityColumns())).toEqual(sorted(await tableColumns()));
    expect(database.orm.getMetadata().getAll().size).toBe(entities.length);
  });

  test('the ORM knows the same enum values as the database', async () => {
    const { rows: labels } = await database.pool.query<{ name: string; values: string[] }>(`
      select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as values
      from pg_type t join pg_enum e on e.enumtypid = t.oid group by t.typname`);
    const mapped = new Map(
      [...database.orm.getMetadata().getAll().values()].flatMap((meta) =>
        meta.props.flatMap(({ nativeEnumName, items }) => (nativeEnumName ? [[nativeEnumName, items]] : [])),
      ) as [string, unknown][],
    );
    expect(Object.fromEntries(mapped)).toEqual(
      Object.fromEntries(labels.map(({ name, values }) => [name, values])),
    );
  });
});

describe('values', () => {
  test('amounts come back as they went in, and an entity just read has nothing to write', async () => {
    const id = await rows.property();
    const em = database.orm.em.fork();
    const property = await em.findOneOrFail(PropertyEntity, id);
    const amounts = { listPrice: 999_999_999_999.99, bathroomsTotal: 2.25, livingArea: 9_999_999_999.01 };
    em.assign(property, { ...amounts, lotSizeArea: 0.1 + 0.2, features: ['BALCONY', 'a,"b'] });
    await em.flush();
    const again = database.orm.em.fork();
    const read = await again.findOneOrFail(PropertyEntity, id);
    expect(read).toMatchObject({
      ...amounts,
      lotSizeArea: 0.3,
      features: ['BALCONY', 'a,"b'],
      searchVersion: 2,
    });
    expect(read.createdAt).toBeInstanceOf(Date);
    again.getUnitOfWork().computeChangeSets();
    expect(again.getUnitOfWork().getChangeSets()).toEqual([]);
  });

  test('bigints and json of an image and an attempt', async () => {
    const propertyId = await rows.property();
    const em = database.orm.em.fork();
    const id = await rows.original(propertyId, { outputBytes: 20_971_520, providerInputs: { seed: 7 } });
    expect(await em.findOneOrFail(PropertyImageEntity, id)).toMatchObject({
      outputBytes: 20_971_520,
      providerInputs: { seed: 7 },
      reviewStatus: null,
    });
    const attempt = await rows.attempt(await rows.job(), { costMicrousd: 40_000 });
    expect(await em.findOneOrFail(AiProviderAttemptEntity, attempt)).toMatchObject({ costMicrousd: 40_000 });
  });

  test('a job that the ORM writes gets the defaults of the database', async () => {
    const em = database.orm.em.fork();
    const job = em.create(
      AiJobEntity,
      { type: 'DESCRIPTION', status: 'PENDING', phase: 'QUEUED', dedupeKey: 'description:1:en' },
      { partial: true },
    );
    await em.persist(job).flush();
    expect(await rows.one('ai_jobs', job.id)).toMatchObject({ status: 'PENDING', version: 0, leaseEpoch: 0 });
  });
});

describe('the shared pool', () => {
  test('gives raw SQL dates and safe integers, with the limits of every connection', async () => {
    const { rows: answers } = await database.pool.query(`
      select now() as at, 9007199254740991::bigint as big, 1.50::numeric(4,2) as amount,
        current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('application_name') as name`);
    expect(answers).toEqual([
      {
        at: expect.any(Date),
        big: Number.MAX_SAFE_INTEGER,
        amount: '1.50',
        statement: '15s',
        lock: '5s',
        idle: '30s',
        name: 'entities-test',
      },
    ]);
    await expect(database.pool.query('select 9007199254740992::bigint')).rejects.toThrow(
      'out of the safe range',
    );
    expect((await database.pool.query('select 1 as alive')).rows).toEqual([{ alive: 1 }]);
  });

  test('is the only one: the ORM and raw SQL together stay within poolSize', async () => {
    const own = await openDatabase({ url, poolSize: 1, applicationName: 'one-pool' });
    try {
      await Promise.all([
        own.orm.em.fork().count(PropertyEntity),
        own.pool.query('select 1'),
        own.orm.em.fork().count(AiJobEntity),
      ]);
      const { rows: sessions } = await database.pool.query(
        `select count(*)::int as open from pg_stat_activity where application_name = 'one-pool'`,
      );
      expect(sessions).toEqual([{ open: 1 }]);
    } finally {
      await own.close();
      await own.close();
    }
    await expect(own.pool.query('select 1')).rejects.toThrow();
  });

  test('an unreachable database is an error at once, not at the first query', async () => {
    await expect(openDatabase({ url: 'postgresql://a:b@127.0.0.1:1/none' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});
