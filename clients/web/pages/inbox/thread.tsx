import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { addressLine, type HomeAddress } from '../../../../i18n/address-line.ts';
import { propertyDetail, type ThreadKey, TOURS, threadTours } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { LoadFailed } from '../../primitives/list-parts.tsx';
import { EmptyState, Skeleton } from '../../primitives/parts.tsx';
import type { Me } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { HomePhoto } from './home-photo.tsx';
import { Composer } from './messages/composer.tsx';
import type { Message } from './messages/message-queries.ts';
import { ThreadActs } from './messages/thread-acts.tsx';
import { useThreadMessages } from './messages/use-thread-messages.ts';
import { Sentence } from './sentence.tsx';
import { type Step, wordsOf } from './story.ts';
import { type Side, sideOf, type Tour } from './tour-list.ts';
import { TourPanel } from './tour-panel.tsx';

interface ThreadProps {
  readonly thread: ThreadKey;
  readonly person: Me;
}

/** Everything between a home's agents and one customer, in order, and what can be done now. */
export function Thread({ thread, person }: ThreadProps) {
  const { api } = useSite();
  const tours = useInfiniteQuery({ ...threadTours(api, thread, person.id), staleTime: 0 });
  const messages = useThreadMessages(thread);
  const { list } = messages;
  const retry = (): void => {
    void tours.refetch();
    void list.refetch();
  };
  const isCustomer = thread.customerId === person.id;
  // An agent without messages of this customer may have tours, and the other way around.
  const hasMessages = list.data?.thread != null;
  if (tours.isPending || list.isPending) return <Skeleton height="20rem" />;
  const found = tours.data?.pages.flatMap(({ items }) => items).toReversed() ?? [];
  if (found.length === 0 && !hasMessages) {
    if (tours.isError) return <LoadFailed onRetry={retry} />;
    return isCustomer ? <FirstQuestion thread={thread} person={person} messages={messages} /> : <NoThread />;
  }
  return <Conversation thread={thread} person={person} tours={found} list={tours} messages={messages} />;
}

function NoThread() {
  const { t } = useText();
  return (
    <EmptyState title={t('inbox.notFound')} action={<ButtonLink to="/inbox">{t('tabs.inbox')}</ButtonLink>} />
  );
}

type Messages = ReturnType<typeof useThreadMessages>;

/** A customer asks the first question about a home. */
function FirstQuestion({ thread, person, messages }: ThreadProps & { readonly messages: Messages }) {
  const { api } = useSite();
  const { t } = useText();
  const home = useQuery({ ...propertyDetail(api, { propertyId: thread.propertyId }), retry: false });
  if (home.isPending) return <Skeleton height="20rem" />;
  // No agent here answers for some homes of feeds.
  if (!home.data?.agent) return <NoThread />;
  const { agent, images } = home.data;
  const photo = images.find(({ isStyled }) => !isStyled);
  return (
    <section className="thread">
      <ThreadHead
        propertyId={thread.propertyId}
        home={home.data}
        photoId={photo?.imageId ?? null}
        name={agent.fullName || t('inbox.nameless.agent')}
      />
      <Composer
        place={thread}
        person={person}
        threadId={null}
        isAgent={false}
        onTouch={messages.touch}
        onSent={messages.refresh}
      />
    </section>
  );
}

function Conversation({
  thread: place,
  person,
  tours,
  list,
  messages,
}: ThreadProps & {
  readonly tours: readonly Tour[];
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
  readonly messages: Messages;
}) {
  const { t } = useText();
  const latest = tours.at(-1);
  useReading(tours.find(({ unread }) => unread));
  const known = messages.list.data;
  const about = known?.thread ?? latest;
  if (about === undefined) return null;
  const side: Side = place.customerId === person.id ? 'customer' : 'agent';
  const panels = tours.filter((tour) => tour === latest || isOpenTo(tour));
  return (
    <section className="thread">
      <ThreadHead
        propertyId={place.propertyId}
        home={about}
        photoId={about.photoId}
        name={
          (side === 'customer' ? about.agent : about.customer).name ||
          t(`inbox.nameless.${side === 'customer' ? 'agent' : 'customer'}`)
        }
      />
      {list.hasNextPage ? (
        <Button onPress={() => void list.fetchNextPage()} isDisabled={list.isFetchingNextPage}>
          {t('inbox.earlier')}
        </Button>
      ) : null}
      {known?.hasEarlier ? (
        <Button onPress={() => void messages.loadEarlier()}>{t('inbox.earlierMessages')}</Button>
      ) : null}
      <ol className="thread-steps">
        {entriesOf(tours, known?.items ?? [], { side, personId: person.id, timeZone: about.timeZone }).map(
          ({ key, className, shown }) => (
            <li key={key} className={className}>
              {shown}
            </li>
          ),
        )}
      </ol>
      {panels.map((tour) => (
        <TourPanel key={tour.tourId} tour={tour} side={sideOf(tour, person.id)} />
      ))}
      <Answering place={place} person={person} side={side} messages={messages} />
    </section>
  );
}

