/**
 * The token that an operator's browser keeps: its expiry, its id, and a MAC over both under a key derived from the
 * credentials. Every worker therefore accepts it, a restart invalidates none, and a new user name or password
 * invalidates all.
 */
import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../supervisors/ports.ts';

export interface Credentials {
  user: string;
  password: string;
}

export interface TokenKind {
  /** Separates the keys: a token of one kind is not valid as the other. */
  purpose: 'operator session' | 'operator device';
  seconds: number;
}

export const SESSION: TokenKind = { purpose: 'operator session', seconds: 12 * 60 * 60 };
/** A browser in which an operator has signed in. It outlives the session and gives no access by itself. */
export const DEVICE: TokenKind = { purpose: 'operator device', seconds: 90 * 24 * 60 * 60 };

const KEY_BYTES = 32;
const TOKEN = /^((\d{13})\.([\da-f]{8}-[\da-f-]{27}))\.([\w-]{43})$/;

export interface TokenContent {
  id: string;
  /** In ms. */
  endsAt: number;
}

export function createSignedTokens(
  { purpose, seconds }: TokenKind,
  { credentials, clock }: { credentials: Credentials; clock: Clock },
) {
  const { user, password } = credentials;
  const key = Buffer.from(hkdfSync('sha256', password, user, purpose, KEY_BYTES));
  const macOf = (content: string) => createHmac('sha256', key).update(content).digest();
  return {
    issue(): string {
      const content = `${clock.now() + seconds * 1000}.${randomUUID()}`;
      return `${content}.${macOf(content).toString('base64url')}`;
    },
    /** Null for a token that is altered, expired, of another kind, or made with other credentials. */
    read(token: string): TokenContent | null {
      const [, content, ends, id, mac] = TOKEN.exec(token) ?? [];
      if (content === undefined || id === undefined || mac === undefined) return null;
      // The pattern accepts only a MAC of the right length.
      if (!timingSafeEqual(macOf(content), Buffer.from(mac, 'base64url'))) return null;
      const endsAt = Number(ends);
      return endsAt > clock.now() ? { id, endsAt } : null;
    },
  };
}
