/** Set by this host only; a header of this name from a client is removed. */
export const CLIENT_IP_HEADER = 'x-proscenium-client-ip';
export const AUTH_BASE_PATH = '/api/auth';

/** Headers that could make a library assume another client, host or scheme. */
const UNTRUSTED_HEADERS = [
  CLIENT_IP_HEADER,
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  // The body is rebuilt, so the length that came with it no longer holds.
  'content-length',
  'transfer-encoding',
];

/**
 * A native client sends neither Origin nor Referer nor Sec-Fetch-Site, and keeps its Cookie header itself.
 * better-auth rejects such requests, so they get the host's own origin. A browser always sends one of these headers
 * with a cross-site POST, so a foreign origin is still rejected (docs/contract.md#sign-in). Node's fetch sends
 * Sec-Fetch-Mode only, so the client may be another server; no browser sends it alone.
 */
function isNativeClient(headers: Headers): boolean {
  return !['origin', 'referer', 'sec-fetch-site'].some((name) => headers.has(name));
}

export interface HostFields {
  /** Origin of this API host. */
  publicBaseUrl: string;
  clientIp: string;
}

/** The headers that are passed to better-auth. */
export function trustedHeaders(received: Headers, { publicBaseUrl, clientIp }: HostFields): Headers {
  const headers = new Headers(received);
  for (const name of UNTRUSTED_HEADERS) headers.delete(name);
  headers.set(CLIENT_IP_HEADER, clientIp);
  if (isNativeClient(headers)) headers.set('origin', publicBaseUrl);
  return headers;
}
