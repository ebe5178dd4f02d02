import { createHash } from 'node:crypto';
import { APIError } from 'better-auth/api';
import { coarseNetworkOf } from '../limits/client-network.ts';
import { createRateLimitLog } from '../limits/rate-limit-log.ts';
import type { RateLimiter, RateRule } from '../limits/rate-limiter.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestNotes } from './request-notes.ts';

export const SIGN_IN_RULES = {
  /** One client network, for all addresses. Offices share a network, so a few people may sign in within a minute. */
  sendsPerNetwork: { windowSeconds: 60, max: 5 },
  /** One client network together with one address. */
  sendsToAddress: { windowSeconds: 1_800, max: 5 },
  /** One address, from all devices that are not known for it: limits mails and guesses. */
  sendsFromUnknown: { windowSeconds: 3_600, max: 30 },
  /** A device that is known for the address: other clients cannot use this limit up. */
  sendsFromKnown: { windowSeconds: 600, max: 5 },
  /** Tries without the cookie that the code belongs to. */
  triesPerNetwork: { windowSeconds: 60, max: 10 },
  /** Sign-in with an identity provider. */
  socialPerNetwork: { windowSeconds: 60, max: 10 },
} as const satisfies Record<string, RateRule>;

export type SignInLimits = ReturnType<typeof createSignInLimits>;

/**
 * How often codes are sent and tried, counted in Redis. While Redis does not answer, sign-in is rejected with 503:
 * these limits protect a six-digit code from guessing, and a count kept per process would multiply by the number of
 * processes.
 */
export function createSignInLimits(limiter: RateLimiter, notes: RequestNotes, logger: Logger) {
  const refusals = createRateLimitLog(logger);
  const admitFrom = async (network: string, key: string, rule: RateRule): Promise<void> => {
    const wait = await notes.during('RATE_LIMIT_UNAVAILABLE', () => limiter.hit(key, rule));
    if (wait === 0) return;
    refusals.note(`sign-in.${key.split(':', 1)[0]}`, { userId: null, network: coarseNetworkOf(network) });
    const headers = { 'x-retry-after': String(wait) };
    throw new APIError('TOO_MANY_REQUESTS', { message: 'Too many requests.' }, headers);
  };
  return {
    /** Counts a requested code. Rejects with 429; the counters after the one that rejects are not increased. */
    async admitSend({
      email,
      network,
      knownDevice,
    }: {
      email: string;
      network: string;
      knownDevice: string | null;
    }): Promise<void> {
      const address = digest(email);
      const admit = (key: string, rule: RateRule) => admitFrom(network, key, rule);
      if (knownDevice !== null)
        return admit(`send-known:${knownDevice}:${address}`, SIGN_IN_RULES.sendsFromKnown);
      // In sequence: a send that the network's limit rejects must not use up the limit that all networks share.
      await admit(`send-from:${network}`, SIGN_IN_RULES.sendsPerNetwork);
      await admit(`send-to:${address}:${network}`, SIGN_IN_RULES.sendsToAddress);
      await admit(`send:${address}`, SIGN_IN_RULES.sendsFromUnknown);
    },
    /** Counts a try without the code's own cookie. */
    admitTry: (network: string): Promise<void> =>
      admitFrom(network, `try:${network}`, SIGN_IN_RULES.triesPerNetwork),
  };
}

/** Keyed by hash so that Redis holds no addresses. */
function digest(address: string): string {
  return createHash('sha256').update(address).digest('base64url');
}

/** better-auth's own limits, for routes that are not counted above and must work without Redis. */
export function libraryLimits(limiter: RateLimiter, notes: RequestNotes, logger: Logger) {
  const refusals = createRateLimitLog(logger);
  const { socialPerNetwork: social } = SIGN_IN_RULES;
  const consume = async (key: string, { window, max }: { window: number; max: number }) => {
    const wait = await limiter.hit(`ip:${key}`, { windowSeconds: window, max });
    if (wait > 0)
      refusals.note('sign-in.social', { userId: null, network: coarseNetworkOf(key.split('|', 1)[0] ?? '') });
    return { allowed: wait === 0, retryAfter: wait === 0 ? null : wait };
  };
  return {
    enabled: true,
    customRules: {
      '/sign-in/social': { window: social.windowSeconds, max: social.max },
      '/sign-in/email-otp': false,
      '/email-otp/*': false,
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
