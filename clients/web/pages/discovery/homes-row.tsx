import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../primitives/button.tsx';
import { useShownHomes } from '../../primitives/hidden-homes.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { Skeleton } from '../../primitives/parts.tsx';
import { type Card, PropertyCard } from '../../primitives/property-card.tsx';
import { useText } from '../../site/use-site.ts';
import { type SearchState, writeState } from '../search/search-state.ts';
import './homes-row.css';

interface HomesRowProps {
  readonly title: string;
  /** The search that shows all of them, and how many they are. */
  readonly all?: { readonly search: SearchState; readonly total: number };
  /** Undefined while they are not known. */
  readonly cards: readonly Card[] | undefined;
  /** Asks again after a failure; null while there is none. */
  readonly retry?: (() => void) | null;
  /** Its first picture is the first of the page. */
  readonly isFirst?: boolean;
}

const NONE: readonly Card[] = [];

/** Homes side by side under a heading. Without homes there is no row. */
export function HomesRow({ title, all, cards, retry = null, isFirst = false }: HomesRowProps) {
  const { shown } = useShownHomes(cards ?? NONE);
  if (cards !== undefined && shown.length === 0) return null;
  return (
    <section className="section">
      <RowHeading title={title} all={all} />
      {cards !== undefined ? (
        <Scroller label={title}>
          {shown.map((card, index) => (
            <li key={card.propertyId}>
              <PropertyCard card={card} isFirst={isFirst && index === 0} />
            </li>
          ))}
        </Scroller>
      ) : retry === null ? (
        <div className="homes-row-list" aria-busy="true">
          {[0, 1, 2, 3].map((place) => (
            <Skeleton key={place} height="20rem" />
          ))}
        </div>
      ) : (
        <NotLoaded retry={retry} />
      )}
    </section>
  );
}

function NotLoaded({ retry }: { readonly retry: () => void }) {
  const { t } = useText();
  return (
    <div className="row">
      <p className="muted">{t('discovery.rowFailed')}</p>
      <Button onPress={retry}>{t('common.retry')}</Button>
    </div>
  );
}

function RowHeading({ title, all }: Pick<HomesRowProps, 'title' | 'all'>) {
  const { t } = useText();
  if (all === undefined) return <h2>{title}</h2>;
  return (
    <h2>
      <Link className="homes-row-all" to="/search" search={writeState(all.search)}>
        {title} <span>{t('discovery.seeAll', { count: all.total })}</span>
      </Link>
    </h2>
  );
}

/** Scrolled by hand, wheel, keyboard, and by arrows as soon as there are scripts and more homes than fit. */
function Scroller({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { t } = useText();
  const { list, ends, page } = useScroller();
  return (
    <div className="homes-row">
      <ul className="homes-row-list" ref={list} aria-label={label}>
        {children}
      </ul>
      {ends === null ? null : (
        <>
          <Button
            kind="pill"
            data-way="back"
            aria-label={t('discovery.before', { row: label })}
            aria-disabled={ends.isFirst}
            onPress={() => page(-1)}
          >
            <Icon name="back" />
          </Button>
          <Button
            kind="pill"
            data-way="next"
            aria-label={t('discovery.after', { row: label })}
            aria-disabled={ends.isLast}
            onPress={() => page(1)}
          >
            <Icon name="next" />
          </Button>
        </>
      )}
    </div>
  );
}

interface Ends {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Where a list is in its scroll; `ends` is null while all of it is seen, or no script runs. */
function useScroller() {
  const list = useRef<HTMLUListElement>(null);
  const [ends, setEnds] = useState<Ends | null>(null);
  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    const look = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = current;
      // Widths are rounded.
      const hidden = scrollWidth - clientWidth;
      const next = hidden <= 1 ? null : { isFirst: scrollLeft <= 1, isLast: scrollLeft >= hidden - 1 };
      setEnds((last) => (last?.isFirst === next?.isFirst && last?.isLast === next?.isLast ? last : next));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, []);
  const page = (way: 1 | -1): void => {
    const { current } = list;
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
    current?.scrollBy({ left: way * current.clientWidth, behavior });
  };
  return { list, ends, page };
}
