/** Time and chance, handed in so that back-off and time limits can be tested without waiting. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** Calls `run` after `ms`; the function returned calls it off. */
  after(ms: number, run: () => void): () => void;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** How often a call that the network failed is sent, and how long to wait in between. */
export interface RetryPolicy {
  /** Tries in all, the first one included. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

export const DEFAULT_RETRIES: RetryPolicy = { attempts: 3, firstDelayMs: 250, longestDelayMs: 4_000 };

/**
 * The pause after try number `attempt`, in milliseconds: doubled with every try up to the longest, then a random part
 * of its upper half, so that clients that lost the same connection do not come back together.
 */
export function retryDelay(policy: RetryPolicy, given: { attempt: number; random: number }): number {
  const full = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (given.attempt - 1));
  return (full / 2) * (1 + given.random);
}

/** Waits. @throws the signal's reason as soon as it is aborted */
export function pause(timing: Timing, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      callOff();
      reject(signal.reason);
    };
    const callOff = timing.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
