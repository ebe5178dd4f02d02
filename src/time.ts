import { randomUUID } from 'node:crypto';
import { type LinkedAbort, linkAbort } from '../supervisors/concurrency/linked-abort.ts';
import type { Chance, Clock, Timers } from '../supervisors/ports.ts';

/** The real clock, timers, ids and randomness; all other code takes them as parameters. */
export const systemClock: Clock = { now: () => Date.now() };

/** Only for durations: it never jumps. Milliseconds since the process started. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** Every waiting job has a sleep, so a sleep is only a timer, a listener and a promise. */
export const systemTimers: Timers = {
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake);
    });
  },
};

export const systemChance: Chance = { id: () => randomUUID(), jitter: () => Math.random() };

/** Aborts when the given signal does, or with a TimeoutError at the timeout. Release it when the work has ended. */
export function limitTime(timeoutMs: number, signal?: AbortSignal): LinkedAbort {
  const link = linkAbort(...(signal ? [signal] : []));
  const tooLate = () => link.abort(new DOMException(`not done within ${timeoutMs} ms`, 'TimeoutError'));
  const timer = setTimeout(tooLate, timeoutMs).unref();
  return {
    ...link,
    release() {
      clearTimeout(timer);
      link.release();
    },
  };
}

/** The result of the work, or a TimeoutError at the timeout, which also aborts the work's signal. */
export async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, release } = limitTime(timeoutMs);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  try {
    return await Promise.race([work(signal), late]);
  } finally {
    release();
  }
}

export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
