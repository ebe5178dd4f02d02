import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { ClientOnly, getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { AddressQuery } from '../../addresses/address-query.ts';
import { filterCatalog, searchPages } from '../../api/queries.ts';
import { picturesOf } from '../../pictures/picture-choice.ts';
import { Button, ButtonLink } from '../../primitives/button.tsx';
import { HiddenHomes, useShownHomes } from '../../primitives/hidden-homes.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { EmptyState } from '../../primitives/parts.tsx';
import { PropertyCard } from '../../primitives/property-card.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { chipsOf, chipText } from './chips.ts';
import { Filters } from './filters.tsx';
import type { Place } from './search-data.ts';
import { listQuestion, readState, type SearchState, searchInput, writeState } from './search-state.ts';
import { usePlace } from './use-place.ts';
import './search.css';

const SearchMap = lazy(() => import('./search-map.tsx'));
const route = getRouteApi('/search');

/** Homes that match the filters of the address, as a list and on a map. */
export function Component() {
  const { api } = useSite();
  const { t } = useText();
  const query: AddressQuery = route.useSearch();
  const state = useMemo(() => readState(query), [query]);
  const { place, homes } = usePlace(state);
  const placeId = place?.id ?? null;
  const list = useSuspenseInfiniteQuery(searchPages(api, listQuestion(state, placeId), state.cursor ?? null));
  const { data: catalog } = useSuspenseQuery(filterCatalog(api));
  const cards = list.data.pages.flatMap(({ items }) => items);
  const { shown, hidden } = useShownHomes(cards);
  const total = list.data.pages[0]?.total ?? 0;
  const nextCursor = list.data.pages.at(-1)?.nextCursor ?? null;
  const isMap = state.view === 'map';
  const [pointed, setPointed] = useState<string | null>(null);
  return (
    <div className={isMap ? 'search search-with-map' : 'search'}>
      <div className="search-column">
        <h1 className="visually-hidden">{t('search.title')}</h1>
        <Filters state={state} catalog={catalog} place={place} />
        <Chips state={state} />
        <div className="search-line">
          <p role="status">
            {t(state.box === undefined ? 'search.total' : 'search.totalInArea', { count: total })}
          </p>
          <ButtonLink
            kind="quiet"
            to="/search"
            search={writeState({ ...withoutCursor(state), view: isMap ? undefined : 'map' } as SearchState)}
            resetScroll={false}
          >
            <Icon name={isMap ? 'list' : 'map'} />
            {t(isMap ? 'search.showList' : 'search.showMap')}
          </ButtonLink>
        </div>
        {place === null && state.q !== undefined && state.place === undefined ? (
          <UnknownPlace text={state.q} homes={homes} pictures={state.pictures} />
        ) : null}
        {cards.length === 0 ? (
          <EmptyState
            title={t('search.nothing')}
            action={
              <ButtonLink to="/search" search={picturesOf(state.pictures)}>
                {t('search.clear')}
              </ButtonLink>
            }
          >
            <p>{t('search.nothingText')}</p>
          </EmptyState>
        ) : (
          <ul className="grid-cards" id="search-results">
            {shown.map((card, index) => (
              <li
                key={card.propertyId}
                className={pointed === card.propertyId ? 'search-pointed' : ''}
                onPointerEnter={() => setPointed(card.propertyId)}
                onPointerLeave={() => setPointed(null)}
                onFocus={() => setPointed(card.propertyId)}
                onBlur={() => setPointed(null)}
              >
                <PropertyCard card={card} isFirst={index === 0} pictures={state.pictures} />
              </li>
            ))}
          </ul>
        )}
        <HiddenHomes hidden={hidden} />
        {nextCursor === null ? null : (
          <MorePages
            href={{ ...state, cursor: nextCursor }}
            isLoading={list.isFetchingNextPage}
            load={() => void list.fetchNextPage()}
          />
        )}
      </div>
      {isMap ? (
        <div className="search-side">
          <ClientOnly fallback={<p>{t('map.needsScript')}</p>}>
            <Suspense fallback={<p role="status">{t('common.loading')}</p>}>
              <SearchMap
                state={state}
                filters={searchInput(state, placeId).filters}
                pointed={pointed}
                onPoint={setPointed}
              />
            </Suspense>
          </ClientOnly>
        </div>
      ) : null}
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

const withoutCursor = ({ cursor, ...rest }: SearchState): SearchState => rest;

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

interface MorePagesProps {
  /** The state of the next page, for readers without JavaScript. */
  readonly href: SearchState;
  readonly isLoading: boolean;
  readonly load: () => void;
}

/** Loads the next page when it comes into view, or on a press; without JavaScript it leads to that page. */
function MorePages({ href, isLoading, load }: MorePagesProps) {
  const { t } = useText();
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || isLoading) return;
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) load();
      },
      { rootMargin: '600px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [isLoading, load]);
  return (
    <div ref={end} className="search-more">
      <noscript>
        <Link className="button button-secondary" to="/search" search={writeState(href)}>
          {t('common.more')}
        </Link>
      </noscript>
      <Button onPress={load} isDisabled={isLoading}>
        {t(isLoading ? 'common.loading' : 'common.more')}
      </Button>
    </div>
  );
}
