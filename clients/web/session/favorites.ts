import { FAVORITE_PAGES, favoriteIds } from '../api/queries.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useSite } from '../site/use-site.ts';
import { usePerson } from './person.ts';
import { useSignedIn } from './use-signed-in.ts';

/** Whether a home is saved, and what a tap on its heart does: shown at once, undone when the call fails. */
export function useFavorite(propertyId: string): { readonly isSaved: boolean; toggle(): void } {
  const { api, queries, notices } = useSite();
  const person = usePerson();
  const query = favoriteIds(api);
  const saved = useAnswer({ ...query, enabled: person != null });
  const isSaved = saved?.propertyIds.includes(propertyId) ?? false;
  const show = (saved: boolean): void => {
    queries.setQueryData(query.queryKey, (old) => {
      const others = (old?.propertyIds ?? []).filter((id) => id !== propertyId);
      return { propertyIds: saved ? [...others, propertyId] : others };
    });
  };
  const save = async (saved: boolean): Promise<void> => {
    let isShown = false;
    try {
      // An answer that comes later would hide what is shown at once.
      await queries.ensureQueryData(query);
      await queries.cancelQueries({ queryKey: query.queryKey });
      show(saved);
      isShown = true;
      await (saved ? api.favorites.add({ propertyId }) : api.favorites.remove({ propertyId }));
      await queries.invalidateQueries({ queryKey: FAVORITE_PAGES });
    } catch {
      if (isShown) show(!saved);
      notices.say('favorites.notSaved');
    }
  };
  const toggle = useSignedIn({ kind: 'favorite', propertyId }, () => save(!isSaved));
  return { isSaved, toggle };
}
