import type { Pool } from 'pg';
import {
  type FeedRates,
  releaseRequestPlace,
  takeRequestPlace,
} from '../../../persistence/feeds/feed-requests.ts';
import type { Timers } from '../../../supervisors/ports.ts';
import type { FeedProfile } from '../profiles/profile-schema.ts';
import { ANSWER_MS, MOST_ANSWER_BYTES } from './feed-fetch.ts';
import type { FeedRate } from './types.ts';

/** Shorter waits are waited for here: a turn of the feed costs more. */
const LONGEST_PATIENCE_MS = 1_500;
const MOST_TRIES = 10;
/** Between the end of a request's own time and the end of its place. */
const GRACE_MS = 5_000;

interface RateOptions {
  readonly pool: Pool;
  readonly timers: Timers;
  /** The feed's credentials by name, or the feed's id when it has none. */
  readonly account: string;
  readonly profile: FeedProfile;
  readonly signal: AbortSignal;
}

/** The rate of a feed over all workers, decided in the database. */
export function createFeedRate({ pool, timers, account, profile, signal }: RateOptions): FeedRate {
  const rates = ratesOf(account, profile);
  return {
    async take() {
      let waited = 0;
      for (let tries = 0; ; tries += 1) {
        signal.throwIfAborted();
        const taken = await takeRequestPlace(pool, rates);
        if ('place' in taken) return taken;
        waited += taken.waitMs;
        if (waited > LONGEST_PATIENCE_MS || tries >= MOST_TRIES) return taken;
        await timers.sleep(taken.waitMs, signal);
      }
    },
    release: (place, bytes) => releaseRequestPlace(pool, place, bytes),
  };
}

/** The numbers of a profile as windows. */
function ratesOf(account: string, { rates }: FeedProfile): FeedRates {
  const { second, minute, hour, day, bytesAnHour } = rates;
  const windows = [
    [1_000, second],
    [60_000, minute],
    [3_600_000, hour],
    [86_400_000, day],
  ] as const;
  return {
    account,
    requests: windows.flatMap(([ms, most]) => (most === null ? [] : [{ ms, most }])),
    bytes: bytesAnHour === null ? null : { ms: 3_600_000, most: bytesAnHour, each: MOST_ANSWER_BYTES },
    holdMs: ANSWER_MS + GRACE_MS,
  };
}
