/**
 * The token that an operator's browser keeps: its expiry, its id, the operator's name, and a MAC over them. The key
 * comes from the installation's random key, which is stored in the database, and from the operator's credentials. So
 * every worker accepts the token, a restart invalidates none, a guessed password helps no one to forge one, and a new
 * password invalidates the operator's.
 */
import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../supervisors/ports.ts';
import type { Operator, Operators } from './operators.ts';

export interface TokenKind {
  /** Separates the keys: a token of one kind is not valid as the other. */
  purpose: 'operator session' | 'operator device';
  seconds: number;
}

export const SESSION: TokenKind = { purpose: 'operator session', seconds: 12 * 60 * 60 };
/** A browser in which an operator has signed in. It outlives the session and gives no access by itself. */
export const DEVICE: TokenKind = { purpose: 'operator device', seconds: 90 * 24 * 60 * 60 };

const KEY_BYTES = 32;
const TOKEN = /^((\d{13})\.([\da-f]{8}-[\da-f-]{27})\.([\w-]{1,600}))\.([\w-]{43})$/;

export interface TokenContent {
  id: string;
  /** In ms. */
  endsAt: number;
  operator: string;
}

export function createSignedTokens(
  { purpose, seconds }: TokenKind,
  { key, operators, clock }: { key: Buffer; operators: Pick<Operators, 'find'>; clock: Clock },
) {
  const macOf = (content: string, { name, fingerprint }: Operator) => {
    const own = hkdfSync('sha256', key, `${name} ${fingerprint}`, purpose, KEY_BYTES);
    return createHmac('sha256', Buffer.from(own)).update(content).digest();
  };
  return {
    issue(operator: Operator): string {
      const name = Buffer.from(operator.name).toString('base64url');
      const content = `${clock.now() + seconds * 1000}.${randomUUID()}.${name}`;
      return `${content}.${macOf(content, operator).toString('base64url')}`;
    },
    /** Null for a token that is altered, expired, of another kind, or of credentials that have changed. */
    read(token: string): TokenContent | null {
      const [, content, ends, id, name, mac] = TOKEN.exec(token) ?? [];
      if (content === undefined || id === undefined || name === undefined || mac === undefined) return null;
      const operator = operators.find(Buffer.from(name, 'base64url').toString());
      // The pattern accepts only a MAC of the right length.
      if (operator === null || !timingSafeEqual(macOf(content, operator), Buffer.from(mac, 'base64url')))
        return null;
      const endsAt = Number(ends);
      return endsAt > clock.now() ? { id, endsAt, operator: operator.name } : null;
    },
  };
}
