import type { Redis } from 'ioredis';
import type { Clock, Timers } from '../../supervisors/ports.ts';
import { within } from '../time.ts';

/**
 * The pace of the calls that can wait: polls and pages of the list. At most `CALLS_A_SECOND` of them begin in any second
 * in the whole installation; without the key-value store, in this process. The provider allows 50 calls a second beside
 * creates (docs/provider.md#errors); the rest is for calls that cannot wait: cancels, and what a callback announces.
 */
export type Pace = (signal: AbortSignal) => Promise<void>;

const CALLS_A_SECOND = 20;
/** A little more than a second, because calls do not arrive exactly when they begin. */
const SECOND_MS = 1_020;
/** A store that does not answer must not stop the polls. */
const STORE_PATIENCE_MS = 250;

/** Keeps the instants of the last calls, by the store's clock. Returns how long to wait for the place that was taken. */
const TAKE_PLACE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local oldest = tonumber(redis.call('LINDEX', KEYS[1], ARGV[1] - 1) or 0)
  local at = math.max(now, oldest + ARGV[2])
  redis.call('LPUSH', KEYS[1], string.format('%d', at))
  redis.call('LTRIM', KEYS[1], 0, ARGV[1] - 1)
  redis.call('PEXPIRE', KEYS[1], string.format('%d', at - now + ARGV[2]))
  return at - now`;

export function createPace({
  redis,
  suffix,
  clock,
  timers,
}: {
  redis: Redis;
  suffix: string;
  clock: Clock;
  timers: Timers;
}): Pace {
  const places: number[] = [];
  const ownWait = (): number => {
    const now = clock.now();
    const at = Math.max(now, (places.length < CALLS_A_SECOND ? 0 : places.shift()!) + SECOND_MS);
    places.push(at);
    return at - now;
  };
  const sharedWait = async (): Promise<number> => {
    const key = `provider-pace${suffix}`;
    const taken = within(STORE_PATIENCE_MS, () => redis.eval(TAKE_PLACE, 1, key, CALLS_A_SECOND, SECOND_MS));
    // The connection reports its own outages.
    return Number(await taken.catch(() => 0));
  };
  return async (signal) => {
    const own = ownWait();
    const waitMs = Math.max(own, await sharedWait());
    if (waitMs > 0) await timers.sleep(waitMs, signal);
  };
}
