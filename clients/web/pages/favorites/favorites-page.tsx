import { useInfiniteQuery } from '@tanstack/react-query';
import { favoritePages } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../primitives/button.tsx';
import { EmptyState, Skeleton } from '../../primitives/parts.tsx';
import { PropertyCard } from '../../primitives/property-card.tsx';
import { SignInPrompt } from '../../primitives/sign-in-prompt.tsx';
import { usePerson } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';

/** The homes that the person has saved, with what their price has done since. */
export function Component() {
  const { t } = useText();
  const person = usePerson();
  return (
    <div className="page">
      <h1>{t('tabs.favorites')}</h1>
      {person === undefined ? (
        <Skeleton height="20rem" />
      ) : person === null ? (
        <SignInPrompt title={t('favorites.promptTitle')} text={t('favorites.promptText')} path="/favorites" />
      ) : (
        <Saved />
      )}
    </div>
  );
}

function Saved() {
  const { api } = useSite();
  const { t, money } = useText();
  const list = useInfiniteQuery(favoritePages(api));
  if (list.isPending) return <Skeleton height="20rem" />;
  if (list.isError)
    return (
      <EmptyState
        title={t('problem.failed')}
        action={<Button onPress={() => void list.refetch()}>{t('common.retry')}</Button>}
      />
    );
  const cards = list.data.pages.flatMap(({ items }) => items);
  if (cards.length === 0)
    return (
      <EmptyState
        title={t('favorites.noneTitle')}
        action={<ButtonLink to="/search">{t('search.title')}</ButtonLink>}
      >
        <p className="muted">{t('favorites.noneText')}</p>
      </EmptyState>
    );
  return (
    <>
      <ul className="grid-cards">
        {cards.map((card) => (
          <li key={card.propertyId}>
            <PropertyCard card={card} />
            {card.listPrice === card.priceWhenSaved ? null : (
              <p className="muted">
                {t(card.listPrice < card.priceWhenSaved ? 'favorites.cheaper' : 'favorites.dearer', {
                  amount: money(Math.abs(card.listPrice - card.priceWhenSaved), card.currency),
                })}
              </p>
            )}
          </li>
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button onPress={() => void list.fetchNextPage()} isDisabled={list.isFetchingNextPage}>
          {t('common.more')}
        </Button>
      ) : null}
    </>
  );
}
