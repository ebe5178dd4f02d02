import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LimitedReads, openLimitedReads } from '../../../persistence/database/limited-reads.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** The server's answer to a statement that took too long. */
const QUERY_CANCELED = '57014';

describe.each(['none', 'transaction'] as const)('with pooler %s', (pooler) => {
  let reads: LimitedReads;
  beforeAll(() => {
    reads = openLimitedReads({ url: database.url, poolSize: 1, pooler, statementMs: 100 });
  });
  afterAll(() => reads.close());
  const one = async () => (await reads.reader.query<{ one: number }>('select $1::int as one', [1])).rows;

  test('a statement that takes too long is given up by the server, and the next one is answered', async () => {
    expect(await one()).toEqual([{ one: 1 }]);
    await expect(reads.reader.query('select pg_sleep(10)')).rejects.toMatchObject({ code: QUERY_CANCELED });
    expect(await one()).toEqual([{ one: 1 }]);
  });

  test('a mistake in one statement leaves the next ones alone', async () => {
    await expect(reads.reader.query('select wrong')).rejects.toMatchObject({ code: '42703' });
    expect(await Promise.all([one(), one(), one()])).toEqual(Array(3).fill([{ one: 1 }]));
  });

  test('a named statement is answered each time', async () => {
    const asked = { name: 'two', text: 'select 2 as two' };
    for (let times = 0; times < 3; times += 1)
      expect((await reads.reader.query(asked)).rows).toEqual([{ two: 2 }]);
  });
});

test('behind a pooler nothing can be written, and the limit ends with the transaction', async () => {
  const reads = openLimitedReads({ url: database.url, poolSize: 1, pooler: 'transaction', statementMs: 100 });
  try {
    await expect(reads.reader.query('create table t ()')).rejects.toMatchObject({ code: '25006' });
    const { rows } = await reads.reader.query(
      `select setting from pg_settings where name = 'statement_timeout'`,
    );
    expect(rows).toEqual([{ setting: '100' }]);
  } finally {
    await reads.close();
  }
});
