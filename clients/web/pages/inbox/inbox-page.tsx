import { useInfiniteQuery } from '@tanstack/react-query';
import { myTours } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../primitives/button.tsx';
import { EmptyState, Section, Skeleton } from '../../primitives/parts.tsx';
import { SignInPrompt } from '../../primitives/sign-in-prompt.tsx';
import { usePerson } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { TourItem } from './tour-item.tsx';
import { awaitsAnswer, type Tour } from './tour-list.ts';
import './inbox.css';

/** The person's tours, what awaits their answer first. */
export function Component() {
  const { t } = useText();
  const person = usePerson();
  return (
    <div className="page">
      <h1>{t('tabs.inbox')}</h1>
      {person === undefined ? (
        <Skeleton height="20rem" />
      ) : person === null ? (
        <SignInPrompt title={t('inbox.promptTitle')} text={t('inbox.promptText')} path="/inbox" />
      ) : (
        <>
          {person.role === 'agent' ? <Tours side="agent" title={t('inbox.asAgent')} /> : null}
          <Tours side="customer" title={t('inbox.asCustomer')} />
        </>
      )}
    </div>
  );
}

function Tours({ side, title }: { readonly side: 'customer' | 'agent'; readonly title: string }) {
  const { api } = useSite();
  const { t } = useText();
  const list = useInfiniteQuery({ ...myTours(api, side), staleTime: 0 });
  if (list.isPending) return <Skeleton height="12rem" />;
  if (list.isError)
    return (
      <EmptyState
        title={t('problem.failed')}
        action={<Button onPress={() => void list.refetch()}>{t('common.retry')}</Button>}
      />
    );
  const tours = list.data.pages.flatMap(({ items }) => items);
  const waiting = tours.filter((tour) => awaitsAnswer(tour, side));
  const others = tours.filter((tour) => !waiting.includes(tour));
  return (
    <Section title={title}>
      {tours.length === 0 ? (
        <EmptyState
          title={t('inbox.none')}
          action={<ButtonLink to="/search">{t('search.title')}</ButtonLink>}
        />
      ) : (
        <>
          {waiting.length === 0 ? null : <h3>{t('inbox.awaiting')}</h3>}
          <TourList tours={waiting} side={side} />
          {waiting.length > 0 && others.length > 0 ? <h3>{t('inbox.others')}</h3> : null}
          <TourList tours={others} side={side} />
        </>
      )}
      {list.hasNextPage ? (
        <Button onPress={() => void list.fetchNextPage()} isDisabled={list.isFetchingNextPage}>
          {t('common.more')}
        </Button>
      ) : null}
    </Section>
  );
}

function TourList({ tours, side }: { readonly tours: readonly Tour[]; readonly side: 'customer' | 'agent' }) {
  if (tours.length === 0) return null;
  return (
    <ul className="inbox-list">
      {tours.map((tour) => (
        <li key={tour.tourId}>
          <TourItem tour={tour} side={side} />
        </li>
      ))}
    </ul>
  );
}
