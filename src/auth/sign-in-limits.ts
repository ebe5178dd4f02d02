import { createHash } from 'node:crypto';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { RateLimiter, RateRule } from '../limits/rate-limiter.ts';
import type { RequestNotes } from './request-notes.ts';

const SEND_PATH = '/email-otp/send-verification-otp';

/** Per address, whoever asks: bounds the mail to one person and, with three tries a code, the guesses to fifteen. */
const SENDS_PER_ADDRESS: RateRule = { windowSeconds: 600, max: 5 };
/** Per client address; offices share one, so a few people may sign in within the same minute. */
const SENDS_PER_IP = { window: 60, max: 5 };
const SIGN_INS_PER_IP = { window: 60, max: 10 };

const isRefusal = (error: unknown): boolean => error instanceof APIError;

/**
 * better-auth's rate limits per client address, counted in Redis. While that does not answer they refuse with 503:
 * they are what stands between a six-digit code and guessing, and a count kept in one process would be multiplied by
 * the number of processes.
 */
export function limitsPerClient(limiter: RateLimiter, notes: RequestNotes) {
  const consume = async (key: string, { window, max }: { window: number; max: number }) => {
    const decision = await limiter.hit(`ip:${key}`, { windowSeconds: window, max });
    return { allowed: decision.allowed, retryAfter: decision.retryAfterSeconds };
  };
  return {
    enabled: true,
    customRules: {
      [SEND_PATH]: SENDS_PER_IP,
      '/sign-in/*': SIGN_INS_PER_IP,
      // Neither can be used to guess anything, and both must work while Redis does not.
      '/get-session': false,
      '/sign-out': false,
    } as const,
    customStorage: {
      consume: (key: string, rule: { window: number; max: number }) =>
        notes.during('RATE_LIMIT_UNAVAILABLE', () => consume(key, rule)),
      get: async () => undefined,
      set: async () => {},
    },
  };
}

/** Keyed by hash so that Redis holds no addresses. */
async function countSend(limiter: RateLimiter, address: string): Promise<void> {
  const digest = createHash('sha256').update(address.trim().toLowerCase()).digest('base64url');
  const decision = await limiter.hit(`send:${digest}`, SENDS_PER_ADDRESS);
  if (decision.allowed) return;
  const wait = String(decision.retryAfterSeconds);
  throw new APIError('TOO_MANY_REQUESTS', { message: 'Too many requests.' }, { 'x-retry-after': wait });
}

/** Runs after the limit per client and before the code is made, so a refused send leaves the last code usable. */
export function limitPerAddress(limiter: RateLimiter, notes: RequestNotes) {
  return createAuthMiddleware(async (context) => {
    if (context.path !== SEND_PATH) return;
    const count = (): Promise<void> => countSend(limiter, String(context.body?.email));
    await notes.during('RATE_LIMIT_UNAVAILABLE', count, isRefusal);
  });
}
