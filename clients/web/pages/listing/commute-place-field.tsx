import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { suggestions } from '../../api/queries.ts';
import type { Position } from '../../map/map-area.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { SHORTEST_PLACE } from '../search/search-data.ts';
import '../search/place-field.css';

interface CommutePlaceFieldProps {
  /** The place that is chosen; empty for none. */
  readonly label: string;
  readonly onPlace: (place: Position & { readonly label: string }) => void;
}

/** A place of which the site knows the position. What is typed is sent as in the search, and kept nowhere else. */
export function CommutePlaceField({ label, onPlace }: CommutePlaceFieldProps) {
  const { api } = useSite();
  const { t } = useText();
  const [text, setText] = useState(label);
  const typed = text.trim();
  const { data } = useQuery({
    ...suggestions(api, { text: typed }),
    enabled: typed.length >= SHORTEST_PLACE && typed !== label,
    placeholderData: keepPreviousData,
  });
  const places = (data?.groups ?? []).flatMap(({ kind, items }) =>
    items.flatMap(({ id, label: name, latitude, longitude }) =>
      latitude === null || longitude === null
        ? []
        : [{ key: `${kind} ${id}`, label: name, latitude, longitude }],
    ),
  );
  return (
    <ComboBox
      className="place-field commute-place"
      allowsCustomValue
      allowsEmptyCollection
      menuTrigger="input"
      inputValue={text}
      onInputChange={setText}
      defaultFilter={() => true}
      onSelectionChange={(chosen) => {
        const place = places.find(({ key }) => key === chosen);
        if (place === undefined) return;
        const { key, ...rest } = place;
        setText(place.label);
        onPlace(rest);
      }}
    >
      <Label className="field-label">{t('commute.place')}</Label>
      <Input className="input" maxLength={200} autoComplete="off" placeholder={t('search.placeHint')} />
      <Popover className="place-field-popover">
        <ListBox
          className="place-field-list"
          renderEmptyState={() => <p className="place-field-group">{t('search.noSuggestion')}</p>}
        >
          {places.map(({ key, label: name }) => (
            <ListBoxItem key={key} id={key} className="place-field-item" textValue={name}>
              {name}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
