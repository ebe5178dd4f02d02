import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { describe, expect, test } from 'vitest';
import { migrationProblems } from '../../../ops/check/migrations.ts';
import { lastRelease, olderReleaseProblems } from '../../../ops/check/older-release.ts';
import { OnlineMigration, type OnlineStep } from '../../../persistence/migrations/online-migration.ts';
import { REPOSITORY } from '../../support/platform/started-program.ts';

test('no migration of this repository blocks writers, and the command reports so', () => {
  const said = execFileSync(process.execPath, ['ops/check/migrations.ts'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  expect(said).toBe('No migration blocks writers or breaks the release before, and the roles know all\n');
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

/** Migrations since a release whose last one is `0001_before`. */
function since(
  ...migrations: { online?: readonly OnlineStep[]; up?: string[]; borne?: string }[]
): Promise<string[]> {
  class Before extends Migration {
    override up(): void {}
  }
  const list = migrations.map(({ online = [], up = [] }, at) => ({
    name: `000${at + 2}_planted`,
    class: class extends OnlineMigration {
      static override readonly online = online;

      override up(): void {
        for (const statement of up) this.addSql(statement);
      }
    },
  }));
  const borne = migrations.flatMap(({ borne: reason }, at) =>
    reason ? [[`000${at + 2}_planted`, reason]] : [],
  );
  return olderReleaseProblems(
    [{ name: '0001_before', class: Before }, ...list],
    '0001_before',
    Object.fromEntries(borne),
  );
}

describe('steps that the release before does not bear are rejected', () => {
  test.each([
    ['a column that goes', 'alter table ai_jobs drop column a'],
    ['a column with another name', 'alter table ai_jobs rename column a to b'],
    ['a table with another name', 'alter table ai_jobs rename to jobs'],
    ['a table that goes', 'drop table ai_jobs'],
    ['another type', 'alter table ai_jobs alter column a type text'],
    ['a default that goes', 'alter table ai_jobs alter column a drop default'],
    ['SET NOT NULL', 'alter table ai_jobs alter column a set not null'],
    ['a column that older code does not fill', 'alter table ai_jobs add column a text not null'],
    ['a check', 'alter table ai_jobs add constraint a check (b > 0) not valid'],
    ['a constraint that goes, which an upsert may name', 'alter table ai_jobs drop constraint ai_jobs_pkey'],
    ['a unique index', 'create unique index a on ai_jobs (b)'],
    ['an index that goes, which an upsert may need', 'drop index ai_jobs_key'],
    ['a trigger', 'create trigger a before update on ai_jobs for each row execute function b()'],
    ['a trigger that goes', 'drop trigger a on ai_jobs'],
    [
      'another body of a function',
      "create or replace function count_listing() returns trigger language sql as 'select 1'",
    ],
    ['a right that goes', 'revoke select on ai_jobs from public'],
    ['an unknown statement', 'cluster ai_jobs'],
  ])('%s', async (_, statement) => {
    expect(await since({ up: [statement] })).toEqual([expect.stringMatching(/^0002_planted: /)]);
    expect(await since({ up: [statement], borne: 'older code does not use it' })).toEqual([]);
  });

  test.each<[string, OnlineStep]>([
    ['a check as a step', { constraint: 'a', on: 'ai_jobs', must: 'check (b > 0)' }],
    ['a unique index as a step', { index: 'a', unique: true, on: 'ai_jobs (b)' }],
  ])('%s', async (_, step) => {
    expect(await since({ online: [step] })).toEqual([expect.stringMatching(/^0002_planted: /)]);
  });

  test('a reason that is not needed, or is of an older release', async () => {
    expect(await since({ up: [], borne: 'no reason' })).toEqual(['0002_planted: needs no reason in BORNE']);
    expect(await olderReleaseProblems([], '0001_before', {})).toHaveLength(1);
  });
});

test('what older code cannot notice is borne', async () => {
  const problems = await since(
    {
      online: [
        { column: 'note', on: 'ai_jobs', type: 'text' },
        { column: '"isOld"', on: 'ai_jobs', type: 'boolean not null default false' },
        { constraint: 'a', on: 'ai_jobs', must: 'check (note is null or b > 0)' },
        { index: 'b', on: 'ai_jobs (b)' },
        { index: 'c', unique: true, on: 'ai_jobs (note)' },
        { backfill: 'update ai_jobs set note = b where id in (select id from ai_jobs limit $1)' },
      ],
      up: [
        'create table notes (id uuid primary key, text text not null)',
        'create function f() returns trigger language sql as $$ select 1 $$',
        'create trigger t before insert on notes for each row execute function f()',
        'create unique index notes_key on notes (text)',
        `alter type "job_status" add value 'NEW'`,
        'alter table ai_jobs alter column b drop not null',
        `insert into retention_cuts (what) values ('notes')`,
      ],
    },
    {
      up: [
        'alter table notes rename column text to words',
        'alter table ai_jobs alter column note type varchar',
        'create or replace function f() returns trigger language sql as $$ select 2 $$',
        'drop index notes_key',
      ],
    },
  );
  expect(problems).toEqual([]);
});

test('the last release is one of this history, and older than this one', () => {
  const { version, commit, migration } = lastRelease();
  const { version: own } = JSON.parse(readFileSync(`${REPOSITORY}/package.json`, 'utf8')) as {
    version: string;
  };
  expect(own.localeCompare(version, 'en', { numeric: true })).toBeGreaterThan(0);
  const changes = readFileSync(`${REPOSITORY}/CHANGELOG.md`, 'utf8');
  expect(changes).toMatch(new RegExp(`^## ${own} \\((?:unreleased|\\d{4}-\\d\\d-\\d\\d)\\)$`, 'm'));
  expect(changes).toMatch(new RegExp(`^## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'));
  const git = (...args: string[]) => spawnSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' });
  // A copy without history, as a package or a shallow clone, does not have it.
  if (git('cat-file', '-e', commit).status !== 0) return;
  expect(git('merge-base', '--is-ancestor', commit, 'HEAD').status).toBe(0);
  const names = git('show', `${commit}:persistence/migrations/names.ts`).stdout;
  expect(/'(\w+)',\n\] as const/.exec(names)?.[1]).toBe(migration);
});
