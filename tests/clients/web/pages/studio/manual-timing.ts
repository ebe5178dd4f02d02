import type { Timing } from '../../../../../clients/typescript/timing.ts';

/** A clock that stands until the test moves it. */
export interface ManualTiming extends Timing {
  /** Moves the clock, and runs what is due by then, the earliest first. */
  advance(ms: number): void;
  /** The pauses that are waited for, in milliseconds, the shortest first. */
  waiting(): number[];
}

export function manualTiming(): ManualTiming {
  let now = Date.parse('2026-01-15T12:00:00Z');
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const inOrder = () => [...timers].toSorted((one, other) => one.at - other.at);
  return {
    now: () => now,
    random: () => 0,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      for (const timer of inOrder().filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.run();
      }
    },
    waiting: () => inOrder().map(({ at }) => at - now),
  };
}
