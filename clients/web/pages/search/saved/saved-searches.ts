import { queryOptions } from '@tanstack/react-query';
import type { Inputs, Outputs } from '../../../../typescript/procedures.ts';
import { problemKey } from '../../../api/failures.ts';
import { PERSONAL } from '../../../api/queries.ts';
import type { SiteApi } from '../../../api/site-api.ts';
import { useSite } from '../../../site/use-site.ts';

/** The searches that the person has saved, and what can be done with them. */
export type SavedSearch = Outputs['searches']['list']['items'][number];
export type SearchToSave = Inputs['searches']['save'];
export type Cadence = SearchToSave['cadence'];

/** How often alerts are mailed, in the order in which it is offered. */
export const CADENCES: readonly Cadence[] = ['INSTANT', 'DAILY', 'WEEKLY', 'NONE'];
/** How alerts of a new search come: by mail, and to the browsers in which the person has turned on notices. */
export const CHANNELS: SearchToSave['channels'] = ['MAIL', 'PUSH'];

interface Alerts {
  readonly cadence: string;
  readonly channels: readonly string[];
}

/** How often mails come: the cadence, where mail is one of the ways. */
export const mailsOf = ({ cadence, channels }: Alerts): Cadence =>
  channels.includes('MAIL') ? (cadence as Cadence) : 'NONE';

/** The change after which mails come so often. Alerts that come another way stay when mails end. */
export function mailsTo(
  { channels }: Alerts,
  cadence: Cadence,
): Pick<Partial<SearchToSave>, 'cadence' | 'channels'> {
  const others = channels.filter((one) => one !== 'MAIL') as SearchToSave['channels'];
  if (cadence !== 'NONE') return { cadence, channels: [...others, 'MAIL'] };
  return others.length === 0 ? { cadence } : { channels: others };
}

export const savedSearches = (api: SiteApi) =>
  queryOptions({
    queryKey: [PERSONAL, 'searches.list'],
    queryFn: ({ signal }) => api.searches.list(undefined, { signal }),
  });

/** Changes that are shown as soon as they are stored. Each one rejects with the failure of its call. */
export function useSavedSearches() {
  const { api, queries, notices } = useSite();
  const query = savedSearches(api);
  const show = async (change: (items: readonly SavedSearch[]) => SavedSearch[]): Promise<void> => {
    // An answer that is on its way has the list as it was.
    await queries.cancelQueries({ queryKey: query.queryKey });
    queries.setQueryData(query.queryKey, (old) => old && { ...old, items: change(old.items) });
    void queries.invalidateQueries({ queryKey: query.queryKey });
  };
  const undone = (work: Promise<void>): void => void work.catch((error) => notices.say(problemKey(error)));
  const add = async (search: SearchToSave): Promise<SavedSearch> => {
    const saved = await api.searches.save(search);
    await show((items) => [saved, ...items.filter(({ id }) => id !== saved.id)]);
    return saved;
  };
  const drop = async (id: string): Promise<void> => {
    await api.searches.remove({ id });
    await show((items) => items.filter((one) => one.id !== id));
  };
  return {
    save: async (search: SearchToSave): Promise<void> => {
      const { id } = await add(search);
      notices.say('searches.isSaved', () => undone(drop(id)));
    },
    update: async (change: Inputs['searches']['update']): Promise<void> => {
      const changed = await api.searches.update(change);
      await show((items) => items.map((one) => (one.id === changed.id ? changed : one)));
    },
    remove: async ({ id, name, filters, sort, cadence, channels }: SavedSearch): Promise<void> => {
      await drop(id);
      // As the server gave them, it takes them.
      const again = { name, filters, sort, cadence, channels } as SearchToSave;
      notices.say('searches.removed', () => undone(add(again).then(() => undefined)));
    },
    /** The homes of the search are no news any more. A failure leaves them news. */
    markSeen: (id: string): void =>
      void api.searches
        .markSeen({ id })
        .then(() => show((items) => items.map((one) => (one.id === id ? { ...one, newHomes: 0 } : one))))
        .catch(() => undefined),
  };
}
