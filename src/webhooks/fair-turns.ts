/**
 * Shares the process fairly: so many pieces of work go on in one turn of the event loop, the rest wait for the turns that
 * follow, in the order they came. A burst from one stranger then delays everybody else's answers by a few pieces of
 * work, not by all of them. It owns only who waits; a crash loses them like any request under way.
 */
export interface FairTurns {
  /** Resolves when it is one's turn. */
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
