import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../../../primitives/button.tsx';
import { LoadFailed } from '../../../primitives/list-parts.tsx';
import { Skeleton } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import { Workspace } from '../workspace.tsx';
import { AddressSection } from './address-section.tsx';
import { DescriptionField } from './description-field.tsx';
import { PositionField } from './position-field.tsx';
import { useSave } from './use-save.ts';
import './details.css';

// What stands below the first look of a phone.
const PriceSection = lazy(() => import('./price-section.tsx'));
const HomeSection = lazy(() => import('./home-section.tsx'));
const FeaturesSection = lazy(() => import('./features-section.tsx'));
const ShowingSection = lazy(() => import('./showing-section.tsx'));

const route = getRouteApi('/studio/$propertyId/details');

/** What is known of a listing. Every field is stored by itself. */
export function Component() {
  const { t } = useText();
  const { propertyId } = route.useParams();
  return (
    <Workspace propertyId={propertyId} title={t('studio.step.details')}>
      {(listing) => <Details listing={listing} />}
    </Workspace>
  );
}

/** Loads the words of kinds of homes and of features. `retry` is null unless that has failed. */
function useFeatureWords(): { readonly areThere: boolean; readonly retry: (() => void) | null } {
  const { language } = useSite();
  const { isSuccess, isError, refetch } = useQuery({
    queryKey: ['words', 'features'],
    queryFn: () => language.addWords(['features']).then(() => true),
  });
  return { areThere: isSuccess, retry: isError ? () => void refetch() : null };
}

function Details({ listing: stored }: { readonly listing: OwnListing }) {
  const { t } = useText();
  const { propertyId } = stored;
  const given = useSave(stored);
  const words = useFeatureWords();
  return (
    <>
      <p className="muted">{t('studio.details.saved')}</p>
      <div className="details">
        <div className="details-column">
          <AddressSection {...given} />
          <PositionField {...given} />
          <Suspense fallback={<Skeleton height="16rem" />}>
            <PriceSection {...given} />
          </Suspense>
        </div>
        <div className="details-column">
          <Suspense fallback={<Skeleton height="28rem" />}>
            {words.areThere ? (
              <HomeSection {...given} />
            ) : words.retry === null ? (
              <Skeleton height="28rem" />
            ) : (
              <LoadFailed onRetry={words.retry} />
            )}
          </Suspense>
          <DescriptionField {...given} />
          {words.retry === null ? (
            <Suspense fallback={<Skeleton height="20rem" />}>
              {words.areThere ? <FeaturesSection {...given} /> : <Skeleton height="20rem" />}
            </Suspense>
          ) : null}
        </div>
      </div>
      <Suspense fallback={<Skeleton height="12rem" />}>
        <ShowingSection {...given} />
      </Suspense>
      <div>
        <ButtonLink kind="primary" to="/studio/$propertyId" params={{ propertyId }}>
          {t('studio.details.toPhotos')}
        </ButtonLink>
      </div>
    </>
  );
}
