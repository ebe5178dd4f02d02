import type { Outputs } from '../../../typescript/procedures.ts';
import { filterCatalog, mapMarks, searchPages, suggestions } from '../../api/queries.ts';
import { type FirstPicture, firstCover } from '../../head/first-picture.ts';
import type { Site } from '../../site/site.ts';
import { listQuestion, mapQuestion, type SearchState, searchInput } from './search-state.ts';

type Suggestions = Outputs['search']['suggestLocations'];
export type Place = Suggestions['groups'][number]['items'][number];

/** The API takes no shorter text. */
export const SHORTEST_PLACE = 2;

/** The text that stands for a place, when the address names it by text alone. */
export const typedPlace = ({ q, place }: SearchState): string | null =>
  q !== undefined && place === undefined && q.length >= SHORTEST_PLACE ? q : null;

/**
 * The best suggestion for a typed place: that with the most homes, of any kind. An address only where it is the only suggestion;
 * none where addresses match better than a place without homes.
 */
export function bestPlace({ groups }: Suggestions): Place | null {
  const place = groups.find(({ kind }) => kind !== 'address')?.items[0];
  if (place !== undefined && (place.count !== 0 || groups[0]?.kind !== 'address')) return place;
  const [only, ...others] = groups.flatMap(({ items }) => items);
  return only !== undefined && others.length === 0 ? only : null;
}

/** Loads the first page of a search. @returns its first picture */
export async function loadSearch(
  { api, queries, account }: Site,
  state: SearchState,
): Promise<FirstPicture | null> {
  const typed = typedPlace(state);
  const places = typed === null ? null : await queries.ensureQueryData(suggestions(api, { text: typed }));
  const placeId = places === null ? null : (bestPlace(places)?.id ?? null);
  const marks = account === null ? null : mapQuestion(state, searchInput(state, placeId).filters);
  // The map is asked together with the list, and shows its own failure.
  if (marks !== null) void queries.prefetchQuery(mapMarks(api, marks));
  const [list] = await Promise.all([
    queries.ensureInfiniteQueryData(searchPages(api, listQuestion(state, placeId), state.cursor ?? null)),
    queries.ensureQueryData(filterCatalog(api)),
  ]);
  return firstCover(list.pages[0]?.items ?? []);
}
