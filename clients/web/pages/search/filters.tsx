import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { pathIn } from '../../../../i18n/languages.ts';
import type { Outputs } from '../../../typescript/procedures.ts';
import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { rememberSearch } from '../../session/recent-searches.ts';
import { kept } from '../../site/keeper.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { chipsOf } from './chips.ts';
import { FILTER_PARTS, FilterFields, type FilterPart } from './filter-parts.ts';
import { PlaceField } from './place-field.tsx';
import type { Place } from './search-data.ts';
import { SEARCH_FORM, type SearchState, searchOf, writeState } from './search-state.ts';
import { ApplyButton, useDraft } from './use-draft.tsx';
import { useOpenPart } from './use-open-part.ts';

const FilterSheet = lazy(() => import('./filter-sheet.tsx'));

interface FiltersProps {
  readonly state: SearchState;
  readonly catalog: Outputs['search']['getFilterCatalog'];
  /** The place that the typed text stands for. */
  readonly place: Place | null;
}

/**
 * The bar of a search: one form, whose parts open under their names on a wide window; on a narrow one a sheet has them
 * all. Without JavaScript the form is sent as it is, and leads to the same address.
 */
export function Filters({ state, catalog, place }: FiltersProps) {
  const { settings } = useSite();
  const { locale } = useText();
  const search = useSearch();
  const [isSheet, setSheet] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const { isOpen, onToggle, close } = useOpenPart(bar);
  const placeId = place?.id ?? null;
  const { counts, onChange } = useDraft({ state, placeId, isOpen });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    close();
    search(searchOf(event.currentTarget, state));
  };
  return (
    <search className="filters">
      <form
        id={SEARCH_FORM}
        action={pathIn(settings.site, '/search', locale)}
        method="get"
        onSubmit={onSubmit}
        onChange={onChange}
      >
        <PlaceField id="search-place" state={state} shown={state.q ?? place?.label ?? ''} />
        <div className="filters-bar" ref={bar}>
          {FILTER_PARTS.map((part) => (
            <BarPart key={part.name} part={part} state={state} onToggle={onToggle}>
              <FilterFields part={part.name} state={state} catalog={catalog} counts={counts} />
              <div className="filters-panel-foot">
                <ApplyButton counts={counts} />
              </div>
            </BarPart>
          ))}
        </div>
        <div className="filters-open">
          <SheetButton state={state} onPress={() => setSheet(true)} />
        </div>
      </form>
      {isSheet ? (
        <Suspense fallback={null}>
          <FilterSheet
            state={state}
            catalog={catalog}
            placeId={placeId}
            search={search}
            onClose={() => setSheet(false)}
          />
        </Suspense>
      ) : null}
    </search>
  );
}

interface BarPartProps {
  readonly part: FilterPart;
  readonly state: SearchState;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A button of the bar with the panel that it opens. */
function BarPart({ part: { label, of }, state, onToggle, children }: BarPartProps) {
  const { t } = useText();
  return (
    <details className="filters-part" name="filters" onToggle={onToggle}>
      <summary className="button button-secondary" data-set={of.some((one) => one in state) || undefined}>
        {t(label)}
      </summary>
      <div className="filters-panel" key={JSON.stringify(writeState(state))}>
        {children}
      </div>
    </details>
  );
}

interface SheetButtonProps {
  readonly state: SearchState;
  readonly onPress: () => void;
}

/** Opens the sheet, and says how many filters are set. */
function SheetButton({ state, onPress }: SheetButtonProps) {
  const { t } = useText();
  const { q, place, area, box, zoom, ...filters } = state;
  const set = chipsOf(filters).length;
  return (
    <Button aria-haspopup="dialog" onPress={onPress}>
      <Icon name="filter" />
      {set === 0 ? t('search.filters') : t('search.filtersSet', { count: set })}
    </Button>
  );
}

/** Goes to a search that was asked for in a form, and remembers it. */
function useSearch(): (next: SearchState) => void {
  const { person } = useSite();
  const navigate = useNavigate();
  return (next) => {
    // How pictures are shown is no part of what was searched for.
    const { area, box, zoom, view, pictures, ...lasting } = next;
    rememberSearch(kept, { personId: person?.current() ?? null, address: writeState(lasting) });
    void navigate({ to: '/search', search: writeState(next), resetScroll: false });
  };
}
