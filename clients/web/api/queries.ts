import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Inputs, Outputs } from '../../typescript/procedures.ts';
import { failureOf } from './failures.ts';
import type { SiteApi } from './site-api.ts';

/**
 * The queries of the pages. A key is the procedure and its input, so that a loader and a component that ask the same
 * share one answer.
 */
export const featured = (api: SiteApi, input: Inputs['home']['getFeatured']) =>
  queryOptions({
    queryKey: ['home.getFeatured', input],
    queryFn: ({ signal }) => api.home.getFeatured(input, { signal }),
  });

export const nearby = (api: SiteApi, input: Inputs['home']['getNearby']) =>
  queryOptions({
    queryKey: ['home.getNearby', input],
    queryFn: ({ signal }) => api.home.getNearby(input, { signal }),
  });

/** Where homes are, and how many. */
export const largestPlaces = (api: SiteApi) =>
  queryOptions({
    queryKey: ['home.getPlaces'],
    queryFn: ({ signal }) => api.home.getPlaces(undefined, { signal }),
  });

type Filters = NonNullable<Inputs['search']['list']['filters']>;

/** Filters as an address has them: open houses in so many days from now, so that the key of a query stays the same. */
export type SiteFilters = Omit<Filters, 'openHouse'> & { readonly openHouseDays?: number };

export type Filtered<N extends 'list' | 'map' | 'featureCounts'> = Omit<
  NonNullable<Inputs['search'][N]>,
  'filters' | 'cursor'
> & { readonly filters?: SiteFilters };

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** The same input with instants. */
function fromNow<I extends { readonly filters?: SiteFilters }>({ filters, ...rest }: I) {
  const { openHouseDays: days, ...others } = filters ?? {};
  if (days === undefined) return { ...rest, filters: others };
  // Whole minutes: the server answers the same question once for many.
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const [from, to] = [now, now + days * DAY_MS].map((at) => new Date(at).toISOString());
  return { ...rest, filters: { ...others, openHouse: { from, to } } };
}

type SearchInput = Filtered<'list'>;

/**
 * Pages of a search.
 * @param first the cursor of the first page, for readers without JavaScript; one that does not fit gives the first page
 */
