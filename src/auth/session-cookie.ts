import { createHmac, timingSafeEqual } from 'node:crypto';
import { type CookiePair, cookiePairs, plainValue } from './cookie-header.ts';

/**
 * The session cookie: `<token>.<signature>`, as better-auth writes it (docs/provider.md#better-auth). Under https
 * its name begins with `__Host-`, so that no other host of the same site can set it. Earlier releases used
 * `__Secure-`; that name is still read for their sessions. A header may contain several cookies of one name, and an
 * attacker may have set the first. Every cookie with our signature is therefore tried, in order.
 */
const NAME = 'better-auth.session_token';
/** Limit of cookies with our signature. The others cost one hash each; the size of the header limits them. */
const MAX_SIGNED = 5;
/** better-auth makes tokens of 32 characters. */
const MAX_TOKEN_LENGTH = 128;

/** A session cookie that this host has signed. Whether the session is alive is in the database. */
export interface SignedSession {
  readonly token: string;
  /** True when the cookie had the name used before `__Host-`. */
  readonly isEarlierName: boolean;
}

export type SessionCookies = ReturnType<typeof createSessionCookies>;

/** Names and attributes of session cookies, derived from the public URL. */
function cookieRules(publicBaseUrl: string) {
  const isSecure = publicBaseUrl.startsWith('https:');
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const attributes = `Path=/; HttpOnly;${isSecure ? ' Secure;' : ''} SameSite=Lax`;
  return {
    name,
    names: isSecure ? [name, `__Secure-${NAME}`] : [name],
    attributes,
    /** The `set-cookie` that makes a client forget the cookie of this name. */
    cleared: (one: string): string => `${one}=; Max-Age=0; ${attributes}`,
  };
}

/** The `set-cookie` that makes a client forget its session cookie. */
export function clearedSessionCookie(publicBaseUrl: string): string {
  const { name, cleared } = cookieRules(publicBaseUrl);
  return cleared(name);
}

export function createSessionCookies({
  publicBaseUrl,
  authSecret,
}: {
  publicBaseUrl: string;
  authSecret: string;
}) {
  const { name, names, attributes, cleared } = cookieRules(publicBaseUrl);
  const signedValue = (token: string): string =>
    encodeURIComponent(`${token}.${signature(authSecret, token)}`);
  return {
    name,
    cleared,
    /** Our cookie names that occur in the header. */
    sent(header: string | null | undefined): string[] {
      const found = new Set(cookiePairs(header).map((pair) => pair.name));
      return names.filter((one) => found.has(one));
    },
    /** Each token once, at most five; those under the present name first. */
    signed(header: string | null | undefined): SignedSession[] {
      const pairs = cookiePairs(header);
      const found = new Map<string, SignedSession>();
      for (const one of names) {
        for (const pair of pairs) {
          const token = pair.name === one ? signedToken(authSecret, pair) : null;
          if (token === null || found.has(token)) continue;
          found.set(token, { token, isEarlierName: one !== name });
          if (found.size === MAX_SIGNED) return [...found.values()];
        }
      }
      return [...found.values()];
    },
    /** The header with this session's cookie, under the present name, as the only one of its kind. */
    withOnly(header: string | null | undefined, { token }: SignedSession): string {
      const others = cookiePairs(header).filter((pair) => !names.includes(pair.name));
      return [...others.map(({ text }) => text), `${name}=${signedValue(token)}`].join('; ');
    },
    /** The `set-cookie` that keeps the session for `maxAgeSeconds`. */
    kept: ({ token }: SignedSession, maxAgeSeconds: number): string =>
      `${name}=${signedValue(token)}; Max-Age=${maxAgeSeconds}; ${attributes}`,
  };
}

function signature(authSecret: string, token: string): string {
  return createHmac('sha256', authSecret).update(token).digest('base64');
}

/** The token, when our signature is on it. */
function signedToken(authSecret: string, pair: CookiePair): string | null {
  const value = plainValue(pair);
  const end = value?.lastIndexOf('.') ?? -1;
  if (value === null || end < 1 || end > MAX_TOKEN_LENGTH) return null;
  const token = value.slice(0, end);
  const given = Buffer.from(value.slice(end + 1));
  const ours = Buffer.from(signature(authSecret, token));
  return given.length === ours.length && timingSafeEqual(given, ours) ? token : null;
}
