import type { Pool } from 'pg';
import { numberChanges } from '../../persistence/reso/number-changes.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Gives committed changes their numbers, which makes them visible in the feed (docs/feeds.md#the-order-of-changes). It runs on
 * the shift, and the lock of the cursor lets one turn through at a time. A turn is one transaction, so a worker that dies in it
 * loses nothing, and the next turn numbers the same changes.
 */
type NumberParts = Pick<WorkerParts, 'reporter' | 'timers'> & {
  database: { pool: Pool };
  timings: { changeNumbersMs: number };
};

export function createChangeNumbers(parts: NumberParts): Sweeper {
  const { pool } = parts.database;
  return createSweeper({
    ...parts,
    name: 'change-numbers',
    intervalMs: parts.timings.changeNumbersMs,
    // One turn each time: in half a second there are as many milliseconds as records may be numbered.
    async sweep() {
      await numberChanges(pool);
    },
  });
}
