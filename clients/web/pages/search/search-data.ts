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

/** What a typed text stands for. */
export interface Found {
  /** The place with the most homes; an address only where it is the only suggestion. */
  readonly place: Place | null;
  /** Other places of the same name, with homes. */
  readonly namesakes: readonly Place[];
  /** Without a place: homes whose address has the text. */
  readonly homes: readonly Place[];
}

/** Reads the suggestions for a whole text. The API has the place with the most homes first. */
export function foundIn({ groups }: Suggestions): Found {
  const places = groups.filter(({ kind }) => kind !== 'address').flatMap(({ items }) => items);
  const [place] = places;
  // An address that has homes is better than a place without any.
  if (place !== undefined && (place.count !== 0 || groups[0]?.kind !== 'address')) {
    const isNamesake = (one: Place) => one !== place && nameOf(one) === nameOf(place) && one.count !== 0;
    return { place, namesakes: places.filter(isNamesake), homes: [] };
  }
  const homes = groups.filter(({ kind }) => kind === 'address').flatMap(({ items }) => items);
  return homes.length === 1
    ? { place: homes[0] ?? null, namesakes: [], homes: [] }
    : { place: null, namesakes: [], homes };
}

/** `Ballard` of `Ballard, Seattle, WA`. */
const nameOf = ({ label }: Place): string => label.split(',')[0]?.toLocaleLowerCase() ?? label;

/**
 * Loads the first page of a search. In the browser the page is shown meanwhile, with what it is waiting for.
 * @returns its first picture; null in the browser, which needs no hint
 */
export async function loadSearch(site: Site, state: SearchState): Promise<FirstPicture | null> {
  const { api, queries, account } = site;
  await queries.ensureQueryData(filterCatalog(api));
  if (account === null) return loadHomes(site, state);
  // What fails is shown where it was to be.
  void loadHomes(site, state).catch(() => undefined);
  return null;
}

async function loadHomes({ api, queries, account }: Site, state: SearchState): Promise<FirstPicture | null> {
  const typed = typedPlace(state);
  const answer = typed === null ? null : await queries.ensureQueryData(suggestions(api, { text: typed }));
  const placeId = answer === null ? null : (foundIn(answer).place?.id ?? null);
  const marks =
    account !== null && state.view === 'map' ? mapQuestion(state, searchInput(state, placeId).filters) : null;
  // The map is asked together with the list, and shows its own failure.
  if (marks !== null) void queries.prefetchQuery(mapMarks(api, marks));
  const list = await queries.ensureInfiniteQueryData(
    searchPages(api, listQuestion(state, placeId), state.cursor ?? null),
  );
  return firstCover(list.pages[0]?.items ?? []);
}
