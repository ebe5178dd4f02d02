import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../../../primitives/button.tsx';
import { EmptyState, Skeleton } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import { useListingWork } from '../staging/use-listing-work.ts';
import type { OwnListing, Variant } from '../studio-queries.ts';
import { Workspace } from '../workspace.tsx';
import { ReviewQueue } from './review-queue.tsx';
import { UndoLine } from './undo-line.tsx';
import { useDecisions } from './use-decisions.ts';
import './review.css';

const VisitReports = lazy(() => import('./visit-reports.tsx'));

const route = getRouteApi('/studio/$propertyId/review');

/** The pictures that wait for a decision, one after the other or several at once. */
export function Component() {
  const { t } = useText();
  const { propertyId } = route.useParams();
  return (
    <Workspace propertyId={propertyId} title={t('studio.step.review')}>
      {(listing) => <Review listing={listing} />}
    </Workspace>
  );
}

function Review({ listing }: { readonly listing: OwnListing }) {
  const { propertyId, photos } = listing;
  const work = useListingWork(propertyId);
  const decisions = useDecisions();
  if (work === undefined) return <Skeleton height="30rem" />;
  const decided = new Set(decisions.waiting.flatMap(({ imageIds }) => imageIds));
  const place = new Map(photos.map(({ imageId }, index) => [imageId, index]));
  const placeOf = ({ styledFromId }: Variant): number => place.get(styledFromId) ?? photos.length;
  const [first, ...others] = work.variants
    .filter(({ imageId, reviewStatus }) => reviewStatus === 'PENDING_REVIEW' && !decided.has(imageId))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  return (
    <>
      <Suspense>
        <VisitReports listing={listing} />
      </Suspense>
      {first === undefined ? (
        <>
          <UndoLine decisions={decisions} />
          <NothingToReview propertyId={propertyId} open={work.open.length} />
        </>
      ) : (
        <ReviewQueue listing={listing} queue={[first, ...others]} decisions={decisions} />
      )}
    </>
  );
}

/** @param open how many pictures are being made */
function NothingToReview({ propertyId, open }: { readonly propertyId: string; readonly open: number }) {
  const { t } = useText();
  return (
    <EmptyState
      title={t(open > 0 ? 'studio.review.noneYet' : 'studio.review.done')}
      action={
        <div className="row">
          {open > 0 ? null : (
            <ButtonLink kind="primary" to="/studio/$propertyId/publish" params={{ propertyId }}>
              {t('studio.review.toPublish')}
            </ButtonLink>
          )}
          <ButtonLink to="/studio/$propertyId" params={{ propertyId }}>
            {t('studio.review.toPhotos')}
          </ButtonLink>
        </div>
      }
    >
      {open > 0 ? (
        <p className="muted" role="status">
          {t('studio.staging.open', { count: open })}
        </p>
      ) : null}
    </EmptyState>
  );
}
