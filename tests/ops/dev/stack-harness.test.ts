import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { readRunRecord } from '../../selection/records.ts';
import { createDatabase } from '../../support/database/database.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { startProgram } from '../../support/platform/started-program.ts';

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('a test database', () => {
  test('is a clone of the migrated template, separate from all others, and many can exist at a time', async () => {
    const databases = await Promise.all(Array.from({ length: 6 }, () => createDatabase()));
    await query(databases[0]?.url ?? '', `create table only_here (id int)`);
    for (const [index, { url }] of databases.entries()) {
      const found = await query(
        url,
        `select to_regclass('ai_jobs') is not null as jobs, to_regclass('only_here') is not null as mine`,
      );
      expect(found).toEqual([{ jobs: true, mine: index === 0 }]);
    }
    await Promise.all(databases.map((database) => database.drop()));
    await expect(query(databases[0]?.url ?? '', 'select 1')).rejects.toThrow(/does not exist/);
  });

  test('is empty when it is requested without migrations', async () => {
    const database = await createDatabase({ migrated: false });
    expect(
      await query(database.url, `select count(*)::int as n from pg_tables where schemaname = 'public'`),
    ).toEqual([{ n: 0 }]);
    await database.drop();
    await database.drop();
  });
});

describe('eventually', () => {
  test('returns the value it waited for', async () => {
    let looks = 0;
    expect(await eventually(() => ++looks === 3 && 'seen', { what: 'the third look', intervalMs: 1 })).toBe(
      'seen',
    );
  });

  test('fails with what it waited for and what it saw', async () => {
    const never = eventually(() => false, { what: 'rain', timeoutMs: 5, intervalMs: 1 });
    await expect(never).rejects.toThrow('waited 5 ms for rain; the last look saw: false');
    const broken = () => {
      throw new Error('no window');
    };
    await expect(eventually(broken, { what: 'rain', timeoutMs: 5 })).rejects.toThrow(/no window/);
  });
});

test('a run fails for each file that leaks, lists second tries, and counts both in its record and last line', async () => {
  const config = ['--config', 'tests/support/leaks/vitest.config.ts', '--root', '.'];
  const record = join(temporaryDirectory(), 'record.json');
  const run = startProgram(['node_modules/vitest/vitest.mjs', 'run', ...config], {
    env: { NO_COLOR: '1', CI: 'true', RUN_RECORD: record },
  });
  expect(await run.ended()).toBe(1);
  expect(run.said()).toMatch(/database test_\w+ was not dropped/);
  expect(run.said()).toMatch(/bucket test-[\w-]+ was not removed/);
  expect(run.said()).toMatch(/was dropped with open connections:\s+\d+ forgotten session/);
  expect(run.said()).toMatch(/a server listens on \d+/);
  expect(run.said()).not.toContain('nothing.fixture.ts >');
  expect(run.said()).toMatch(/Suites, slowest first.*\n\s+[\d.]+ s {2}tests\/support\/leaks, 5 files\n/);
  const secondTry = 'tests/support/leaks/second-try.fixture.ts > a test that passes in its second try';
  expect(run.said()).toContain(`passed in another try: ${secondTry}\n`);
  expect(run.said().trimEnd().split('\n').at(-1)).toBe('4 passed, 3 failed');
  expect(readRunRecord(record)).toMatchObject({
    passed: 4,
    failed: 3,
    secondTries: [{ test: secondTry, reason: expect.stringContaining('expected 1 to be 2') }],
    seconds: { 'tests/support/leaks/second-try.fixture.ts': expect.any(Number) },
  });
});
