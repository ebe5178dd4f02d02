import { useQuery } from '@tanstack/react-query';
import { suggestions } from '../../app/queries.ts';
import { useSite } from '../../app/use-site.ts';
import { bestPlace, type Place, typedPlace } from './search-data.ts';
import type { SearchState } from './search-state.ts';

/** The place that a typed text stands for; null when it stands for none, or the address names its place by id. */
export function usePlace(state: SearchState): Place | null {
  const { api } = useSite();
  const typed = typedPlace(state);
  const { data } = useQuery({ ...suggestions(api, { text: typed ?? '' }), enabled: typed !== null });
  return data === undefined || typed === null ? null : bestPlace(data);
}
