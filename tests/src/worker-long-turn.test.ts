import { expect, test } from 'vitest';
import { inTurn } from '../../persistence/actors/sweep-turns.ts';
import { inLongTurn } from '../../src/worker/long-turn.ts';
import { useStoreDatabase } from '../support/database/store-database.ts';
import { eventually } from '../support/eventually.ts';
import { createManualTime } from '../support/manual-time.ts';

const database = useStoreDatabase();
const HOLD_MS = 60_000;
const turn = { name: 'things', everyMs: 0, holdMs: HOLD_MS };
const isFree = () => inTurn(database.pool, { ...turn, holder: 'b' }, async () => {});
const heldUntil = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ at: Date }>('select "heldUntil" as at from sweep_turns');
  return Number(rows[0]?.at ?? 0);
};
/** Moves the turn's end into the past, with the same effect as waiting. */
const letPass = (ms: number) =>
  database.pool.query(`update sweep_turns set "heldUntil" = "heldUntil" - $1::interval`, [
    `${ms} milliseconds`,
  ]);

test('a long turn is prolonged while its work goes on', async () => {
  const time = createManualTime();
  await inLongTurn(database.pool, time, { ...turn, holder: 'a' }, async () => {
    for (let third = 0; third < 6; third += 1) {
      await letPass(HOLD_MS / 3);
      const before = await heldUntil();
      time.advance(HOLD_MS / 3);
      await eventually(async () => (await heldUntil()) > before, { what: 'the turn to be prolonged' });
    }
    expect(await isFree()).toBe(false);
  });
  expect(await isFree()).toBe(true);
});
