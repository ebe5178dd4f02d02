import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../../../primitives/button.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { type OwnListing, stagingCatalog } from '../studio-queries.ts';
import type { ListingWork } from './photo-states.ts';

const CancelAll = lazy(() => import('./cancel-all.tsx'));

interface StagingProgressProps {
  readonly listing: OwnListing;
  readonly work: ListingWork;
}

/** How the staging of the listing goes: a bar while jobs are open, the way to the review, the switch when it is off. */
export function StagingProgress({ listing, work: { open, failed, variants } }: StagingProgressProps) {
  const { api } = useSite();
  const { t } = useText();
  const { data: catalog } = useQuery({ ...stagingCatalog(api), refetchInterval: 30_000 });
  // As the badge at the step says it.
  const { propertyId, pendingReviewCount: waiting } = listing;
  // Of the listing as a whole: so a reload, and another device, say the same.
  const done = variants.length + failed.length;
  const total = done + open.length;
  return (
    <div className={open.length === 0 && waiting === 0 ? 'studio-progress' : 'panel studio-progress'}>
      <div role="status">
        {catalog?.enabled === false ? <p className="studio-off">{t('studio.staging.off')}</p> : null}
        {open.length === 0 ? null : <p>{t('studio.staging.progress', { done, count: total })}</p>}
        {waiting === 0 ? null : <p>{t('review.pending', { count: waiting })}</p>}
      </div>
      {open.length === 0 ? null : (
        <progress max={total} value={done} aria-label={t('studio.staging.progressName')} />
      )}
      <div className="row">
        {waiting === 0 ? null : (
          <ButtonLink kind="primary" to="/studio/$propertyId/review" params={{ propertyId }}>
            {t('studio.review.start')}
          </ButtonLink>
        )}
        <Suspense>{open.length === 0 ? null : <CancelAll propertyId={propertyId} jobs={open} />}</Suspense>
      </div>
    </div>
  );
}
