import { defineEntity, p } from '@mikro-orm/core';
import { EntityCaseNamingStrategy, MikroORM, SchemaGenerator } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as vocabulary from '../../../machines/vocabulary.ts';
import { entities } from '../../../persistence/entities/registry.ts';
import { AvatarEntity, UserEntity } from '../../../persistence/entities/user.ts';
import {
  closeTestDatabases,
  type OpenedDatabase,
  openTestDatabase,
} from '../../support/database/legacy-database.ts';

let database: OpenedDatabase;
beforeAll(async () => {
  database = await openTestDatabase({ migrated: true });
});
afterAll(closeTestDatabases);

/** Default constraint names of PostgreSQL, which the migrations kept. */
class PostgresNames extends EntityCaseNamingStrategy {
  override indexName(table: string, columns: string[], type: string): string {
    const suffix = { primary: 'pkey', unique: 'key', foreign: 'fkey' }[type] ?? type;
    return [table, ...(type === 'primary' ? [] : columns), suffix].join('_');
  }
}

/**
 * What only the migrations define, because an entity cannot express it, or its type would refer to itself.
 */
const NOT_IN_ENTITIES = [
  // Triggers call functions that several tables share.
  /^drop (?:trigger|function) /,
  // Most are partial, sorted or over an expression; their order and conditions belong to the queries that need them.
  /^drop index /,
  // They compare columns; PostgreSQL rewrites their text, so it cannot be compared.
  /^alter table "\w+" drop constraint "\w+"; -- check$/,
  /^alter table "property_images" drop constraint "property_images_(?:styled|altered)FromId_fkey";/,
  /^alter table "property_price_events" drop constraint "property_price_events_correctsId_fkey";/,
  // Feeds are actors: their table has no entity.
  /^alter table "properties" drop constraint "properties_feedId_fkey";/,
  // Enums of tables that have no entity: actors and their services have rows, not entities.
  /^drop type /,
];

/** The statements that would make the migrated tables what the entities say. */
async function differences(given: typeof entities): Promise<string[]> {
  const tables = given.map(({ meta }) => meta.tableName);
  const { rows } = await database.pool.query<{ tables: string[]; checks: string[] }>(
    `select array(select tablename::text from pg_tables where schemaname = 'public' and tablename <> all ($1)) as tables,
       array(select conname::text from pg_constraint where contype = 'c') as checks`,
    [tables],
  );
  const checks = new Set(rows[0]?.checks);
  const orm = await MikroORM.init({
    clientUrl: database.url,
    entities: given,
    namingStrategy: PostgresNames,
    schemaGenerator: { skipTables: rows[0]?.tables ?? [] },
    ensureDatabase: false,
  });
  try {
    const sql = await new SchemaGenerator(orm.em).getUpdateSchemaSQL({ wrap: false });
    return sql
      .split('\n')
      .filter((line) => line !== '')
      .map((line) =>
        checks.has(/ drop constraint "(\w+)";$/.exec(line)?.[1] ?? '') ? `${line} -- check` : line,
      )
      .filter((line) => !NOT_IN_ENTITIES.some((pattern) => pattern.test(line)));
  } finally {
    await orm.close(true);
  }
}

describe('entities and migrated tables', () => {
  test('agree in columns, types, nullability, defaults, keys and enum values', async () => {
    expect(await differences(entities)).toEqual([]);
  });

  const columns = {
    id: p.uuid().primary(),
    userId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').unique(),
    objectKey: p.text().unique(),
    checksum: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  };
  const { checksum: _, ...withoutChecksum } = columns;
  test.each<[string, object, RegExp]>([
    ['a missing column', withoutChecksum, /drop column "checksum"/],
    ['a column too many', { ...columns, width: p.integer() }, /add "width" int not null/],
    ['another type', { ...columns, checksum: p.integer() }, /"checksum" type int/],
    ['another nullability', { ...columns, checksum: p.text().nullable() }, /"checksum" drop not null/],
    ['another default', { ...columns, createdAt: p.datetime() }, /"createdAt" drop default/],
    [
      'a missing foreign key',
      { ...columns, userId: p.uuid().unique() },
      /drop constraint "avatars_userId_fkey"/,
    ],
    ['a missing unique key', { ...columns, objectKey: p.text() }, /drop constraint "avatars_objectKey_key"/],
    ['another primary key', { ...columns, id: p.uuid(), objectKey: p.text().primary() }, /primary key/],
  ])('%s is a difference', async (_what, properties, expected) => {
    const changed = defineEntity({ name: 'Avatar', tableName: 'avatars', properties });
    const others = entities.filter((entity) => entity !== AvatarEntity);
    const found = await differences([...others, changed] as typeof entities);
    expect(found.join('\n')).toMatch(expected);
  });
});

test('the lists of the vocabulary are the enum types of the tables that have no entity', async () => {
  const { rows } = await database.pool.query<{ name: string; values: string[] }>(`
    select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as values
    from pg_type t join pg_enum e on e.enumtypid = t.oid group by t.typname`);
  expect(Object.fromEntries(rows.map(({ name, values }) => [name, values]))).toMatchObject({
    ai_job_type: vocabulary.AI_JOB_TYPES,
    ai_job_status: vocabulary.AI_JOB_STATUSES,
    ai_job_phase: vocabulary.AI_JOB_PHASES,
    ai_provider_attempt_status: vocabulary.AI_PROVIDER_ATTEMPT_STATUSES,
    property_image_review_event_kind: vocabulary.REVIEW_EVENT_KINDS,
    storage_deletion_reason: vocabulary.STORAGE_DELETION_REASONS,
    storage_deletion_status: vocabulary.STORAGE_DELETION_STATUSES,
    tour_kind: vocabulary.TOUR_KINDS,
    tour_status: vocabulary.TOUR_STATUSES,
  });
});
