import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ThreadKey, threads } from '../../api/queries.ts';
import { ButtonLink } from '../../primitives/button.tsx';
import { LoadFailed, LoadMore } from '../../primitives/list-parts.tsx';
import { EmptyState, Skeleton } from '../../primitives/parts.tsx';
import { SignInPrompt } from '../../primitives/sign-in-prompt.tsx';
import { type Me, usePerson } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { ME } from './inbox-data.ts';
import { messageThreads } from './messages/message-queries.ts';
import { Thread } from './thread.tsx';
import { ThreadCard } from './thread-card.tsx';
import { isWaiting, type ThreadRow, threadRows } from './thread-rows.ts';
import './inbox.css';

/** The threads of a person, with the open one next to them; on a phone either the list or the thread. */
export function Inbox({ open: address }: { readonly open: ThreadKey | null }) {
  const { t } = useText();
  const person = usePerson();
  const path = address === null ? '/inbox' : `/inbox/${address.propertyId}/${address.customerId}`;
  const open = address?.customerId === ME && person ? { ...address, customerId: person.id } : address;
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
  const tours = useInfiniteQuery({ ...threads(api), staleTime: 0 });
  const messages = useInfiniteQuery(messageThreads(api));
  const retry = (): void => void Promise.all([tours.refetch(), messages.refetch()]);
  if (tours.isPending || messages.isPending) return <Skeleton height="20rem" />;
  if (tours.isError || messages.isError) return <LoadFailed onRetry={retry} />;
  const all = threadRows(
    tours.data.pages.flatMap(({ items }) => items),
    messages.data.pages.flatMap(({ items }) => items),
  );
  const waiting = all.filter((row) => isWaiting(row, person.id));
  const others = all.filter((row) => !waiting.includes(row));
  return (
    <>
      {person.role === 'agent' ? (
        <p>
          <Link to="/studio/tours">{t('inbox.calendar')}</Link>
        </p>
      ) : null}
      {all.length === 0 ? (
        <EmptyState
          title={t('inbox.none')}
          action={<ButtonLink to="/search">{t('search.title')}</ButtonLink>}
        />
      ) : null}
      <Cards title={t('inbox.awaiting')} rows={waiting} personId={person.id} />
      <Cards title={waiting.length === 0 ? null : t('inbox.others')} rows={others} personId={person.id} />
      <LoadMore
        list={{
          hasNextPage: tours.hasNextPage || messages.hasNextPage,
          isFetchingNextPage: tours.isFetchingNextPage || messages.isFetchingNextPage,
          fetchNextPage: () => Promise.all([tours, messages].map((list) => moreOf(list))),
        }}
      />
    </>
  );
}

const moreOf = (list: { readonly hasNextPage: boolean; fetchNextPage(): Promise<unknown> }) =>
  list.hasNextPage ? list.fetchNextPage() : Promise.resolve();

function Cards({
  title,
  rows,
  personId,
}: {
  readonly title: string | null;
  readonly rows: readonly ThreadRow[];
  readonly personId: string;
}) {
  if (rows.length === 0) return null;
  return (
    <>
      {title === null ? null : <h2 className="inbox-group">{title}</h2>}
      <ul className="inbox-cards">
        {rows.map((row) => (
          <li key={row.key}>
            <ThreadCard row={row} personId={personId} />
          </li>
        ))}
      </ul>
    </>
  );
}
