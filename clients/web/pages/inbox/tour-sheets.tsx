import { lazy, Suspense } from 'react';
import { useSite, useText } from '../../site/use-site.ts';
import type { Tour } from './tour-list.ts';
import type { useTourAction } from './use-tour-action.ts';

const MismatchSheet = lazy(() => import('./mismatch-sheet.tsx'));
const ProposeSheet = lazy(() => import('./propose-sheet.tsx'));
const ReasonSheet = lazy(() => import('./reason-sheet.tsx'));

export type OpenSheet = 'propose' | 'mismatch' | 'cancel' | 'contestNoShow' | 'decline';

interface TourSheetsProps {
  readonly tour: Tour;
  readonly open: OpenSheet | null;
  readonly act: ReturnType<typeof useTourAction>['act'];
  readonly onClose: () => void;
}

/** What a tour's buttons ask for before they do something. */
export function TourSheets({ tour, open, act, onClose }: TourSheetsProps) {
  const { api } = useSite();
  const { t } = useText();
  const { tourId, version: expectedVersion } = tour;
  if (open === null) return null;
  return (
    <Suspense>
      {open === 'propose' ? (
        <ProposeSheet
          tour={tour}
          onClose={onClose}
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
      ) : open === 'mismatch' ? (
        <MismatchSheet tour={tour} onClose={onClose} />
      ) : (
        <ReasonSheet
          title={t(`tour.action.${open}`)}
          isRequired={open === 'decline'}
          onClose={onClose}
          onSend={(reason) =>
            act(() => {
              if (open === 'contestNoShow') return api.tours.contestNoShow({ tourId, note: reason });
              return open === 'decline'
                ? api.tours.decline({ tourId, expectedVersion, reason: reason ?? '' })
                : api.tours.cancel({ tourId, expectedVersion, reason });
            })
          }
        />
      )}
    </Suspense>
  );
}
