import { type ThreadKey, threads, threadTours } from '../../api/queries.ts';
import { loadPerson } from '../../session/person.ts';
import type { Site } from '../../site/site.ts';

/** In an address in the place of the reader's own id, which links of public pages do not know. */
export const ME = 'me';

/** What the inbox shows at first. A failure is the page's to show: it has what can be tried again. */
export async function loadInbox(site: Site, address: ThreadKey | null): Promise<void> {
  const { api, queries } = site;
  const person = await loadPerson(site);
  if (person === null) return;
  const thread = address?.customerId === ME ? { ...address, customerId: person.id } : address;
  // Every page has the table of pages in which this is named; only the inbox needs the rest.
  const { loadMessages } = await import('./messages/message-queries.ts');
  await Promise.all([
    queries.prefetchInfiniteQuery(threads(api)),
    loadMessages(site, thread),
    ...(thread === null ? [] : [queries.prefetchInfiniteQuery(threadTours(api, thread, person.id))]),
  ]);
}
