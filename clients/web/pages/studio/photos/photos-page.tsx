import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { EmptyState, Skeleton } from '../../../primitives/parts.tsx';
import type { Me } from '../../../session/person.ts';
import { useText } from '../../../site/use-site.ts';
import { photoStates } from '../staging/photo-states.ts';
import { StagingProgress } from '../staging/staging-progress.tsx';
import { useListingWork } from '../staging/use-listing-work.ts';
import { useRejected } from '../staging/use-rejected.ts';
import type { OwnListing } from '../studio-queries.ts';
import { Workspace } from '../workspace.tsx';
import './photos.css';

const PhotoUploads = lazy(() => import('./photo-uploads.tsx'));
const PhotoDesk = lazy(() => import('./photo-desk.tsx'));

const route = getRouteApi('/studio/$propertyId');

/** The photos of a listing: uploading, order, rooms, and their staging. */
export function Component() {
  const { t } = useText();
  const { propertyId } = route.useParams();
  return (
    <Workspace propertyId={propertyId} title={t('studio.step.photos')}>
      {(listing, agent) => <Photos listing={listing} agent={agent} />}
    </Workspace>
  );
}

interface PhotosProps {
  readonly listing: OwnListing;
  readonly agent: Me;
}

function Photos({ listing, agent }: PhotosProps) {
  const { t } = useText();
  const { propertyId, photos } = listing;
  const work = useListingWork(propertyId);
  const rejected = useRejected(propertyId);
  const states = useMemo(
    () => (work === undefined ? undefined : photoStates(work, rejected)),
    [work, rejected],
  );
  return (
    <>
      {work === undefined ? null : <StagingProgress listing={listing} work={work} />}
      <Suspense fallback={<Skeleton height="5rem" />}>
        <PhotoUploads agentId={agent.id} propertyId={propertyId} isSmall={photos.length > 0} />
      </Suspense>
      {photos.length === 0 ? (
        <EmptyState title={t('studio.photo.none')}>
          <p className="muted">{t('studio.photo.noneText')}</p>
        </EmptyState>
      ) : (
        <Suspense fallback={<Skeleton height="20rem" />}>
          <PhotoDesk agentId={agent.id} listing={listing} variants={work?.variants} states={states} />
        </Suspense>
      )}
    </>
  );
}
