import pg from 'pg';
import { test } from 'vitest';
import { createDatabase } from '../database/database.ts';

test('drops a database while connected to it', async () => {
  const database = await createDatabase({ migrated: false });
  const client = new pg.Client({ connectionString: database.url, application_name: 'forgotten session' });
  client.on('error', () => undefined);
  await client.connect();
  await database.drop();
});
