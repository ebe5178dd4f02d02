import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PERSONAL } from '../../../api/queries.ts';
import type { SiteApi } from '../../../api/site-api.ts';

export const myWebhooks = (api: SiteApi) =>
  queryOptions({
    queryKey: [PERSONAL, 'webhooks.list'],
    queryFn: ({ signal }) => api.webhooks.list(undefined, { signal }),
    staleTime: 0,
  });

export type OwnWebhook = Awaited<ReturnType<SiteApi['webhooks']['list']>>['items'][number];

/** How often the list is read while something is on its way. */
const LOOK_MS = 2_000;
/** A try that is further away is not waited for. */
const SOON_MS = 60_000;
const PAGE = 10;

/** The last deliveries of a webhook, the newest first. */
export const webhookDeliveries = (api: SiteApi, webhookId: string) =>
  infiniteQueryOptions({
    queryKey: [PERSONAL, 'webhooks.listDeliveries', webhookId],
    queryFn: ({ signal, pageParam }) =>
      api.webhooks.listDeliveries({ webhookId, cursor: pageParam, limit: PAGE }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => {
      const items = data?.pages.flatMap((page) => page.items) ?? [];
      const soon = Date.now() + SOON_MS;
      const isOnItsWay = items.some(
        ({ nextAttemptAt }) => nextAttemptAt !== null && Date.parse(nextAttemptAt) < soon,
      );
      return isOnItsWay ? LOOK_MS : false;
    },
  });

export type WebhookDelivery = Awaited<ReturnType<SiteApi['webhooks']['listDeliveries']>>['items'][number];

export const EVENTS = [
  'tour.requested',
  'tour.confirmed',
  'message.received',
  'listing.changed',
  'picture.approved',
] as const satisfies readonly OwnWebhook['events'][number][];
