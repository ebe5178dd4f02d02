import { Link } from '@tanstack/react-router';
import { picturesOf } from '../../pictures/picture-choice.ts';
import { Button } from '../../primitives/button.tsx';
import { useText } from '../../site/use-site.ts';
import type { Found, Place } from './search-data.ts';
import { SEARCH_FORM, type SearchState, sortsFor, withoutCursor, writeState } from './search-state.ts';

interface SearchHeadProps {
  readonly state: SearchState;
  /** Null while it is not known. */
  readonly found: Found | null;
  readonly total: number | null;
}

/** What was found and where, in what order it is listed, and what else the typed text may stand for. */
export function SearchHead({ state, found, total }: SearchHeadProps) {
  const { t } = useText();
  const isTyped = state.q !== undefined && state.place === undefined;
  // Until it is known what the text stands for, the text stands for itself.
  const place = (isTyped && found !== null ? found.place?.label : state.q) ?? null;
  return (
    <>
      <div className="search-line">
        <div className="search-title" role="status">
          <h1>{titleOf(state, place, total, t)}</h1>
        </div>
        <SortField state={state} />
      </div>
      {found === null || found.namesakes.length === 0 ? null : (
        <Namesakes state={state} places={found.namesakes} />
      )}
      {isTyped && found !== null && found.place === null ? (
        <UnknownPlace text={state.q ?? ''} homes={found.homes} pictures={state.pictures} />
      ) : null}
    </>
  );
}

const TITLES = {
  forSale: { anywhere: 'search.total', inPlace: 'search.totalIn', inArea: 'search.totalInArea' },
  sold: { anywhere: 'search.sold', inPlace: 'search.soldIn', inArea: 'search.soldInArea' },
} as const;

/** Such as `739 homes in Ballard, Seattle, WA`; without a number while it is not known. */
function titleOf(
  { sold, area, box }: SearchState,
  place: string | null,
  count: number | null,
  t: ReturnType<typeof useText>['t'],
): string {
  if (count === null) return place === null ? t('search.title') : t('search.titleIn', { place });
  const titles = sold === undefined ? TITLES.forSale : TITLES.sold;
  if (place !== null) return t(titles.inPlace, { count, place });
  return t((area ?? box) === undefined ? titles.anywhere : titles.inArea, { count });
}

/** Belongs to the form of the search, which is sent when another order is chosen. */
function SortField({ state }: { readonly state: SearchState }) {
  const { t } = useText();
  const sorts = sortsFor(state);
  const chosen = state.sort ?? '';
  return (
    <div className="search-sort">
      <label htmlFor="search-sort" className="field-label">
        {t('filter.sort')}
      </label>
      <select
        key={chosen}
        id="search-sort"
        className="input"
        name="sort"
        form={SEARCH_FORM}
        defaultValue={chosen}
        onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
      >
        {sorts.map((sort, index) => (
          <option key={sort} value={index === 0 ? '' : sort}>
            {t(`sort.${sort}`)}
          </option>
        ))}
      </select>
      <noscript>
        <Button type="submit" form={SEARCH_FORM}>
          {t('search.sort')}
        </Button>
      </noscript>
    </div>
  );
}

function Namesakes({ state, places }: { readonly state: SearchState; readonly places: readonly Place[] }) {
  const { t } = useText();
  return (
    <div className="row">
      <p className="muted">{t('search.namesakes')}</p>
      <ul className="row">
        {places.map(({ id, label, count }) => (
          <li key={id}>
            <Link
              className="search-namesake"
              to="/search"
              search={writeState({ ...withoutCursor(state), q: label, place: id })}
              resetScroll={false}
            >
              {label}
              {count === null ? null : <span className="muted">{t('search.total', { count })}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the typed text found instead of a place: homes by their address, or nothing. */
function UnknownPlace({
  text,
  homes,
  pictures,
}: {
  readonly text: string;
  readonly homes: readonly Place[];
  readonly pictures: SearchState['pictures'];
}) {
  const { t } = useText();
  if (homes.length === 0) return <p>{t('search.unknownPlace', { text })}</p>;
  return (
    <>
      <p>{t('search.homesAt', { text })}</p>
      <ul>
        {homes.map(({ id, label }) => (
          <li key={id}>
            <Link to="/properties/$propertyId" params={{ propertyId: id }} search={picturesOf(pictures)}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <p>{t('search.everywhere')}</p>
    </>
  );
}
