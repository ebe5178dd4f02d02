import type { AddressQuery } from '../addresses/address-query.ts';
import type { Keeper } from '../site/keeper.ts';
import { type KeptEntry, keepList, keptList, RECENT_SEARCHES } from './kept-of-person.ts';

const MOST = 5;

/** A person's, or those of visitors. */
interface RecentSearch {
  readonly personId: string | null;
  readonly address: AddressQuery;
}

const searchesOf = (keeper: Pick<Keeper, 'getItem'>, person: string | null): readonly RecentSearch[] =>
  keptList(keeper, RECENT_SEARCHES)
    .filter((one): one is KeptEntry & RecentSearch => one.personId === person && isObject(one.address))
    .slice(0, MOST);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The addresses of the searches that this person made on this device, latest first. */
export const recentSearches = (
  keeper: Pick<Keeper, 'getItem'>,
  personId: string | null,
): readonly AddressQuery[] => searchesOf(keeper, personId).map(({ address }) => address);

/** Remembers the address of a search; the same one is kept once, and one without any filter never. */
export function rememberSearch(keeper: Keeper, { personId, address }: RecentSearch): void {
  const text = JSON.stringify(address);
  if (text === '{}') return;
  const others = searchesOf(keeper, personId).filter((one) => JSON.stringify(one.address) !== text);
  keepList(keeper, RECENT_SEARCHES, [{ personId, address }, ...others].slice(0, MOST));
}
