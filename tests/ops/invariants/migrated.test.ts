import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { askRows } from '../../../ops/invariants/ask-rows.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';
import { LegacyPlatform } from '../../support/database/legacy-rows.ts';

afterEach(closeTestDatabases);

test('data of the old platform violates no invariant after its migration', async () => {
  const { url, pool } = await openTestDatabase({ until: '0007_user_profiles' });
  const legacy = new LegacyPlatform(pool);
  const propertyId = await legacy.property();
  for (const status of ['queued', 'active', 'completed', 'failed', 'canceled', 'something else']) {
    const imageId = await legacy.original({ propertyId });
    const payload = { imageId, style: 'modern', roomType: 'living-room' };
    const aiJobId = await legacy.job({ propertyId, payload, status });
    if (status === 'completed')
      await legacy.staged({ propertyId, styledFromId: imageId, style: 'modern', aiJobId, isMain: true });
    await legacy.staged({ propertyId, styledFromId: imageId, style: 'gothic' });
    await legacy.job({ type: 'description', propertyId, payload: { locale: 'es' }, status });
  }
  await legacy.staged({ propertyId, styledFromId: randomUUID(), style: 'modern' });
  await migrate(url);
  const verdicts = await askRows(pool, { when: 'both', replay: true, at: Date.now(), timeoutMs: 30_000 });
  expect(verdicts.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
  const { rows } = await pool.query('select count(*)::int as jobs from ai_jobs');
  expect(rows).toEqual([{ jobs: 12 }]);
});
