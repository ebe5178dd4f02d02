import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Chance, Clock, Timers } from '../supervisors/ports.ts';

/** The real clock, timers, ids and chance; everything else takes them as parameters. */
export const systemClock: Clock = { now: () => Date.now() };

export const systemTimers: Timers = {
  async sleep(ms, signal) {
    if (signal?.aborted) return;
    await wait(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
      // An aborted sleep is a sleep that is over.
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    });
  },
};

export const systemChance: Chance = { id: () => randomUUID(), jitter: () => Math.random() };
