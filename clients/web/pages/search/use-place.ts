import { useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../../typescript/procedures.ts';
import { suggestions } from '../../app/queries.ts';
import { useSite } from '../../app/use-site.ts';
import { bestPlace, typedPlace } from './search-data.ts';
import type { SearchState } from './search-state.ts';

export type Place = Outputs['search']['suggestLocations']['groups'][number]['items'][number];

/** The place that a typed text stands for; null when it stands for none, or the address names its place by id. */
export function usePlace(state: SearchState): Place | null {
  const { api } = useSite();
  const typed = typedPlace(state);
  const { data } = useQuery({ ...suggestions(api, { text: typed ?? '' }), enabled: typed !== null });
  return data === undefined || typed === null ? null : bestPlace(data);
}
