import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { writeQuery } from '../../../addresses/address-query.ts';
import { Button } from '../../../primitives/button.tsx';
import { Icon } from '../../../primitives/icon.tsx';
import { takePending } from '../../../session/pending-action.ts';
import { usePerson } from '../../../session/person.ts';
import { useSignedIn } from '../../../session/use-signed-in.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import type { Found } from '../search-data.ts';
import { type SearchState, withoutCursor, writeState } from '../search-state.ts';
import type { SaveSheetProps } from './save-sheet.tsx';
import { findsSame, stateOf, toSave } from './saved-filters.ts';
import { type SavedSearch, savedSearches, useSavedSearches } from './saved-searches.ts';

interface SaveSearchProps {
  readonly state: SearchState;
  /** What the typed text stands for; null while that is not known. */
  readonly found: Found | null;
}

/**
 * Saves the search that is shown, or leads to what was saved. The sheet and its words come after a press. A signed-out
 * visitor signs in first and comes back to the sheet.
 */
export default function SaveSearch({ state, found }: SaveSearchProps) {
  const { language, notices } = useSite();
  const { t } = useText();
  const person = usePerson();
  const placeId = found?.place?.id ?? null;
  const saved = useSavedOf(state, found);
  const [Sheet, setSheet] = useState<ComponentType<SaveSheetProps> | null>(null);
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
  const press = useSignedIn({ kind: 'search', query }, open);
  useEffect(() => {
    if (person != null && takePending({ kind: 'search', query })) void open();
  });
  return (
    <>
      <Button
        kind={saved === null ? 'primary' : 'secondary'}
        aria-haspopup="dialog"
        isDisabled={found === null}
        onPress={press}
      >
        <Icon name="bell" filled={saved !== null} />
        {t(saved === null ? 'search.save' : 'search.saved')}
      </Button>
      {Sheet === null || found === null ? null : (
        <Sheet
          state={state}
          placeId={placeId}
          place={found.place?.label ?? state.q ?? null}
          saved={saved}
          onClose={() => setSheet(null)}
        />
      )}
    </>
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
