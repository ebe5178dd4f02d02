/**
 * A throttle per tick of the event loop: `perTick` tasks run in one tick, the rest in the following ticks, in order
 * of arrival. A burst of one client then delays other answers by a few tasks, not by all of them.
 */
export function createTickThrottle(perTick: number, nextTick: (work: () => void) => unknown = setImmediate) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  let isAsked = false;
  const begin = () => {
    isAsked = false;
    const going = waiting.splice(0, perTick);
    taken = going.length;
    if (taken > 0) ask();
    for (const go of going) go();
  };
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    nextTick(begin);
  };
  return {
    /** Resolves when the caller may run. */
    async take(): Promise<void> {
      ask();
      if (waiting.length === 0 && taken < perTick) {
        taken += 1;
        return;
      }
      await new Promise<void>((go) => waiting.push(go));
    },
  };
}

export type TickThrottle = ReturnType<typeof createTickThrottle>;
