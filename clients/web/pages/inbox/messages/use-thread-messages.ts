import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { type ThreadKey, unreadThreads } from '../../../api/queries.ts';
import { useSite } from '../../../site/use-site.ts';
import { joined, type KnownThread, messageThreads, threadMessages } from './message-queries.ts';

/** How often a visible page asks, while something happens in the thread and when nothing has for a while. */
const BUSY_MS = 2_000;
const CALM_MS = 15_000;
const BUSY_FOR_MS = 120_000;

/** The messages of an open thread, which are asked for again and again, and marked as read. */
export function useThreadMessages(key: ThreadKey) {
  const site = useSite();
  const { api, queries } = site;
  const activeAt = useRef(Date.now());
  const touch = useCallback(() => {
    activeAt.current = Date.now();
  }, []);
  const query = threadMessages(site, key);
  const list = useQuery({
    ...query,
    refetchInterval: () => (Date.now() - activeAt.current < BUSY_FOR_MS ? BUSY_MS : CALM_MS),
  });
  const last = list.data?.items.at(-1)?.seq;
  useEffect(() => {
    if (last !== undefined) touch();
  }, [touch, last]);
  useReading(list.data);
  const loadEarlier = async (): Promise<void> => {
    const before = list.data?.items[0]?.seq;
    if (before === undefined) return;
    const { items, hasMore } = await api.messages.list({ ...key, before });
    queries.setQueryData<KnownThread>(query.queryKey, (known) =>
      known === undefined ? known : { ...known, ...joined(known, items), hasEarlier: hasMore },
    );
  };
  const refresh = () =>
    Promise.all([query, messageThreads(api)].map(({ queryKey }) => queries.invalidateQueries({ queryKey })));
  return { list, touch, loadEarlier, refresh };
}

/** A page that is not visible has shown nothing to anyone. */
function useReading(known: KnownThread | undefined): void {
  const { api, queries } = useSite();
  const { threadId, unread = 0 } = known?.thread ?? {};
  const seq = known?.items.at(-1)?.seq;
  useEffect(() => {
    if (threadId === undefined || seq === undefined || unread === 0) return;
    const mark = (): void => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', mark);
      api.messages.markRead({ threadId, seq }).then(
        () =>
          Promise.all([
            queries.invalidateQueries({ queryKey: unreadThreads(api).queryKey }),
            queries.invalidateQueries({ queryKey: messageThreads(api).queryKey }),
          ]),
        // The next message or the next visit marks it.
        () => {},
      );
    };
    document.addEventListener('visibilitychange', mark);
    mark();
    return () => document.removeEventListener('visibilitychange', mark);
  }, [api, queries, threadId, seq, unread]);
}
