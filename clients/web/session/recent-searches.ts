import type { AddressQuery } from '../addresses/address-query.ts';

const KEY = 'recent-searches';
const MOST = 5;

/** The addresses of the searches that were made on this device, latest first. Never fails. */
export function recentSearches(storage: Pick<Storage, 'getItem'>): readonly AddressQuery[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(kept)
      ? kept.filter((one) => typeof one === 'object' && one !== null).slice(0, MOST)
      : [];
  } catch {
    return [];
  }
}

/** Remembers the address of a search; the same one is kept once, and one without any filter never. */
export function rememberSearch(storage: Pick<Storage, 'getItem' | 'setItem'>, address: AddressQuery): void {
  const text = JSON.stringify(address);
  if (text === '{}') return;
  const others = recentSearches(storage).filter((one) => JSON.stringify(one) !== text);
  storage.setItem(KEY, JSON.stringify([address, ...others].slice(0, MOST)));
}

export const forgetSearches = (storage: Pick<Storage, 'removeItem'>): void => storage.removeItem(KEY);
