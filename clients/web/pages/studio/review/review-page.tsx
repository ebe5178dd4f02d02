import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../../../primitives/button.tsx';
import { EmptyState, Skeleton } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import { useListingWork } from '../staging/use-listing-work.ts';
import type { OwnListing, Variant } from '../studio-queries.ts';
import { Workspace } from '../workspace.tsx';
import { ReviewQueue } from './review-queue.tsx';
import { useApprovals } from './use-approvals.ts';
import { useRejections } from './use-rejections.ts';
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
  const { t } = useText();
  const { propertyId, photos } = listing;
  const work = useListingWork(propertyId);
  const rejections = useRejections();
  const approvals = useApprovals(propertyId);
  if (work === undefined) return <Skeleton height="30rem" />;
  const decided = new Set([...approvals.open, ...rejections.waiting.map(({ imageId }) => imageId)]);
  const place = new Map(photos.map(({ imageId }, index) => [imageId, index]));
  const placeOf = ({ styledFromId }: Variant): number => place.get(styledFromId) ?? photos.length;
  const queue = work.variants
    .filter(({ imageId, reviewStatus }) => reviewStatus === 'PENDING_REVIEW' && !decided.has(imageId))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  return (
    <>
      <Suspense>
        <VisitReports listing={listing} />
      </Suspense>
      <ReviewQueue listing={listing} queue={queue} rejections={rejections} approvals={approvals} />
      {queue.length > 0 ? null : (
        <EmptyState
          title={t(work.open.length > 0 ? 'studio.review.noneYet' : 'studio.review.done')}
          action={
            <div className="row">
              {work.open.length > 0 ? null : (
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
          {work.open.length > 0 ? (
            <p className="muted" role="status">
              {t('studio.staging.open', { count: work.open.length })}
            </p>
          ) : null}
        </EmptyState>
      )}
    </>
  );
}
