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
      needsApproval: false,
      confirmedLicense: null,
      licenseState: null,
      licenseConfirmedBy: null,
    },
  ]);
});

test('agents with a public listing at the upgrade count as approved; drafts do not count', async () => {
  const { url, pool } = await openTestDatabase({ until: '0101_growth_counts' });
  const rows = new Rows(pool);
  const agents: Record<string, string> = {};
  for (const status of ['Active', 'Closed', 'Incomplete', 'Delete']) {
    const ownerAgentId = await rows.user({ role: 'agent' });
    agents[status] = ownerAgentId;
    await pool.query('insert into agent_standings ("agentId", "agentSince") values ($1, now())', [
      ownerAgentId,
    ]);
    await pool.query(
      `insert into properties ("ownerAgentId", "listPrice", address, city, "standardStatus")
       values ($1, 1, '1 Way', 'Kent', $2)`,
      [ownerAgentId, status],
    );
  }
  await migrate(url);
  const { rows: approved } = await pool.query(
    'select "agentId", "approvedBy" from agent_standings where "approvedAt" is not null',
  );
  expect(new Set(approved.map(({ agentId }) => agentId))).toEqual(new Set([agents.Active, agents.Closed]));
  expect(new Set(approved.map(({ approvedBy }) => approvedBy))).toEqual(new Set(['migration']));
});
