import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { featureCounts } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { type SearchState, searchInput, searchOf } from './search-state.ts';

/** What the filters of a form would find. */
export interface Counts {
  readonly total: number;
  /** False: at least so many. */
  readonly isWhole: boolean;
  /** Of these homes, those with a feature. */
  readonly of: ReadonlyMap<string, number>;
}

interface Draft {
  /** What is searched now. */
  readonly state: SearchState;
  /** Of the typed place, when the address names no place itself. */
  readonly placeId: string | null;
  /** Whether the person sees the form: only then it is counted. */
  readonly isOpen: boolean;
}

/** Counts what a form that is being filled in would find; null until it is known. */
export function useDraft({ state, placeId, isOpen }: Draft) {
  const { api } = useSite();
  const [draft, setDraft] = useState({ of: state, filled: state });
  // A form begins again with each search.
  const filled = draft.of === state ? draft.filled : state;
  const { filters } = searchInput(filled, placeId);
  const { data } = useQuery({
    ...featureCounts(api, { filters }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const counts: Counts | null =
    data === undefined ? null : { ...data, of: new Map(data.counts.map(({ key, count }) => [key, count])) };
  return {
    counts,
    onChange: ({ currentTarget }: FormEvent<HTMLFormElement>): void =>
      setDraft({ of: state, filled: searchOf(currentTarget, state) }),
  };
}

/** Sends the form, and says what that will find. */
export function ApplyButton({ counts }: { readonly counts: Counts | null }) {
  const { t } = useText();
  return (
    <Button kind="primary" type="submit">
      {counts === null
        ? t('search.apply')
        : t(counts.isWhole ? 'search.applyCount' : 'search.applyAtLeast', { count: counts.total })}
    </Button>
  );
}