export const searchPages = (api: SiteApi, input: SearchInput, first: string | null) =>
  infiniteQueryOptions({
    queryKey: ['search.list', input, first],
    queryFn: ({ signal, pageParam }) =>
      api.search.list({ ...fromNow(input), cursor: pageParam }, { signal }).catch((error: unknown) => {
        // An address may come from a person, or from a list in another order.
        if (pageParam === null || pageParam !== first || failureOf(error).errorCode !== 'INVALID_INPUT')
          throw error;
        return api.search.list({ ...fromNow(input), cursor: null }, { signal });
      }),
    initialPageParam: first,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The first homes of a search. */
export const foundHomes = (api: SiteApi, input: SearchInput) =>
  queryOptions({
    queryKey: ['search.list', input],
    queryFn: ({ signal }) => api.search.list(fromNow(input), { signal }),
  });

/** What a map shows. */
export const mapMarks = (api: SiteApi, input: Filtered<'map'>) =>
  queryOptions({
    queryKey: ['search.map', input],
    queryFn: ({ signal }) => api.search.map(fromNow(input), { signal }),
  });

/** The names of a map that has none of its own. */
export const placeNames = (api: SiteApi, input: Inputs['search']['placeNames']) =>
  queryOptions({
    queryKey: ['search.placeNames', input],
    queryFn: ({ signal }) => api.search.placeNames(input, { signal }),
  });

/** What each feature would leave of a search. */
export const featureCounts = (api: SiteApi, input: Filtered<'featureCounts'>) =>
  queryOptions({
    queryKey: ['search.featureCounts', input],
    queryFn: ({ signal }) => api.search.featureCounts(fromNow(input), { signal }),
  });

export const filterCatalog = (api: SiteApi) =>
  queryOptions({
    queryKey: ['search.getFilterCatalog'],
    queryFn: ({ signal }) => api.search.getFilterCatalog(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const propertyDetail = (api: SiteApi, input: Inputs['properties']['getDetail']) =>
  queryOptions({
    queryKey: ['properties.getDetail', input],
    queryFn: ({ signal }) => api.properties.getDetail(input, { signal }),
  });

type PropertyInput = Inputs['properties']['getNeighborhoodStats'];

export const priceHistory = (api: SiteApi, input: PropertyInput) =>
  queryOptions({
    queryKey: ['properties.getPriceHistory', input],
    queryFn: ({ signal }) => api.properties.getPriceHistory(input, { signal }),
  });

export const neighborhood = (api: SiteApi, input: PropertyInput) =>
  queryOptions({
    queryKey: ['properties.getNeighborhoodStats', input],
    queryFn: ({ signal }) => api.properties.getNeighborhoodStats(input, { signal }),
  });

/** Where a staged picture comes from. */
export const provenance = (api: SiteApi, input: Inputs['provenance']['get']) =>
  queryOptions({
    queryKey: ['provenance.get', input],
    queryFn: ({ signal }) => api.provenance.get(input, { signal }),
  });

/** The log of provenance records. */
export const provenanceLog = (api: SiteApi, input: Inputs['provenance']['log']) =>
  queryOptions({
    queryKey: ['provenance.log', input],
    queryFn: ({ signal }) => api.provenance.log(input, { signal }),
  });

export const similar = (api: SiteApi, input: Inputs['properties']['listSimilar']) =>
  queryOptions({
    queryKey: ['properties.listSimilar', input],
    queryFn: ({ signal }) => api.properties.listSimilar(input, { signal }),
  });

/** Queries about the person who is signed in begin with this, so that signing out can forget them all. */
export const PERSONAL = 'person';

export const favoriteIds = (api: SiteApi) =>
  queryOptions({
    queryKey: [PERSONAL, 'favorites.listIds'],
    queryFn: ({ signal }) => api.favorites.listIds(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export type FavoriteSort = NonNullable<Inputs['favorites']['list']['sort']>;

export const favoritePages = (api: SiteApi, sort: FavoriteSort) =>
  infiniteQueryOptions({
    queryKey: [...FAVORITE_PAGES, sort],
    queryFn: ({ signal, pageParam }) => api.favorites.list({ sort, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
/** The beginning of the keys of all orders. */
export const FAVORITE_PAGES = [PERSONAL, 'favorites.list'] as const;

/** Whether others can see the person's saved homes, and how. */
export const sharing = (api: SiteApi) =>
  queryOptions({
    queryKey: [PERSONAL, 'favorites.getSharing'],
    queryFn: ({ signal }) => api.favorites.getSharing(undefined, { signal }),
  });

/** The saved homes of a person who gave their address away; asked again while someone looks. */
export const sharedPages = (api: SiteApi, secret: string) =>
  infiniteQueryOptions({
    queryKey: ['favorites.getShared', secret],
    queryFn: ({ signal, pageParam }) => api.favorites.getShared({ secret, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: SHARED_MS,
    refetchOnWindowFocus: 'always',
  });
const SHARED_MS = 15_000;

/** Homes that are compared, in this order; null for one without a public page. */
export const comparedHomes = (api: SiteApi, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['compare', ids],
    queryFn: ({ signal }) =>
      Promise.all(
        ids.map((propertyId) =>
          api.properties.getDetail({ propertyId }, { signal }).catch((error: unknown) => {
            if (isGone(error)) return null;
            throw error;
          }),
        ),
      ),
  });
/** 400: it is no id at all. */
const isGone = (error: unknown): boolean => [400, 404].includes(failureOf(error).httpStatus ?? 0);

export const cardsOf = (api: SiteApi, propertyIds: readonly string[]) =>
  queryOptions({
    queryKey: ['homes.listCards', propertyIds],
    queryFn: ({ signal }) => api.homes.listCards({ propertyIds: [...propertyIds] }, { signal }),
  });

/** Everything about tours begins with this, so that a change asks for all of it again. */
export const TOURS = [PERSONAL, 'tours'] as const;

const tourPages = (
  key: string | ThreadKey,
  ask: (cursor: string | null, signal: AbortSignal) => Promise<Outputs['tours']['listMine']>,
) =>
  infiniteQueryOptions({
    queryKey: [...TOURS, key],
    queryFn: ({ signal, pageParam }) => ask(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const agentTours = (api: SiteApi) =>
  tourPages('agent', (cursor, signal) => api.tours.listForAgent({ cursor }, { signal }));

/** The latest tour of each home and customer. */
export const threads = (api: SiteApi) =>
  tourPages('threads', (cursor, signal) => api.tours.listThreads({ cursor }, { signal }));

/** A thread of the inbox: the tours of one customer in one home. */
export interface ThreadKey {
  readonly propertyId: string;
  readonly customerId: string;
}

/** The tours of a thread, the newest first. @param personId who reads it */
export const threadTours = (api: SiteApi, { propertyId, customerId }: ThreadKey, personId: string) =>
  tourPages({ propertyId, customerId }, (cursor, signal) =>
    customerId === personId
      ? api.tours.listMine({ propertyId, cursor }, { signal })
      : api.tours.listForAgent({ propertyId, customerId, cursor }, { signal }),
  );

/** The tour of a home that the person has requested and that is not over; null without one. */
export const openTour = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [...TOURS, 'open', propertyId],
    queryFn: async ({ signal }) => {
      const { items } = await api.tours.listMine({ propertyId, statuses: [...OPEN], limit: 1 }, { signal });
      return items[0] ?? null;
    },
  });
const OPEN = ['REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED'] as const;

/** How many threads have something that the person has not read. */
export const unreadThreads = (api: SiteApi) =>
  queryOptions({
    queryKey: [...TOURS, 'unread'],
    queryFn: ({ signal }) => api.messages.countUnread(undefined, { signal }),
    staleTime: 30_000,
  });

export const sessions = (api: SiteApi) =>
  queryOptions({
    queryKey: [PERSONAL, 'users.listSessions'],
    queryFn: ({ signal }) => api.users.listSessions(undefined, { signal }),
  });

export const suggestions = (api: SiteApi, input: Inputs['search']['suggestLocations']) =>
  queryOptions({
    queryKey: ['search.suggestLocations', input],
    queryFn: ({ signal }) => api.search.suggestLocations(input, { signal }),
  });

export const commuteTimes = (api: SiteApi, input: Inputs['commute']['times']) =>
  queryOptions({
    queryKey: ['commute.times', input],
    queryFn: ({ signal }) => api.commute.times(input, { signal }),
  });
