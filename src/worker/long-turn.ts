import type { Pool } from 'pg';
import { inTurn, type TurnOptions } from '../../persistence/actors/sweep-turns.ts';
import type { Timers } from '../../supervisors/ports.ts';

/** For work of minutes: the turn is prolonged while it goes on, so that another worker need not wait long for a dead one. */
export const inLongTurn = (
  pool: Pool,
  timers: Timers,
  turn: TurnOptions,
  work: () => Promise<void>,
): Promise<boolean> =>
  inTurn(pool, turn, async ({ prolong }) => {
    const over = new AbortController();
    const keep = async () => {
      do await timers.sleep(turn.holdMs / 3, over.signal);
      while (
        // While the database is away, nobody else can take the turn.
        !over.signal.aborted &&
        (await prolong().catch(() => true))
      );
    };
    const kept = keep();
    await work().finally(() => over.abort('over'));
    await kept;
  });
