import type { TakeTurn } from '../../../../supervisors/sweepers/prediction-scanner.ts';
import type { SimulatedProcess } from '../universe.ts';

/** Turns as `persistence/actors/sweep-turns.ts` gives them on PostgreSQL, by the one clock of the simulated database. */
export function createMemoryTurns(): {
  takenBy(process: SimulatedProcess): TakeTurn;
  /** Whether the turn would be given at this instant. */
  isFree(turn: Parameters<TakeTurn>[0], at: number): boolean;
} {
  const rows = new Map<string, { turn: number; beganAt: number; heldUntil: number }>();
  const isFree = ({ name, everyMs }: Parameters<TakeTurn>[0], at: number): boolean => {
    const row = rows.get(name);
    return row === undefined || (row.beganAt + everyMs <= at && row.heldUntil <= at);
  };
  return {
    isFree,
    takenBy: (process) => async (wanted, work) => {
      const { name, holdMs } = wanted;
      await process.hop('db: take turn');
      const now = process.now();
      if (!isFree(wanted, now)) return false;
      const turn = (rows.get(name)?.turn ?? 0) + 1;
      rows.set(name, { turn, beganAt: now, heldUntil: now + holdMs });
      await process.hop('db: turn taken');
      try {
        await work();
        return true;
      } finally {
        await process.hop('db: end turn').catch(() => {});
        const held = rows.get(name);
        if (held?.turn === turn) rows.set(name, { ...held, heldUntil: 0 });
      }
    },
  };
}
