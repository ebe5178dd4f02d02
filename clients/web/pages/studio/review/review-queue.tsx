import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { failureOf } from '../../../app/failures.ts';
import { useSite, useText } from '../../../app/use-site.ts';
import { Button } from '../../../primitives/button.tsx';
import { Choices } from '../../../primitives/choices.tsx';
import { problemKey } from '../problems.ts';
import { myListing, type OwnListing, type Variant, variants } from '../studio-queries.ts';
import { ComparePicture, VIEWS, type View, WHOLE, zoomed } from './compare-picture.tsx';
import { type ReviewKey, useReviewKeys } from './review-keys.ts';
import { ReviewSeveral } from './review-several.tsx';
import type { useRejections } from './use-rejections.ts';

const RejectSheet = lazy(() => import('./reject-sheet.tsx'));
const KeyHelp = lazy(() => import('./key-help.tsx'));

interface ReviewQueueProps {
  readonly listing: OwnListing;
  readonly queue: readonly Variant[];
  readonly rejections: ReturnType<typeof useRejections>;
}

const STEP = 1.5;
const NOT_FOUND = 404;

/** The queue: the picture in the address is the one that is looked at, so that a reload shows it again. */
export function ReviewQueue({ listing, queue, rejections }: ReviewQueueProps) {
  const { t } = useText();
  const { picture, view: chosenView } = useSearch({ from: '/studio/$propertyId/review' }) as ReviewAddress;
  const navigate = useNavigate();
  const [sheet, setSheet] = useState<'reject' | 'help' | null>(null);
  const [isPhotoShown, setPhotoShown] = useState(false);
  const [share, setShare] = useState(50);
  const [zoom, setZoom] = useState(WHOLE);
  const approve = useApprove(listing.propertyId);
  const view = VIEWS.find((known) => known === chosenView) ?? 'slider';
  const index = Math.max(
    0,
    queue.findIndex(({ imageId }) => imageId === picture),
  );
  const current = queue[index];
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
    help: () => setSheet('help'),
    undo: () => rejections.undo(),
    approve: () => {
      if (current === undefined) return;
      goOn();
      approve([current.imageId]);
    },
    reject: () => setSheet('reject'),
    next: () => turn(1),
    previous: () => turn(-1),
    blink: () => {
      if (view !== 'blink') address({ view: 'blink' });
      setPhotoShown(!isPhotoShown);
    },
    nearer: () => setZoom(zoomed(zoom, STEP)),
    farther: () => setZoom(zoomed(zoom, 1 / STEP)),
    whole: () => setZoom(WHOLE),
  };
  const onKey = (action: ReviewKey): void => actions[action]();
  useReviewKeys(onKey);
  const isSeveral = chosenView === 'several';
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
            <ReviewSeveral listing={listing} queue={queue} onApprove={approve} />
          ) : (
            <div className="review">
              <p role="status">
                {t('studio.review.position', { number: index + 1, count: queue.length })}
                {` · ${t(current.roomType === null ? 'room.unknown' : `room.${current.roomType}`)} · ${current.style}`}
              </p>
              <ComparePicture
                photo={listing.photos.find(({ imageId }) => imageId === current.styledFromId)}
                variant={current}
                view={view}
                isPhotoShown={isPhotoShown}
                share={share}
                onShare={setShare}
                zoom={zoom}
                onZoom={setZoom}
              />
              <div className="row review-actions">
                <Button kind="primary" onPress={() => onKey('approve')}>
                  {t('studio.review.approve')}
                </Button>
                <Button kind="danger" onPress={() => onKey('reject')}>
                  {t('studio.review.reject')}
                </Button>
                {(view === 'blink' ? (['blink'] as const) : []).map((action) => (
                  <Button key={action} onPress={() => onKey(action)}>
                    {t('studio.key.blink')}
                  </Button>
                ))}
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
        {sheet === 'reject' && current !== undefined ? (
          <RejectSheet
            onClose={() => setSheet(null)}
            onReject={(reason) => {
              setSheet(null);
              goOn();
              rejections.reject(current.imageId, reason);
            }}
          />
        ) : null}
        {sheet === 'help' ? <KeyHelp onClose={() => setSheet(null)} /> : null}
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

/** Approves pictures: they leave the queue at once, and come back when that failed. */
function useApprove(propertyId: string): (imageIds: readonly string[]) => void {
  const { api, notices } = useSite();
  const queries = useQueryClient();
  const { queryKey } = variants(api, propertyId);
  const approve = async (imageIds: readonly string[]): Promise<void> => {
    await queries.cancelQueries({ queryKey });
    queries.setQueryData(queryKey, (all) =>
      all?.map((one) =>
        imageIds.includes(one.imageId) ? { ...one, reviewStatus: 'APPROVED' as const } : one,
      ),
    );
    try {
      const { results } = await api.ai.approveStagedVariants({ imageIds: [...imageIds] });
      if (results.some(({ errorCode }) => errorCode !== null)) notices.say('studio.review.decidedByOther');
    } catch (error) {
      notices.say(
        failureOf(error).httpStatus === NOT_FOUND ? 'studio.review.decidedByOther' : problemKey(error),
      );
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey }),
      queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey }),
    ]);
  };
  return (imageIds) => void approve(imageIds);
}
