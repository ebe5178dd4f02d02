import { beforeEach, expect, test } from 'vitest';
import { lookAround } from '../../../persistence/actors/worker-look.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

/** What a worker sees of its database server: PostgreSQL's own clock, moved by moving the heartbeat. */
const database = useStoreDatabase();
beforeEach(() => database.clear());

const SECOND = 1_000;
/** The heartbeat moved so long ago. */
const beatWas = (ms: number) =>
  database.pool.query('update server_heartbeat set at = clock_timestamp() - $1::interval', [
    `${ms} milliseconds`,
  ]);
const trust = (agoMs: number) =>
  database.pool.query(
    'update start_gate set server = current_server(), "trustedAt" = clock_timestamp() - $1::interval',
    [`${agoMs} milliseconds`],
  );
const look = async () => {
  const { sight, now } = await lookAround(database.pool);
  return { wasSilent: sight.wasSilent, certainAgo: Math.round((now - sight.certainUntil) / SECOND) };
};
const mayBuy = () => database.store.transaction((tx) => tx.isOnTrustedServer());

test('the first server is trusted, however old its heartbeat', async () => {
  await beatWas(600 * SECOND);
  expect(await mayBuy()).toBe(true);
  expect(await look()).toEqual({ wasSilent: false, certainAgo: 0 });
});

test('the heartbeat of a trusted server moves when it is older than five seconds', async () => {
  await trust(600 * SECOND);
  await beatWas(3 * SECOND);
  expect(await look()).toEqual({ wasSilent: false, certainAgo: 3 });
  await beatWas(29 * SECOND);
  expect(await mayBuy()).toBe(true);
  expect(await look()).toEqual({ wasSilent: false, certainAgo: 0 });
});

test('a server without a heartbeat for 30 seconds buys nothing until it is trusted again', async () => {
  await trust(600 * SECOND);
  await beatWas(31 * SECOND);
  expect(await mayBuy()).toBe(false);
  expect(await look()).toEqual({ wasSilent: true, certainAgo: 31 });
  // Looks alone change nothing.
  expect(await look()).toEqual({ wasSilent: true, certainAgo: 31 });
  await trust(0);
  expect(await look()).toEqual({ wasSilent: false, certainAgo: 0 });
  expect(await mayBuy()).toBe(true);
});

test('a server that died right after it was trusted is not trusted when it comes back', async () => {
  await trust(31 * SECOND);
  await beatWas(32 * SECOND);
  expect(await look()).toEqual({ wasSilent: true, certainAgo: 32 });
  expect(await mayBuy()).toBe(false);
  expect(await look()).toEqual({ wasSilent: true, certainAgo: 32 });
});

test('a heartbeat that is still to come, because the clock was set back, counts as now', async () => {
  await trust(600 * SECOND);
  await beatWas(-3_600 * SECOND);
  expect(await look()).toEqual({ wasSilent: false, certainAgo: 0 });
  expect((await lookAround(database.pool)).sight.certainUntil).toBeLessThan(Date.now() + SECOND);
});

test('another server leaves the heartbeat where it was', async () => {
  await database.pool.query(`update start_gate set server = '7/00000001'`);
  await beatWas(8 * SECOND);
  expect(await look()).toEqual({ wasSilent: false, certainAgo: 8 });
  expect(await mayBuy()).toBe(false);
});

test('turns that end later than they may, because the clock was set back, are free', async () => {
  await database.pool.query(`insert into sweep_turns (name, turn, holder, "beganAt", "heldUntil")
    select name, 1, 'gone', clock_timestamp(), clock_timestamp() + interval '1 hour'
    from unnest(array['shift', 'orphans']) as name`);
  expect(await lookAround(database.pool)).toMatchObject({ shiftIsFree: true, hasOrphans: false });
  await database.pool.query(`delete from sweep_turns`);
});
