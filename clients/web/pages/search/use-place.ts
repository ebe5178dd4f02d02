import { useQuery } from '@tanstack/react-query';
import { suggestions } from '../../api/queries.ts';
import { useSite } from '../../site/use-site.ts';
import { type Found, foundIn, typedPlace } from './search-data.ts';
import type { SearchState } from './search-state.ts';

const NOTHING: Found = { place: null, namesakes: [], homes: [] };

/** What the typed text of an address stands for: nothing where the address names its place by id; null while unknown. */
export function usePlace(state: SearchState): Found | null {
  const { api } = useSite();
  const typed = typedPlace(state);
  const { data, isError } = useQuery({ ...suggestions(api, { text: typed ?? '' }), enabled: typed !== null });
  if (typed === null || isError) return NOTHING;
  return data === undefined ? null : foundIn(data);
}
