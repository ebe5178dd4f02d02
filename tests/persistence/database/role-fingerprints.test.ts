import { beforeEach, expect, test } from 'vitest';
import { beatFingerprint, differingSettings } from '../../../persistence/database/role-fingerprints.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

const database = useStoreDatabase();
beforeEach(() => database.pool.query('delete from role_fingerprints'));

const beat = (role: string, nodeId: string, settings: Record<string, string>) =>
  beatFingerprint(database.pool, { role, nodeId, hash: JSON.stringify(settings), settings });
const silence = (nodeId: string, forTime: string) =>
  database.pool.query(
    `update role_fingerprints set "publishedAt" = now() - interval '${forTime}',
       "beatAt" = now() - interval '${forTime}' where "nodeId" = $1`,
    [nodeId],
  );

test('the settings that differ among all running processes are named, of one role as of two', async () => {
  expect(await differingSettings(database.pool)).toEqual([]);
  await beat('web', 'web-1', { A: '1', B: '1', C: '1' });
  await beat('worker', 'worker-1', { A: '1', B: '1', C: '1' });
  expect(await differingSettings(database.pool)).toEqual([]);
  await beat('web', 'web-2', { A: '2', B: '1', C: '1' });
  await beat('worker', 'worker-2', { A: '1', B: '1', C: '2' });
  expect(await differingSettings(database.pool)).toEqual(['A', 'C']);
  await beat('worker', 'worker-2', { A: '1', B: '1', C: '1' });
  expect(await differingSettings(database.pool)).toEqual(['A']);
});

test('a row older than a minute belongs to an ended process, and a newer process next to it is no difference', async () => {
  await beat('web', 'web-1', { A: '1' });
  await beat('web', 'web-2', { A: '2' });
  await silence('web-2', '61 seconds');
  expect(await differingSettings(database.pool)).toEqual([]);
  await beat('worker', 'worker-1', { A: '1', NEW: '1' });
  await database.pool.query(
    `insert into role_fingerprints (role, "nodeId", hash) values ('web', 'old', 'x')`,
  );
  expect(await differingSettings(database.pool)).toEqual([]);
});

test('rows of processes that ended long ago are removed', async () => {
  await beat('web', 'web-1', { A: '1' });
  await beat('worker', 'worker-1', { A: '1' });
  await silence('web-1', '31 days');
  await beat('worker', 'worker-2', { A: '1' });
  const { rows } = await database.pool.query('select "nodeId" from role_fingerprints order by 1');
  expect(rows).toEqual([{ nodeId: 'worker-1' }, { nodeId: 'worker-2' }]);
});
