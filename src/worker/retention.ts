import type { Pool } from 'pg';
import { RETAINED, type Retained, removeBatch } from '../../persistence/actors/retention.ts';
import {
  type Clock,
  type InTurn,
  type Reporter,
  type SweepTurn,
  type Timers,
  turnEvery,
} from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';

/**
 * Removes what is older than the installation keeps (docs/contract.md#retention). One worker does it for all, in
 * batches so small that no statement waits long for their locks, with a pause after each, so that years of rows on the
 * first day are removed over hours beside the ordinary work. It decides nothing that a job needs.
 */
export interface RetentionOptions {
  pool: Pool;
  /** How long each is kept; 0 is for ever. */
  days: Readonly<Record<Retained, number>>;
  inTurn: InTurn;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  intervalMs: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** Rows looked at in one transaction; of the journal each may take a whole actor, some ten rows, with it. */
const BATCH = 200;
/** At most 2,000 rows a second are looked at. */
const PAUSE_MS = 100;

export function createRetention(options: RetentionOptions): Sweeper {
  const { pool, days, clock, timers, reporter } = options;
  const removeOld = async (what: Retained, turn: SweepTurn, signal: AbortSignal): Promise<boolean> => {
    const before = clock.now() - days[what] * DAY_MS;
    while (!signal.aborted) {
      const { removed, finished } = await removeBatch(pool, { what, before, limit: BATCH });
      if (removed > 0) reporter.count('expired_rows_removed', removed);
      if (finished) return true;
      await timers.sleep(PAUSE_MS, signal);
      if (!(await turn.prolong())) return false;
    }
    return false;
  };
  const turn = { name: 'retention', everyMs: turnEvery(options.intervalMs) };
  return createSweeper({
    ...options,
    name: 'retention',
    async sweep(signal) {
      await options.inTurn(turn, async (held) => {
        for (const what of RETAINED) if (days[what] > 0 && !(await removeOld(what, held, signal))) return;
      });
    },
  });
}
