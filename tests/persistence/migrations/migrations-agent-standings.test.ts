import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';
import { Rows } from '../../support/database/schema-rows.ts';

afterEach(closeTestDatabases);

test('existing agents are approved since their account was created; customers have no standing', async () => {
  const { url, pool } = await openTestDatabase({ until: '0045_staging_quotas' });
  const rows = new Rows(pool);
  const createdAt = new Date('2025-03-01T10:00:00Z');
  const agentId = await rows.user({ role: 'agent', createdAt });
  await rows.user({ role: 'customer', createdAt });
  await migrate(url);
  const { rows: standings } = await pool.query('select * from agent_standings');
  expect(standings).toEqual([
    {
      agentId,
      agentSince: createdAt,
      approvedAt: expect.any(Date),
      approvedBy: 'migration',
      approvalReason: expect.any(String),
    },
  ]);
});
