import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forRoles } from '../../../ops/dev/stack/role-environment.ts';
import { canChangeTables } from '../../../persistence/migrations/database-roles.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import { seedApproval, seedOriginal, seedVariant } from '../../support/database/seed.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { startProgram } from '../../support/platform/started-program.ts';

/** What the login of web and worker may do (docs/contract.md#database-roles). */
let database: TestDatabase;
let owner: pg.Pool;
let roles: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  owner = new pg.Pool({ connectionString: database.url, max: 2 });
  const { databaseUrl } = forRoles({ ...sharedStack(), databaseUrl: database.url });
  roles = new pg.Pool({ connectionString: databaseUrl, max: 1 });
});
afterAll(async () => {
  await Promise.all([owner.end(), roles.end()]);
  await database.drop();
});

const INSUFFICIENT_PRIVILEGE = '42501';

test.each([
  'alter table property_images disable trigger all',
  'drop trigger property_images_file_stays on property_images',
  `create trigger ours before insert on property_images for each row execute function refuse_tombstones('id')`,
  'create or replace function property_images_public_check() returns trigger language plpgsql as $$ begin return null; end $$',
  'alter table provenance_records drop constraint provenance_records_pkey',
  'drop table provenance_records',
  'truncate favorites',
  'set session_replication_role = replica',
  'create table public.ours ()',
  `insert into mikro_orm_migrations (name) values ('9999_ours')`,
  'alter role current_user superuser',
])('is refused: %s', async (statement) => {
  await expect(roles.query(statement)).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE });
});

test('makes no trigger with a function that runs with the rights of the owner', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select proname as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace order by 1`,
  );
  expect(rows.map(({ name }) => name)).toContain('refuse_tombstones');
  const session = await roles.connect();
  try {
    await session.query('create temporary table mine (id uuid)');
    for (const { name } of rows)
      await expect(
        session.query(
          `create trigger ours before insert on mine for each row execute function ${name}('id')`,
        ),
      ).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE });
  } finally {
    session.release(true);
  }
});

test('reads and writes the rows of every table, and has no other right to it', async () => {
  const { rows } = await roles.query<{ name: string; rights: string[] }>(
    `select c.relname as name, array(
       select right_name from unnest('{select,insert,update,delete,truncate,references,trigger,maintain}'::text[]) right_name
       where has_table_privilege(c.oid, right_name)) as rights
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  expect(rows.length).toBeGreaterThan(50);
  for (const { name, rights } of rows)
    expect([name, rights]).toEqual([
      name,
      name === 'mikro_orm_migrations' ? ['select'] : ['select', 'insert', 'update', 'delete'],
    ]);
  expect([await canChangeTables(owner), await canChangeTables(roles)]).toEqual([true, false]);
});

test('may use the tables and sequences of later migrations too', async () => {
  await owner.query('create table later (id serial primary key)');
  expect((await roles.query('insert into later default values returning id')).rows).toEqual([{ id: 1 }]);
});

test('temporary tables with the names of ours make no picture public without a record and an approval', async () => {
  const variant = await seedVariant(owner, await seedOriginal(owner));
  const session = await roles.connect();
  try {
    for (const table of ['provenance_records', 'property_image_review_events'])
      await session.query(`create temporary table ${table} (like public.${table} including defaults)`);
    // Its record and its approval are written to the temporary tables.
    await expect(seedApproval(session, variant)).rejects.toMatchObject({
      constraint: 'property_images_public_check',
    });
  } finally {
    session.release(true);
  }
  await seedApproval(owner, variant);
});

describe('the release command', () => {
  const login = `test_${randomBytes(6).toString('hex')}`;
  const password = "it's 100 % \\ long";
  const address = () => {
    const url = new URL(database.url);
    url.username = login;
    url.password = encodeURIComponent(password);
    return url.href;
  };
  const released = async (env: Record<string, string>) => {
    const program = startProgram(['ops/cli/migrate.ts'], { env: { PATH: process.env.PATH ?? '', ...env } });
    return { code: await program.ended(), said: program.said() };
  };
  afterAll(async () => {
    await owner.query(`drop owned by ${login}`);
    await owner.query(`drop role ${login}`);
  });

  test('makes the login of DATABASE_URL where it is missing, and may run again', async () => {
    for (const _ of [1, 2])
      expect(await released({ DATABASE_OWNER_URL: database.url, DATABASE_URL: address() })).toMatchObject({
        code: 0,
      });
    const pool = new pg.Pool({ connectionString: address(), max: 1 });
    try {
      expect((await pool.query('select current_user as me')).rows).toEqual([{ me: login }]);
      expect(await canChangeTables(pool)).toBe(false);
    } finally {
      await pool.end();
    }
  });

  test.each([
    ['one user for both', () => database.url, 'name the same user'],
    ['an address without a user', () => 'postgres://127.0.0.1/proscenium', 'names no user'],
  ])('refuses %s', async (_, rolesUrl, why) => {
    const answer = await released({ DATABASE_OWNER_URL: database.url, DATABASE_URL: rolesUrl() });
    expect(answer).toMatchObject({ code: 1, said: expect.stringContaining(why) });
  });
});
