import { test } from 'vitest';
import { createDatabase } from '../database/database.ts';
import { createBucket } from '../platform/stack.ts';

test('leaves a database and a bucket', async () => {
  await createDatabase({ migrated: false });
  const { client } = await createBucket();
  client.destroy();
});
