import type { Pool } from 'pg';
import { inTurn, type TurnOptions } from '../../persistence/actors/sweep-turns.ts';
import type { Timers } from '../../supervisors/ports.ts';

/**
 * A turn for work of minutes, prolonged while the work continues: so another worker need not wait long for a dead one.
 * False when the turn is not free.
 */
export const inLongTurn = (
  pool: Pool,
  timers: Timers,
  turn: TurnOptions,
  work: () => Promise<void>,
): Promise<boolean> =>
  inTurn(pool, turn, async ({ prolong }) => {
    const over = new AbortController();
    const keep = async () => {
      for (let isHeld = true; isHeld; ) {
        await timers.sleep(turn.holdMs / 3, over.signal);
        // While the database is away, no one else can take the turn.
        isHeld = !over.signal.aborted && (await prolong().catch(() => true));
      }
    };
    const kept = keep();
    await work().finally(() => over.abort('over'));
    await kept;
  });