/** The form, or why nothing can be sent. */
function Answering({
  place,
  person,
  side,
  messages,
}: {
  readonly place: ThreadKey;
  readonly person: Me;
  readonly side: Side;
  readonly messages: Messages;
}) {
  const { t } = useText();
  const thread = messages.list.data?.thread ?? null;
  // Only the customer begins.
  if (thread === null && side === 'agent') return null;
  return (
    <>
      {thread?.isClosed ? (
        <p className="muted">{t('inbox.closed')}</p>
      ) : thread?.isBlocked ? (
        <p className="muted">{t('inbox.blocked')}</p>
      ) : (
        <Composer
          place={place}
          person={person}
          threadId={thread?.threadId ?? null}
          isAgent={side === 'agent'}
          onTouch={messages.touch}
          onSent={messages.refresh}
        />
      )}
      {thread === null ? null : <ThreadActs thread={thread} onChanged={messages.refresh} />}
    </>
  );
}

interface Entry {
  readonly key: string;
  readonly at: number;
  readonly className: string;
  readonly shown: ReactNode;
}

/** Steps of tours and messages, by time. Messages stay in their own order. */
function entriesOf(
  tours: readonly Tour[],
  messages: readonly Message[],
  { side, personId, timeZone }: { side: Side; personId: string; timeZone: string },
): Entry[] {
  const steps = tours.flatMap((tour) =>
    tour.history.map((step) => ({
      key: `${tour.tourId} ${step.seq}`,
      at: Date.parse(step.at),
      className: sideClass(step.actor, sideOf(tour, personId)),
      shown: <ThreadStep step={step} tour={tour} personId={personId} />,
    })),
  );
  let before = 0;
  const written = messages.map((message) => {
    // Clocks of two processes may differ by a little.
    before = Math.max(before, Date.parse(message.createdAt));
    return {
      key: message.messageId,
      at: before,
      className: sideClass(message.side, side),
      shown: <ThreadMessage message={message} side={side} personId={personId} timeZone={timeZone} />,
    };
  });
  return [...steps, ...written].toSorted((one, other) => one.at - other.at);
}

const isOpenTo = ({ availableActions, reportUntil, mismatchReports }: Tour): boolean =>
  availableActions.length > 0 || reportUntil !== null || mismatchReports.length > 0;

const sideClass = (actor: Step['actor'], side: string): string =>
  actor === 'system'
    ? 'thread-step thread-step-system'
    : `thread-step thread-step-${actor === side ? 'own' : 'other'}`;

/** Notes that the person has read a tour, one after the other. A mark that fails is set at the next visit. */
function useReading(unread: Tour | undefined): void {
  const { api, queries } = useSite();
  const { tourId, version } = unread ?? {};
  useEffect(() => {
    if (tourId === undefined || version === undefined) return;
    api.tours.markRead({ tourId, version }).then(
      () => queries.invalidateQueries({ queryKey: TOURS }),
      () => {},
    );
  }, [api, queries, tourId, version]);
}

function ThreadHead({
  propertyId,
  home,
  photoId,
  name,
}: {
  readonly propertyId: string;
  readonly home: HomeAddress;
  readonly photoId: string | null;
  readonly name: string;
}) {
  const { t } = useText();
  return (
    <header className="thread-head">
      <Link className="thread-back" to="/inbox" aria-label={t('inbox.back')}>
        <Icon name="back" />
      </Link>
      <HomePhoto photoId={photoId} />
      <div>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <Link to="/properties/$propertyId" params={{ propertyId }}>
          {addressLine(home)}
        </Link>
      </div>
    </header>
  );
}

function ThreadStep({
  step,
  tour,
  personId,
}: {
  readonly step: Step;
  readonly tour: Tour;
  readonly personId: string;
}) {
  const { t, dateTime } = useText();
  const words = wordsOf(step, tour);
  return (
    <>
      <p>
        <Sentence step={step} tour={tour} personId={personId} />
      </p>
      {words === null ? null : 'key' in words ? (
        <p>{t(words.key)}</p>
      ) : (
        <p className="thread-words" dir="auto">
          {words.text}
        </p>
      )}
      <p className="muted thread-time">{dateTime(step.at, tour.timeZone)}</p>
    </>
  );
}

/** The name is shown where it is not the reader's own. */
function ThreadMessage({
  message: { author, side: writer, text, createdAt },
  side,
  personId,
  timeZone,
}: {
  readonly message: Message;
  readonly side: Side;
  readonly personId: string;
  readonly timeZone: string;
}) {
  const { t, dateTime } = useText();
  const name = author.name || t('inbox.formerUser');
  return (
    <>
      {author.userId === personId && writer === side ? (
        <span className="visually-hidden">{t('inbox.you')}</span>
      ) : (
        <p className="muted">
          <bdi>{name}</bdi>
        </p>
      )}
      <p className="thread-message" dir="auto">
        {text}
      </p>
      <p className="muted thread-time">{dateTime(createdAt, timeZone)}</p>
    </>
  );
}
