import type { FormEvent } from 'react';
import type { Outputs } from '../../../typescript/procedures.ts';
import { picturesOf } from '../../pictures/picture-choice.ts';
import { ButtonLink } from '../../primitives/button.tsx';
import { Section } from '../../primitives/parts.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { useText } from '../../site/use-site.ts';
import { FILTER_PARTS, FilterFields } from './filter-parts.ts';
import { type SearchState, searchOf } from './search-state.ts';
import { ApplyButton, useDraft } from './use-draft.tsx';

interface FilterSheetProps {
  readonly state: SearchState;
  readonly catalog: Outputs['search']['getFilterCatalog'];
  readonly placeId: string | null;
  readonly search: (next: SearchState) => void;
  readonly onClose: () => void;
}

/** All filters over the whole of a narrow window, with the button that searches always in sight. */
export default function FilterSheet({ state, catalog, placeId, search, onClose }: FilterSheetProps) {
  const { t } = useText();
  const { counts, onChange } = useDraft({ state, placeId, isOpen: true });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onClose();
    search(searchOf(event.currentTarget, state));
  };
  return (
    <Sheet title={t('search.filters')} onClose={onClose} isFull>
      <form className="filters-sheet" onSubmit={onSubmit} onChange={onChange}>
        <input type="hidden" name="q" value={state.q ?? ''} />
        <input type="hidden" name="sort" value={state.sort ?? ''} />
        <div className="filters-sheet-parts">
          {FILTER_PARTS.map(({ name, label }) => (
            <Section key={name} title={t(label)}>
              <FilterFields part={name} state={state} catalog={catalog} counts={counts} />
            </Section>
          ))}
        </div>
        <div className="filters-sheet-foot">
          <ButtonLink kind="quiet" to="/search" search={picturesOf(state.pictures)} onClick={onClose}>
            {t('search.clear')}
          </ButtonLink>
          <ApplyButton counts={counts} />
        </div>
      </form>
    </Sheet>
  );
}
