import { MAX_SCAN_PAUSE_MS, MIN_SCAN_PAUSE_MS } from '../../../machines/limits.ts';
import type { CompleteList } from '../../../ops/invariants/pipeline-state.ts';
import type { PredictionLister, PredictionPages } from '../../../supervisors/ports.ts';
import { scannerTurn, type TakeTurn } from '../../../supervisors/sweepers/prediction-scanner.ts';
import { createMemoryTurns } from './memory/memory-turns.ts';
import type { SimulatedProcess, Universe } from './universe.ts';

/**
 * Watches the scans of the provider's list as they begin (I33). A scan is one turn, however many ranges it asks for; a
 * list that is asked for outside a turn is a scan of its own. And scanners that ask for their turn in vain, for longer
 * than any pause between their scans: other readers of the list must not keep them from it (I26).
 */
const SCANNER = scannerTurn(0).name;
/** A scanner may die in its turn, and the next one too. */
const PATIENCE_MS = 10 * MAX_SCAN_PAUSE_MS;

export function watchScans(universe: Universe, breach: (line: string) => void) {
  const turns = createMemoryTurns();
  /** Processes in their turn, and whether their scan has begun. */
  const inTurn = new Map<SimulatedProcess, boolean>();
  const completeLists: CompleteList[] = [];
  let lastBegan = Number.NEGATIVE_INFINITY;
  const begin = ({ name }: SimulatedProcess) => {
    const now = universe.now();
    const pause = now - lastBegan;
    if (pause < MIN_SCAN_PAUSE_MS) breach(`I33 ${name} began a scan ${pause} ms after the one before`);
    lastBegan = now;
  };
  let askedAt = Number.NEGATIVE_INFINITY;
  let waitsSince = Number.NEGATIVE_INFINITY;
  const refuse = (at: number) => {
    // It stopped asking, because nothing was searched for or no worker lived.
    if (at - askedAt > MAX_SCAN_PAUSE_MS) waitsSince = at;
    askedAt = at;
    if (at - waitsSince > PATIENCE_MS)
      breach(`I26 no scan for ${at - waitsSince} ms, although one is asked for`);
  };
  const beginOnce = (process: SimulatedProcess) => {
    if (inTurn.get(process) !== true) begin(process);
    if (inTurn.has(process)) inTurn.set(process, true);
  };
  return {
    isFree(turn: Parameters<TakeTurn>[0], at: number): boolean {
      const isFree = turns.isFree(turn, at);
      if (!isFree && turn.name === SCANNER) refuse(at);
      return isFree;
    },
    plain: turns.takenBy,
    takenBy(process: SimulatedProcess): TakeTurn {
      const take = turns.takenBy(process);
      return (turn, work) =>
        take(turn, async () => {
          inTurn.set(process, false);
          await work().finally(() => inTurn.delete(process));
        });
    },
    watched: (
      process: SimulatedProcess,
      { list, pages }: PredictionLister & PredictionPages,
    ): PredictionLister & PredictionPages => ({
      pages(range) {
        beginOnce(process);
        return pages(range);
      },
      async list(range) {
        beginOnce(process);
        const at = universe.now();
        waitsSince = at;
        const answer = await list(range);
        if (answer.complete) {
          const shown = new Set(
            answer.predictions.flatMap(({ attemptIds, textJobId }) =>
              textJobId === null ? attemptIds : [textJobId],
            ),
          );
          const { createdAfter, createdBefore } = range;
          completeLists.push({ at, createdAfter, createdBefore, shown });
        }
        return answer;
      },
    }),
    completeLists,
  };
}
