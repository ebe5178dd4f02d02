/** What one Set-Cookie header changes; `value` is null when it takes the cookie away. */
export interface CookieChange {
  readonly name: string;
  readonly value: string | null;
}

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Whatever can be sent back in a Cookie header without being read as something else. */
const VALUE = /^[\x21-\x3a\x3c-\x7e]*$/;

/**
 * Reads a Set-Cookie header. Name, value and whether the cookie is taken away: the rest of its attributes speaks to
 * cookie jars, which this client does not have. A cookie is taken away by a Max-Age of zero or less, or by an Expires
 * that is past when there is no Max-Age. Null when the header is not one that could be sent back.
 */
export function parseSetCookie(header: string, now: number): CookieChange | null {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const equals = pair.indexOf('=');
  if (equals < 0) return null;
  const name = pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  if (!NAME.test(name) || !VALUE.test(value)) return null;
  return { name, value: isOver(attributes, now) ? null : value };
}

function isOver(attributes: readonly string[], now: number): boolean {
  const maxAge = attribute(attributes, 'max-age');
  if (maxAge !== null && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = Date.parse(attribute(attributes, 'expires') ?? '');
  return !Number.isNaN(expires) && expires <= now;
}

/** The last attribute of a name counts (RFC 6265, 5.3). */
function attribute(attributes: readonly string[], name: string): string | null {
  const found = attributes.findLast((one) => one.toLowerCase().startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}
