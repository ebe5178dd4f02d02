import type { TakeTurn } from '../../../../supervisors/sweepers/prediction-scanner.ts';
import type { SimulatedProcess } from '../universe.ts';

/** Turns as `persistence/actors/sweep-turns.ts` gives them on PostgreSQL, by the one clock of the simulated database. */
export function createMemoryTurns(): { takenBy(process: SimulatedProcess): TakeTurn } {
  const rows = new Map<string, { turn: number; beganAt: number; heldUntil: number }>();
  return {
    takenBy:
      (process) =>
      async ({ name, everyMs, holdMs }, work) => {
        await process.hop('db: take turn');
        const now = process.now();
        const row = rows.get(name);
        if (row && (row.beganAt + everyMs > now || row.heldUntil > now)) return false;
        const turn = (row?.turn ?? 0) + 1;
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
