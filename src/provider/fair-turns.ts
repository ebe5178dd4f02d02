/**
 * A throttle per tick of the event loop: so many tasks run in one tick, the rest in the following ones, in the order in
 * which they arrived. A burst of one client then delays other answers by a few tasks, not by all of them.
 */
export interface FairTurns {
  /** Resolves when the caller may run. */
  take(): Promise<void>;
}

export function createFairTurns(
  perTurn: number,
  nextTurn: (work: () => void) => unknown = setImmediate,
): FairTurns {
  const waiting: (() => void)[] = [];
  let taken = 0;
  let isAsked = false;
  const begin = () => {
    isAsked = false;
    const going = waiting.splice(0, perTurn);
    taken = going.length;
    if (taken > 0) ask();
    for (const go of going) go();
  };
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    nextTurn(begin);
  };
  return {
    async take() {
      ask();
      if (waiting.length === 0 && taken < perTurn) {
        taken += 1;
        return;
      }
      await new Promise<void>((go) => waiting.push(go));
    },
  };
}
