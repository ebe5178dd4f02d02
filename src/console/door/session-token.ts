/**
 * A signed-in operator's session is the token itself: when it ends, and a MAC over that under a key derived from the
 * credentials. Nothing is stored, so every worker takes it and a restart ends none; a new user name or password ends
 * all of them at once.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../supervisors/ports.ts';

export interface Credentials {
  user: string;
  password: string;
}

export const SESSION_SECONDS = 12 * 60 * 60;
const KEY_BYTES = 32;
const TOKEN = /^(\d{13})\.([\w-]{43})$/;

export interface SessionTokens {
  issue(): string;
  /** False for a token that is altered, of other credentials, or over. */
  accepts(token: string): boolean;
}

export function createSessionTokens({ user, password }: Credentials, clock: Clock): SessionTokens {
  const key = Buffer.from(hkdfSync('sha256', password, user, 'operator session', KEY_BYTES));
  const macOf = (endsAt: string) => createHmac('sha256', key).update(endsAt).digest();
  return {
    issue() {
      const endsAt = String(clock.now() + SESSION_SECONDS * 1000);
      return `${endsAt}.${macOf(endsAt).toString('base64url')}`;
    },
    accepts(token) {
      const [, endsAt, mac] = TOKEN.exec(token) ?? [];
      if (endsAt === undefined || mac === undefined) return false;
      const given = Buffer.from(mac, 'base64url');
      const own = macOf(endsAt);
      return given.length === own.length && timingSafeEqual(given, own) && Number(endsAt) > clock.now();
    },
  };
}
