import { lazy, Suspense, useState } from 'react';
import { Skeleton } from '../../../primitives/parts.tsx';
import type { OwnListing, Variant } from '../studio-queries.ts';
import { ComparePicture } from './compare-picture.tsx';
import { DriftNotes } from './drift-notes.tsx';
import { ReviewActions } from './review-actions.tsx';
import { ReviewBar } from './review-bar.tsx';
import { type ReviewKey, useReviewKeys } from './review-keys.ts';
import { useCompareView } from './use-compare-view.ts';
import type { useDecisions } from './use-decisions.ts';
import { useReviewPlace } from './use-review-place.ts';

const RejectSheet = lazy(() => import('./reject-sheet.tsx'));
const KeyHelp = lazy(() => import('./key-help.tsx'));
const ReviewSeveral = lazy(() => import('./review-several.tsx'));

interface ReviewQueueProps {
  readonly listing: OwnListing;
  /** Not empty. */
  readonly queue: readonly [Variant, ...Variant[]];
  readonly decisions: ReturnType<typeof useDecisions>;
}

/** So many pairs after the one that is shown are loaded. */
const AHEAD = 2;
const MOVES: ReadonlySet<ReviewKey> = new Set(['left', 'right', 'up', 'down']);

/** The pictures that wait, one after the other or all of them. */
export function ReviewQueue({ listing, queue, decisions }: ReviewQueueProps) {
  const place = useReviewPlace(listing.propertyId, queue);
  const look = useCompareView();
  const [isHelpShown, setHelpShown] = useState(false);
  /** The picture that is being rejected: another agent may take it out of the queue meanwhile. */
  const [rejected, setRejected] = useState<string | null>(null);
  /** The staged picture that is on the screen with its photo: no other one can be approved. */
  const [onScreen, setOnScreen] = useState<string | null>(null);
  const { index, view, isSeveral } = place;
  const current = place.current ?? queue[0];
  const turn = (by: number): void => {
    place.turn(by);
    look.reset();
  };
  const leave = (): void => {
    place.leave();
    look.reset();
  };
  const actions: Readonly<Record<ReviewKey, () => void>> = {
    ...look.actions,
    help: () => setHelpShown(true),
    undo: decisions.undo,
    approve() {
      if (current.imageId !== onScreen) return;
      leave();
      decisions.decide({ kind: 'approve', imageIds: [onScreen] });
    },
    reject: () => setRejected(current.imageId),
    next: () => turn(1),
    previous: () => turn(-1),
    blink() {
      if (view !== 'blink') place.setView('blink');
      look.actions.blink();
    },
  };
  useReviewKeys((action) => {
    // A sheet may still be on its way. Of several pictures none is the one that is looked at.
    if (isHelpShown || rejected !== null) return false;
    if (isSeveral && action !== 'undo' && action !== 'help') return false;
    // A whole picture cannot be moved: the page is.
    if (look.shown.zoom.scale === 1 && MOVES.has(action)) return false;
    actions[action]();
    return true;
  });
  return (
    <div className="review">
      <ReviewBar
        listing={listing}
        current={current}
        number={index + 1}
        count={queue.length}
        view={isSeveral ? 'several' : view}
        onView={place.setView}
      />
      {isSeveral ? (
        <Suspense fallback={<Skeleton height="30rem" />}>
          <ReviewSeveral listing={listing} queue={queue} decisions={decisions} />
        </Suspense>
      ) : (
        <>
          <div className="review-stage">
            {queue.slice(index, index + 1 + AHEAD).map((variant) => (
              <ComparePicture
                key={`${variant.imageId} ${view === 'beside'}`}
                photo={listing.photos.find(({ imageId }) => imageId === variant.styledFromId)}
                variant={variant}
                isShown={variant === current}
                onScreen={setOnScreen}
                view={view}
                {...look.shown}
              />
            ))}
            <DriftNotes
              drift={current.drift}
              areChangesShown={look.shown.areChangesShown}
              onShowChanges={look.setChangesShown}
            />
          </div>
          <ReviewActions
            view={view}
            canApprove={onScreen === current.imageId}
            decisions={decisions}
            onAction={(action) => actions[action]()}
          />
        </>
      )}
      <Suspense>
        {rejected === null ? null : (
          <RejectSheet
            onClose={() => setRejected(null)}
            onReject={(reason) => {
              setRejected(null);
              if (rejected === current.imageId) leave();
              decisions.decide({ kind: 'reject', imageIds: [rejected], reason });
            }}
          />
        )}
        {isHelpShown ? <KeyHelp onClose={() => setHelpShown(false)} /> : null}
      </Suspense>
    </div>
  );
}
