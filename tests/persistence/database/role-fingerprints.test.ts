import { expect, test } from 'vitest';
import { otherFingerprints, publishFingerprint } from '../../../persistence/database/role-fingerprints.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';

const database = useStoreDatabase();

const DAY = 86_400_000;
const publish = (role: string, nodeId: string, given: { hash: string; at: number }) =>
  publishFingerprint(database.pool, { role, nodeId, ...given });

test('the last started process of a role determines its fingerprint', async () => {
  expect(await otherFingerprints(database.pool, 'a')).toEqual([]);
  await publish('web', 'web-1', { hash: 'a', at: MANUAL_EPOCH });
  await publish('worker', 'worker-1', { hash: 'b', at: MANUAL_EPOCH });
  expect(await otherFingerprints(database.pool, 'a')).toEqual(['worker']);
  expect(await otherFingerprints(database.pool, 'b')).toEqual(['web']);
  await publish('worker', 'worker-2', { hash: 'a', at: MANUAL_EPOCH + 1 });
  expect(await otherFingerprints(database.pool, 'a')).toEqual([]);
  // The old node returns with its old settings.
  await publish('worker', 'worker-1', { hash: 'b', at: MANUAL_EPOCH + 2 });
  expect(await otherFingerprints(database.pool, 'a')).toEqual(['worker']);
});

test('rows of processes that ended long ago are removed, rows of other roles are kept', async () => {
  await publish('worker', 'worker-3', { hash: 'c', at: MANUAL_EPOCH + 40 * DAY });
  const { rows } = await database.pool.query('select role, "nodeId" from role_fingerprints order by 1, 2');
  expect(rows).toEqual([
    { role: 'web', nodeId: 'web-1' },
    { role: 'worker', nodeId: 'worker-3' },
  ]);
});
