/**
 * How many requests a minute one client address and one session may make (`REQUEST_LIMIT_PER_MINUTE_IP`, `…_SESSION`;
 * 0 is no limit), counted over all web processes of a deployment. They keep one client from taking the host away from
 * the others; they guard no secret. So while Redis does not answer, requests pass, and Redis is left alone for a
 * moment instead of being asked by each of them. (Sign-in has limits of its own, which refuse then.)
 */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { SessionCookies } from '../auth/session-cookie.ts';
import { PublicError } from '../errors/errors.ts';
import type { HttpRequest } from '../http/message.ts';
import { networkOf } from '../limits/client-network.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../telemetry/logger.ts';

interface RequestLimitsOptions {
  redis: Redis;
  /** `QUEUE_SUFFIX`: equal in all processes of a deployment. */
  deployment: string;
  /** Requests a minute; 0 is no limit. */
  perAddress: number;
  perSession: number;
  sessionCookies: Pick<SessionCookies, 'signed'>;
  logger: Logger;
  /** Milliseconds on a clock that never goes back. */
  monotonicMs?: () => number;
}

const WINDOW_SECONDS = 60;
/** A request must not wait for its counter for long; a Redis that is well answers in a few milliseconds. */
const ANSWER_TIMEOUT_MS = 500;
/** After a counter failed, nothing is counted for this long. */
const PAUSE_MS = 1_000;

/** Null when both limits are off: then no request is looked at and Redis is never asked. */
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
  let pausedUntil = 0;
  let isAway = false;
  /** The seconds to wait. Never fails: a hit that could not be counted is allowed. */
  const hit = async (key: string, max: number): Promise<number> => {
    if (monotonicMs() < pausedUntil) return 0;
    try {
      const wait = await limiter.hit(key, { windowSeconds: WINDOW_SECONDS, max });
      isAway = false;
      return wait;
    } catch (error) {
      pausedUntil = monotonicMs() + PAUSE_MS;
      if (!isAway) logger.warn({ err: error }, 'requests are not counted while the key-value store is away');
      isAway = true;
      return 0;
    }
  };
  return {
    /** Counts the request. Rejects with `RATE_LIMITED` and the time until the window ends. */
    async admit({ headers, remoteAddress }: Pick<HttpRequest, 'headers' | 'remoteAddress'>): Promise<void> {
      // By its token: a cookie can be spelled in many ways, and others can stand in front of it.
      const sessions = perSession === 0 ? [] : sessionCookies.signed(headers.get('cookie'));
      // All scripts leave in one write, so the request waits for Redis once.
      const waits = await Promise.all([
        perAddress === 0 ? 0 : hit(`ip:${networkOf(remoteAddress)}`, perAddress),
        ...sessions.map(({ token }) => hit(`session:${digest(token)}`, perSession)),
      ]);
      const retryAfterSeconds = Math.max(...waits);
      if (retryAfterSeconds > 0) throw new PublicError('RATE_LIMITED', { retryAfterSeconds });
    },
  };
}

export type RequestLimits = NonNullable<ReturnType<typeof createRequestLimits>>;

/** Keyed by hash, so that reading Redis does not reveal a session. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
