import { randomUUID } from 'node:crypto';
import { type LinkedAbort, linkAbort } from '../supervisors/concurrency/linked-abort.ts';
import type { Chance, Clock, Timers } from '../supervisors/ports.ts';

/** The real clock, timers, ids and chance; everything else takes them as parameters. */
export const systemClock: Clock = { now: () => Date.now() };

/** Every job that waits has a sleep, so one is a timer, a listener and a promise, and nothing more. */
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

/** Aborts when the given signal does, or with a TimeoutError when the time is up. Release it when the work is over. */
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

/** The result of the work, or a TimeoutError when the time is up before; the work hears of that by its signal. */
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
