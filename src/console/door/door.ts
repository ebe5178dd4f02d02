/**
 * Who may see the operators' pages (decisions.md section 5). It owns no state but the keys of its sessions. Always true:
 * whoever has neither a session nor the credentials learns nothing, so every refusal, for whatever reason, is the ops
 * server's answer for a path that does not exist, and nothing asks for credentials (no WWW-Authenticate).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Redis } from 'ioredis';
import type { Clock } from '../../../supervisors/ports.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { type Credentials, createSessionTokens } from './session-token.ts';
import { createTryLimits, type TryRules } from './try-limits.ts';

export const SESSION_COOKIE = 'operator';
const BASIC = /^basic ([A-Za-z0-9+/=]{1,1024})$/i;
const NO_ADDRESS = 'unknown';

export interface DoorOptions {
  credentials: Credentials;
  redis: Redis;
  /** `QUEUE_SUFFIX`: equal in all workers of a deployment. */
  deployment: string;
  clock: Clock;
  logger: Logger;
  rules?: TryRules;
}

export interface Door {
  /** The name of the operator whose request this is, by session or by `Authorization: Basic`; null for anybody else. */
  admit(request: IncomingMessage): Promise<string | null>;
  /** A new session's token for the right credentials, null for others and for whoever tried too often. */
  signIn(request: IncomingMessage, given: Credentials): Promise<string | null>;
}

export function createDoor(options: DoorOptions): Door {
  const { credentials, logger } = options;
  const tokens = createSessionTokens(credentials, options.clock);
  const limits = createTryLimits(options);

  async function mayEnter(request: IncomingMessage, given: Credentials): Promise<boolean> {
    const address = request.socket.remoteAddress ?? NO_ADDRESS;
    const attempt = await limits.take(address);
    // Compared in any case, so that a blocked try takes as long as another.
    const right = isRight(given, credentials);
    if (attempt.verdict === 'allowed' && right) {
      await attempt.giveBack();
      return true;
    }
    if (attempt.verdict === 'allowed') logger.warn({ address }, 'console: a try to sign in was refused');
    if (attempt.verdict === 'first-over') logger.error({ address }, 'console: too many tries to sign in');
    return false;
  }

  return {
    async admit(request) {
      if (sessionsOf(request).some((token) => tokens.accepts(token))) return credentials.user;
      const given = basicCredentials(request.headers.authorization);
      return given !== null && (await mayEnter(request, given)) ? credentials.user : null;
    },
    async signIn(request, given) {
      if (!(await mayEnter(request, given))) return null;
      logger.info(
        { address: request.socket.remoteAddress, operator: credentials.user },
        'console: signed in',
      );
      return tokens.issue();
    },
  };
}

/** Both parts are always compared, over digests of equal length. */
function isRight(given: Credentials, own: Credentials): boolean {
  const same = [given.user, given.password].map((value, at) =>
    timingSafeEqual(digest(value), digest(at === 0 ? own.user : own.password)),
  );
  return same.every(Boolean);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Several cookies may have our name; a neighbour on another port may have set one. */
function sessionsOf({ headers }: IncomingMessage): string[] {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
}

function basicCredentials(header: string | undefined): Credentials | null {
  const encoded = BASIC.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
