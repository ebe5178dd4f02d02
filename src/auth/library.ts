import { randomUUID } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { SiteLanguages } from '../../i18n/languages.ts';
import type { Clock } from '../../supervisors/ports.ts';
import type { WebConfig } from '../config/config.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { createRejectionLog } from '../limits/rejection-log.ts';
import type { OtpMail } from '../mail/otp-mail.ts';
import type { Logger } from '../telemetry/logger.ts';
import { afterSignIn } from './after-sign-in.ts';
import { AUTH_BASE_PATH, CLIENT_IP_HEADER } from './auth-request.ts';
import { createDeviceCookies } from './device-cookie.ts';
import { SESSION_MS } from './live-session.ts';
import { mailedCodes } from './mailed-codes.ts';
import { notedPool } from './noted-pool.ts';
import type { RequestNotes } from './request-notes.ts';
import { rowRules } from './row-rules.ts';
import type { SessionCookies } from './session-cookie.ts';
import { PROFILE_FIELDS, SESSION_FIELDS } from './session-user.ts';
import { createSignInLimits, libraryLimits } from './sign-in-limits.ts';
import { type SocialOptions, socialProviders } from './social-providers.ts';

/** better-auth's own lines, through our log and its scrub. The request reports a fault that happens in it. */
function libraryLogger({ logger, notes }: { logger: Logger; notes: RequestNotes }) {
  return {
    level: 'warn' as const,
    log: (level: 'debug' | 'info' | 'warn' | 'error', message: string, ...details: unknown[]) => {
      const err = details.find((detail) => detail instanceof Error);
      // The library logs bad requests as errors too; only a fault of ours carries an error object.
      if (level === 'error' && err !== undefined && notes.failed(err)) return;
      const shown = level === 'error' && err === undefined ? 'warn' : level;
      logger[shown]({ component: 'better-auth', ...(err ? { err } : {}) }, message);
    },
  };
}

/**
 * Without this, the library and its router print errors to the console themselves, without our scrub.
 * @throws APIError in place of any other failure, which is noted and becomes the request's
 */
function noteApiError(error: unknown, { logger, notes }: { logger: Logger; notes: RequestNotes }): void {
  if (error instanceof APIError && error.statusCode < 500) {
    const fields = { event: 'auth_refused', code: error.body?.code, status: error.statusCode };
    logger.debug(fields, 'sign-in refused');
    return;
  }
  notes.failed(error);
  if (!(error instanceof APIError)) throw new APIError('INTERNAL_SERVER_ERROR');
}

export interface AuthOptions {
  config: {
    codesPerHour: number;
    signUp: WebConfig['signUp'];
    authSecret: string;
    publicBaseUrl: string;
    site: SiteLanguages;
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
  /** Address of an identity provider's keys, when it is not the provider's own. */
  identityKeys?: SocialOptions['identityKeys'];
}

const HELD = 'the codes of this hour are nearly used up: addresses without an account get none';

/** better-auth with this platform's configuration (docs/provider.md#better-auth). */
export function buildLibrary(
  options: AuthOptions,
  { notes, cookies }: { notes: RequestNotes; cookies: Pick<SessionCookies, 'name'> },
) {
  const { config, logger } = options;
  const limiter = createRateLimiter(options.redis, `auth-limit${options.deployment ?? ''}`);
  const held = createRejectionLog(logger, () => options.clock.now(), HELD);
  const devices = createDeviceCookies(config, () => options.clock.now());
  return betterAuth({
    secret: config.authSecret,
    baseURL: config.publicBaseUrl,
    basePath: AUTH_BASE_PATH,
    trustedOrigins: [...config.webOrigins],
    database: notedPool(options.pool, notes),
    telemetry: { enabled: false },
    logger: libraryLogger({ logger, notes }),
    onAPIError: { onError: (error) => noteApiError(error, { logger, notes }) },
    user: { additionalFields: PROFILE_FIELDS },
    session: {
      expiresIn: SESSION_MS / 1_000,
      // `renewed` does that.
      disableSessionRefresh: true,
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
    rateLimit: libraryLimits(limiter, notes, logger),
    hooks: { after: afterSignIn({ ...options, notes, devices }) },
    databaseHooks: rowRules({ ...options, notes, signUp: config.signUp, site: config.site }),
    plugins: [
      mailedCodes({
        ...options,
        authSecret: config.authSecret,
        site: config.site,
        signUp: config.signUp,
        notes,
        devices,
        limits: createSignInLimits(limiter, notes, { codesPerHour: config.codesPerHour, logger }),
        onHeld: () => held.note('codes', { event: 'codes_held' }),
      }),
    ],
  });
}
