import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { agentTours } from '../../../api/queries.ts';
import { Button } from '../../../primitives/button.tsx';
import { LoadFailed, LoadMore } from '../../../primitives/list-parts.tsx';
import { Section, Skeleton } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { awaitsAnswer } from '../../inbox/tour-list.ts';
import { AgentsOnly } from '../agents-only.tsx';
import { AgentTour } from './agent-tour.tsx';
import {
  type Month,
  monthAfter,
  monthOf,
  type PlacedTour,
  placedTours,
  readDay,
  readMonth,
  weeksOf,
} from './month.ts';
import './agent-tours.css';

const route = getRouteApi('/studio/tours');

/** The tours that an agent gives: what awaits an answer, and a calendar of a month. */
export function Component() {
  return <AgentsOnly path="/studio/tours">{() => <AgentTours />}</AgentsOnly>;
}

/** Pages of tours that the calendar reads by itself; more are read when they are asked for. */
const MOST_PAGES = 10;

function AgentTours() {
  const { api } = useSite();
  const { t } = useText();
  const list = useInfiniteQuery({ ...agentTours(api), staleTime: 0 });
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  const pages = list.data?.pages ?? [];
  useEffect(() => {
    // After a failure the person decides: otherwise it would be asked for without an end.
    if (hasNextPage && !isFetchingNextPage && !isError && pages.length < MOST_PAGES) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage, pages.length]);
  const tours = pages.flatMap(({ items }) => items);
  const waiting = tours.filter((tour) => awaitsAnswer(tour, 'agent'));
  return (
    <div className="page">
      <h1>{t('studio.tours.title')}</h1>
      <p>
        <Link to="/inbox">{t('inbox.asThreads')}</Link>
      </p>
      {list.isPending ? <Skeleton height="20rem" /> : null}
      {isError ? <LoadFailed onRetry={() => void list.refetch()} /> : null}
      {waiting.length === 0 ? null : (
        <Section title={t('inbox.awaiting')}>
          <ul className="studio-cards">
            {waiting.map((tour) => (
              <li key={tour.tourId}>
                <AgentTour tour={tour} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {list.data === undefined ? null : <Calendar tours={placedTours(tours)} />}
      <LoadMore list={list} />
    </div>
  );
}

/** The state of the page that its address holds. */
interface ToursAddress {
  readonly month?: Month;
  readonly day?: string;
}

/** A month, and the tours of the day that is chosen. Each tour stands on its day in the zone of its home. */
function Calendar({ tours }: { readonly tours: readonly PlacedTour[] }) {
  const { t, day: dayText, monthName, weekday, number } = useText();
  const { month: givenMonth, day: givenDay } = route.useSearch() as Record<string, unknown>;
  const navigate = useNavigate();
  const today = new Date().toLocaleDateString('sv');
  const day = readDay(givenDay) ?? today;
  const month = readMonth(givenMonth) ?? monthOf(day);
  const show = (search: ToursAddress): void =>
    void navigate({ to: '/studio/tours', search, replace: true, resetScroll: false });
  const ofDay = (one: string) => tours.filter((tour) => tour.day === one);
  const weeks = weeksOf(month);
  return (
    <Section title={t('studio.tours.calendar')}>
      <div className="row">
        <Button kind="quiet" onPress={() => show({ month: monthAfter(month, -1) })}>
          {t('studio.tours.previousMonth')}
        </Button>
        <h3 aria-live="polite">{monthName(`${month}-01`)}</h3>
        <Button kind="quiet" onPress={() => show({ month: monthAfter(month, 1) })}>
          {t('studio.tours.nextMonth')}
        </Button>
      </div>
      <div className="calendar" aria-hidden="true">
        {(weeks[0] ?? []).map((one) => (
          <span key={one} className="calendar-weekday">
            {weekday(one)}
          </span>
        ))}
      </div>
      <div className="calendar">
        {weeks.flat().map((one) => {
          const all = ofDay(one);
          const label = t('studio.tours.onDay', {
            day: dayText(`${one}T12:00:00Z`, 'UTC'),
            count: all.length,
          });
          return (
            <button
              key={one}
              type="button"
              className={monthOf(one) === month ? 'calendar-day' : 'calendar-day calendar-other'}
              aria-current={one === today ? 'date' : undefined}
              aria-pressed={one === day}
              onClick={() => show({ month, day: one })}
            >
              <span className="visually-hidden">{label}</span>
              <span aria-hidden="true">{number(Number(one.slice(-2)))}</span>
              {all.length === 0 ? null : (
                <span className="studio-count" aria-hidden="true">
                  {all.length}
                </span>
              )}
            </button>
          );
        })}
      </div>
      <h3>{dayText(`${day}T12:00:00Z`, 'UTC')}</h3>
      {ofDay(day).length === 0 ? <p className="muted">{t('studio.tours.noneOnDay')}</p> : null}
      <ul className="studio-cards">
        {ofDay(day).map(({ tour }) => (
          <li key={tour.tourId}>
            <AgentTour tour={tour} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
