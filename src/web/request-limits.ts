/**
 * Limits of requests per minute for one client address and one session (`REQUEST_LIMIT_PER_MINUTE_IP`, `…_SESSION`;
 * 0 means no limit), counted over all web processes of a deployment. They prevent one client from using the whole
 * host; they protect no secret. While Redis does not answer, each process counts alone, and Redis is not called for a
 * moment. (Sign-in has separate limits, which reject in that case.)
 */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { SessionCookies } from '../auth/session-cookie.ts';
import { PublicError } from '../errors/errors.ts';
import type { HttpRequest } from '../http/message.ts';
import { coarseNetworkOf, networkOf } from '../limits/client-network.ts';
import { createRateLimitLog } from '../limits/rate-limit-log.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../telemetry/logger.ts';

interface RequestLimitsOptions {
  redis: Redis;
  /** `QUEUE_SUFFIX`: equal in all processes of a deployment. */
  deployment: string;
  /** Requests per minute; 0 means no limit. */
  perAddress: number;
  perSession: number;
  sessionCookies: Pick<SessionCookies, 'signed'>;
  logger: Logger;
  /** Milliseconds on a clock that never goes back. */
  monotonicMs?: () => number;
}

const WINDOW_SECONDS = 60;
/** A request must not wait long for its counter; a healthy Redis answers in a few milliseconds. */
const ANSWER_TIMEOUT_MS = 500;
/** After a counter failed, Redis is not called for this long. */
const PAUSE_MS = 1_000;
/** Clients that one process counts by itself, about 100 bytes each. Those seen least recently start again. */
const MOST_COUNTED = 20_000;

/** Null when both limits are off: then requests are not checked and Redis is never called. */
export function createRequestLimits({
  redis,
  deployment,
  perAddress,
  perSession,
  sessionCookies,
  logger,
  monotonicMs = () => performance.now(),
}: RequestLimitsOptions) {
  if (perAddress === 0 && perSession === 0) return null;
  const limiter = createRateLimiter(redis, `request-limit${deployment}`, ANSWER_TIMEOUT_MS);
  const refusals = createRateLimitLog(logger, monotonicMs);
  let pausedUntil = 0;
  let isAway = false;
  const own = new LRUCache<string, number>({
    max: MOST_COUNTED,
    ttl: WINDOW_SECONDS * 1_000,
    ttlResolution: 0,
    noUpdateTTL: true,
    perf: { now: monotonicMs },
  });
  /** Counted in this process alone. */
  const hitAlone = (key: string, max: number): number => {
    const count = (own.get(key) ?? 0) + 1;
    own.set(key, count);
    return count <= max ? 0 : Math.max(1, Math.ceil(own.getRemainingTTL(key) / 1_000));
  };
  /** The seconds to wait. Never fails. */
  const hit = async (key: string, max: number): Promise<number> => {
    if (monotonicMs() < pausedUntil) return hitAlone(key, max);
    try {
      const wait = await limiter.hit(key, { windowSeconds: WINDOW_SECONDS, max });
      isAway = false;
      return wait;
    } catch (error) {
      pausedUntil = monotonicMs() + PAUSE_MS;
      if (!isAway)
        logger.warn({ err: error }, 'each process counts requests alone while the key-value store is away');
      isAway = true;
      return hitAlone(key, max);
    }
  };
  return {
    /** Counts the request. Rejects with `RATE_LIMITED` and the time until the window ends. */
    async admit({ headers, remoteAddress }: Pick<HttpRequest, 'headers' | 'remoteAddress'>): Promise<void> {
      // Counted by the session's token: a cookie can be spelled in many ways, and other cookies can precede it.
      const sessions = perSession === 0 ? [] : sessionCookies.signed(headers.get('cookie'));
      // All scripts are sent in one write, so the request waits for Redis once.
      const waits = await Promise.all([
        perAddress === 0 ? 0 : hit(`ip:${networkOf(remoteAddress)}`, perAddress),
        ...sessions.map(({ token }) => hit(`session:${digest(token)}`, perSession)),
      ]);
      const retryAfterSeconds = Math.max(...waits);
      if (retryAfterSeconds === 0) return;
      refusals.note('requests', { userId: null, network: coarseNetworkOf(remoteAddress) });
      throw new PublicError('RATE_LIMITED', { retryAfterSeconds });
    },
  };
}

export type RequestLimits = NonNullable<ReturnType<typeof createRequestLimits>>;

/** Keyed by hash, so that reading Redis does not reveal a session. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
