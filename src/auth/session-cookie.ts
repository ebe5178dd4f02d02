/** The session cookie by its name, as better-auth chooses it from the host's origin (protocol-facts 4.3). */
const NAME = 'better-auth.session_token';

const isSecure = (publicBaseUrl: string): boolean => publicBaseUrl.startsWith('https:');

export function sessionCookieName(publicBaseUrl: string): string {
  return isSecure(publicBaseUrl) ? `__Secure-${NAME}` : NAME;
}

/** The value as sent, not checked in any way; null when the header holds no session cookie. */
export function sessionCookieValue(
  cookieHeader: string | null | undefined,
  publicBaseUrl: string,
): string | null {
  const start = `${sessionCookieName(publicBaseUrl)}=`;
  for (const pair of (cookieHeader ?? '').split(';')) {
    const cookie = pair.trimStart();
    if (cookie.startsWith(start)) return cookie.slice(start.length).trimEnd();
  }
  return null;
}

/** The `set-cookie` that makes a client forget its session cookie. */
export function clearedSessionCookie(publicBaseUrl: string): string {
  const secure = isSecure(publicBaseUrl) ? ' Secure;' : '';
  return `${sessionCookieName(publicBaseUrl)}=; Max-Age=0; Path=/; HttpOnly;${secure} SameSite=Lax`;
}
