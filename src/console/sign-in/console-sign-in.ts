/**
 * Access control of the operators' pages (docs/contract.md#operations-server). It owns the keys of its sessions and
 * the rows of signed-out ones. Always true: a caller with neither a session nor the credentials cannot detect the
 * console. Every rejection equals the ops server's answer for a path that does not exist, without a
 * WWW-Authenticate header. While the database is unavailable, sessions are rejected, since they may have been
 * ended.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { signedOutOfConsole, signOutOfConsole } from '../../../persistence/console/sign-outs.ts';
import { clientAddress } from '../../http/client-address.ts';
import type { ConsoleContext } from '../context.ts';
import { type Credentials, createSignedTokens, DEVICE, SESSION, type TokenContent } from './signed-token.ts';
import { createTryLimits } from './try-limits.ts';

export const SESSION_COOKIE = 'operator';
export const DEVICE_COOKIE = 'operator-device';
const BASIC = /^basic ([A-Za-z0-9+/=]{1,1024})$/i;
const NO_ADDRESS = 'unknown';

export type ConsoleSignIn = ReturnType<typeof createConsoleSignIn>;

export function createConsoleSignIn(context: ConsoleContext, credentials: Credentials) {
  const { config, logger, clock } = context;
  const { pool } = context.database;
  const sessions = createSignedTokens(SESSION, { credentials, clock });
  const devices = createSignedTokens(DEVICE, { credentials, clock });
  const limits = createTryLimits(context);

  const addressOf = (request: IncomingMessage): string =>
    clientAddress({
      socket: request.socket.remoteAddress ?? NO_ADDRESS,
      forwardedFor: [request.headers['x-forwarded-for'] ?? []].flat().join(', ') || undefined,
      trustedProxyHops: config.trustedProxyHops,
    });
  const sessionsOf = (request: IncomingMessage): TokenContent[] =>
    cookiesOf(request, SESSION_COOKIE).flatMap((token) => sessions.read(token) ?? []);

  async function mayEnter(request: IncomingMessage, given: Credentials): Promise<boolean> {
    const address = addressOf(request);
    const [device] = cookiesOf(request, DEVICE_COOKIE).flatMap((token) => devices.read(token) ?? []);
    const attempt = await limits.take({ address, device: device?.id ?? null });
    // Compared in every case, so that a blocked try takes as long as any other.
    const right = isRight(given, credentials);
    if (attempt.verdict === 'allowed' && right) {
      await attempt.giveBack();
      return true;
    }
    if (attempt.verdict === 'allowed') logger.warn({ address }, 'console: a try to sign in was refused');
    if (attempt.verdict === 'first-over') logger.error({ address }, 'console: too many tries to sign in');
    return false;
  }

  async function hasSession(request: IncomingMessage): Promise<boolean> {
    const open = sessionsOf(request).map(({ id }) => id);
    if (open.length === 0) return false;
    try {
      const ended = await signedOutOfConsole(pool, open);
      return open.some((id) => !ended.has(id));
    } catch (error) {
      logger.warn({ err: error }, 'console: sessions cannot be looked at');
      return false;
    }
  }

  return {
    /**
     * The name of the operator who sent this request, by session or by `Authorization: Basic`; null for any other
     * caller.
     */
    async admit(request: IncomingMessage): Promise<string | null> {
      if (await hasSession(request)) return credentials.user;
      const given = basicCredentials(request.headers.authorization);
      return given !== null && (await mayEnter(request, given)) ? credentials.user : null;
    },
    /** New tokens for the browser, for the right credentials; null for wrong ones and after too many tries. */
    async signIn(request: IncomingMessage, given: Credentials) {
      if (!(await mayEnter(request, given))) return null;
      logger.info({ address: addressOf(request), operator: credentials.user }, 'console: signed in');
      return { session: sessions.issue(), device: devices.issue() };
    },
    /** Ends the sessions of this request, for every worker. */
    async signOut(request: IncomingMessage): Promise<void> {
      for (const session of sessionsOf(request)) await signOutOfConsole(pool, session);
    },
  };
}

/** Both parts are always compared, over digests of equal length. */
function isRight(given: Credentials, own: Credentials): boolean {
  const sameUser = timingSafeEqual(digest(given.user), digest(own.user));
  const samePassword = timingSafeEqual(digest(given.password), digest(own.password));
  return sameUser && samePassword;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Several cookies may have our name; a site on another port of this host may have set one. */
function cookiesOf({ headers }: IncomingMessage, name: string): string[] {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

function basicCredentials(header: string | undefined): Credentials | null {
  const encoded = BASIC.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
