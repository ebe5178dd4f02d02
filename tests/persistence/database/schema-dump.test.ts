import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { dumpSchema } from '../../../ops/cli/schema-dump.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';

afterAll(closeTestDatabases);

const committed = readFileSync(new URL('../../../persistence/database/schema.sql', import.meta.url), 'utf8');

test('persistence/database/schema.sql equals the schema that the migrations build (update: npm run schema)', async () => {
  const { pool } = await openTestDatabase({ migrated: true });
  expect(await dumpSchema(pool)).toBe(committed);
});

test.each([
  `alter table properties add column surprise text`,
  `alter table properties alter column city drop not null`,
  `alter table properties alter column currency set default 'EUR'`,
  `alter table property_images drop constraint property_images_staged_cannot_be_main_check`,
  `drop index "property_images_aiJobId_uidx"`,
  `drop trigger property_images_cancel_jobs on property_images`,
  `create or replace function refuse_rewrite_of_history() returns trigger language plpgsql as 'begin return new; end'`,
  `alter type ai_job_status add value 'LOST'`,
])('the dump shows: %s', async (change) => {
  const { pool } = await openTestDatabase({ migrated: true });
  await pool.query(change);
  expect(await dumpSchema(pool)).not.toBe(committed);
});
