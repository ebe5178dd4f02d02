import { beforeEach, expect, test } from 'vitest';
import type { StartPlace } from '../../../persistence/actors/actor-store.ts';
import { MAX_STARTS_PER_MINUTE, START_WINDOW_MS } from '../../../persistence/actors/start-rate.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());

const start = (perMinute: number): Promise<StartPlace> =>
  database.store.transaction((tx) => tx.takeStartPlace(perMinute));
const starts = async (perMinute: number, tries: number): Promise<number> =>
  (await Promise.all(Array.from({ length: tries }, () => start(perMinute)))).filter((one) => 'at' in one)
    .length;
/** Moves the times of the places into the past, with the same effect as waiting. */
const letPass = (ms: number) =>
  database.pool.query(`update start_places set "usedAt" = "usedAt" - $1::interval`, [`${ms} milliseconds`]);

test('there are as many places as the greatest limit allows starts', async () => {
  const { rows } = await database.pool.query(
    'select count(*)::int as places, max(place) as last from start_places',
  );
  expect(rows).toEqual([{ places: MAX_STARTS_PER_MINUTE, last: MAX_STARTS_PER_MINUTE }]);
});

test('of twenty starts at once three are admitted, and three more a minute later', async () => {
  expect(await starts(3, 20)).toBe(3);
  expect(await starts(3, 20)).toBe(0);
  await letPass(START_WINDOW_MS - 2_000);
  expect(await starts(3, 20)).toBe(0);
  await letPass(2_000);
  expect(await starts(3, 20)).toBe(3);
});

test('a start without a free place returns when the next one is free', async () => {
  await start(2);
  await letPass(40_000);
  await start(2);
  const refused = await start(2);
  expect(refused).toEqual({ waitMs: expect.any(Number) });
  expect((refused as { waitMs: number }).waitMs).toBeGreaterThan(15_000);
  expect((refused as { waitMs: number }).waitMs).toBeLessThanOrEqual(20_000);
});

test('a start that is rolled back uses no place', async () => {
  const rolledBack = database.store.transaction(async (tx) => {
    expect(await tx.takeStartPlace(1)).toEqual({ at: expect.any(Number) });
    throw new Error('not committed');
  });
  await expect(rolledBack).rejects.toThrow('not committed');
  expect(await start(1)).toEqual({ at: expect.any(Number) });
});

test('an uncommitted start holds its place, and no other start waits for its commit', async () => {
  await start(1);
  await letPass(START_WINDOW_MS);
  await database.store.transaction(async (tx) => {
    expect(await tx.takeStartPlace(1)).toEqual({ at: expect.any(Number) });
    expect(await start(1)).toEqual({ waitMs: expect.any(Number) });
  });
});

test('a new limit applies at once, counts earlier starts, and shares its places with other limits', async () => {
  expect(await starts(3, 10)).toBe(3);
  expect(await starts(5, 10)).toBe(2);
  expect(await starts(3, 10)).toBe(0);
  await letPass(START_WINDOW_MS);
  const [few, many] = await Promise.all([starts(3, 10), starts(5, 10)]);
  expect(few + many).toBe(5);
});

test('a clock that is set back stops starts for at most a minute', async () => {
  expect(await starts(2, 5)).toBe(2);
  await letPass(-24 * 60 * START_WINDOW_MS);
  expect(await start(2)).toEqual({ waitMs: expect.any(Number) });
  await letPass(START_WINDOW_MS);
  expect(await starts(2, 5)).toBe(2);
});
