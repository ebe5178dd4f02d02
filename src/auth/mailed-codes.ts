import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { parseUserOutput } from 'better-auth/db';
import type { Pool } from 'pg';
import { z } from 'zod';
import { isLocale, preferredLocale, type SiteLanguages, spoken } from '../../i18n/languages.ts';
import { isInvited } from '../../persistence/accounts/agent-invitations.ts';
import {
  type CodeOutcome,
  findSignInCode,
  networksAskingFor,
  redeemSignInCode,
  storeSignInCode,
} from '../../persistence/accounts/sign-in-codes.ts';
import { localeOfEmail } from '../../persistence/accounts/user-queries.ts';
import type { Clock } from '../../supervisors/ports.ts';
import type { WebConfig } from '../config/config.ts';
import { coarseNetworkOf, networkOf } from '../limits/client-network.ts';
import type { OtpMail } from '../mail/otp-mail.ts';
import { logSecurityEvent } from '../security-events.ts';
import type { Logger } from '../telemetry/logger.ts';
import { spelledAddress } from '../wire/mail-address.ts';
import { AUTH_CODES, type AuthCode } from './auth-codes.ts';
import { CLIENT_IP_HEADER } from './auth-request.ts';
import { type DeviceCookies, deviceDigest } from './device-cookie.ts';
import { notedQuery } from './noted-pool.ts';
import { createOtpHasher, randomOtp } from './otp-hash.ts';
import { otpSignInBody, sendBody } from './request-body.ts';
import type { RequestNotes } from './request-notes.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/**
 * Sign-in by mailed code, as endpoints of better-auth, which makes the people and their sessions. Its own plugin keeps
 * one code per address, which any client can replace by requesting another or use up by guessing. Here a code belongs
 * to the client that requested it (its device cookie); a client without cookies has the code that its network requested
 * last. Requests and guesses of other clients do not affect it. Known and unknown addresses are treated alike, so the
 * answers reveal nothing about them.
 */
const LIFETIME_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;

const REFUSED = {
  wrong: { status: 'BAD_REQUEST', code: 'INVALID_OTP' },
  expired: { status: 'BAD_REQUEST', code: 'OTP_EXPIRED' },
  'tried-too-often': { status: 'FORBIDDEN', code: 'TOO_MANY_ATTEMPTS' },
} as const satisfies Record<Exclude<CodeOutcome, 'right'>, unknown>;

interface CodeParts {
  authSecret: string;
  site: SiteLanguages;
  signUp: WebConfig['signUp'];
  pool: Pool;
  clock: Clock;
  sendOtpMail: (mail: OtpMail) => Promise<void>;
  notes: RequestNotes;
  limits: SignInLimits;
  devices: DeviceCookies;
  logger: Logger;
  /** Called when no mail was sent, because the rest of the hour's codes is kept for known devices and accounts. */
  onHeld: () => void;
}

