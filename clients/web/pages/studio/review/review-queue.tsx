import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { Choices } from '../../../primitives/choices.tsx';
import { Skeleton } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import { subjectKey } from '../photo-name.ts';
import type { OwnListing, Variant } from '../studio-queries.ts';
import { ComparePicture, VIEWS, type View } from './compare-picture.tsx';
import { DriftNotes } from './drift-notes.tsx';
import { type ReviewKey, useReviewKeys } from './review-keys.ts';
import type { useApprovals } from './use-approvals.ts';
import type { useRejections } from './use-rejections.ts';
import { moved, WHOLE, zoomed } from './zoom.ts';

const RejectSheet = lazy(() => import('./reject-sheet.tsx'));
const KeyHelp = lazy(() => import('./key-help.tsx'));
const ReviewSeveral = lazy(() => import('./review-several.tsx'));

interface ReviewQueueProps {
  readonly listing: OwnListing;
  readonly queue: readonly Variant[];
  readonly rejections: ReturnType<typeof useRejections>;
  readonly approvals: Pick<ReturnType<typeof useApprovals>, 'approve' | 'approveSeveral'>;
}

const STEP = 1.5;
/** Of the window, that an arrow key moves a near picture. */
const PART = 0.25;
/** So many pairs after the one that is shown are loaded. */
const AHEAD = 2;
const MOVES: ReadonlySet<ReviewKey> = new Set(['left', 'right', 'up', 'down']);

