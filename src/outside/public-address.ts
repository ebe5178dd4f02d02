import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isInternalHost, isLoopbackHost } from '../config/host-rules.ts';

/**
 * Addresses that other people name, and that this platform calls: https on the public internet only. A name is resolved
 * once for each connection, every address it has is checked, and the connection is made to one of these, so that a name
 * whose address changes in between leads nowhere else.
 */

/** The name leads into a private network, or to this machine. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
  override readonly name = 'AddressRefused';
}

export interface AddressRule {
  /** Only while the platform itself is on loopback: then http may be used there, too. */
  readonly allowsLoopback: boolean;
}

/** Whether the URL may be called, by its spelling: https, no user, a public host. */
export function isCallable(url: URL, { allowsLoopback }: AddressRule): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (isLoopbackHost(url.hostname)) return allowsLoopback && /^https?:$/.test(url.protocol);
  return url.protocol === 'https:' && !isInternalHost(url.hostname);
}

const isAllowed = (address: string, { allowsLoopback }: AddressRule): boolean =>
  !isInternalHost(address) || (allowsLoopback && isLoopbackHost(address));

type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * The `lookup` of a connection. A name with one private address is refused as a whole.
 * @param resolve the resolver of the system; tests give another one
 */
export function publicLookup(rule: AddressRule, resolve: Resolve = lookUp): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return done(error ?? new Error('no address'), '');
      if (!addresses.every(({ address }) => isAllowed(address, rule)))
        return done(new AddressRefused('the name leads to a private address'), '');
      if (options.all === true) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

/** An address that is written as numbers is never looked up. @throws AddressRefused */
export function requirePublic(url: URL, rule: AddressRule): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isCallable(url, rule) || (isIP(host) !== 0 && !isAllowed(host, rule)))
    throw new AddressRefused('the address is not public');
}
