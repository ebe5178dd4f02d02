import { expect, test } from 'vitest';
import { createDatabase } from '../database/database.ts';
import { createBucket } from '../platform/stack.ts';

test('closes what it opens', async () => {
  const database = await createDatabase({ migrated: false });
  const bucket = await createBucket();
  expect((await fetch(bucket.endpoint)).status).toBe(403);
  await bucket.remove();
  await database.drop();
});
