/**
 * The client's address. Clients can write any forwarding header, so none is trusted unless `TRUSTED_PROXY_HOPS` counts
 * our own proxies in front (docs/contract.md#calling).
 */
import { isIP } from 'node:net';
import { isInternalHost } from '../config/host-rules.ts';
import type { RequestHeaders } from './request-headers.ts';

/** Headers by which proxies name the client; with no trusted proxy they are not trusted. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'];
/** Headers of other vendors: never read, so never passed on. */
const UNREAD_HEADERS = ['forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip', 'x-client-ip'];

const MAPPED_IPV4 = /^(?:0000:){5}ffff:([0-9a-f]{2})([0-9a-f]{2}):([0-9a-f]{2})([0-9a-f]{2})$/i;

/** The socket's address as uWebSockets.js writes it, with IPv4 inside IPv6 turned back into IPv4. */
export function socketAddress(text: string): string {
  const mapped = MAPPED_IPV4.exec(text);
  if (mapped === null) return text;
  return mapped
    .slice(1)
    .map((hex) => Number.parseInt(hex, 16))
    .join('.');
}

/** The address in an entry of `X-Forwarded-For`, which some proxies write with the client's port; null when there is none. */
function addressIn(hop: string): string | null {
  const text = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop;
  return isIP(text) === 0 ? null : text;
}

/**
 * The client's address. Each of our `trustedProxyHops` proxies appended the address it saw; the first of them wrote
 * the client's. For a shorter or unreadable list, the result is the oldest certain address, or the socket's.
 */
export function clientAddress(given: {
  readonly socket: string;
  readonly forwardedFor: string | undefined;
  readonly trustedProxyHops: number;
}): string {
  if (given.trustedProxyHops <= 0 || given.forwardedFor === undefined) return given.socket;
  return addressIn(chosenHop(given.forwardedFor, given.trustedProxyHops)) ?? given.socket;
}

/** The entry that the first of our proxies wrote. */
function chosenHop(forwardedFor: string, trustedProxyHops: number): string {
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  return hops[Math.max(0, hops.length - trustedProxyHops)] ?? '';
}

/**
 * Whether the entry that names the client cannot be read, so that all of its proxy's clients share one address. Only our own
 * proxies write that entry.
 */
export const isUnreadableHop = (given: {
  readonly forwardedFor: string | undefined;
  readonly trustedProxyHops: number;
}): boolean =>
  given.trustedProxyHops > 0 &&
  given.forwardedFor !== undefined &&
  addressIn(chosenHop(given.forwardedFor, given.trustedProxyHops)) === null;

/**
 * Whether the request seems to come through a proxy that TRUSTED_PROXY_HOPS does not count, so that all of its clients share
 * one address. A client can send the header too, but hardly from an internal address.
 */
export const isUncountedProxy = (given: {
  readonly socket: string;
  readonly forwardedFor: string | undefined;
  readonly trustedProxyHops: number;
}): boolean =>
  given.trustedProxyHops === 0 && given.forwardedFor !== undefined && isInternalHost(given.socket);

/** Leaves only forwarding headers that can be trusted: none, or those of our proxies with one client address. */
export function cleanForwardingHeaders(
  headers: RequestHeaders,
  given: { readonly address: string; readonly trustedProxyHops: number },
): void {
  for (const name of UNREAD_HEADERS) headers.remove(name);
  if (given.trustedProxyHops > 0) {
    headers.replace('x-forwarded-for', given.address);
    return;
  }
  for (const name of FORWARDING_HEADERS) headers.remove(name);
}
