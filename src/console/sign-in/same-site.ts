import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser sent a request that may change something for a page that is not ours. Browsers say so on every such
 * request, by `Sec-Fetch-Site` or, older ones and those on plain http, by `Origin`; programs say neither, and own what
 * they send.
 */
export function isForeign({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  const { origin } = headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== headers.host;
}
