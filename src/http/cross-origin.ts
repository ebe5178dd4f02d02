/**
 * Pages of other origins of our own site may call the API with the person's cookie (`WEB_ORIGINS`). Every answer to
 * them, errors included, names their exact origin; otherwise the browser would hide the answer from the page. The
 * origin rule decides which origins may change data; an origin that it denies is not allowed here either.
 */
import type { HttpHeader, HttpRequest, HttpResponse } from './message.ts';
import type { RequestHeaders } from './request-headers.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Besides those that a page may always read. */
const READABLE = 'retry-after, x-request-id, etag';
const PREFLIGHT_SECONDS = '600';
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~,\s-]{1,1000}$/;

/** Null without origins: answers then have no origin headers. */
export function createCrossOrigin(origins: readonly string[]) {
  if (origins.length === 0) return null;
  const allowed = new Set(origins);
  const originOf = (headers: RequestHeaders): string | null => {
    const origin = headers.get('origin');
    return origin !== undefined && allowed.has(origin) ? origin : null;
  };
  return {
    /** For the answer to a request with these headers. */
    headersFor(headers: RequestHeaders): HttpHeader[] {
      const origin = originOf(headers);
      // Also for callers without an origin: a cache must not serve their answer to a page.
      const vary: HttpHeader = ['vary', 'Origin'];
      if (origin === null) return [vary];
      return [
        vary,
        ['access-control-allow-origin', origin],
        ['access-control-allow-credentials', 'true'],
        ['access-control-expose-headers', READABLE],
      ];
    },
    /** The answer to a preflight of one of the origins; null for every other request. */
    preflight({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>): HttpResponse | null {
      if (method !== 'OPTIONS' || originOf(headers) === null) return null;
      if (!headers.has('access-control-request-method')) return null;
      const asked = headers.get('access-control-request-headers') ?? '';
      const names: HttpHeader[] = HEADER_NAMES.test(asked) ? [['access-control-allow-headers', asked]] : [];
      return {
        status: 204,
        headers: [
          ['access-control-allow-methods', METHODS],
          ...names,
          ['access-control-max-age', PREFLIGHT_SECONDS],
        ],
        body: null,
      };
    },
  };
}

export type CrossOrigin = ReturnType<typeof createCrossOrigin>;
