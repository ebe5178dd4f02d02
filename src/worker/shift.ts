import type { Pool } from 'pg';
import { inTurn } from '../../persistence/actors/sweep-turns.ts';
import { SHIFT, type WorkerLook } from '../../persistence/actors/worker-look.ts';
import type { Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import type { Service } from '../../supervisors/supervision/service.ts';
import { createSweeper } from '../../supervisors/sweepers/sweeper.ts';

/**
 * The shift: one worker of the installation does the sweeps that any one can do, so that the others ask the database
 * only once in a few seconds. It is a turn (`sweep_turns`) that its holder prolongs until it stops. When the holder dies,
 * the turn runs out, and the next worker that looks takes it. A shift only saves work, correctness does not depend on it:
 * every sweeper also sweeps when it starts, and now and then off the shift.
 */

const PROLONG_MS = 2_000;
const CHECK_MS = 1_000;
/** Off the shift a sweeper sweeps at least this often. */
const SPARE_MS = 10 * 60_000;

export function createShift(ports: {
  pool: Pool;
  /** This worker's name. */
  holder: string;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  /** False for a worker that must not buy: on the shift, it would keep jobs from starting on the others. */
  mayHold(): boolean;
}) {
  const { pool, holder, clock, timers, mayHold } = ports;
  let isOn = false;
  let seen = { shiftIsFree: false, hasOrphans: false, hasDriftDue: false, hasChecksDue: false };
  const turn = { ...SHIFT, holder, everyMs: 0 };
  const sweep = async (signal: AbortSignal) => {
    if (!seen.shiftIsFree || !mayHold()) return;
    seen = { ...seen, shiftIsFree: false };
    await inTurn(pool, turn, async ({ prolong }) => {
      isOn = true;
      do await timers.sleep(PROLONG_MS, signal);
      while (!signal.aborted && mayHold() && (await prolong()));
    }).finally(() => {
      isOn = false;
    });
  };
  return {
    isOn: () => isOn,
    note: (look: WorkerLook): void => {
      seen = look;
    },
    service: (): Service => createSweeper({ ...ports, name: 'shift', intervalMs: CHECK_MS, sweep }),
    /**
     * The timers of a sweeper that sweeps on the shift; off the shift only when it is wanted, and every `spareMs`.
     */
    timers: ({
      spareMs = SPARE_MS,
      isWanted = () => false,
    }: {
      spareMs?: number;
      isWanted?(look: Pick<WorkerLook, 'hasOrphans' | 'hasDriftDue' | 'hasChecksDue'>): boolean;
    } = {}): Timers => ({
      async sleep(ms, signal) {
        const until = clock.now() + spareMs;
        do await timers.sleep(ms, signal);
        while (!signal?.aborted && !isOn && !isWanted(seen) && clock.now() < until);
      },
    }),
  };
}
