/**
 * Fixed-window counters in Redis, shared by all web processes, on rate-limiter-flexible. Each key lives for one
 * window and is never extended, so a flood cannot lock its victim out for longer than the window. This process also
 * caches a key that has reached its limit until the window ends, so another rejection costs no round trip. Redis
 * may lose the counters: the limits start again. The caller decides what to do while Redis does not answer.
 */
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';

export interface RateRule {
  windowSeconds: number;
  /** Hits allowed in a window. */
  max: number;
}

/** Longer than a healthy Redis ever takes, shorter than a person is willing to wait. */
const ANSWER_TIMEOUT_MS = 1_000;

/**
 * @param redis should fail fast (`enableOfflineQueue: false`).
 * @param keyPrefix in front of every key; identifies the deployment when several share a Redis.
 */
export function createRateLimiter(redis: Redis, keyPrefix: string, answerTimeoutMs = ANSWER_TIMEOUT_MS) {
  const limiters = new Map<string, RLWrapperTimeouts>();
  const limiterOf = ({ windowSeconds, max }: RateRule): RLWrapperTimeouts => {
    const name = `${max}/${windowSeconds}`;
    const known = limiters.get(name);
    if (known !== undefined) return known;
    const counted = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix,
      points: max,
      duration: windowSeconds,
      inMemoryBlockOnConsumed: max + 1,
      rejectIfRedisNotReady: true,
    });
    const made = new RLWrapperTimeouts({ limiter: counted, timeoutMs: answerTimeoutMs });
    limiters.set(name, made);
    return made;
  };
  return {
    /** The seconds until another hit would be allowed, 0 for now. Counts nothing. Rejects like `hit`. */
    async wait(key: string, rule: RateRule): Promise<number> {
      const known = await limiterOf(rule)
        .get(key)
        .catch((cause: unknown) => {
          throw new Error('rate limits cannot be counted', { cause });
        });
      return known === null || known.consumedPoints < rule.max ? 0 : secondsOf(known);
    },
    /** Counts one hit: 0 while allowed, else the seconds until the window ends. Rejects while Redis does not answer. */
    async hit(key: string, rule: RateRule): Promise<number> {
      try {
        await limiterOf(rule).consume(key);
        return 0;
      } catch (outcome) {
        if (!(outcome instanceof RateLimiterRes))
          throw new Error('rate limits cannot be counted', { cause: outcome });
        return secondsOf(outcome);
      }
    },
  };
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

export type RateLimiter = ReturnType<typeof createRateLimiter>;