/** The queue: the picture in the address is the one that is looked at, so that a reload shows it again. */
export function ReviewQueue({ listing, queue, rejections, approvals }: ReviewQueueProps) {
  const { t } = useText();
  const { picture, view: chosenView } = useSearch({ from: '/studio/$propertyId/review' }) as ReviewAddress;
  const navigate = useNavigate();
  const [isHelpShown, setHelpShown] = useState(false);
  /** The picture that is being rejected: another agent may take it out of the queue meanwhile. */
  const [rejected, setRejected] = useState<string | null>(null);
  const [isPhotoShown, setPhotoShown] = useState(false);
  const [share, setShare] = useState(50);
  const [areChangesShown, setChangesShown] = useState(false);
  const [zoom, setZoom] = useState(WHOLE);
  /** The staged picture that is on the screen with its photo: no other one can be approved. */
  const [onScreen, setOnScreen] = useState<string | null>(null);
  const view = VIEWS.find((known) => known === chosenView) ?? 'slider';
  const last = useRef(0);
  const found = queue.findIndex(({ imageId }) => imageId === picture);
  // A picture that another agent has decided on gives its place to the next one.
  const index = found < 0 ? Math.max(0, Math.min(last.current, queue.length - 1)) : found;
  last.current = index;
  const current = queue[index];
  const isSeveral = chosenView === 'several';
  const address = (next: ReviewAddress): void =>
    void navigate({
      to: '/studio/$propertyId/review',
      params: { propertyId: listing.propertyId },
      search: {
        ...(picture === undefined ? {} : { picture }),
        ...(chosenView === undefined ? {} : { view: chosenView }),
        ...next,
      },
      replace: true,
      resetScroll: false,
    });
  const turn = (by: number): void => {
    const next = queue[(index + by + queue.length) % queue.length];
    if (next !== undefined) address({ picture: next.imageId });
    setZoom(WHOLE);
    setPhotoShown(false);
  };
  /** The one after the one that was decided; at the end of the queue the one before. */
  const goOn = (): void => {
    const next = queue[index + 1] ?? queue[index - 1];
    if (next !== undefined) address({ picture: next.imageId });
    setZoom(WHOLE);
    setPhotoShown(false);
  };
  const actions: Readonly<Record<ReviewKey, () => void>> = {
    help: () => setHelpShown(true),
    undo: () => rejections.undo(),
    approve: () => {
      if (current === undefined || current.imageId !== onScreen) return;
      goOn();
      approvals.approve(current.imageId);
    },
    reject: () => setRejected(current?.imageId ?? null),
    next: () => turn(1),
    previous: () => turn(-1),
    blink: () => {
      if (view !== 'blink') address({ view: 'blink' });
      setPhotoShown(!isPhotoShown);
    },
    changes: () => setChangesShown(!areChangesShown),
    nearer: () => setZoom(zoomed(zoom, STEP)),
    farther: () => setZoom(zoomed(zoom, 1 / STEP)),
    whole: () => setZoom(WHOLE),
    left: () => setZoom(moved(zoom, { right: -PART, down: 0 })),
    right: () => setZoom(moved(zoom, { right: PART, down: 0 })),
    up: () => setZoom(moved(zoom, { right: 0, down: -PART })),
    down: () => setZoom(moved(zoom, { right: 0, down: PART })),
  };
  const onKey = (action: ReviewKey): void => actions[action]();
  useReviewKeys((action) => {
    // A sheet may still be on its way. Of several pictures none is the one that is looked at.
    if (isHelpShown || rejected !== null) return false;
    if (isSeveral && action !== 'undo' && action !== 'help') return false;
    // A whole picture cannot be moved: the page is.
    if (zoom.scale === 1 && MOVES.has(action)) return false;
    onKey(action);
    return true;
  });
  return (
    <div className="stack">
      <UndoLine rejections={rejections} />
      {current === undefined ? null : (
        <>
          <Choices
            legend={t('studio.review.view')}
            name="view"
            value={isSeveral ? 'several' : view}
            options={([...VIEWS, 'several'] as const).map((value) => ({
              value,
              label: t(`studio.view.${value}`),
            }))}
            onChange={(value) => address({ view: value })}
            isLegendHidden
          />
          {isSeveral ? (
            <Suspense fallback={<Skeleton height="30rem" />}>
              <ReviewSeveral listing={listing} queue={queue} onApprove={approvals.approveSeveral} />
            </Suspense>
          ) : (
            <div className="review">
              <p role="status">
                {t('studio.review.position', { number: index + 1, count: queue.length })}
                {` · ${t(subjectKey(current))} · ${current.style}`}
              </p>
              {queue.slice(index, index + 1 + AHEAD).map((variant) => (
                <ComparePicture
                  key={`${variant.imageId} ${view === 'beside'}`}
                  photo={listing.photos.find(({ imageId }) => imageId === variant.styledFromId)}
                  variant={variant}
                  isShown={variant === current}
                  onScreen={setOnScreen}
                  view={view}
                  isPhotoShown={isPhotoShown}
                  share={share}
                  onShare={setShare}
                  areChangesShown={areChangesShown}
                  zoom={zoom}
                  onZoom={setZoom}
                />
              ))}
              <DriftNotes
                drift={current.drift}
                areChangesShown={areChangesShown}
                onShowChanges={setChangesShown}
              />
              <div className="row review-actions">
                <Button
                  kind="primary"
                  // It keeps the focus while the next pair loads.
                  aria-disabled={onScreen !== current.imageId}
                  onPress={() => onKey('approve')}
                >
                  {t('studio.review.approve')}
                </Button>
                <Button kind="danger" onPress={() => onKey('reject')}>
                  {t('studio.review.reject')}
                </Button>
                {view === 'blink' ? (
                  <Button onPress={() => onKey('blink')}>{t('studio.key.blink')}</Button>
                ) : null}
                {(['previous', 'next', 'nearer', 'farther', 'help'] as const).map((action) => (
                  <Button key={action} kind="quiet" onPress={() => onKey(action)}>
                    {t(`studio.key.${action}`)}
                  </Button>
                ))}
              </div>
            </div>
          )}
        </>
      )}
      <Suspense>
        {rejected === null ? null : (
          <RejectSheet
            onClose={() => setRejected(null)}
            onReject={(reason) => {
              setRejected(null);
              if (rejected === current?.imageId) goOn();
              rejections.reject(rejected, reason);
            }}
          />
        )}
        {isHelpShown ? <KeyHelp onClose={() => setHelpShown(false)} /> : null}
      </Suspense>
    </div>
  );
}

/** The state of the page that its address holds. */
interface ReviewAddress {
  readonly picture?: string;
  readonly view?: View | 'several';
}

/** A rejection that can still be taken back. */
function UndoLine({ rejections }: { readonly rejections: ReviewQueueProps['rejections'] }) {
  const { t } = useText();
  return (
    <div role="status">
      {rejections.canUndo ? (
        <p className="row review-undo">
          {t('studio.review.rejected')}
          <Button kind="quiet" onPress={rejections.undo}>
            {t('studio.key.undo')}
          </Button>
        </p>
      ) : null}
    </div>
  );
}
