import type { Outputs } from '../../../typescript/procedures.ts';
import { featured, foundHomes, largestPlaces } from '../../api/queries.ts';
import { type FirstPicture, firstCover } from '../../head/first-picture.ts';
import type { Site } from '../../site/site.ts';
import { type SearchState, searchInput } from '../search/search-state.ts';

/** How many homes a row shows. */
export const ROW = 12;
/** More than a row: those of the rows above are left out. */
export const FEATURED = { limit: 2 * ROW };
/** How long a home is new here, in days: the page is no list of today alone. */
const NEW_DAYS = 14;
/** With the next weekend. */
const OPEN_DAYS = 7;

/** A place as an address of the search names it. */
export type NamedPlace = Pick<Outputs['home']['getPlaces']['places'][number], 'id' | 'label'>;

/** What is shown of a place, and the search that shows all of it. */
export const ROWS = ['new', 'cuts', 'open'] as const;
export type RowKind = (typeof ROWS)[number];

const SEARCHES: Readonly<Record<RowKind, SearchState>> = {
  new: { days: NEW_DAYS, sort: 'NEWEST' },
  cuts: { reduced: true, sort: 'RECENTLY_CHANGED' },
  open: { open: OPEN_DAYS },
};

export function searchOfRow(kind: RowKind, place: NamedPlace | null): SearchState {
  const at = place === null ? {} : { q: place.label, place: place.id };
  return { ...at, ...SEARCHES[kind] };
}

export const homesOfRow = ({ api }: Pick<Site, 'api'>, kind: RowKind, place: NamedPlace | null) =>
  foundHomes(api, { ...searchInput(searchOfRow(kind, place), null), limit: ROW });

/**
 * Loads what Discovery needs before it is shown. What fails of the rows is shown where it was to be.
 * @returns its first picture
 */
export async function loadDiscovery(site: Site): Promise<FirstPicture | null> {
  const { api, queries } = site;
  const best = queries.ensureQueryData(featured(api, FEATURED));
  await queries.prefetchQuery(largestPlaces(api));
  const here = queries.getQueryData(largestPlaces(api).queryKey)?.here ?? null;
  await Promise.all(ROWS.map((kind) => queries.prefetchQuery(homesOfRow(site, kind, here))));
  const rows = ROWS.map((kind) => queries.getQueryData(homesOfRow(site, kind, here).queryKey)?.items ?? []);
  return firstCover([...rows, (await best).items].find(({ length }) => length > 0) ?? []);
}
