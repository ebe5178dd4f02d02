import { type ThreadKey, threads, threadTours } from '../../api/queries.ts';
import { loadPerson } from '../../session/person.ts';
import type { Site } from '../../site/site.ts';

/** In an address in the place of the reader's own id, which links of public pages do not know. */
export const ME = 'me';

/** What the inbox shows at first. A failure is the page's to show: it has what can be tried again. */
export async function loadInbox(site: Site, thread: ThreadKey | null): Promise<void> {
  const { api, queries } = site;
  const person = await loadPerson(site);
  if (person === null) return;
  await Promise.all([
    queries.prefetchInfiniteQuery(threads(api)),
    ...(thread === null || thread.customerId === ME
      ? []
      : [queries.prefetchInfiniteQuery(threadTours(api, thread, person.id))]),
  ]);
}
