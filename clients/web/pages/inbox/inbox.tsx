import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ThreadKey, threads } from '../../api/queries.ts';
import { ButtonLink } from '../../primitives/button.tsx';
import { LoadFailed, LoadMore } from '../../primitives/list-parts.tsx';
import { EmptyState, Skeleton } from '../../primitives/parts.tsx';
import { SignInPrompt } from '../../primitives/sign-in-prompt.tsx';
import { type Me, usePerson } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { Thread } from './thread.tsx';
import { ThreadCard } from './thread-card.tsx';
import { awaitsAnswer, sideOf, type Tour } from './tour-list.ts';
import './inbox.css';

/** The threads of a person, with the open one next to them; on a phone either the list or the thread. */
export function Inbox({ open }: { readonly open: ThreadKey | null }) {
  const { t } = useText();
  const person = usePerson();
  const path = open === null ? '/inbox' : `/inbox/${open.propertyId}/${open.customerId}`;
  return (
    <div className={open === null ? 'page inbox' : 'page inbox inbox-open'}>
      <h1>{t('tabs.inbox')}</h1>
      {person === undefined ? (
        <Skeleton height="20rem" />
      ) : person === null ? (
        <SignInPrompt title={t('inbox.promptTitle')} text={t('inbox.promptText')} path={path} />
      ) : (
        <div className="inbox-parts">
          <div className="inbox-list">
            <Threads person={person} />
          </div>
          <div className="inbox-thread">
            {open === null ? (
              <p className="muted inbox-none">{t('inbox.choose')}</p>
            ) : (
              <Thread key={`${open.propertyId} ${open.customerId}`} thread={open} person={person} />
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** What awaits an answer first. */
function Threads({ person }: { readonly person: Me }) {
  const { api } = useSite();
  const { t } = useText();
  const list = useInfiniteQuery({ ...threads(api), staleTime: 0 });
  if (list.isPending) return <Skeleton height="20rem" />;
  if (list.isError) return <LoadFailed onRetry={() => void list.refetch()} />;
  const tours = list.data.pages.flatMap(({ items }) => items);
  const waiting = tours.filter((tour) => awaitsAnswer(tour, sideOf(tour, person.id)));
  const others = tours.filter((tour) => !waiting.includes(tour));
  return (
    <>
      {person.role === 'agent' ? (
        <p>
          <Link to="/studio/tours">{t('inbox.calendar')}</Link>
        </p>
      ) : null}
      {tours.length === 0 ? (
        <EmptyState
          title={t('inbox.none')}
          action={<ButtonLink to="/search">{t('search.title')}</ButtonLink>}
        />
      ) : null}
      <Cards title={t('inbox.awaiting')} tours={waiting} personId={person.id} />
      <Cards title={waiting.length === 0 ? null : t('inbox.others')} tours={others} personId={person.id} />
      <LoadMore list={list} />
    </>
  );
}

function Cards({
  title,
  tours,
  personId,
}: {
  readonly title: string | null;
  readonly tours: readonly Tour[];
  readonly personId: string;
}) {
  if (tours.length === 0) return null;
  return (
    <>
      {title === null ? null : <h2 className="inbox-group">{title}</h2>}
      <ul className="inbox-cards">
        {tours.map((tour) => (
          <li key={tour.tourId}>
            <ThreadCard tour={tour} personId={personId} />
          </li>
        ))}
      </ul>
    </>
  );
}
