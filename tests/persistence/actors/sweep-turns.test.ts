import { beforeEach, expect, test } from 'vitest';
import { inTurn, type Turn, type TurnOptions } from '../../../persistence/actors/sweep-turns.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

const database = useStoreDatabase();
beforeEach(() => database.pool.query('truncate sweep_turns'));

const LONG = 60_000;
const take = (holder: string, options: Partial<TurnOptions> = {}, work?: (turn: Turn) => Promise<void>) =>
  inTurn(
    database.pool,
    { name: 'things', holder, everyMs: 0, holdMs: LONG, ...options },
    work ?? (async () => {}),
  );
/** Moves the row's times into the past, with the same effect as waiting. */
const letPass = (ms: number) =>
  database.pool.query(
    `update sweep_turns set "beganAt" = "beganAt" - $1::interval, "heldUntil" = "heldUntil" - $1::interval`,
    [`${ms} milliseconds`],
  );

test('of many workers that request a turn at once, one gets it', async () => {
  const done = Promise.withResolvers<void>();
  const othersRefused = Promise.withResolvers<void>();
  let refused = 0;
  const ask = async (holder: string) => {
    const had = await take(holder, {}, () => done.promise);
    if (!had) refused += 1;
    if (refused === 7) othersRefused.resolve();
    return had;
  };
  const asked = Array.from({ length: 8 }, (_, index) => ask(`worker-${index}`));
  await othersRefused.promise;
  done.resolve();
  expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
});

test('an ended turn is free again, and turns of two names are independent', async () => {
  expect(
    await take('a', {}, async () => {
      expect(await take('b')).toBe(false);
      expect(await take('b', { name: 'other things' })).toBe(true);
    }),
  ).toBe(true);
  expect(await take('b')).toBe(true);
});

test('two turns begin at least the given interval apart, however short they are', async () => {
  expect(await take('a', { everyMs: LONG })).toBe(true);
  expect(await take('b', { everyMs: LONG })).toBe(false);
  await letPass(LONG - 1_000);
  expect(await take('b', { everyMs: LONG })).toBe(false);
  await letPass(1_000);
  expect(await take('b', { everyMs: LONG })).toBe(true);
});

test('the turn of a dead worker expires; a late worker neither holds nor ends the next turn', async () => {
  await take('a', { holdMs: LONG }, async (turn) => {
    await letPass(LONG / 2);
    expect(await turn.prolong()).toBe(true);
    await letPass(LONG / 2);
    expect(await take('b')).toBe(false);
    await letPass(LONG);
    await take('b', {}, async (next) => {
      expect(await turn.prolong()).toBe(false);
      expect(await next.prolong()).toBe(true);
    });
    expect(await turn.prolong()).toBe(false);
  });
});

test('a failed sweep gives its turn back and rethrows its error', async () => {
  const broken = new Error('broken');
  await expect(take('a', {}, () => Promise.reject(broken))).rejects.toBe(broken);
  expect(await take('b')).toBe(true);
});

test('a turn that is still to come, because the clock was set back, counts as now', async () => {
  expect(await take('a', { everyMs: LONG })).toBe(true);
  await letPass(-60 * LONG);
  expect(await take('b')).toBe(true);
  await letPass(-60 * LONG);
  expect(await take('b', { everyMs: LONG })).toBe(false);
  await letPass(LONG);
  expect(await take('b', { everyMs: LONG })).toBe(true);
});

test('a dead holder keeps its turn no longer than any after the clock was set back', async () => {
  await take('a', {}, async () => {
    await letPass(-60 * LONG);
    expect(await take('b')).toBe(true);
  });
});
