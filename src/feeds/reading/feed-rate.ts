import type { Pool } from 'pg';
import { MAX_PHOTO_BYTES } from '../../../machines/limits.ts';
import {
  type FeedRates,
  releaseRequestPlace,
  takeRequestPlace,
} from '../../../persistence/feeds/feed-requests.ts';
import type { Timers } from '../../../supervisors/ports.ts';
import type { FeedProfile } from '../profiles/profile-schema.ts';
import { ANSWER_MS, MOST_ANSWER_BYTES } from './feed-fetch.ts';
import type { FeedRate } from './feed-reading.ts';

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
export function createFeedRate({ account, profile, ...ports }: RateOptions): FeedRate {
  return rateOf(ports, ratesOf(account, profile));
}

/** The rate of the downloads of a feed's pictures, which is another one than that of its records. */
export function createMediaRate({ account, profile, ...ports }: RateOptions): FeedRate {
  const { media, rates } = profile;
  const windows = { second: null, minute: media.minute, hour: media.hour, day: null };
  return rateOf(ports, {
    account: `media:${account}`,
    requests: windowsOf(windows),
    bytes: bytesOf(rates.bytesAnHour, MAX_PHOTO_BYTES),
    holdMs: ANSWER_MS + GRACE_MS,
  });
}

function rateOf(
  { pool, timers, signal }: Pick<RateOptions, 'pool' | 'timers' | 'signal'>,
  rates: FeedRates,
): FeedRate {
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

function ratesOf(account: string, { rates }: FeedProfile): FeedRates {
  return {
    account,
    requests: windowsOf(rates),
    bytes: bytesOf(rates.bytesAnHour, MOST_ANSWER_BYTES),
    holdMs: ANSWER_MS + GRACE_MS,
  };
}

/** The numbers of a profile as windows. */
function windowsOf({ second, minute, hour, day }: Numbers): FeedRates['requests'] {
  const windows = [
    [1_000, second],
    [60_000, minute],
    [3_600_000, hour],
    [86_400_000, day],
  ] as const;
  return windows.flatMap(([ms, most]) => (most === null ? [] : [{ ms, most }]));
}
type Numbers = Readonly<Record<'second' | 'minute' | 'hour' | 'day', number | null>>;

const bytesOf = (most: number | null, each: number): FeedRates['bytes'] =>
  most === null ? null : { ms: 3_600_000, most, each };
