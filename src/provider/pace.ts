import type { Redis } from 'ioredis';
import type { Clock, Timers } from '../../supervisors/ports.ts';
import { within } from '../time.ts';

/**
 * The pace of the calls that can wait: polls and pages of the list. At most twenty begin in any second of the whole
 * installation; without the key-value store, of this process. The provider allows 50 calls a second
 * besides creates (docs/provider.md#errors); the rest is for calls that cannot wait: cancels, and what a callback
 * announces.
 */
export type Pace = (signal: AbortSignal) => Promise<void>;

const CALLS = 20;
/** A little more than a second, because calls do not arrive exactly when they are sent. */
const WITHIN_MS = 1_050;
/** A store that does not answer must not stop the polls. */
const STORE_PATIENCE_MS = 250;

/** Keeps the instants of the last twenty calls, by the store's clock. Returns how long to wait for the place taken. */
const TAKE_PLACE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local at = math.max(now, (redis.call('LINDEX', KEYS[1], ARGV[1] - 1) or 0) + ARGV[2])
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
  /** When the last twenty calls of this process were sent at the latest, the oldest first. */
  const sentAt: number[] = [];
  let before = Promise.resolve();
  const sharedWait = async (): Promise<number> => {
    const taken = within(STORE_PATIENCE_MS, () =>
      redis.eval(TAKE_PLACE, 1, `provider-calls${suffix}`, CALLS, WITHIN_MS),
    );
    // The connection reports its own outages.
    return Number(await taken.catch(() => 0));
  };
  const begin = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    // A busy process sends a call later than it begins it, but before the next page of a list is asked for.
    if (sentAt.length > 0) sentAt[sentAt.length - 1] = clock.now();
    const shared = await sharedWait();
    const oldest = sentAt.length < CALLS ? Number.NEGATIVE_INFINITY : (sentAt.shift() as number);
    // A process that was held up would else begin all the calls at once that were due meanwhile.
    const waitMs = Math.max(shared, oldest + WITHIN_MS - clock.now());
    if (waitMs > 0) await timers.sleep(waitMs, signal);
    sentAt.push(clock.now());
  };
  return (signal) => {
    const turn = before.then(() => begin(signal));
    before = turn.catch(() => {});
    return turn;
  };
}
