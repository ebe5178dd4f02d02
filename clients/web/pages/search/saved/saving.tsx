import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { writeQuery } from '../../../addresses/address-query.ts';
import { takePending } from '../../../session/pending-action.ts';
import { usePerson } from '../../../session/person.ts';
import { useSignedIn } from '../../../session/use-signed-in.ts';
import { useSite } from '../../../site/use-site.ts';
import type { Found } from '../search-data.ts';
import { type SearchState, withoutCursor, writeState } from '../search-state.ts';
import type { SaveSheetProps } from './save-sheet.tsx';
import { findsSame, stateOf, toSave } from './saved-filters.ts';
import { type SavedSearch, savedSearches, useSavedSearches } from './saved-searches.ts';

interface SavingProps {
  readonly state: SearchState;
  /** What the typed text stands for; null while that is not known. */
  readonly found: Found | null;
  /** Whether the button was pressed and nothing has come of it yet. */
  readonly isAsked: boolean;
  readonly onAsked: (isAsked: boolean) => void;
  /** Told whether the search is saved. */
  readonly onSaved: (isSaved: boolean) => void;
}

/**
 * What the button of the search page does: it saves the search that is shown, or leads to what was saved. The sheet and its
 * words come after the press. A signed-out visitor signs in first and comes back to the sheet.
 */
export default function Saving({ state, found, isAsked, onAsked, onSaved }: SavingProps) {
  const { language, notices } = useSite();
  const person = usePerson();
  const saved = useSavedOf(state, found);
  const [Sheet, setSheet] = useState<ComponentType<SaveSheetProps> | null>(null);
  const isSaved = saved !== null;
  useEffect(() => onSaved(isSaved), [isSaved, onSaved]);
  const open = async (): Promise<void> => {
    try {
      const [{ default: Loaded }] = await Promise.all([
        import('./save-sheet.tsx'),
        language.addWords(['searches']),
      ]);
      setSheet(() => Loaded);
    } catch {
      notices.say('errors.notReached');
    }
  };
  const query = writeQuery(writeState(withoutCursor(state)));
  const start = useSignedIn({ kind: 'search', query }, open);
  useEffect(() => {
    // Before it is known which place is searched, it would be another search.
    if (found === null) return;
    if (isAsked) {
      onAsked(false);
      start();
    } else if (person != null && takePending({ kind: 'search', query })) void open();
  });
  if (Sheet === null || found === null) return null;
  return (
    <Sheet
      state={state}
      placeId={found.place?.id ?? null}
      place={found.place?.label ?? state.q ?? null}
      saved={saved}
      onClose={() => setSheet(null)}
    />
  );
}

/**
 * What was saved of this search; null for nothing, and while it is not known. Looking at it makes its homes no news.
 */
function useSavedOf(state: SearchState, found: Found | null): SavedSearch | null {
  const { api, settings } = useSite();
  const person = usePerson();
  const { markSeen } = useSavedSearches();
  const isKnown = person != null && found !== null;
  const { data } = useQuery({ ...savedSearches(api), enabled: isKnown });
  const { filters } = toSave(state, found?.place?.id ?? null);
  const isThis = (one: SavedSearch): boolean =>
    findsSame(filters, toSave(stateOf(one, settings.site.areaUnits), null).filters);
  const saved = (isKnown ? data?.items.find(isThis) : undefined) ?? null;
  const news = saved !== null && saved.newHomes > 0 ? saved.id : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever else of the page changes
  useEffect(() => {
    if (news !== null) markSeen(news);
  }, [news]);
  return saved;
}
