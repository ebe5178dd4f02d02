import { randomUUID } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { emailOTP } from 'better-auth/plugins/email-otp';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { isLocale, type Locale, preferredLocale } from '../../i18n/translator.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import type { OtpMail } from '../mail/otp-mail.ts';
import type { Logger } from '../telemetry/logger.ts';
import { AUTH_BASE_PATH, CLIENT_IP_HEADER } from './auth-request.ts';
import { libraryLogger, logApiError } from './library-log.ts';
import { notedPool } from './noted-pool.ts';
import { createOtpHasher } from './otp-hash.ts';
import type { RequestNotes } from './request-notes.ts';
import { ROW_RULES } from './row-rules.ts';
import type { SessionCookies } from './session-cookie.ts';
import { PROFILE_FIELDS, SESSION_FIELDS } from './session-user.ts';
import { limitPerAddress, limitsPerClient } from './sign-in-limits.ts';
import { type SocialOptions, socialProviders } from './social-providers.ts';

export interface AuthOptions {
  config: {
    authSecret: string;
    publicBaseUrl: string;
    webOrigins: readonly string[];
    googleClientId: string | null;
    appleClientId: string | null;
  };
  /** The tables must exist: migrations make them, `/readyz` checks them. */
  pool: Pool;
  /** Should fail fast (`enableOfflineQueue: false`). */
  redis: Redis;
  /** `QUEUE_SUFFIX`: equal in all processes of a deployment. */
  deployment?: string;
  sendOtpMail: (mail: OtpMail) => Promise<void>;
  logger: Logger;
  clock: Clock;
  /** Where an identity provider's keys are, if not at its own address. */
  identityKeys?: SocialOptions['identityKeys'];
}

const OTP_LIFETIME_SECONDS = 300;
const OTP_TRIES = 3;
/** Longer than Redis ever takes when it is well, shorter than a person waits. */
const LIMIT_ANSWER_MS = 1_000;
/** A session ends a week after its last renewal; use renews it once it is older than a day. */
const SESSION_SECONDS = 7 * 86_400;
const SESSION_REFRESH_SECONDS = 86_400;

async function localeOf(pool: Pool, address: string, headers: Headers | undefined): Promise<Locale> {
  const { rows } = await pool.query<{ locale: string }>({
    text: 'select locale from "user" where email = $1',
    values: [address],
  });
  const stored = rows[0]?.locale;
  return isLocale(stored) ? stored : preferredLocale(headers?.get('accept-language'));
}

function mailedCodes({ config, pool, sendOtpMail }: AuthOptions, notes: RequestNotes) {
  const send = async (to: string, code: string, headers: Headers | undefined): Promise<void> => {
    const locale = await localeOf(pool, to, headers);
    await sendOtpMail({ to, code, locale, purpose: 'sign-in', expiresInMinutes: OTP_LIFETIME_SECONDS / 60 });
  };
  return emailOTP({
    otpLength: 6,
    expiresIn: OTP_LIFETIME_SECONDS,
    allowedAttempts: OTP_TRIES,
    storeOTP: { hash: createOtpHasher(config.authSecret) },
    // Awaited: known and unknown addresses alike are sent a mail, so the wait tells nothing about them.
    sendVerificationOTP: ({ email, otp }, context) =>
      notes.during('MAIL_UNAVAILABLE', () => send(email, otp, context?.headers)),
  });
}

/** better-auth as this platform uses it (protocol-facts section 4). */
export function buildLibrary(
  options: AuthOptions,
  { notes, cookies }: { notes: RequestNotes; cookies: Pick<SessionCookies, 'name'> },
) {
  const { config, logger } = options;
  const limiter = createRateLimiter(options.redis, {
    keyPrefix: `auth-limit${options.deployment ?? ''}`,
    answerTimeoutMs: LIMIT_ANSWER_MS,
  });
  return betterAuth({
    secret: config.authSecret,
    baseURL: config.publicBaseUrl,
    basePath: AUTH_BASE_PATH,
    trustedOrigins: [...config.webOrigins],
    database: notedPool(options.pool, notes),
    telemetry: { enabled: false },
    logger: libraryLogger(logger),
    onAPIError: { onError: (error) => logApiError(logger, error) },
    user: { additionalFields: PROFILE_FIELDS },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: SESSION_REFRESH_SECONDS,
      additionalFields: SESSION_FIELDS,
    },
    account: { updateAccountOnSignIn: false },
    socialProviders: socialProviders(
      { ...options, clientIds: { google: config.googleClientId, apple: config.appleClientId } },
      notes,
    ),
    advanced: {
      database: { generateId: () => randomUUID(), validateSchema: false },
      ipAddress: { ipAddressHeaders: [CLIENT_IP_HEADER] },
      // Spelled out because the library turns these checks off by itself when NODE_ENV is test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // The library's own prefix is `__Secure-`, which any host of the site can set.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: config.publicBaseUrl.startsWith('https:') },
      cookies: { session_token: { name: cookies.name } },
    },
    rateLimit: limitsPerClient(limiter, notes),
    hooks: { before: limitPerAddress(limiter, notes) },
    databaseHooks: ROW_RULES,
    plugins: [mailedCodes(options, notes)],
  });
}
