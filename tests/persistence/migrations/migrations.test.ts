import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Migration } from '@mikro-orm/migrations';
import { afterEach, describe, expect, test } from 'vitest';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { pendingMigrations } from '../../../persistence/migrations/pending.ts';
import { migrations } from '../../../persistence/migrations/registry.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';

const NAMES = migrations.map(({ name }) => name);
const CLI = fileURLToPath(new URL('../../../ops/cli/migrate.ts', import.meta.url));

afterEach(closeTestDatabases);

function runCli(
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [CLI, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('the chain', () => {
  test('has the names that existing databases recorded, in the order of their numbers', () => {
    expect(NAMES).toEqual(NAMES.toSorted());
    expect(new Set(NAMES.map((name) => name.slice(0, 4))).size).toBe(NAMES.length);
    expect(NAMES.slice(0, 10)).toEqual([
      '0001_auth_tables',
      '0002_properties',
      '0003_property_images',
      '0004_property_agents',
      '0005_ai_jobs',
      '0006_legacy_staged_images',
      '0007_user_profiles',
      '0008_ai_room_staging_v2_schema',
      '0009_ai_room_staging_v2_backfill',
      '0010_ai_room_staging_v2_constraints',
    ]);
  });

  test('applies to an empty database one by one, and reports what is pending', async () => {
    const { url, pool } = await openTestDatabase();
    expect(await pendingMigrations(pool)).toEqual(NAMES);
    for (const [index, name] of NAMES.entries()) {
      expect(await migrate(url, { until: name })).toEqual([name]);
      expect(await pendingMigrations(pool)).toEqual(NAMES.slice(index + 1));
    }
    expect(await migrate(url)).toEqual([]);
  });

  test('rejects a target migration that does not exist', async () => {
    const { url, pool } = await openTestDatabase();
    await expect(migrate(url, { until: '0099_nothing' })).rejects.toThrow('0099_nothing');
    expect(await pendingMigrations(pool)).toEqual(NAMES);
  });

  test('two runs at once apply each migration once', async () => {
    const { url, pool } = await openTestDatabase();
    const [first, second] = await Promise.all([migrate(url), migrate(url)]);
    expect([first, second].map((names) => names.length).sort((a, b) => a - b)).toEqual([0, NAMES.length]);
    const { rows } = await pool.query('select name from mikro_orm_migrations order by id');
    expect(rows.map(({ name }) => name)).toEqual(NAMES);
  });
});

describe('a migration that fails', () => {
  class HalfWay extends Migration {
    override up(): void {
      this.addSql('create table half_way (id integer)');
      this.addSql(`alter table "user" add column "halfWay" integer`);
      this.addSql('select 1 / 0');
    }
  }

  test('is rolled back, keeps the earlier ones, and can be run again', async () => {
    const { url, pool } = await openTestDatabase();
    const before = migrations.slice(0, 7);
    const list = [...before, { name: '0008_half_way', class: HalfWay }];
    const applied: string[] = [];
    await expect(migrate(url, { list, onApplied: (name) => applied.push(name) })).rejects.toThrow(
      'division by zero',
    );
    expect(applied).toEqual(before.map(({ name }) => name));
    const { rows } = await pool.query(`
      select to_regclass('half_way') as "table",
        exists (select from information_schema.columns where column_name = 'halfWay') as "column"`);
    expect(rows).toEqual([{ table: null, column: false }]);
    expect(await migrate(url)).toEqual(NAMES.slice(7));
  });

  test('releases the lock', async () => {
    const { url, pool } = await openTestDatabase();
    await expect(migrate(url, { list: [{ name: '0001_half_way', class: HalfWay }] })).rejects.toThrow();
    const { rows } = await pool.query(`select count(*)::int as held from pg_locks l
      join pg_database d on d.oid = l.database where locktype = 'advisory' and d.datname = current_database()`);
    expect(rows).toEqual([{ held: 0 }]);
  });
});

describe('ops/cli/migrate.ts', () => {
  test('prints every applied name, and on the second run only that there is nothing to do', async () => {
    const { url } = await openTestDatabase();
    const first = await runCli({ DATABASE_URL: url });
    expect(first).toEqual({ code: 0, stdout: `${NAMES.join('\n')}\n`, stderr: '' });
    const second = await runCli({ DATABASE_URL: url });
    expect(second).toEqual({ code: 0, stdout: 'Migrations up to date\n', stderr: '' });
  });

  test.each([
    [['--help'], 0],
    [['--dry-run'], 1],
    [['--help', 'more'], 1],
  ])('%j changes nothing and prints its help', async (args, code) => {
    const { url } = await openTestDatabase();
    const help = { code, stdout: expect.stringContaining('Usage'), stderr: '' };
    expect(await runCli({ DATABASE_URL: url }, args)).toEqual(help);
    // Nothing was applied yet.
    expect((await runCli({ DATABASE_URL: url })).stdout).toContain(NAMES[0]);
  });

  test.each([
    ['no DATABASE_URL', {}, 'DATABASE_URL is not set'],
    ['something else in it', { DATABASE_URL: 'localhost' }, 'DATABASE_URL is not a postgresql:// address'],
    ['no server listening', { DATABASE_URL: 'postgresql://a:secret@127.0.0.1:1/none' }, 'ECONNREFUSED'],
  ])('prints the error in one line: %s', async (_, env, message) => {
    const { code, stdout, stderr } = await runCli(env);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
  });
});
