import { domainToASCII } from 'node:url';

/**
 * A mail address as it is stored: in lower case, with its domain as mail servers spell it (`xn--…`). One without a
 * readable domain keeps none, so that no check of addresses accepts it.
 */
export function spelledAddress(given: string): string {
  const at = given.lastIndexOf('@');
  return `${given.slice(0, Math.max(0, at))}@${domainToASCII(given.slice(at + 1))}`.toLowerCase();
}
