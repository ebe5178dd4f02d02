/**
 * Limits calls that can be misused to guess secrets or to annoy people: search for a person by address, mail a
 * code, try a code. Counted like sign-in, per client network and per account; rejected while Redis cannot count.
 */
import type { Redis } from 'ioredis';
import { PublicError } from '../errors/errors.ts';
import type { SecurityLog } from '../security-events.ts';
import { coarseNetworkOf, networkOf } from './client-network.ts';
import { createRateLimitLog } from './rate-limit-log.ts';
import { createRateLimiter, type RateRule } from './rate-limiter.ts';

export interface Caller {
  userId: string;
  ip: string;
}
/**
 * @param name distinguishes these counters from others.
 * @param deployment `QUEUE_SUFFIX`: equal in all processes of a deployment.
 */
export function createCallerLimits({
  redis,
  deployment,
  name,
  perNetwork,
  perPerson,
  logger,
}: {
  redis: Redis;
  deployment: string;
  name: string;
  perNetwork: RateRule;
  perPerson: RateRule;
  logger: SecurityLog;
}) {
  const refusals = createRateLimitLog(logger);
  const limiter = createRateLimiter(redis, `${name}-limit${deployment}`);
  return {
    /** Counts one call. Rejects with `RATE_LIMITED`, or with `SERVICE_UNAVAILABLE` when counting is not possible. */
    async admit({ userId, ip }: Caller): Promise<void> {
      const waits = await Promise.all([
        limiter.hit(`ip:${networkOf(ip)}`, perNetwork),
        limiter.hit(`user:${userId}`, perPerson),
      ]).catch((cause: unknown) => {
        throw new PublicError('SERVICE_UNAVAILABLE', { cause });
      });
      const retryAfterSeconds = Math.max(...waits);
      if (retryAfterSeconds === 0) return;
      refusals.note(name, { userId, network: coarseNetworkOf(ip) });
      throw new PublicError('RATE_LIMITED', { retryAfterSeconds });
    },
  };
}

export type CallerLimits = ReturnType<typeof createCallerLimits>;
