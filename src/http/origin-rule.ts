import { PublicError } from '../errors.ts';
import type { HttpRequest } from './message.ts';

/** They change nothing here: procedures that change something are refused as GET. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const FOREIGN_SITES: ReadonlySet<string | undefined> = new Set(['cross-site', 'same-site']);

function originOf(referer: string): string | null {
  return URL.canParse(referer) ? new URL(referer).origin : null;
}

/**
 * The refusal of a request that could change something and that a browser sends for a page of another origin, or
 * null. Cookies alone do not say who wrote the request: `SameSite=Lax` keeps them from other sites, but not from
 * other hosts of our own site. A browser always names the origin on such a request; native clients and other
 * servers name none, own their Cookie header, and pass (decisions.md section 5).
 */
export function originFault(
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  ownOrigin: string,
): PublicError | null {
  if (SAFE_METHODS.has(method)) return null;
  const origin = headers.get('origin');
  if (origin === ownOrigin) return null;
  if (origin === 'null') return new PublicError('MISSING_OR_NULL_ORIGIN');
  if (origin !== undefined) return new PublicError('INVALID_ORIGIN');
  if (FOREIGN_SITES.has(headers.get('sec-fetch-site'))) return new PublicError('MISSING_OR_NULL_ORIGIN');
  const referer = headers.get('referer');
  return referer === undefined || originOf(referer) === ownOrigin ? null : new PublicError('INVALID_ORIGIN');
}
