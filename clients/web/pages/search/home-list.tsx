import type { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import type { Outputs } from '../../../typescript/procedures.ts';
import { Button } from '../../primitives/button.tsx';
import { HiddenHomes, useShownHomes } from '../../primitives/hidden-homes.tsx';
import { LoadFailed } from '../../primitives/list-parts.tsx';
import { Skeleton } from '../../primitives/parts.tsx';
import { PropertyCard } from '../../primitives/property-card.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { type SearchState, writeState } from './search-state.ts';
import { useReturn } from './use-return.ts';

const CommuteLine = lazy(() => import('./commute-line.tsx'));
const NothingFound = lazy(() => import('./nothing-found.tsx'));

type Page = Outputs['search']['list'];
type Card = Page['items'][number];
type List = ReturnType<typeof useInfiniteQuery<Page>>;

interface HomeListProps {
  readonly state: SearchState;
  readonly placeId: string | null;
  readonly list: List;
  /** The home that the pointer or the focus is on, in the list or on the map. */
  readonly pointed: string | null;
  readonly onPoint: (propertyId: string | null) => void;
}

/** The homes of a search, or why there are none. Homes of the search before stay, dimmed, until the new ones are there. */
export function HomeList({ state, placeId, list, pointed, onPoint }: HomeListProps) {
  const { t } = useText();
  const element = useRef<HTMLUListElement>(null);
  const onLeave = useReturn(element, list.data !== undefined);
  const cards = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const { shown, hidden } = useShownHomes(cards);
  if (list.data === undefined) {
    if (!list.isError) return <SkeletonCards count={6} />;
    return <LoadFailed title={t('search.failed')} onRetry={() => void list.refetch()} />;
  }
  const cursor = list.data.pages.at(-1)?.nextCursor ?? null;
  if (cards.length === 0)
    return (
      <Suspense fallback={<Skeleton height="16rem" />}>
        <NothingFound state={state} placeId={placeId} />
      </Suspense>
    );
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the clicks of its links, which keys make too */}
      <ul
        ref={element}
        className="grid-cards search-results"
        id="search-results"
        aria-busy={list.isPlaceholderData}
        onClick={onLeave}
      >
        {shown.map((card, index) => (
          <HomeRow
            key={card.propertyId}
            card={card}
            page={list.data.pages.find(({ items }) => items.includes(card))?.items ?? []}
            isFirst={index === 0}
            pictures={state.pictures}
            isPointed={pointed === card.propertyId}
            onPoint={onPoint}
          />
        ))}
      </ul>
      <HiddenHomes hidden={hidden} />
      {cursor === null || list.isPlaceholderData ? null : (
        <MorePages href={{ ...state, cursor }} list={list} />
      )}
    </>
  );
}

interface HomeRowProps extends Pick<HomeListProps, 'onPoint'> {
  readonly card: Card;
  /** The cards that were loaded with it: their travel times are one question. */
  readonly page: readonly Card[];
  readonly isFirst: boolean;
  readonly pictures: SearchState['pictures'];
  readonly isPointed: boolean;
}

function HomeRow({ card, page, isFirst, pictures, isPointed, onPoint }: HomeRowProps) {
  const { settings } = useSite();
  const { propertyId } = card;
  return (
    <li
      className={isPointed ? 'search-pointed' : ''}
      onPointerEnter={() => onPoint(propertyId)}
      onPointerLeave={() => onPoint(null)}
      onFocus={() => onPoint(propertyId)}
      onBlur={() => onPoint(null)}
    >
      <PropertyCard card={card} isFirst={isFirst} pictures={pictures} />
      {settings.commute === null ? null : (
        <Suspense fallback={null}>
          <CommuteLine propertyId={propertyId} page={page} />
        </Suspense>
      )}
    </li>
  );
}

/** The places of cards that are on their way, as large as they will be. */
function SkeletonCards({ count }: { readonly count: number }) {
  return (
    <div className="grid-cards" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are the same
        <div className="search-skeleton" key={index}>
          <Skeleton height="auto" />
          <Skeleton height="1.75rem" />
          <Skeleton height="1.25rem" />
          <Skeleton height="1.25rem" />
        </div>
      ))}
    </div>
  );
}

interface MorePagesProps {
  /** The state of the next page, for readers without JavaScript. */
  readonly href: SearchState;
  readonly list: List;
}

/**
 * Loads the next page when it comes into view, or on a press; after a failure only on a press. Without JavaScript it
 * leads to that page.
 */
function MorePages({ href, list }: MorePagesProps) {
  const { t } = useText();
  const { isFetchingNextPage: isLoading, isFetchNextPageError: hasFailed, fetchNextPage } = list;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || isLoading || hasFailed) return;
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage();
      },
      { rootMargin: '600px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [isLoading, hasFailed, fetchNextPage]);
  return (
    <div ref={end} className="search-more">
      {isLoading ? <SkeletonCards count={2} /> : null}
      {hasFailed ? <p role="alert">{t('search.failed')}</p> : null}
      <noscript>
        <Link className="button button-secondary" to="/search" search={writeState(href)}>
          {t('common.more')}
        </Link>
      </noscript>
      <Button onPress={() => void fetchNextPage()} isDisabled={isLoading}>
        {t(isLoading ? 'common.loading' : hasFailed ? 'common.retry' : 'common.more')}
      </Button>
    </div>
  );
}
