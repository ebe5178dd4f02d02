import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { foundHomes } from '../../api/queries.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { stateOf } from '../search/saved/saved-filters.ts';
import { type SavedSearch, savedSearches } from '../search/saved/saved-searches.ts';
import { searchInput } from '../search/search-state.ts';
import { ROW } from './discovery-data.ts';
import { HomesRow } from './homes-row.tsx';

/** So many searches have a row; the page of saved searches has all of them. */
const MOST = 3;

/** What is new in the searches that the person has saved. Nothing while there is nothing. */
export default function SearchNews() {
  const { api } = useSite();
  const { t } = useText();
  const { data } = useQuery(savedSearches(api));
  const news = data?.items.filter(({ newHomes }) => newHomes > 0) ?? [];
  return (
    <>
      {news.slice(0, MOST).map((search) => (
        <NewsRow key={search.id} search={search} />
      ))}
      {news.length <= MOST ? null : (
        <p>
          <Link to="/searches">{t('searches.all')}</Link>
        </p>
      )}
    </>
  );
}

/** The homes of a search that changed last: as many as are new to the person. */
function NewsRow({ search }: { readonly search: SavedSearch }) {
  const { api, settings } = useSite();
  const { t } = useText();
  const { name, newHomes } = search;
  const state = { ...stateOf(search, settings.site.areaUnits), sort: 'RECENTLY_CHANGED' };
  const limit = Math.min(newHomes, ROW);
  const { data, isError, refetch } = useQuery(foundHomes(api, { ...searchInput(state, null), limit }));
  return (
    <HomesRow
      title={t('searches.news', { name, count: newHomes })}
      all={data === undefined ? undefined : { search: state, total: data.total }}
      cards={data?.items}
      retry={isError ? () => void refetch() : null}
    />
  );
}
