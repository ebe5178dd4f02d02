import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  ComboBox,
  Header,
  Input,
  type Key,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
} from 'react-aria-components';
import type { AddressQuery } from '../../addresses/address-query.ts';
import { suggestions } from '../../api/queries.ts';
import { picturesOf } from '../../pictures/picture-choice.ts';
import { recentSearches } from '../../session/recent-searches.ts';
import { kept } from '../../site/keeper.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { chipsOf, chipText } from './chips.ts';
import { SHORTEST_PLACE } from './search-data.ts';
import { readState, type SearchState, writeState } from './search-state.ts';
import './place-field.css';

interface PlaceFieldProps {
  readonly id: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly state: SearchState;
}

/** One line of the suggestions. */
interface Choice {
  readonly id: string;
  readonly label: string;
  choose(): void;
}

interface Group {
  readonly name: string;
  readonly choices: readonly Choice[];
}

/** The field of a place with suggestions while one types, and recent searches before. Loaded when it is first used. */
export default function PlaceField({ id, text, onText, state }: PlaceFieldProps) {
  const { t } = useText();

  const { person } = useSite();
  const recent = useMemo(() => recentSearches(kept, person?.current() ?? null), [person]);
  const groups = useGroups(text, state, recent);
  const choices = groups.flatMap(({ choices: all }) => all);
  return (
    <ComboBox
      className="place-field"
      aria-label={t('search.place')}
      allowsCustomValue
      // Suggestions come after the keys that ask for them.
      allowsEmptyCollection
      menuTrigger={recent.length > 0 ? 'focus' : 'input'}
      inputValue={text}
      onInputChange={onText}
      defaultFilter={() => true}
      onSelectionChange={(key: Key | null) => choices.find((choice) => choice.id === key)?.choose()}
    >
      <Input
        id={id}
        className="input"
        type="search"
        name="q"
        placeholder={t('search.placeHint')}
        maxLength={200}
        autoComplete="off"
        // It takes the place of a plain field that has the focus.
        autoFocus
      />
      <Popover className="place-field-popover">
        <ListBox
          className="place-field-list"
          renderEmptyState={() => <p className="place-field-group">{t('search.noSuggestion')}</p>}
        >
          {groups.map(({ name, choices: all }) => (
            <ListBoxSection key={name}>
              <Header className="place-field-group">{name}</Header>
              {all.map(({ id: key, label }) => (
                <ListBoxItem key={key} id={key} className="place-field-item" textValue={label}>
                  {label}
                </ListBoxItem>
              ))}
            </ListBoxSection>
          ))}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function useGroups(text: string, state: SearchState, recent: readonly AddressQuery[]): readonly Group[] {
  const { api, settings } = useSite();
  const { currency } = settings.site;
  const words = useText();
  const navigate = useNavigate();
  const typed = text.trim();
  const { data } = useQuery({
    ...suggestions(api, { text: typed }),
    enabled: typed.length >= SHORTEST_PLACE,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    const { t } = words;
    const go = (next: SearchState): void => {
      void navigate({ to: '/search', search: writeState(next), resetScroll: false });
    };
    if (typed.length < SHORTEST_PLACE) {
      const choices = recent.map((address, index) => {
        const { q = '', place, ...others } = readState(address);
        const chips = chipsOf(others).map((chip) => chipText(chip, words, currency));
        return {
          id: `recent ${index}`,
          label: [q, ...chips].filter((part) => part !== '').join(' · '),
          choose: () => go({ ...readState(address), ...picturesOf(state.pictures) }),
        };
      });
      return choices.length === 0 ? [] : [{ name: t('search.recent'), choices }];
    }
    return (data?.groups ?? []).map(({ kind, items }) => ({
      name: t(`suggestion.${kind}`),
      choices: items.map(({ id, label }) => ({
        id,
        label,
        choose: () => {
          if (kind === 'address')
            void navigate({
              to: '/properties/$propertyId',
              params: { propertyId: id },
              search: picturesOf(state.pictures),
            });
          else {
            const { box, zoom, cursor, ...rest } = state;
            go({ ...rest, q: label, place: id });
          }
        },
      })),
    }));
  }, [typed, data, state, recent, navigate, words, currency]);
}
