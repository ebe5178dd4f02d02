import { useQuery } from '@tanstack/react-query';
import { suggestions } from '../../api/queries.ts';
import { useSite } from '../../site/use-site.ts';
import { bestPlace, type Place, typedPlace } from './search-data.ts';
import type { SearchState } from './search-state.ts';

/**
 * The place that a typed text stands for; null when it stands for none, or the address of the page names its place by
 * id. Without a place, the homes whose address has the text.
 */
export function usePlace(state: SearchState): { place: Place | null; homes: readonly Place[] } {
  const { api } = useSite();
  const typed = typedPlace(state);
  const { data } = useQuery({ ...suggestions(api, { text: typed ?? '' }), enabled: typed !== null });
  if (data === undefined || typed === null) return { place: null, homes: [] };
  const place = bestPlace(data);
  const addresses = data.groups.filter(({ kind }) => kind === 'address').flatMap(({ items }) => items);
  return { place, homes: place === null ? addresses : [] };
}
