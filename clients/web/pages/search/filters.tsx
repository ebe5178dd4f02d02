import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import { pathIn } from '../../../../i18n/languages.ts';
import type { Outputs } from '../../../typescript/procedures.ts';
import { parseQuery } from '../../addresses/address-query.ts';
import { featureCounts } from '../../api/queries.ts';
import { PICTURE_CHOICES } from '../../pictures/picture-choice.ts';
import { Button } from '../../primitives/button.tsx';
import { Pill } from '../../primitives/choices.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { Field } from '../../primitives/parts.tsx';
import { rememberSearch } from '../../session/recent-searches.ts';
import { kept } from '../../site/keeper.ts';
import { useSite, useText } from '../../site/use-site.ts';
import type { Place } from './search-data.ts';
import { OFFERED_SORTS, readState, type SearchState, searchInput, writeState } from './search-state.ts';

const PlaceField = lazy(() => import('./place-field.tsx'));

interface FiltersProps {
  readonly state: SearchState;
  readonly catalog: Outputs['search']['getFilterCatalog'];
  /** The place that the typed text stands for. */
  readonly place: Place | null;
}

const UNIT_NAMES = { 'Square Feet': 'filter.squareFeet', 'Square Meters': 'filter.squareMeters' } as const;
const ROOMS = [1, 2, 3, 4, 5];

/** All filters as one form. Without JavaScript it is sent as it is, and leads to the same address. */
export function Filters({ state, catalog, place }: FiltersProps) {
  const {
    person,
    settings: { site },
  } = useSite();
  const { t, locale, currencySign } = useText();
  const ofPrice = { currency: currencySign(site.currency) };
  const ofArea = { unit: t(UNIT_NAMES[site.areaUnits]) };
  const navigate = useNavigate();
  const [text, setText] = useState(state.q ?? place?.label ?? '');
  const [isTyping, setTyping] = useState(false);
  const [isOpen, setOpen] = useState(false);
  /** The filters as the form has them, which are not searched yet. */
  const [draft, setDraft] = useState(state);
  const more = useRef<HTMLElement>(null);
  const address = JSON.stringify(writeState(state));
  const [shown, setShown] = useState(address);
  if (shown !== address) {
    setShown(address);
    setText(state.q ?? place?.label ?? '');
    setDraft(state);
  }
  const read = (form: HTMLFormElement): SearchState => {
    const typed = readState(parseQuery(new URLSearchParams(new FormData(form) as never).toString()));
    // A place that was chosen from the suggestions stays until another text is typed.
    const kept = typed.q === state.q && state.place !== undefined ? { place: state.place } : {};
    const { box, zoom, view } = state;
    const area = typed.q === state.q ? { box, zoom } : {};
    return Object.fromEntries(
      Object.entries({ ...typed, ...kept, ...area, view }).filter(([, value]) => value !== undefined),
    );
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isOpen) more.current?.focus();
    setOpen(false);
    const next = read(event.currentTarget);
    // How pictures are shown is no part of what was searched for.
    const { box, zoom, view, pictures, ...lasting } = next;
    rememberSearch(kept, { personId: person?.current() ?? null, address: writeState(lasting) });
    void navigate({ to: '/search', search: writeState(next), resetScroll: false });
  };
  const counts = useCounts(draft, place, isOpen);
  const plainField = (
    <input
      id="search-place"
      className="input"
      type="search"
      name="q"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onFocus={() => setTyping(true)}
      placeholder={t('search.placeHint')}
      maxLength={200}
      autoComplete="off"
    />
  );
  return (
    <search>
      <form
        className="filters"
        action={pathIn(site, '/search', locale)}
        method="get"
        onSubmit={onSubmit}
        onChange={({ currentTarget }) => setDraft(read(currentTarget))}
      >
        <div className="filters-place">
          <label className="visually-hidden" htmlFor="search-place">
            {t('search.place')}
          </label>
          {isTyping ? (
            <Suspense fallback={plainField}>
              <PlaceField id="search-place" text={text} onText={setText} state={state} />
            </Suspense>
          ) : (
            plainField
          )}
          <Button kind="primary" type="submit">
            {t('search.go')}
          </Button>
        </div>
        <details
          className="filters-more"
          open={isOpen}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        >
          <summary ref={more} className="button button-secondary">
            <Icon name="filter" />
            {t('search.filters')}
          </summary>
          <div className="panel" key={address}>
            <div className="filters-grid">
              <NumberField name="minPrice" label={t('filter.minPrice', ofPrice)} value={state.minPrice} />
              <NumberField name="maxPrice" label={t('filter.maxPrice', ofPrice)} value={state.maxPrice} />
              <AtLeast name="beds" label={t('filter.beds')} value={state.beds} />
              <AtLeast name="baths" label={t('filter.baths')} value={state.baths} />
              <NumberField name="minArea" label={t('filter.minArea', ofArea)} value={state.minArea} />
              <NumberField name="maxArea" label={t('filter.maxArea', ofArea)} value={state.maxArea} />
              <NumberField name="builtFrom" label={t('filter.builtFrom')} value={state.builtFrom} />
              <Field label={t('filter.sort')}>
                <select className="input" name="sort" defaultValue={state.sort ?? ''}>
                  {OFFERED_SORTS.map((sort, index) => (
                    <option key={sort} value={index === 0 ? '' : sort}>
                      {t(`sort.${sort}`)}
                    </option>
                  ))}
                </select>
              </Field>
            </div>
            {catalog.propertyTypes.length === 0 ? null : (
              <fieldset className="filters-set">
                <legend className="field-label">{t('filter.types')}</legend>
                {catalog.propertyTypes.map((type) => (
                  <Check
                    key={type}
                    name="type"
                    value={type}
                    label={type}
                    isOn={state.type?.includes(type) ?? false}
                  />
                ))}
              </fieldset>
            )}
            <fieldset className="filters-set">
              <legend className="field-label">{t('pictures.legend')}</legend>
              {PICTURE_CHOICES.map((choice) => (
                <Pill
                  key={choice}
                  type="radio"
                  name="pictures"
                  value={choice}
                  defaultChecked={choice === (state.pictures ?? 'any')}
                >
                  {t(`pictures.${choice}`)}
                </Pill>
              ))}
            </fieldset>
            <Check name="reduced" value="1" label={t('chip.reduced')} isOn={state.reduced ?? false} />
            {catalog.featureGroups.map(({ group, keys }) => (
              <details key={group} open={keys.some((key) => state.feature?.includes(key))}>
                <summary className="filters-group">{t(`featureGroup.${group}`)}</summary>
                <div className="filters-set">
                  {keys.map((key) => (
                    <Check
                      key={key}
                      name="feature"
                      value={key}
                      label={t(`feature.${key}`)}
                      isOn={state.feature?.includes(key) ?? false}
                      count={counts?.of.get(key)}
                    />
                  ))}
                </div>
              </details>
            ))}
            <Button kind="primary" type="submit">
              {counts === null
                ? t('search.apply')
                : t(counts.isWhole ? 'search.applyCount' : 'search.applyAtLeast', { count: counts.total })}
            </Button>
          </div>
        </details>
      </form>
    </search>
  );
}

