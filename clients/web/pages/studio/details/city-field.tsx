import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { suggestions } from '../../../api/queries.ts';
import { Field } from '../../../primitives/parts.tsx';
import { useDraft, useStoreAfterPause } from '../../../primitives/use-draft.ts';
import { useSite, useText } from '../../../site/use-site.ts';

/** What is known of a city that was suggested. */
export interface KnownPlace {
  readonly city: string;
  readonly state: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

const SHORTEST = 2;

interface CityFieldProps {
  readonly value?: string;
  /** Called with a city that is known, and with null for any other text. */
  readonly onPlace: (place: KnownPlace | null) => void;
  /** Called with the text after a pause, and when the field or the page is left. @returns whether it was stored */
  readonly onText?: (city: string) => boolean | Promise<boolean>;
}

/** The city of a listing, with suggestions while one types: `Seattle, WA` fills in the state, and moves the map. */
export function CityField({ value = '', onPlace, onText }: CityFieldProps) {
  const { api } = useSite();
  const { t } = useText();
  const list = useId();
  const draft = useDraft(value);
  const typed = draft.value.trim();
  const store = (text: string): void => draft.settle(onText?.(text.trim()) ?? false);
  useStoreAfterPause(draft, store);
  const { data } = useQuery({
    ...suggestions(api, { text: typed }),
    enabled: typed.length >= SHORTEST && typed !== value,
    placeholderData: keepPreviousData,
  });
  const cities = data?.groups.find(({ kind }) => kind === 'city')?.items ?? [];
  const type = (next: string): void => {
    const known = cities.find(({ label }) => label === next);
    const [city = next, state = null] = known === undefined ? [next] : next.split(', ');
    draft.type(city);
    onPlace(
      known === undefined ? null : { city, state, latitude: known.latitude, longitude: known.longitude },
    );
  };
  return (
    <Field label={t('studio.field.city')}>
      <input
        className="input"
        name="city"
        value={draft.value}
        required
        maxLength={120}
        autoComplete="off"
        list={list}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => store(draft.value)}
      />
      <datalist id={list}>
        {cities.map(({ id, label }) => (
          <option key={id} value={label} />
        ))}
      </datalist>
    </Field>
  );
}
