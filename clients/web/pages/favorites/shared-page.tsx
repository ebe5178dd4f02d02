import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { failureOf } from '../../api/failures.ts';
import { sharedPages } from '../../api/queries.ts';
import { LoadMore } from '../../primitives/list-parts.tsx';
import { EmptyState } from '../../primitives/parts.tsx';
import { PropertyCard } from '../../primitives/property-card.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import './favorites.css';

const route = getRouteApi('/shared/$secret');

/** The homes that another person has saved, as that person shows them: what is saved now, until the person ends it. */
export function Component() {
  const { api } = useSite();
  const { t } = useText();
  const { secret } = route.useParams();
  const list = useSuspenseInfiniteQuery(sharedPages(api, secret));
  const [first] = list.data.pages;
  // The last answer counts: it may have been ended while someone looked.
  const isEnded = list.isError && failureOf(list.error).httpStatus === 404;
  if (isEnded || first === undefined)
    return (
      <div className="page">
        <EmptyState title={t('shared.endedTitle')}>
          <p className="muted">{t('shared.endedText')}</p>
        </EmptyState>
      </div>
    );
  const cards = list.data.pages.flatMap(({ items }) => items);
  return (
    <div className="page">
      <h1>{t('shared.heading', { name: first.name })}</h1>
      {cards.length === 0 ? (
        <EmptyState title={t('shared.empty')} />
      ) : (
        <ul className="grid-cards">
          {cards.map((card, index) => (
            <li key={card.propertyId}>
              <PropertyCard card={card} isFirst={index === 0} />
              {card.note === null ? null : (
                <p className="saved-note" dir="auto">
                  {card.note}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={list} />
    </div>
  );
}
