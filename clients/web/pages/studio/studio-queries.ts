import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Inputs, Outputs } from '../../../typescript/procedures.ts';
import { PERSONAL } from '../../api/queries.ts';
import type { SiteApi } from '../../api/site-api.ts';

/** The queries of the studio. All belong to the person, and go when the person signs out. */
export type OwnListing = Outputs['properties']['getMine'];
export type Photo = OwnListing['photos'][number];
export type Job = Outputs['ai']['listStagingJobs']['items'][number];
export type Variant = Outputs['ai']['listStagedVariants']['items'][number];
export type RoomType = NonNullable<Photo['roomType']>;
export type ImageOf = NonNullable<Photo['imageOf']>;
export type Style = NonNullable<Variant['canonicalStyle']>;

export type DisclosureCheck = Outputs['disclosure']['check'];
export type Condition = Inputs['disclosure']['confirm']['conditions'][number];
export type Market = NonNullable<Inputs['disclosure']['check']['market']>;

type JobStatus = NonNullable<Inputs['ai']['listStagingJobs']['statuses']>[number];
const OPEN_STATUSES: JobStatus[] = ['PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED'];
/** The most that one answer holds. */
const MOST = 100;

export const myListings = (api: SiteApi) =>
  infiniteQueryOptions({
    queryKey: [PERSONAL, 'properties.listMine'],
    queryFn: ({ signal, pageParam }) => api.properties.listMine({ cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });

export const MY_LISTING = [PERSONAL, 'properties.getMine'] as const;

export const myListing = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [...MY_LISTING, propertyId],
    queryFn: ({ signal }) => api.properties.getMine({ propertyId }, { signal }),
    staleTime: 0,
  });

export const OPEN_HOUSES = [PERSONAL, 'openHouses.list'] as const;

export const openHouses = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [...OPEN_HOUSES, propertyId],
    queryFn: async ({ signal }) => (await api.openHouses.list({ propertyId }, { signal })).items,
    staleTime: 0,
  });

export type DayFigures = Outputs['properties']['getFigures']['days'][number];
export type FigureDays = NonNullable<Inputs['properties']['getFigures']['days']>;

export const listingFigures = (api: SiteApi, input: { propertyId: string; days: FigureDays }) =>
  queryOptions({
    queryKey: [PERSONAL, 'properties.getFigures', input],
    queryFn: async ({ signal }) => (await api.properties.getFigures(input, { signal })).days,
    staleTime: 0,
  });

/** A listing as its public page will show it. */
export const draftDetail = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [PERSONAL, 'properties.getDetail', propertyId],
    queryFn: ({ signal }) => api.properties.getDetail({ propertyId }, { signal }),
    staleTime: 0,
  });

export type SuggestedAddress = Outputs['addresses']['suggest']['items'][number];

/** What is typed is kept no longer than it is shown. */
export const suggestedAddresses = (api: SiteApi, input: Inputs['addresses']['suggest']) =>
  queryOptions({
    queryKey: [PERSONAL, 'addresses.suggest', input],
    queryFn: async ({ signal }) => (await api.addresses.suggest(input, { signal })).items,
    gcTime: 0,
    retry: false,
  });

/** Where a pin may begin, and whether it is far from there. */
export const locatedAddress = (api: SiteApi, input: Inputs['addresses']['locate']) =>
  queryOptions({
    queryKey: [PERSONAL, 'addresses.locate', input],
    queryFn: ({ signal }) => api.addresses.locate(input, { signal }),
    retry: false,
  });

/** Another listing of the same home. */
export const sameHome = (api: SiteApi, input: Inputs['addresses']['findSame']) =>
  queryOptions({
    queryKey: [PERSONAL, 'addresses.findSame', input],
    queryFn: async ({ signal }) => (await api.addresses.findSame(input, { signal })).same,
    staleTime: 0,
    retry: false,
  });

/** Jobs that have not ended. */
export const openJobs = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [PERSONAL, 'ai.listStagingJobs', propertyId, 'open'],
    queryFn: async ({ signal }) =>
      (await api.ai.listStagingJobs({ propertyId, statuses: OPEN_STATUSES, limit: MOST }, { signal })).items,
    staleTime: 0,
  });

