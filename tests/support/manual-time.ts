import type { Clock, Timers } from '../../supervisors/ports.ts';

/**
 * A clock that stands still until a test moves it, and the sleeps that wait for it. Always true: a sleep ends when
 * its instant has come or its signal aborts, never by itself.
 */
export interface ManualTime extends Clock, Timers {
  /** Moves the clock and ends every sleep that is due by then, the earliest first. */
  advance(ms: number): void;
  /** Moves the clock to the end of the earliest sleep; false when there is none. */
  advanceToNextWake(): boolean;
  /** What is left of each sleep in milliseconds, the shortest first. */
  sleeping(): number[];
}

/** An instant without a fraction of a second, so that rows and events compare equal. */
export const MANUAL_EPOCH = Date.UTC(2026, 0, 15, 12);

interface Sleeper {
  until: number;
  wake(): void;
}

export function createManualTime(start: number = MANUAL_EPOCH): ManualTime {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const inOrder = () => [...sleepers].sort((a, b) => a.until - b.until);
  const advance = (ms: number) => {
    const target = now + ms;
    for (const sleeper of inOrder()) {
      if (sleeper.until > target) break;
      now = Math.max(now, sleeper.until);
      sleeper.wake();
    }
    now = target;
  };
  return {
    now: () => now,
    advance,
    advanceToNextWake() {
      const [first] = inOrder();
      if (first) advance(Math.max(0, first.until - now));
      return first !== undefined;
    },
    sleeping: () => inOrder().map(({ until }) => until - now),
    sleep(ms, signal) {
      if (ms <= 0 || signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper: Sleeper = {
          until: now + ms,
          wake() {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake, { once: true });
      });
    },
  };
}

/** Sleeps that take no time: for retries whose waits are of no interest. */
export const noWaiting: Timers = {
  sleep: () => new Promise((resolve) => setImmediate(resolve)),
};
