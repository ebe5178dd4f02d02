import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Outputs } from '../../../../typescript/procedures.ts';
import { PERSONAL, type ThreadKey } from '../../../api/queries.ts';
import type { SiteApi } from '../../../api/site-api.ts';

export type MessageThread = NonNullable<Outputs['messages']['list']['thread']>;
export type Message = Outputs['messages']['list']['items'][number];

/** Everything about messages begins with this. */
const MESSAGES = [PERSONAL, 'messages'] as const;
const LIST_MS = 15_000;

/** The threads with messages, the latest message first; asked again while the list is shown. */
export const messageThreads = (api: SiteApi) =>
  infiniteQueryOptions({
    queryKey: [...MESSAGES, 'threads'],
    queryFn: ({ signal, pageParam }) => api.messages.listThreads({ cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: LIST_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
  });

/** What a page knows of a thread: the last messages without a gap, and more with each question. */
export interface KnownThread {
  readonly thread: MessageThread | null;
  readonly items: readonly Message[];
  /** Whether there are older ones. */
  readonly hasEarlier: boolean;
}

/** The first question is for the last messages, all later ones for those after the last known one. */
export const threadMessages = (
  { api, queries }: { readonly api: SiteApi; readonly queries: QueryClient },
  { propertyId, customerId }: ThreadKey,
) => {
  const queryKey = [...MESSAGES, propertyId, customerId] as const;
  const known = () => queries.getQueryData<KnownThread>(queryKey);
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<KnownThread> => {
      const first = known();
      if (!first || first.items.length === 0) {
        const { thread, items, hasMore } = await api.messages.list({ propertyId, customerId }, { signal });
        return { thread, items, hasEarlier: hasMore };
      }
      const fresh: Message[] = [];
      for (;;) {
        const after = (fresh.at(-1) ?? first.items.at(-1))?.seq ?? 0;
        const next = await api.messages.list({ propertyId, customerId, after }, { signal });
        fresh.push(...next.items);
        // Older ones may have come meanwhile.
        if (!next.hasMore)
          return { ...(known() ?? first), ...joined(known() ?? first, fresh), thread: next.thread };
      }
    },
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
};

/** Each message once, in order. */
export const joined = (
  { items }: Pick<KnownThread, 'items'>,
  more: readonly Message[],
): Pick<KnownThread, 'items'> => ({
  items: [...new Map([...items, ...more].map((one) => [one.seq, one])).values()].toSorted(
    (one, other) => one.seq - other.seq,
  ),
});

/** What the inbox shows of messages at first. */
export async function loadMessages(
  site: Parameters<typeof threadMessages>[0],
  thread: ThreadKey | null,
): Promise<void> {
  const { api, queries } = site;
  await Promise.all([
    queries.prefetchInfiniteQuery(messageThreads(api)),
    ...(thread === null ? [] : [queries.prefetchQuery(threadMessages(site, thread))]),
  ]);
}