interface Counts {
  readonly total: number;
  readonly isWhole: boolean;
  readonly of: ReadonlyMap<string, number>;
}

/** What the filters of the form would find, while it is open; null until it is known. */
function useCounts(draft: SearchState, place: Place | null, isOpen: boolean): Counts | null {
  const { api } = useSite();
  const { filters } = searchInput(draft, place?.id ?? null);
  const { data } = useQuery({
    ...featureCounts(api, { filters }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  if (data === undefined) return null;
  return { ...data, of: new Map(data.counts.map(({ key, count }) => [key, count])) };
}

function NumberField({
  name,
  label,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: number | undefined;
}) {
  return (
    <Field label={label}>
      <input
        className="input"
        type="number"
        inputMode="numeric"
        min={0}
        name={name}
        defaultValue={value ?? ''}
      />
    </Field>
  );
}

function AtLeast({
  name,
  label,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: number | undefined;
}) {
  const { t } = useText();
  return (
    <Field label={label}>
      <select className="input" name={name} defaultValue={value ?? ''}>
        <option value="">{t('filter.any')}</option>
        {ROOMS.map((count) => (
          <option key={count} value={count}>
            {t('filter.atLeast', { value: count })}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Check({
  name,
  value,
  label,
  isOn,
  count,
}: {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly count?: number | undefined;
}) {
  const { number } = useText();
  return (
    <Pill type="checkbox" name={name} value={value} defaultChecked={isOn}>
      {label}
      {count === undefined ? null : <span className="muted">{number(count)}</span>}
    </Pill>
  );
}
