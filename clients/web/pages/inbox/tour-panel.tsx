import { type ReactNode, useState } from 'react';
import { Button } from '../../primitives/button.tsx';
import { Icon } from '../../primitives/icon.tsx';
import { StatusBadge } from '../../primitives/parts.tsx';
import { tourTone } from '../../primitives/status-tones.ts';
import { saveFile } from '../../site/save-file.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { MismatchReports } from './mismatch-reports.tsx';
import { calendarName, type Side, type Tour } from './tour-list.ts';
import { type OpenSheet, TourSheets } from './tour-sheets.tsx';
import { useTourAction } from './use-tour-action.ts';

interface TourPanelProps {
  readonly tour: Tour;
  readonly side: Side;
  /** What it is about, where that is not clear from around it. */
  readonly children?: ReactNode;
}

/** Where a tour stands, and what can be done with it now. */
export function TourPanel({ tour, side, children }: TourPanelProps) {
  const { t } = useText();
  const { act, isBusy } = useTourAction();
  const [sheet, setSheet] = useState<OpenSheet | null>(null);
  const { contestedAt, status, kind, rounds } = tour;
  return (
    <article className="panel tour">
      <div className="row">
        <StatusBadge tone={tourTone(status)}>{t(`tour.status.${status}`)}</StatusBadge>
        <span className="muted">{t(`tour.kind.${kind}`)}</span>
      </div>
      {children}
      <TourTimes tour={tour} act={act} isBusy={isBusy} />
      {contestedAt === null ? null : (
        <p className="tour-note">{t(side === 'customer' ? 'tour.contestedByYou' : 'tour.contestedText')}</p>
      )}
      <TourButtons key={`${status} ${rounds}`} tour={tour} act={act} isBusy={isBusy} onSheet={setSheet} />
      <MismatchReports tour={tour} />
      <TourSheets tour={tour} open={sheet} act={act} onClose={() => setSheet(null)} />
    </article>
  );
}

type Acting = ReturnType<typeof useTourAction> & { readonly tour: Tour };

/** The agreed time, and the times that are proposed in its place. Whoever may accept one presses it. */
function TourTimes({ tour, act, isBusy }: Acting) {
  const { api } = useSite();
  const { t, timeRange } = useText();
  const { tourId, version: expectedVersion, timeZone, slots, heldSlot, availableActions } = tour;
  const acceptance = (['confirm', 'acceptReschedule'] as const).find((one) => availableActions.includes(one));
  const textOf = ({ startsAt, endsAt }: Tour['slots'][number]): string =>
    timeRange(startsAt, endsAt, timeZone);
  return (
    <>
      {heldSlot === null ? null : (
        <p>
          <strong>{t(slots.length > 0 ? 'tour.heldTime' : 'tour.agreedTime')}</strong> {textOf(heldSlot)}
        </p>
      )}
      {slots.length === 0 ? null : (
        <div className="stack">
          <strong>{t(acceptance === undefined ? 'tour.proposedTimes' : 'tour.chooseTime')}</strong>
          <ul className="tour-slots">
            {slots.map((slot, index) => (
              <li key={slot.startsAt}>
                {acceptance === undefined ? (
                  textOf(slot)
                ) : (
                  <Button
                    kind={index === 0 ? 'primary' : 'secondary'}
                    isDisabled={isBusy}
                    onPress={() => {
                      const { startsAt } = slot;
                      void act(() =>
                        api.tours[acceptance]({ tourId, expectedVersion, startsAt, note: null }),
                      );
                    }}
                  >
                    {textOf(slot)}
                    <span className="visually-hidden">{` (${t(`tour.action.${acceptance}`)})`}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** Everything else that the person may do. */
function TourButtons({
  tour,
  act,
  isBusy,
  onSheet,
}: Acting & { readonly onSheet: (sheet: OpenSheet) => void }) {
  const { api } = useSite();
  const { t } = useText();
  const saveCalendar = useCalendarFile(tour);
  const { tourId, version: expectedVersion, heldSlot, availableActions, reportUntil } = tour;
  const can = (action: string): boolean => availableActions.includes(action);
  return (
    <div className="row">
      {can('proposeReschedule') ? (
        <Button onPress={() => onSheet('propose')}>{t('tour.action.proposeReschedule')}</Button>
      ) : null}
      {(['refuseReschedule', 'complete', 'markNoShow', 'undo'] as const).filter(can).map((action) => (
        <Button
          key={action}
          isDisabled={isBusy}
          onPress={() => void act(() => api.tours[action]({ tourId, expectedVersion, note: null }))}
        >
          {t(`tour.action.${action}`)}
        </Button>
      ))}
      {(['decline', 'cancel'] as const).filter(can).map((action) => (
        <Button key={action} kind="danger" onPress={() => onSheet(action)}>
          {t(`tour.action.${action}`)}
        </Button>
      ))}
      {can('contestNoShow') ? (
        <Button onPress={() => onSheet('contestNoShow')}>{t('tour.action.contestNoShow')}</Button>
      ) : null}
      {reportUntil === null ? null : (
        <Button onPress={() => onSheet('mismatch')}>{t('tours.mismatch.action')}</Button>
      )}
      {heldSlot === null ? null : (
        <Button kind="quiet" onPress={() => void saveCalendar()}>
          <Icon name="calendar" />
          {t('tour.saveCalendar')}
        </Button>
      )}
    </div>
  );
}

/** Downloads the agreed time for a calendar. */
function useCalendarFile(tour: Tour): () => Promise<void> {
  const { api, notices } = useSite();
  return async () => {
    try {
      const { ics } = await api.tours.get({ tourId: tour.tourId });
      if (ics !== null) saveFile(new Blob([ics], { type: 'text/calendar' }), calendarName(tour));
    } catch {
      notices.say('errors.internal');
    }
  };
}
