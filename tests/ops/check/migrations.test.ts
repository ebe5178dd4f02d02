import { execFileSync } from 'node:child_process';
import { Migration } from '@mikro-orm/migrations';
import { describe, expect, test } from 'vitest';
import { migrationProblems } from '../../../ops/check/migrations.ts';
import { OnlineMigration, type OnlineStep } from '../../../persistence/migrations/online-migration.ts';
import { REPOSITORY } from '../../support/platform/started-program.ts';

test('no migration of this repository blocks writers, and the command reports so', () => {
  const said = execFileSync(process.execPath, ['ops/check/migrations.ts'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  expect(said).toBe('No migration blocks writers, and the roles know all\n');
});

function inTransaction(...statements: string[]): Promise<string[]> {
  class Planted extends Migration {
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  }
  return migrationProblems('0099_planted', Planted);
}

function asSteps(online: readonly OnlineStep[], ...statements: string[]): Promise<string[]> {
  class Planted extends OnlineMigration {
    static override readonly online = online;

    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  }
  return migrationProblems('0099_planted', Planted);
}

describe('statements that block writers are rejected', () => {
  test.each([
    ['an index', 'create index a_idx on ai_jobs (id)'],
    ['a unique index on an expression', 'CREATE UNIQUE INDEX a_idx ON ai_jobs (lower(id::text))'],
    ['an index that can be built in no transaction', 'create index concurrently a_idx on ai_jobs (id)'],
    ['an index after a comment', '-- create table ai_jobs\ncreate index a_idx on ai_jobs (id)'],
    ['a check', 'alter table ai_jobs add constraint a check (id is not null)'],
    ['a check without a name', 'alter table ai_jobs add check (id is not null)'],
    ['a foreign key', 'alter table tours add constraint a foreign key (id) references ai_jobs (id)'],
    ['a unique constraint', 'alter table ai_jobs add constraint a unique (id)'],
    [
      'a check behind another that is not validated',
      'alter table ai_jobs add constraint a check (a > 0) not valid, add constraint b check (b > 0)',
    ],
    ['the validation within the transaction', 'alter table ai_jobs validate constraint a'],
    ['another type', 'alter table ai_jobs alter column id type text'],
    ['another type in standard words', 'alter table ai_jobs alter id set data type text'],
    ['a volatile default', 'alter table ai_jobs add column a uuid default gen_random_uuid()'],
    [
      'a volatile default of two',
      'alter table ai_jobs add a integer, add b double precision default random()',
    ],
    ['a serial column', 'alter table ai_jobs add column a bigserial'],
    ['a computed column', 'alter table ai_jobs add column a integer generated always as (b + 1) stored'],
    ['a column with a foreign key', 'alter table ai_jobs add column a uuid references "user" (id)'],
    ['a column with a unique index', 'alter table ai_jobs add column a text unique'],
    ['a column that must not be null and is', 'alter table ai_jobs add column a text not null'],
    ['an UPDATE', `update ai_jobs set a = 1 where type = 'DESCRIPTION'`],
    ['a DELETE', 'delete from ai_provider_webhook_receipts'],
    ['an INSERT of what a table holds', 'insert into ai_jobs select * from tours'],
    ['SET NOT NULL', 'alter table ai_jobs alter column a set not null'],
    ['a block that cannot be read', 'do $$ begin update ai_jobs set a = 1; end $$'],
    ['an UPDATE behind WITH', 'with a as (select 1) update ai_jobs set a = 1'],
    ['a lock', 'lock table ai_jobs'],
    ['a rewrite', 'vacuum full ai_jobs'],
    ['a second statement of one text', 'create type a as enum (); truncate ai_jobs'],
  ])('%s', async (_, statement) => {
    const problems = await inTransaction(statement);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^0099_planted: /);
  });

  test('a migration outside transactions', async () => {
    class Planted extends Migration {
      override isTransactional(): boolean {
        return false;
      }

      override up(): void {}
    }
    expect(await migrationProblems('0099_planted', Planted)).toEqual([
      '0099_planted: is not transactional: say as online steps what runs outside',
    ]);
  });

  test.each<[string, OnlineStep]>([
    ['a back-fill without bound', { backfill: 'update ai_jobs set a = 1' }],
    [
      'a column with a volatile default',
      { column: 'a', on: 'ai_jobs', type: 'uuid default gen_random_uuid()' },
    ],
    ['a unique constraint', { constraint: 'a', on: 'ai_jobs', must: 'unique (id)' }],
  ])('as a step: %s', async (_, step) => {
    expect(await asSteps([step])).toHaveLength(1);
  });

  test('SET NOT NULL after a step that checks another column', async () => {
    const step = { constraint: 'a', on: 'ai_jobs', must: 'check (b is not null)' };
    expect(await asSteps([step], 'alter table ai_jobs alter column a set not null')).toHaveLength(1);
  });
});

describe('statements that take a short lock are accepted', () => {
  test.each([
    ['a nullable column', 'alter table ai_jobs add column "a" timestamptz'],
    [
      'columns with constant defaults',
      `alter table ai_jobs add a integer not null default 0, add b jsonb default '[]'::jsonb`,
    ],
    ['a check that is not validated', 'alter table ai_jobs add constraint "a" check (a in (1, 2)) not valid'],
    ['a unique constraint by its index', 'alter table ai_jobs add constraint "a" unique using index "a"'],
    ['a setting of the table', 'alter table ai_jobs set (fillfactor = 80)'],
    ['words of SQL in a text', `comment on table ai_jobs is 'update ai_jobs; lock table ai_jobs'`],
    [
      'a function with any body',
      'create function f() returns void language sql as $$ update ai_jobs set a = 1; $$',
    ],
    ['a row', `insert into start_gate (id) values ('1')`],
  ])('%s', async (_, statement) => {
    expect(await inTransaction(statement)).toEqual([]);
  });

  test('any statement on a table created in the same migration', async () => {
    const problems = await inTransaction(
      'create table if not exists "a" (id integer)',
      'create unique index a_idx on "a" (id)',
      'alter table "a" add constraint a_check check (id > 0)',
      'insert into "a" select 1; update "a" set id = 2',
    );
    expect(problems).toEqual([]);
  });

  test('SET NOT NULL after the step that checked it', async () => {
    const step = { constraint: 'a', on: 'ai_jobs', must: 'check ("a" is not null)' };
    const statement = 'alter table ai_jobs alter column "a" set not null, drop constraint a';
    expect(await asSteps([step], statement)).toEqual([]);
  });
});
