import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepared } from '../../../persistence/database/prepared.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const [ONE, OTHER] = ['select $1::int as value', 'select $1::int + 1 as value'];
const ask = async (text: string, value: number): Promise<number> =>
  (await client.query(prepared(text, [value]))).rows[0].value;

test('a statement is planned once per connection for all values; another text is another statement', async () => {
  expect([await ask(ONE, 1), await ask(ONE, 2), await ask(OTHER, 2)]).toEqual([1, 2, 3]);
  const { rows } = await client.query(
    'select statement from pg_prepared_statements order by length(statement)',
  );
  expect(rows.map(({ statement }) => statement)).toEqual([ONE, OTHER]);
  expect(prepared(ONE, []).name).toBe(prepared(ONE, [7]).name);
});
