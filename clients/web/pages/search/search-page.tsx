import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { ClientOnly, getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { AddressQuery } from '../../addresses/address-query.ts';
import { filterCatalog, searchPages } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { later } from '../../primitives/later.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { chipsOf, chipText } from './chips.ts';
import { Filters } from './filters.tsx';
import { HomeList } from './home-list.tsx';
import type { Found } from './search-data.ts';
import { SearchHead } from './search-head.tsx';
import {
  listQuestion,
  readState,
  type SearchState,
  searchInput,
  withoutCursor,
  writeState,
} from './search-state.ts';
import { usePlace } from './use-place.ts';
import { useWide } from './use-wide.ts';
import './search.css';

const Saving = later(() => import('./saved/saving.tsx'));
const SearchMap = lazy(() => import('./search-map.tsx'));
const route = getRouteApi('/search');

/** Homes that match the filters of the address: a list and a map, together where the window has room for both. */
export function Component() {
  const { api } = useSite();
  const query: AddressQuery = route.useSearch();
  const state = useMemo(() => readState(query), [query]);
  const found = usePlace(state);
  const place = found?.place ?? null;
  const placeId = place?.id ?? null;
  const list = useInfiniteQuery({
    ...searchPages(api, listQuestion(state, placeId), state.cursor ?? null),
    enabled: found !== null,
    placeholderData: keepPreviousData,
  });
  const { data: catalog } = useSuspenseQuery(filterCatalog(api));
  const isMap = state.view === 'map';
  const [pointed, setPointed] = useState<string | null>(null);
  const total = list.isPlaceholderData || list.isError ? null : (list.data?.pages[0]?.total ?? null);
  return (
    <div className={isMap ? 'search search-with-map' : 'search'}>
      <Filters state={state} catalog={catalog} place={place} />
      <div className="search-switch">
        <ButtonLink
          to="/search"
          search={writeState({ ...withoutCursor(state), view: isMap ? undefined : 'map' } as SearchState)}
          resetScroll={false}
        >
          <Icon name={isMap ? 'list' : 'map'} />
          <SwitchName isMap={isMap} />
        </ButtonLink>
        <SaveSearch state={state} found={found} />
      </div>
      <div className="search-column">
        <SearchHead state={state} found={found} total={total} />
        <Chips state={state} />
        <HomeList state={state} placeId={placeId} list={list} pointed={pointed} onPoint={setPointed} />
      </div>
      <div className="search-side">
        <MapSide state={state} placeId={placeId} pointed={pointed} onPoint={setPointed} />
      </div>
    </div>
  );
}

/** Saves the search that is shown, or says that it is saved. What that takes comes after the page. */
function SaveSearch(search: { readonly state: SearchState; readonly found: Found | null }) {
  const { t } = useText();
  const [isSaved, setSaved] = useState(false);
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button kind={isSaved ? 'secondary' : 'primary'} aria-haspopup="dialog" onPress={() => setAsked(true)}>
        <Icon name="bell" filled={isSaved} />
        {t(isSaved ? 'search.saved' : 'search.save')}
      </Button>
      <Saving {...search} isAsked={isAsked} onAsked={setAsked} onSaved={setSaved} />
    </>
  );
}

function SwitchName({ isMap }: { readonly isMap: boolean }) {
  const { t } = useText();
  return t(isMap ? 'search.showList' : 'search.showMap');
}

interface MapSideProps {
  readonly state: SearchState;
  readonly placeId: string | null;
  readonly pointed: string | null;
  readonly onPoint: (propertyId: string | null) => void;
}

/** The map, loaded where it is seen: on a wide window, or when one asks for it. */
function MapSide({ state, placeId, pointed, onPoint }: MapSideProps) {
  const { t } = useText();
  const isWide = useWide();
  if (!isWide && state.view !== 'map') return null;
  return (
    <ClientOnly
      fallback={
        <noscript>
          <p>{t('map.needsScript')}</p>
        </noscript>
      }
    >
      <Suspense fallback={<p role="status">{t('common.loading')}</p>}>
        <SearchMap
          state={state}
          filters={searchInput(state, placeId).filters}
          pointed={pointed}
          onPoint={onPoint}
        />
      </Suspense>
    </ClientOnly>
  );
}

/** The filters that are set; a tap takes one off. */
function Chips({ state }: { readonly state: SearchState }) {
  const { settings } = useSite();
  const words = useText();
  const { t } = words;
  const chips = chipsOf(state);
  if (chips.length === 0) return null;
  return (
    <ul className="row" aria-label={t('search.chips')}>
      {chips.map((chip) => (
        <li key={`${chip.key} ${chip.values.value ?? ''}`}>
          <Link className="chip" to="/search" search={writeState(chip.without)} resetScroll={false}>
            {chipText(chip, words, settings.site.currency)}
            <span className="visually-hidden">{t('search.takeOff')}</span>
            <Icon name="close" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
