import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../persistence/database/database.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';

let url: string;
let database: Database;
beforeAll(async () => {
  ({ url } = await openTestDatabase());
  database = await openDatabase({ url, poolSize: 2, applicationName: 'database-test' });
});
afterAll(async () => {
  await database.close();
  await closeTestDatabases();
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
        name: 'database-test',
      },
    ]);
    await expect(database.pool.query('select 9007199254740992::bigint')).rejects.toThrow(
      'out of the safe range',
    );
    expect((await database.pool.query('select 1 as alive')).rows).toEqual([{ alive: 1 }]);
  });

  test('is the only one: many queries at once stay within poolSize', async () => {
    const own = await openDatabase({ url, poolSize: 1, applicationName: 'one-pool' });
    try {
      await Promise.all([own.pool.query('select 1'), own.pool.query('select 1'), own.pool.query('select 1')]);
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
