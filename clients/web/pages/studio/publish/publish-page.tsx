import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Section, StatusBadge } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';
import { Workspace } from '../workspace.tsx';
import { ListingAgents } from './listing-agents.tsx';
import { MarketCheck } from './market-check.tsx';
import { Status } from './status.tsx';

const OpenHouses = lazy(() => import('./open-houses.tsx'));
const DuplicateListing = lazy(() => import('./duplicate-listing.tsx'));
const route = getRouteApi('/studio/$propertyId/publish');

/** What is missing, the status, where its pictures may be published, and who else works on the listing. */
export function Component() {
  const { t } = useText();
  const { propertyId } = route.useParams();
  return (
    <Workspace propertyId={propertyId} title={t('studio.step.publish')}>
      {(listing, agent) => (
        <>
          <Missing listing={listing} />
          <Status listing={listing} />
          <MarketCheck listing={listing} agentId={agent.id} />
          <ListingAgents listing={listing} agent={agent} />
          <Suspense fallback={null}>
            <OpenHouses listing={listing} />
            <DuplicateListing listing={listing} />
          </Suspense>
        </>
      )}
    </Workspace>
  );
}

const WHERE = {
  PHOTO: { to: '/studio/$propertyId', hash: '' },
  POSITION: { to: '/studio/$propertyId/details', hash: 'position' },
  DESCRIPTION: { to: '/studio/$propertyId/details', hash: 'description' },
} as const;

function Missing({ listing: { propertyId, missing, pendingReviewCount } }: { readonly listing: OwnListing }) {
  const { t } = useText();
  return (
    <Section title={t('studio.publish.ready')}>
      <ul className="stack">
        {Object.entries(WHERE).map(([need, { to, hash }]) => {
          const isMissing = missing.includes(need);
          return (
            <li key={need} className="row">
              <StatusBadge tone={isMissing ? 'warning' : 'success'}>
                {t(isMissing ? 'studio.publish.missing' : 'studio.publish.there')}
              </StatusBadge>
              {isMissing ? (
                <Link to={to} params={{ propertyId }} hash={hash}>
                  {t(`studio.need.${need}`)}
                </Link>
              ) : (
                t(`studio.need.${need}`)
              )}
            </li>
          );
        })}
      </ul>
      {pendingReviewCount === 0 ? null : (
        <p className="row">
          {t('studio.publish.pending', { count: pendingReviewCount })}
          <Link to="/studio/$propertyId/review" params={{ propertyId }}>
            {t('studio.review.start')}
          </Link>
        </p>
      )}
    </Section>
  );
}
