import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { suggestions } from '../../../api/queries.ts';
import type { Position } from '../../../map/map-area.ts';
import { Field } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { SHORTEST_PLACE } from '../../search/search-data.ts';

interface CommutePlaceFieldProps {
  /** The place that is chosen; empty for none. */
  readonly label: string;
  readonly onPlace: (place: Position & { readonly label: string }) => void;
}

/** A place of which the site knows the position. What is typed is sent as in the search, and kept nowhere else. */
export function CommutePlaceField({ label, onPlace }: CommutePlaceFieldProps) {
  const { api } = useSite();
  const { t } = useText();
  const list = useId();
  const [text, setText] = useState(label);
  const typed = text.trim();
  const { data } = useQuery({
    ...suggestions(api, { text: typed }),
    enabled: typed.length >= SHORTEST_PLACE && typed !== label,
    placeholderData: keepPreviousData,
  });
  const places = (data?.groups ?? []).flatMap(({ items }) =>
    items.flatMap(({ label: name, latitude, longitude }) =>
      latitude === null || longitude === null ? [] : [{ label: name, latitude, longitude }],
    ),
  );
  const named = typed === label ? undefined : places.find((place) => place.label === typed);
  // A name may be whole before its suggestion is there.
  useEffect(() => {
    if (named !== undefined) onPlace(named);
  }, [named, onPlace]);
  return (
    <Field label={t('commute.place')}>
      <input
        className="input commute-place"
        list={list}
        value={text}
        maxLength={200}
        autoComplete="off"
        placeholder={t('search.placeHint')}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <datalist id={list}>
        {[...new Set(places.map((place) => place.label))].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Field>
  );
}
