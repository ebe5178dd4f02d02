import { beforeEach, expect, test } from 'vitest';
import { lookAround } from '../../../persistence/actors/worker-look.ts';
import { serverTrustConformance } from '../../support/database/conformance/server-trust-conformance.ts';
import { onPromotedServer } from '../../support/database/promoted-server.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

/** What a worker sees of its database server: PostgreSQL's own clock, moved by moving the heartbeat. */
const database = useStoreDatabase();
beforeEach(() => database.clear());

serverTrustConformance({
  beatWas: (agoMs) =>
    database.pool.query('update server_heartbeat set at = clock_timestamp() - $1::interval', [
      `${agoMs} milliseconds`,
    ]),
  trust: (agoMs) =>
    database.pool.query(
      'update start_gate set server = current_server(), "trustedAt" = clock_timestamp() - $1::interval',
      [`${agoMs} milliseconds`],
    ),
  promoted: (work) => onPromotedServer(database.pool, work),
  trustAnother: () => database.pool.query(`update start_gate set server = '7/00000001'`),
  async look() {
    const { sight, now } = await lookAround(database.pool);
    return { wasSilent: sight.wasSilent, certainAgo: Math.round((now - sight.certainUntil) / 1_000) };
  },
  mayBuy: () => database.store.transaction((tx) => tx.isOnTrustedServer()),
});

test('what is certain never lies ahead, also when the clock was set back', async () => {
  await database.pool.query(`update start_gate set server = current_server();
    update server_heartbeat set at = clock_timestamp() + interval '1 hour'`);
  expect((await lookAround(database.pool)).sight.certainUntil).toBeLessThan(Date.now() + 1_000);
});

test('turns that end later than they may, because the clock was set back, are free', async () => {
  await database.pool.query(`insert into sweep_turns (name, turn, holder, "beganAt", "heldUntil")
    select name, 1, 'gone', clock_timestamp(), clock_timestamp() + interval '1 hour'
    from unnest(array['shift', 'orphans']) as name`);
  expect(await lookAround(database.pool)).toMatchObject({ shiftIsFree: true, hasOrphans: false });
  await database.pool.query(`delete from sweep_turns`);
});
