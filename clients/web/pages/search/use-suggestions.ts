import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { suggestions } from '../../api/queries.ts';
import { picturesOf } from '../../pictures/picture-choice.ts';
import { recentSearches } from '../../session/recent-searches.ts';
import { kept } from '../../site/keeper.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { chipsOf, chipText } from './chips.ts';
import { SHORTEST_PLACE } from './search-data.ts';
import { readState, type SearchState, writeState } from './search-state.ts';

/** One line of the suggestions. */
interface Choice {
  readonly id: string;
  readonly label: string;
  /** Homes on offer there; null for what is no place. */
  readonly count: number | null;
  choose(): void;
}

export interface Group {
  readonly name: string;
  readonly choices: readonly Choice[];
}

/**
 * What is suggested for a text: places and homes, or recent searches while it is too short.
 * @param text null while nothing is to be suggested: then nothing is asked
 */
export function useSuggestions(
  text: string | null,
  state: SearchState,
): { readonly groups: readonly Group[]; readonly isWaiting: boolean } {
  const { api } = useSite();
  const typed = text?.trim() ?? '';
  const isAsked = typed.length >= SHORTEST_PLACE;
  const { data, isFetching } = useQuery({
    ...suggestions(api, { text: typed }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const recent = useRecent(state, text !== null && !isAsked);
  const places = usePlaces(data, state);
  if (text === null) return { groups: [], isWaiting: false };
  return { groups: isAsked ? places : recent, isWaiting: isAsked && isFetching };
}

function useGo(): (next: SearchState) => void {
  const navigate = useNavigate();
  return (next) => void navigate({ to: '/search', search: writeState(next), resetScroll: false });
}

function useRecent(state: SearchState, isAsked: boolean): readonly Group[] {
  const { person, settings } = useSite();
  const words = useText();
  const go = useGo();
  if (!isAsked) return [];
  const choices = recentSearches(kept, person?.current() ?? null).map((address, index): Choice => {
    const { q = '', place, ...others } = readState(address);
    const chips = chipsOf(others).map((chip) => chipText(chip, words, settings.site.currency));
    return {
      id: `recent ${index}`,
      label: [q, ...chips].filter((part) => part !== '').join(' · '),
      count: null,
      choose: () => go({ ...readState(address), ...picturesOf(state.pictures) }),
    };
  });
  return choices.length === 0 ? [] : [{ name: words.t('search.recent'), choices }];
}

type Suggestions = Awaited<ReturnType<NonNullable<ReturnType<typeof suggestions>['queryFn']>>>;

function usePlaces(data: Suggestions | undefined, state: SearchState): readonly Group[] {
  const { t } = useText();
  const navigate = useNavigate();
  const go = useGo();
  const toHome = (propertyId: string): void =>
    void navigate({
      to: '/properties/$propertyId',
      params: { propertyId },
      search: picturesOf(state.pictures),
    });
  const { area, box, zoom, cursor, ...rest } = state;
  return (data?.groups ?? []).map(({ kind, items }) => ({
    name: t(`suggestion.${kind}`),
    choices: items.map(
      ({ id, label, count }): Choice => ({
        id,
        label,
        count,
        choose: () => (kind === 'address' ? toHome(id) : go({ ...rest, q: label, place: id })),
      }),
    ),
  }));
}
