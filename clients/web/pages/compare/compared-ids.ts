import type { AddressQuery } from '../../addresses/address-query.ts';

const MOST = 4;

/** The homes that an address names, each once; more than four would not be readable. */
export function comparedIds({ home = [] }: AddressQuery): readonly string[] {
  const ids = typeof home === 'string' ? [home] : home;
  return [...new Set(ids)].slice(0, MOST);
}
