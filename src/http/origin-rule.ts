import { PublicError } from '../errors/errors.ts';
import type { HttpRequest } from './message.ts';

/** These methods change nothing: procedures that change data reject GET. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const FOREIGN_SITES: ReadonlySet<string | undefined> = new Set(['cross-site', 'same-site']);

function originOf(referer: string): string | null {
  return URL.canParse(referer) ? new URL(referer).origin : null;
}

/** Which page such a request says that it is of, as a name that a log line may hold. */
export function saidOrigin({ headers }: Pick<HttpRequest, 'headers'>): string {
  const said = headers.get('origin') ?? headers.get('referer') ?? '';
  return (originOf(said) ?? 'not an origin').slice(0, 200);
}

/**
 * The error for a state-changing request that a browser sends for a page of another origin, or null. A cookie alone
 * does not prove which page sent the request: `SameSite=Lax` excludes other sites, but not other hosts of our own
 * site. Of those, only the ones in `WEB_ORIGINS` may call. A browser always sends the origin with such a request.
 * Native clients and other servers send none, own their Cookie header, and pass (docs/contract.md#sign-in).
 */
export function originFault(
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  origins: ReadonlySet<string>,
): PublicError | null {
  if (SAFE_METHODS.has(method)) return null;
  const origin = headers.get('origin');
  if (origin !== undefined && origins.has(origin)) return null;
  if (origin === 'null') return new PublicError('MISSING_OR_NULL_ORIGIN');
  if (origin !== undefined) return new PublicError('INVALID_ORIGIN');
  if (FOREIGN_SITES.has(headers.get('sec-fetch-site'))) return new PublicError('MISSING_OR_NULL_ORIGIN');
  const referer = headers.get('referer');
  if (referer === undefined) return null;
  const page = originOf(referer);
  return page !== null && origins.has(page) ? null : new PublicError('INVALID_ORIGIN');
}
