import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { addressLine } from '../../../../i18n/address-line.ts';
import { problemKey } from '../../api/failures.ts';
import { PERSONAL } from '../../api/queries.ts';
import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { StatusBadge } from '../../primitives/parts.tsx';
import { tourTone } from '../../primitives/status-tones.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { MismatchReports } from './mismatch-reports.tsx';
import { calendarName, type Tour } from './tour-list.ts';

const MismatchSheet = lazy(() => import('./mismatch-sheet.tsx'));
const ProposeSheet = lazy(() => import('./propose-sheet.tsx'));
const ReasonSheet = lazy(() => import('./reason-sheet.tsx'));

interface TourItemProps {
  readonly tour: Tour;
  readonly side: 'customer' | 'agent';
}

type OpenSheet = 'propose' | 'mismatch' | 'cancel' | 'contestNoShow' | 'decline' | null;

/** One tour: home, times, state, what can be done now, and what has happened. */
export function TourItem({ tour, side }: TourItemProps) {
  const { api, notices } = useSite();
  const { t, dateTime, time } = useText();
  const act = useTourAction();
  const [sheet, setSheet] = useState<OpenSheet>(null);
  const { tourId, version: expectedVersion, timeZone, slots, heldSlot, availableActions } = tour;
  const can = (action: string): boolean => availableActions.includes(action);
  const slotText = ({ startsAt, endsAt }: Tour['slots'][number]): string =>
    `${dateTime(startsAt, timeZone)} – ${time(endsAt, timeZone)}`;
  const saveCalendar = async (): Promise<void> => {
    try {
      const { ics } = await api.tours.get({ tourId });
      if (ics === null) return;
      const url = URL.createObjectURL(new Blob([ics], { type: 'text/calendar' }));
      const link = Object.assign(document.createElement('a'), { href: url, download: calendarName(tour) });
      link.click();
      URL.revokeObjectURL(url);
    } catch {
      notices.say('errors.internal');
    }
  };
  const acceptance = can('confirm') ? 'confirm' : can('acceptReschedule') ? 'acceptReschedule' : null;
  return (
    <article className="panel tour">
      <div className="row">
        <StatusBadge tone={tourTone(tour.status)}>{t(`tour.status.${tour.status}`)}</StatusBadge>
        <span className="muted">{t(`tour.kind.${tour.kind}`)}</span>
      </div>
      <Link to="/properties/$propertyId" params={{ propertyId: tour.propertyId }}>
        {addressLine(tour)}
      </Link>
      <p className="muted" dir="auto">
        {side === 'agent' ? tour.customer.name : tour.agent.name}
      </p>
      {heldSlot === null ? null : (
        <p>
          <strong>{t(slots.length > 0 ? 'tour.heldTime' : 'tour.agreedTime')}</strong> {slotText(heldSlot)}
        </p>
      )}
      {slots.length === 0 ? null : (
        <div className="stack">
          <strong>{t('tour.proposedTimes')}</strong>
          <ul className="stack">
            {slots.map((slot) => (
              <li key={slot.startsAt} className="row">
                <span>{slotText(slot)}</span>
                {acceptance === null ? null : (
                  <Button
                    kind="primary"
                    onPress={() =>
                      void act(() =>
                        api.tours[acceptance]({
                          tourId,
                          expectedVersion,
                          startsAt: slot.startsAt,
                          note: null,
                        }),
                      )
                    }
                  >
                    {t(`tour.action.${acceptance}`)}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {tour.note === null ? null : (
        <p className="tour-note" dir="auto">
          {tour.note}
        </p>
      )}
      {tour.reason === null ? null : (
        <p className="tour-note" dir="auto">
          {REASONS[tour.reason] === undefined ? tour.reason : t(REASONS[tour.reason] ?? '')}
        </p>
      )}
      {tour.contestedAt === null ? null : (
        <p className="tour-note">{t(side === 'customer' ? 'tour.contestedByYou' : 'tour.contestedText')}</p>
      )}
      <div className="row">
        {can('proposeReschedule') ? (
          <Button onPress={() => setSheet('propose')}>{t('tour.action.proposeReschedule')}</Button>
        ) : null}
        {(['refuseReschedule', 'complete', 'markNoShow', 'undo'] as const).filter(can).map((action) => (
          <Button
            key={action}
            onPress={() => void act(() => api.tours[action]({ tourId, expectedVersion, note: null }))}
          >
            {t(`tour.action.${action}`)}
          </Button>
        ))}
        {(['decline', 'cancel'] as const).filter(can).map((action) => (
          <Button key={action} kind="danger" onPress={() => setSheet(action)}>
            {t(`tour.action.${action}`)}
          </Button>
        ))}
        {can('contestNoShow') ? (
          <Button onPress={() => setSheet('contestNoShow')}>{t('tour.action.contestNoShow')}</Button>
        ) : null}
        {tour.reportUntil !== null ? (
          <Button onPress={() => setSheet('mismatch')}>{t('tours.mismatch.action')}</Button>
        ) : null}
        {heldSlot === null ? null : (
          <Button kind="quiet" onPress={() => void saveCalendar()}>
            <Icon name="calendar" />
            {t('tour.saveCalendar')}
          </Button>
        )}
      </div>
      <MismatchReports tour={tour} />
      <details>
        <summary className="tour-history">{t('tour.history')}</summary>
        <ol className="stack">
          {tour.history.map(({ seq, at, from, to, actor, note, slots: named }) => (
            <li key={seq}>
              <strong>{t(from === to && to === 'NO_SHOW' ? contestStep(actor) : `tour.status.${to}`)}</strong>
              {` · ${t(ACTORS[actor] ?? 'tour.by.system')} · ${dateTime(at, timeZone)}`}
              {named.map((slot) => (
                <span key={slot.startsAt} className="tour-line">
                  {slotText(slot)}
                </span>
              ))}
              {note === null ? null : (
                <span className="tour-line" dir="auto">
                  {note}
                </span>
              )}
            </li>
          ))}
        </ol>
      </details>
      <Suspense>
        {sheet === 'propose' ? (
          <ProposeSheet
            tour={tour}
            onClose={() => setSheet(null)}
            onSend={(chosen, note) =>
              act(() =>
                api.tours.proposeReschedule({
                  tourId,
                  expectedVersion,
                  slots: chosen.map((slot) => ({ ...slot })),
                  note,
                }),
              )
            }
          />
        ) : sheet === 'mismatch' ? (
          <MismatchSheet tour={tour} onClose={() => setSheet(null)} />
        ) : sheet === null ? null : (
          <ReasonSheet
            title={t(`tour.action.${sheet}`)}
            isRequired={sheet === 'decline'}
            onClose={() => setSheet(null)}
            onSend={(reason) =>
              act(() => {
                if (sheet === 'contestNoShow') return api.tours.contestNoShow({ tourId, note: reason });
                return sheet === 'decline'
                  ? api.tours.decline({ tourId, expectedVersion, reason: reason ?? '' })
                  : api.tours.cancel({ tourId, expectedVersion, reason });
              })
            }
          />
        )}
      </Suspense>
    </article>
  );
}

/** Words of the platform in the place of a person's reason. */
const REASONS: Readonly<Record<string, string>> = {
  LISTING_LEFT_MARKET: 'tour.reason.listingLeftMarket',
  ACCOUNT_DELETED: 'tour.reason.accountDeleted',
  ACCOUNT_SUSPENDED: 'tour.reason.accountSuspended',
};
/** A no-show that stays one: the customer contests it, and an operator reads both versions. */
const contestStep = (actor: string): string => (actor === 'customer' ? 'tour.contested' : 'tour.contestRead');
const ACTORS: Readonly<Record<string, string>> = {
  customer: 'tour.by.customer',
  agent: 'tour.by.agent',
};

/** Does something with a tour and shows the tours as they are then. What the other side changed meanwhile is shown too. */
function useTourAction(): (work: () => Promise<unknown>) => Promise<void> {
  const { queries, notices } = useSite();
  return async (work) => {
    try {
      await work();
    } catch (error) {
      notices.say(problemKey(error));
    }
    await queries.invalidateQueries({ queryKey: [PERSONAL, 'tours'] });
  };
}
