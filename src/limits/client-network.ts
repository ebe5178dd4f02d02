import { isIP } from 'node:net';

/** The groups of an IPv6 address that identify a network; its owner chooses the rest freely. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, because a client can use a
 * different address of its /64 for every request. Text that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const embeddedIpv4 = /[\d.]+$/.exec(address)?.[0] ?? '';
  if (isIP(embeddedIpv4) === 4) return embeddedIpv4;
  const [head = '', tail] = address.toLowerCase().split('%', 1).join('').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(GROUPS - first.length - last.length).fill('0');
  const groups = [...first, ...zeros, ...last].map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The /24 or /48 around an address, for display; null for text that is not an address. */
export function coarseNetworkOf(address: string): string | null {
  const network = networkOf(address);
  if (isIP(network) === 4) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : null;
}

/** The name under which work is shared out: people who are signed in have shares for themselves, others by their network. */
export function clientOf({
  user,
  request,
}: {
  readonly user: { readonly id: string } | null;
  readonly request: { readonly remoteAddress: string };
}): string {
  return user === null ? `network ${networkOf(request.remoteAddress)}` : `person ${user.id}`;
}