/** Jobs that failed, newest first. */
export const failedJobs = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [PERSONAL, 'ai.listStagingJobs', propertyId, 'failed'],
    queryFn: async ({ signal }) =>
      (await api.ai.listStagingJobs({ propertyId, statuses: ['FAILED'], limit: MOST }, { signal })).items,
    staleTime: 0,
  });

export const VARIANTS = [PERSONAL, 'ai.listStagedVariants'] as const;

export const variants = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [...VARIANTS, propertyId],
    queryFn: async ({ signal }) => (await api.ai.listStagedVariants({ propertyId }, { signal })).items,
    staleTime: 0,
  });

/** Reports after visits that no one has answered, newest first. */
export const openReports = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [PERSONAL, 'tours.listMismatchReports', propertyId],
    queryFn: async ({ signal }) =>
      (await api.tours.listMismatchReports({ propertyId, status: 'OPEN', limit: MOST }, { signal })).items,
    staleTime: 0,
  });

export const stagingCatalog = (api: SiteApi) =>
  queryOptions({
    queryKey: ['ai.getStagingCatalog'],
    queryFn: ({ signal }) => api.ai.getStagingCatalog(undefined, { signal }),
    staleTime: 10_000,
  });

export const quota = (api: SiteApi) =>
  queryOptions({
    queryKey: [PERSONAL, 'ai.getQuota'],
    queryFn: ({ signal }) => api.ai.getQuota(undefined, { signal }),
    staleTime: 0,
  });

export const listingAgents = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [PERSONAL, 'properties.listAgents', propertyId],
    queryFn: async ({ signal }) => (await api.properties.listAgents({ propertyId }, { signal })).items,
    staleTime: 0,
  });

export type Offer = Outputs['users']['listOffers']['items'][number];

export const OFFERS = [PERSONAL, 'users.listOffers'] as const;

/** The open offers that the agent got or made, newest first. */
export const openOffers = (api: SiteApi) =>
  queryOptions({
    queryKey: OFFERS,
    queryFn: async ({ signal }) =>
      (await api.users.listOffers({ status: 'OPEN', limit: MOST }, { signal })).items,
    staleTime: 0,
  });

/** The open offers of a listing that the agent made. */
export const offersOfListing = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [...OFFERS, propertyId],
    queryFn: async ({ signal }) =>
      (await api.users.listOffers({ propertyId, status: 'OPEN', limit: MOST }, { signal })).items,
    staleTime: 0,
  });

export const descriptionJob = (api: SiteApi, aiJobId: string) =>
  queryOptions({
    queryKey: [PERSONAL, 'ai.getDescriptionJob', aiJobId],
    queryFn: ({ signal }) => api.ai.getDescriptionJob({ aiJobId }, { signal }),
    staleTime: 0,
  });

type Locale = NonNullable<Inputs['disclosure']['check']['locale']>;

/** Names of markets and listing services in the page's language; they change with a release only. */
export const disclosureProfiles = (api: SiteApi, locale: Locale) =>
  queryOptions({
    queryKey: [PERSONAL, 'disclosure.listProfiles', locale],
    queryFn: ({ signal }) => api.disclosure.listProfiles({ locale }, { signal }),
  });

interface DisclosureQuestion {
  readonly propertyId: string;
  /** Null: the market of the listing's address. */
  readonly market: Market | null;
  readonly locale: Locale;
}

export const DISCLOSURE = [PERSONAL, 'disclosure.check'];

/** Other agents, and the worker, change what is asked. */
const CHECKED_EVERY_MS = 10_000;

/** What a market asks of the listing's pictures, in the page's language. */
export const disclosureCheck = (api: SiteApi, { propertyId, market, locale }: DisclosureQuestion) =>
  queryOptions({
    queryKey: [...DISCLOSURE, propertyId, market, locale],
    queryFn: ({ signal }) =>
      api.disclosure.check({ propertyId, locale, ...(market === null ? {} : { market }) }, { signal }),
    refetchInterval: CHECKED_EVERY_MS,
    staleTime: 0,
  });
