import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { addressLine } from '../../../../i18n/address-line.ts';
import { type ThreadKey, TOURS, threadTours } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { LoadFailed } from '../../primitives/list-parts.tsx';
import { EmptyState, Skeleton } from '../../primitives/parts.tsx';
import type { Me } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { HomePhoto } from './home-photo.tsx';
import { Sentence } from './sentence.tsx';
import { type Step, wordsOf } from './story.ts';
import { sideOf, type Tour } from './tour-list.ts';
import { TourPanel } from './tour-panel.tsx';

/** Everything between a home's agents and one customer, in order, and what can be done now. */
export function Thread({ thread, person }: { readonly thread: ThreadKey; readonly person: Me }) {
  const { api } = useSite();
  const { t } = useText();
  const list = useInfiniteQuery({ ...threadTours(api, thread, person.id), staleTime: 0 });
  const tours = (list.data?.pages ?? []).flatMap(({ items }) => items).toReversed();
  const latest = tours.at(-1);
  useReading(tours.find(({ unread }) => unread));
  if (list.isPending) return <Skeleton height="20rem" />;
  if (list.isError) return <LoadFailed onRetry={() => void list.refetch()} />;
  if (latest === undefined)
    return (
      <EmptyState
        title={t('inbox.notFound')}
        action={<ButtonLink to="/inbox">{t('tabs.inbox')}</ButtonLink>}
      />
    );
  const steps = tours
    .flatMap((tour) => tour.history.map((step) => ({ step, tour })))
    .toSorted((one, other) => Date.parse(one.step.at) - Date.parse(other.step.at));
  const panels = tours.filter((tour) => tour === latest || isOpenTo(tour));
  return (
    <section className="thread">
      <ThreadHead tour={latest} personId={person.id} />
      {list.hasNextPage ? (
        <Button onPress={() => void list.fetchNextPage()} isDisabled={list.isFetchingNextPage}>
          {t('inbox.earlier')}
        </Button>
      ) : null}
      <ol className="thread-steps">
        {steps.map(({ step, tour }) => (
          <li key={`${tour.tourId} ${step.seq}`} className={sideClass(step, sideOf(tour, person.id))}>
            <ThreadStep step={step} tour={tour} personId={person.id} />
          </li>
        ))}
      </ol>
      {panels.map((tour) => (
        <TourPanel key={tour.tourId} tour={tour} side={sideOf(tour, person.id)} />
      ))}
    </section>
  );
}

const isOpenTo = ({ availableActions, reportUntil, mismatchReports }: Tour): boolean =>
  availableActions.length > 0 || reportUntil !== null || mismatchReports.length > 0;

const sideClass = ({ actor }: Step, side: string): string =>
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

function ThreadHead({ tour, personId }: { readonly tour: Tour; readonly personId: string }) {
  const { t } = useText();
  const side = sideOf(tour, personId);
  const other = side === 'customer' ? tour.agent : tour.customer;
  return (
    <header className="thread-head">
      <Link className="thread-back" to="/inbox" aria-label={t('inbox.back')}>
        <Icon name="back" />
      </Link>
      <HomePhoto photoId={tour.photoId} />
      <div>
        <h2>
          <bdi>{other.name || t(`inbox.nameless.${side === 'customer' ? 'agent' : 'customer'}`)}</bdi>
        </h2>
        <Link to="/properties/$propertyId" params={{ propertyId: tour.propertyId }}>
          {addressLine(tour)}
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
