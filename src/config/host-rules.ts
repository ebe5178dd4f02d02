import { BlockList, isIP } from 'node:net';

const V4_SPECIAL: ReadonlyArray<[network: string, prefix: number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];
const V6_SPECIAL: ReadonlyArray<[network: string, prefix: number]> = [
  ['::', 128],
  ['::1', 128],
  // NAT64 and 6to4 embed an IPv4 address that BlockList does not check.
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

/** Names that resolve only inside a private network, if at all. */
const INTERNAL_SUFFIXES = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
  'svc',
];

const special = new BlockList();
for (const [network, prefix] of V4_SPECIAL) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of V6_SPECIAL) special.addSubnet(network, prefix, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** The host as written in a URL: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function listed(list: BlockList, host: string): boolean {
  const family = isIP(host);
  // BlockList itself handles IPv4-mapped IPv6 addresses.
  return family !== 0 && list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** True for `localhost`, its subdomains, 127/8 and ::1, as `URL.hostname` spells them. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bareHost(hostname);
  return host === 'localhost' || host.endsWith('.localhost') || listed(loopback, host);
}

/**
 * True when a host cannot be reached from the public internet: private, loopback, link-local and reserved
 * addresses, single-label names and internal suffixes. Names are judged by spelling, never resolved.
 */
export function isInternalHost(hostname: string): boolean {
  const host = bareHost(hostname);
  if (isIP(host) !== 0) return listed(special, host);
  if (!host.includes('.')) return true;
  return INTERNAL_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`));
}

/** The URL, when `value` is an http(s) origin only: no path, trailing slash, query, user or default port. */
export function parseOrigin(value: string): URL | null {
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return url.origin === value ? url : null;
}

/** Labels under which country registries sell names, as in `co.uk`. */
const SOLD_UNDER = new Set(['ac', 'co', 'com', 'edu', 'gob', 'gov', 'net', 'or', 'org']);

/**
 * Whether a browser counts two origins as one site: the same scheme, and the same host or the same registrable
 * domain. Otherwise it does not send cookies with `SameSite=Lax`. Registries are recognized by spelling, so a rare
 * registry may be taken for a site; the browser then does not send the cookies.
 */
export function isSameSite(one: URL, other: URL): boolean {
  return one.protocol === other.protocol && siteOf(one.hostname) === siteOf(other.hostname);
}

function siteOf(hostname: string): string {
  const host = bareHost(hostname);
  if (isIP(host) !== 0) return host;
  const labels = host.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && SOLD_UNDER.has(second) ? -3 : -2).join('.');
}

/**
 * The problem with `PROVIDER_WEBHOOK_BASE_URL`, or null. It must be an https origin on a public host. A loopback
 * origin is allowed only while the provider itself is on loopback, as in the local stack
 * (docs/contract.md#settings).
 */
export function webhookBaseProblem(value: string, providerBaseUrl: string): string | null {
  const url = parseOrigin(value);
  if (!url) return 'an https origin only: no path, no trailing slash, no query, lower case';
  if (isLoopbackHost(url.hostname)) {
    const provider = URL.canParse(providerBaseUrl) ? new URL(providerBaseUrl) : null;
    if (provider && isLoopbackHost(provider.hostname)) return null;
    return 'a public host (loopback is allowed only while PROVIDER_BASE_URL is loopback too)';
  }
  if (url.protocol !== 'https:') return 'an https origin';
  if (isInternalHost(url.hostname)) return 'a public host, reachable by the provider';
  return null;
}
