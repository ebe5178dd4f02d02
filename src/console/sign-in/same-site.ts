import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser sent a state-changing request for a page of another origin. Browsers mark every such request
 * with `Sec-Fetch-Site`; older ones, and those on plain http, with `Origin`. Programs send neither, and own what
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
