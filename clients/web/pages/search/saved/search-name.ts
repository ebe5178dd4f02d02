import type { Text } from '../../../words/text.ts';
import type { SearchState } from '../search-state.ts';

/** As long as the name of a saved search may be. */
export const LONGEST_NAME = 80;

/**
 * A name for a search, such as `3+ beds in Oakland under $900K`.
 * @param place the name of the place that is searched; null for none
 */
export function nameOfSearch(
  state: SearchState,
  place: string | null,
  words: Text,
  currency: string,
): string {
  const { t } = words;
  const [near] = place?.split(',') ?? [];
  const what =
    state.sold !== undefined
      ? t('searches.soldHomes')
      : state.beds !== undefined
        ? t('chip.beds', { value: state.beds })
        : t('searches.homes');
  const where =
    near !== undefined
      ? t('searches.nameIn', { what, place: near })
      : (state.area ?? state.box) !== undefined
        ? t('searches.nameInArea', { what })
        : what;
  return priced(where, state, words, currency).slice(0, LONGEST_NAME);
}

function priced(
  what: string,
  { minPrice, maxPrice }: SearchState,
  { t, number }: Text,
  currency: string,
): string {
  const short = (price: number): string =>
    number(price, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      notation: 'compact',
      minimumFractionDigits: 0,
      maximumFractionDigits: 2,
    });
  if (minPrice !== undefined && maxPrice !== undefined)
    return t('searches.nameBetween', { what, min: short(minPrice), max: short(maxPrice) });
  if (maxPrice !== undefined) return t('searches.nameUpTo', { what, price: short(maxPrice) });
  if (minPrice !== undefined) return t('searches.nameFrom', { what, price: short(minPrice) });
  return what;
}
