import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Who does a sweep now that one worker does for all, and when the latest one began. */
export const SweepTurnEntity = defineEntity({
  name: 'SweepTurn',
  tableName: 'sweep_turns',
  properties: {
    name: p.text().primary(),
    /** How many there have been. */
    turn: p.bigint('number'),
    holder: p.text().nullable(),
    beganAt: p.datetime(),
    heldUntil: p.datetime().nullable(),
  },
});
export type SweepTurn = InferEntity<typeof SweepTurnEntity>;
