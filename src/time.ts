import { randomUUID } from 'node:crypto';
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