/** The two routes: one mails a code, one signs in with it. */
export function mailedCodes(parts: CodeParts) {
  const { pool, site, clock, sendOtpMail, notes, limits, devices, logger, onHeld } = parts;
  const hashed = createOtpHasher(parts.authSecret);
  const hashOf = (email: string, otp: string): string => hashed(`sign-in:${email}:${otp}`);
  const clientOf = (headers: Headers | undefined, email: string) => ({
    network: networkOf(headers?.get(CLIENT_IP_HEADER) ?? ''),
    device: devices.of(headers?.get('cookie'), email),
  });

  const sendCode = createAuthEndpoint(
    '/email-otp/send-verification-otp',
    { method: 'POST', body: sendBody, use: [formCsrfMiddleware] },
    async (context) => {
      const email = addressOf(context.body.email);
      const { network, device } = clientOf(context.headers, email);
      const isKnown = device !== null && devices.isKnown(device, email);
      const account = await notedQuery(notes, () => localeOfEmail(pool, email));
      // Also for an account, so that both take the same time.
      const hasInvitation =
        parts.signUp === 'invited' &&
        (await notedQuery(notes, () => isInvited(pool, { email, at: clock.now() })));
      const outcome = await limits.admitSend({
        email,
        network,
        device: device && deviceDigest(device),
        isKnown,
        hasAccount: account !== null || hasInvitation,
      });
      const holding = device ?? devices.fresh();
      const [otp, at] = [randomOtp(), clock.now()];
      const others = await notedQuery(notes, () =>
        networksAskingFor(pool, { email, network, since: at - HOUR_MS }),
      );
      const code = { codeHash: hashOf(email, otp), at, expiresAt: at + LIFETIME_MS };
      await notedQuery(notes, () =>
        storeSignInCode(pool, { email, network, holder: deviceDigest(holding), ...code }),
      );
      if (!isKnown) {
        const { name, value, attributes } = devices.kept(holding);
        context.setCookie(name, value, attributes);
      }
      if (outcome === 'held') {
        onHeld();
        return context.json({ success: true });
      }
      const locale = isLocale(account)
        ? spoken(site, account)
        : preferredLocale(site, context.headers?.get('accept-language'));
      // Awaited for known and unknown addresses alike: the response time reveals nothing about an address.
      const networks = [...new Set(others.flatMap((one) => coarseNetworkOf(one) ?? []))];
      const mail = { to: email, code: otp, locale, expiresInMinutes: LIFETIME_MS / 60_000, networks };
      const send = () => sendOtpMail({ ...mail, purpose: 'sign-in' });
      // The answer comes before the mail: neither its time nor a failure reveals who is invited. The mailer logs failures.
      if (parts.signUp !== 'invited') await notes.during('MAIL_UNAVAILABLE', send);
      else if (account !== null || hasInvitation) setImmediate(() => void send().catch(() => {}));
      return context.json({ success: true });
    },
  );

  const redeem = async (headers: Headers | undefined, { email, otp }: { email: string; otp: string }) => {
    const { network, device } = clientOf(headers, email);
    const holder = device && deviceDigest(device);
    const at = clock.now();
    const found = await notedQuery(notes, () => findSignInCode(pool, { email, holder, network, at }));
    if (!found?.isOwn) await limits.admitTry(network);
    if (found === null) return 'wrong';
    const codeHash = hashOf(email, otp);
    return notedQuery(notes, () => redeemSignInCode(pool, found, { codeHash, at }));
  };

  const signIn = createAuthEndpoint(
    '/sign-in/email-otp',
    { method: 'POST', body: otpSignInBody },
    async (context) => {
      const email = spelledAddress(context.body.email);
      const outcome = await redeem(context.headers, { email, otp: context.body.otp });
      if (outcome !== 'right') {
        const network = coarseNetworkOf(context.headers?.get(CLIENT_IP_HEADER) ?? '');
        const refusal = { purpose: 'sign-in', reason: outcome, userId: null, network };
        logSecurityEvent(logger, 'CODE_REFUSED', refusal);
        throw refused(REFUSED[outcome]);
      }
      const people = context.context.internalAdapter;
      const known = (await people.findUserByEmail(email))?.user;
      if (known?.emailVerified === false) await proveOwner(people, known.id);
      const user =
        known ??
        (await people.createUser(
          { email, emailVerified: true, name: context.body.name ?? '' },
          { method: 'email-otp' },
        ));
      const session = await people.createSession(user.id);
      await setSessionCookie(context, { session, user });
      const shown = parseUserOutput(context.context.options, user);
      return context.json({ token: session.token, user: { ...shown, emailVerified: true } });
    },
  );
  return { id: 'mailed-codes', endpoints: { sendCode, signIn } } satisfies BetterAuthPlugin;
}

function addressOf(given: string): string {
  const email = spelledAddress(given);
  if (!z.email().safeParse(email).success) throw refused({ status: 'BAD_REQUEST', code: 'INVALID_EMAIL' });
  return email;
}

function refused({ status, code }: { status: 'BAD_REQUEST' | 'FORBIDDEN'; code: AuthCode }): APIError {
  return new APIError(status, { code, message: AUTH_CODES[code].message });
}

type People = AuthContext['internalAdapter'];

/**
 * The owner of the mailbox owns the account: sessions and sign-ins that other people created before are removed.
 * (The library's own function needs text ids.)
 */
async function proveOwner(people: People, userId: string): Promise<void> {
  await people.deleteAccounts(userId);
  await people.deleteUserSessions(userId);
  await people.updateUser(userId, { emailVerified: true });
}
