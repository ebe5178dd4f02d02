import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { Locale } from '../../i18n/translator.ts';
import { storeAccountCode, tryAccountCode } from '../../persistence/accounts/account-codes.ts';
import type { AccountCodePurpose } from '../../persistence/entities/values.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { PublicError } from '../errors/errors.ts';
import { type Caller, createCallerLimits } from '../limits/caller-limits.ts';
import { coarseNetworkOf } from '../limits/client-network.ts';
import { MailUnavailable } from '../mail/mailer.ts';
import type { OtpMail } from '../mail/otp-mail.ts';
import { logSecurityEvent } from '../security-events.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createOtpHasher, randomOtp } from './otp-hash.ts';

/**
 * Mailed codes that confirm a deletion, an export of personal data, or the session itself for a few minutes
 * (`src/api/verified-session.ts`): a session alone is not enough for these. A code
 * belongs to one person and one purpose, works for five minutes, and is deleted after three wrong tries. A crash
 * between storing and mailing leaves a code that was never sent; the person requests another.
 */
export type AccountCodes = ReturnType<typeof createAccountCodes>;

export interface Addressee extends Caller {
  email: string;
  locale: Locale;
}

const LIFETIME_MS = 5 * 60_000;
/** The same limits as for sign-in: mails to one person, mails from one client, and tries. */
const SENDS_PER_PERSON = { windowSeconds: 600, max: 5 };
const SENDS_PER_NETWORK = { windowSeconds: 60, max: 5 };
const TRIES = { windowSeconds: 60, max: 10 };

export function createAccountCodes(options: {
  pool: Pool;
  redis: Redis;
  deployment: string;
  authSecret: string;
  sendMail(mail: OtpMail): Promise<void>;
  clock: Clock;
  logger: Logger;
}) {
  const { pool, redis, deployment, clock, logger, sendMail } = options;
  const limits = { redis, deployment, logger };
  const sends = createCallerLimits({
    ...limits,
    name: 'account-mail',
    perPerson: SENDS_PER_PERSON,
    perNetwork: SENDS_PER_NETWORK,
  });
  const tries = createCallerLimits({ ...limits, name: 'account-code', perPerson: TRIES, perNetwork: TRIES });
  const hashed = createOtpHasher(options.authSecret);
  const hashOf = (userId: string, purpose: AccountCodePurpose, code: string): string =>
    hashed(`${purpose}:${userId}:${code}`);
  return {
    /** Mails a new code, which replaces the previous one. Rejects with RATE_LIMITED or SERVICE_UNAVAILABLE. */
    async mail({ userId, ip, email, locale }: Addressee, purpose: AccountCodePurpose): Promise<void> {
      await sends.admit({ userId, ip });
      const code = randomOtp();
      const codeHash = hashOf(userId, purpose, code);
      await storeAccountCode(pool, { userId, purpose, codeHash, expiresAt: clock.now() + LIFETIME_MS });
      const mail = { to: email, code, locale, purpose, expiresInMinutes: LIFETIME_MS / 60_000 };
      await sendMail(mail).catch((cause: unknown) => {
        throw cause instanceof MailUnavailable ? new PublicError('SERVICE_UNAVAILABLE', { cause }) : cause;
      });
    },
    /** The stored hash of a correct code; rejects with CODE_INVALID. The code stays usable until it is consumed. */
    async check(
      { userId, ip }: Caller,
      { purpose, code }: { purpose: AccountCodePurpose; code: string },
    ): Promise<string> {
      await tries.admit({ userId, ip });
      const codeHash = hashOf(userId, purpose, code);
      if (!(await tryAccountCode(pool, { userId, purpose, codeHash, at: clock.now() }))) {
        const refused = { purpose, reason: 'wrong', userId, network: coarseNetworkOf(ip) };
        logSecurityEvent(logger, 'CODE_REFUSED', refused);
        throw new PublicError('CODE_INVALID');
      }
      return codeHash;
    },
  };
}
