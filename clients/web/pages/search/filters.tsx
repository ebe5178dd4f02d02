import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import type { Outputs } from '../../../typescript/procedures.ts';
import { parseQuery } from '../../app/address-query.ts';
import { inLocale } from '../../app/language.ts';
import { useText } from '../../app/use-site.ts';
import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { Field } from '../../primitives/parts.tsx';
import { OFFERED_SORTS, readState, type SearchState, writeState } from './search-state.ts';

interface FiltersProps {
  readonly state: SearchState;
  readonly catalog: Outputs['search']['getFilterCatalog'];
  /** The name of the place that the typed text stands for. */
  readonly place: string | null;
}

const ROOMS = [1, 2, 3, 4, 5];

/** All filters as one form. Without JavaScript it is sent as it is, and leads to the same address. */
export function Filters({ state, catalog, place }: FiltersProps) {
  const { t, locale } = useText();
  const navigate = useNavigate();
  const apply = (form: HTMLFormElement): void => {
    const text = new URLSearchParams(new FormData(form) as never).toString();
    const typed = readState(parseQuery(text));
    // A place that was chosen from the suggestions stays until another text is typed.
    const kept = typed.q === state.q && state.place !== undefined ? { place: state.place } : {};
    const { box, zoom, view } = state;
    const area = typed.q === state.q ? { box, zoom } : {};
    const next = { ...typed, ...kept, ...area, view } as SearchState;
    void navigate({ to: '/search', search: writeState(next), resetScroll: false });
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    apply(event.currentTarget);
  };
  return (
    <search>
      <form
        key={JSON.stringify(writeState(state))}
        className="filters"
        action={inLocale('/search', locale)}
        method="get"
        onSubmit={onSubmit}
      >
        <div className="filters-place">
          <label className="visually-hidden" htmlFor="search-place">
            {t('search.place')}
          </label>
          <input
            id="search-place"
            className="input"
            type="search"
            name="q"
            defaultValue={state.q ?? place ?? ''}
            placeholder={t('search.placeHint')}
            maxLength={200}
            autoComplete="off"
          />
          <Button kind="primary" type="submit">
            {t('search.go')}
          </Button>
        </div>
        <details className="filters-more">
          <summary className="button button-secondary">
            <Icon name="filter" />
            {t('search.filters')}
          </summary>
          <div className="panel">
            <div className="filters-grid">
              <NumberField name="minPrice" label={t('filter.minPrice')} value={state.minPrice} />
              <NumberField name="maxPrice" label={t('filter.maxPrice')} value={state.maxPrice} />
              <AtLeast name="beds" label={t('filter.beds')} value={state.beds} />
              <AtLeast name="baths" label={t('filter.baths')} value={state.baths} />
              <NumberField name="minArea" label={t('filter.minArea')} value={state.minArea} />
              <NumberField name="maxArea" label={t('filter.maxArea')} value={state.maxArea} />
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
                    />
                  ))}
                </div>
              </details>
            ))}
            <Button kind="primary" type="submit">
              {t('search.apply')}
            </Button>
          </div>
        </details>
      </form>
    </search>
  );
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
}: {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly isOn: boolean;
}) {
  return (
    <label className="pill">
      <input type="checkbox" name={name} value={value} defaultChecked={isOn} />
      {label}
    </label>
  );
}
