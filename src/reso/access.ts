import type { Pool } from 'pg';
import { holderOf, type TokenHolder } from '../../persistence/reso/api-clients.ts';
import { hashOf } from '../auth/client-secrets.ts';
import { PublicError } from '../errors/errors.ts';
import type { HttpRequest } from '../http/message.ts';
import type { RequestHeaders } from '../http/request-headers.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';

/** Who may read the feed (docs/feeds.md#clients). */
const MINUTE = 60;
/** Tokens and secrets of ours have 43 characters; longer texts are not hashed. */
const MOST_CHARACTERS = 200;

function bearer(headers: RequestHeaders): string | null {
  const [, token] = /^bearer +([\w.~+/=-]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  return token === undefined || token.length > MOST_CHARACTERS ? null : token;
}

export function createFeedAccess({ pool, limiter }: { pool: Pool; limiter: Pick<RateLimiter, 'hit'> }) {
  return {
    /**
     * The client of the request, which counts against its rate. Both rows are read on the primary, so a revoked client is
     * refused from the commit on.
     * @throws PublicError UNAUTHORIZED, FORBIDDEN, RATE_LIMITED, or SERVICE_UNAVAILABLE while nothing can be counted
     */
    async admit({ headers }: Pick<HttpRequest, 'headers'>): Promise<TokenHolder> {
      const token = bearer(headers);
      const holder = token === null ? null : await holderOf(pool, hashOf(token));
      if (holder === null)
        throw new PublicError('UNAUTHORIZED', { message: 'Send a valid token: Authorization: Bearer …' });
      if (!holder.scopes.includes('reso.read'))
        throw new PublicError('FORBIDDEN', { message: 'This client may not read the feed.' });
      const wait = await limiter
        .hit(`client ${holder.clientId}`, { windowSeconds: MINUTE, max: holder.perMinute })
        .catch((cause: unknown) => {
          throw new PublicError('SERVICE_UNAVAILABLE', { cause });
        });
      if (wait > 0)
        throw new PublicError('RATE_LIMITED', {
          message: `This client may send ${holder.perMinute} requests a minute.`,
          retryAfterSeconds: wait,
        });
      return holder;
    },
  };
}

export type FeedAccess = ReturnType<typeof createFeedAccess>;
