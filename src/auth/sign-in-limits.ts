import { createHash } from 'node:crypto';
import { APIError } from 'better-auth/api';
import { blocksOf, coarseNetworkOf } from '../limits/client-network.ts';
import { createRateLimitLog } from '../limits/rate-limit-log.ts';
import type { RateLimiter, RateRule } from '../limits/rate-limiter.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestNotes } from './request-notes.ts';

const HOUR = 3_600;

export const SIGN_IN_RULES = {
  /** One client network, for all addresses. Offices share a network, so a few people may sign in within a minute. */
  sendsPerNetwork: { windowSeconds: 60, max: 5 },
  /** One address, from all devices that are not known for it: limits mails and guesses. */
  sendsToAddress: { windowSeconds: HOUR, max: 5 },
  /** Beyond these, one code for a wide block of networks that has had none in this hour. */
  sendsToAddressBeyond: { windowSeconds: 300, max: 1 },
  sendsFromDevice: { windowSeconds: HOUR, max: 10 },
  /** A /24 or /64, and a /16 or /48. Half of each is kept for known devices, here and below. */
  sendsPerNear: { windowSeconds: HOUR, max: 60 },
  sendsPerWide: { windowSeconds: HOUR, max: 600 },
  /** Tries without the cookie that the code belongs to. */
  triesPerNetwork: { windowSeconds: 60, max: 10 },
  /** Sign-in with an identity provider. */
  socialPerNetwork: { windowSeconds: 60, max: 10 },
} as const satisfies Record<string, RateRule>;

/** A wide block counts as served by the first code of an hour. */
const SERVED = { windowSeconds: HOUR, max: 1 };

export interface CodeRequest {
  email: string;
  network: string;
  /** The digest of the client's device; null without one. */
  device: string | null;
  /** Whether a person signed in on this device with this address. */
  isKnown: boolean;
  hasAccount: boolean;
}

export type SignInLimits = ReturnType<typeof createSignInLimits>;

/**
 * How often codes are sent and tried, counted in Redis. While Redis does not answer, sign-in is rejected with 503:
 * these limits protect a six-digit code from guessing, and a count kept per process would multiply by the number of
 * processes.
 * @param codesPerHour codes of the whole installation; 0 means no limit
 */
export function createSignInLimits(
  limiter: RateLimiter,
  notes: RequestNotes,
  { codesPerHour, logger }: { codesPerHour: number; logger: Logger },
) {
  const refusals = createRateLimitLog(logger);
  const counted = <T>(part: () => Promise<T>): Promise<T> => notes.during('RATE_LIMIT_UNAVAILABLE', part);
  const hit = (key: string, rule: RateRule) => counted(() => limiter.hit(key, rule));
  const refuse = (wait: number, { key, network }: { key: string; network: string }): void => {
    if (wait === 0) return;
    refusals.note(`sign-in.${key.split(':', 1)[0]}`, { userId: null, network: coarseNetworkOf(network) });
    const headers = { 'x-retry-after': String(wait) };
    throw new APIError('TOO_MANY_REQUESTS', { message: 'Too many requests.' }, headers);
  };
  const admitFrom = async (network: string, key: string, rule: RateRule): Promise<void> =>
    refuse(await hit(key, rule), { key, network });
  /**
   * When others have used up the codes of an address, its owner on a new device gets one: the first of each five minutes
   * goes to a block that has had none in this hour.
   */
  const admitToAddress = async (address: string, network: string): Promise<void> => {
    const served = `send-served:${address}:${blocksOf(network).wide}`;
    const key = `send:${address}`;
    const wait = await hit(key, SIGN_IN_RULES.sendsToAddress);
    if (wait > 0) {
      if ((await counted(() => limiter.wait(served, SERVED))) > 0) refuse(wait, { key, network });
      await admitFrom(network, `send-beyond:${address}`, SIGN_IN_RULES.sendsToAddressBeyond);
    }
    await hit(served, SERVED);
  };
  return {
    /**
     * Counts a requested code. Rejects with 429; the counters after the one that rejects are not increased. `held` when
     * only the half is left that is kept for known devices and accounts: no mail is sent, and the answer is the usual
     * one, because another would reveal whether the address has an account.
     */
    async admitSend({ email, network, device, isKnown, hasAccount }: CodeRequest): Promise<'sent' | 'held'> {
      const { near, wide } = blocksOf(network);
      const admit = (key: string, rule: RateRule) => admitFrom(network, key, rule);
      /** Strangers share a half, so that known devices have the other half in any case. */
      const admitShared = async (key: string, rule: RateRule): Promise<void> => {
        if (!isKnown) await admit(`${key}:strangers`, halfOf(rule));
        await admit(key, rule);
      };
      if (device !== null) await admit(`send-device:${device}`, SIGN_IN_RULES.sendsFromDevice);
      // In sequence: a send that a network's limit rejects must not use up a limit that all networks share.
      if (!isKnown) await admit(`send-from:${network}`, SIGN_IN_RULES.sendsPerNetwork);
      await admitShared(`send-near:${near}`, SIGN_IN_RULES.sendsPerNear);
      await admitShared(`send-wide:${wide}`, SIGN_IN_RULES.sendsPerWide);
      if (!isKnown) await admitToAddress(digest(email), network);
      if (codesPerHour === 0) return 'sent';
      const all = { windowSeconds: HOUR, max: codesPerHour };
      if (!isKnown && !hasAccount && (await hit('send-all:strangers', halfOf(all))) > 0) return 'held';
      await admit('send-all', all);
      return 'sent';
    },
    /** Counts a try without the code's own cookie. */
    admitTry: (network: string): Promise<void> =>
      admitFrom(network, `try:${network}`, SIGN_IN_RULES.triesPerNetwork),
  };
}

const halfOf = ({ windowSeconds, max }: RateRule): RateRule => ({ windowSeconds, max: Math.floor(max / 2) });

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
