/**
 * Fixed-window counters in Redis, shared by all web processes. Each key lives for one window and is never extended,
 * so a flood cannot lock its victim out for longer than the window. Redis may lose them: the limits start anew.
 * While Redis does not answer, `hit` rejects and callers refuse with 503: these limits are what stands between a
 * six-digit code and guessing, and a count kept in one process would be multiplied by the number of processes.
 */
import type { Redis } from 'ioredis';

export interface RateRule {
  windowSeconds: number;
  /** Hits allowed in a window. */
  max: number;
}

export interface RateDecision {
  allowed: boolean;
  /** Until the window ends; null while allowed. */
  retryAfterSeconds: number | null;
}

export interface RateLimiter {
  /** Counts one hit. Rejects with RateLimiterUnavailable. */
  hit(key: string, rule: RateRule): Promise<RateDecision>;
}

/** Redis did not answer in time: try again later. */
export class RateLimiterUnavailable extends Error {
  readonly code = 'RATE_LIMIT_UNAVAILABLE';

  constructor(cause: unknown) {
    super('rate limits cannot be counted', { cause });
    this.name = 'RateLimiterUnavailable';
  }
}

/** Longer than Redis ever takes when it is well, shorter than a person waits. */
const ANSWER_TIMEOUT_MS = 1_000;
const KEY_PREFIX = 'auth-limit:';

// One script, so that no crash between the two commands leaves a counter that never expires.
const COUNT = `
local hits = redis.call('INCR', KEYS[1])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ttl = tonumber(ARGV[1])
end
return {hits, ttl}`;

async function answerOf(reply: Promise<unknown>): Promise<[hits: number, ttlMs: number]> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error('no answer from Redis')), ANSWER_TIMEOUT_MS);
  try {
    const [hits, ttlMs] = (await Promise.race([reply, deadline.promise])) as [unknown, unknown];
    return [Number(hits), Number(ttlMs)];
  } catch (error) {
    throw new RateLimiterUnavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

export function createRateLimiter(redis: Pick<Redis, 'eval'>): RateLimiter {
  return {
    hit: async (key, { windowSeconds, max }) => {
      const reply = redis.eval(COUNT, 1, KEY_PREFIX + key, windowSeconds * 1000);
      const [hits, ttlMs] = await answerOf(reply);
      if (hits <= max) return { allowed: true, retryAfterSeconds: null };
      return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(ttlMs / 1000)) };
    },
  };
}
