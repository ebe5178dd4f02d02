import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressLine } from '../../../../i18n/address-line.ts';
import { failureOf } from '../../api/failures.ts';
import { Button, ButtonLink } from '../../primitives/button.tsx';
import { EmptyState, Skeleton, StatusBadge } from '../../primitives/parts.tsx';
import { listingTone } from '../../primitives/status-tones.ts';
import type { Me } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { AgentsOnly } from './agents-only.tsx';
import { myListing, type OwnListing } from './studio-queries.ts';
import './studio.css';

const STEPS = [
  { to: '/studio/$propertyId/details', key: 'studio.step.details' },
  { to: '/studio/$propertyId', key: 'studio.step.photos' },
  { to: '/studio/$propertyId/review', key: 'studio.step.review' },
  { to: '/studio/$propertyId/publish', key: 'studio.step.publish' },
  { to: '/studio/$propertyId/figures', key: 'studio.step.figures' },
] as const;

interface WorkspaceProps {
  readonly propertyId: string;
  readonly title: string;
  readonly children: (listing: OwnListing, agent: Me) => ReactNode;
}

/** A listing with the steps of its work. Changes of other agents are seen within seconds. */
export function Workspace({ propertyId, title, children }: WorkspaceProps) {
  return (
    <AgentsOnly path={`/studio/${propertyId}`}>
      {(agent) => (
        <ListingSteps key={propertyId} propertyId={propertyId} title={title}>
          {(listing) => children(listing, agent)}
        </ListingSteps>
      )}
    </AgentsOnly>
  );
}

const OTHERS_MS = 10_000;
/** While a photo waits to be shown. */
const CHECKING_MS = 2_500;

function ListingSteps({
  propertyId,
  title,
  children,
}: Omit<WorkspaceProps, 'children'> & { readonly children: (listing: OwnListing) => ReactNode }) {
  const { api } = useSite();
  const { t } = useText();
  const listing = useQuery({
    ...myListing(api, propertyId),
    refetchInterval: ({ state: { data } }) =>
      data?.photos.some(({ photoState }) => photoState === 'WAITING') ? CHECKING_MS : OTHERS_MS,
  });
  if (listing.data === undefined) return <NotShown listing={listing} />;
  const { standardStatus, pendingReviewCount, hiddenFor, isOfFeed } = listing.data;
  // A draft has no page that could be viewed.
  const steps = STEPS.filter(({ key }) => key !== 'studio.step.figures' || standardStatus !== 'Incomplete');
  return (
    <div className="page studio">
      <div className="studio-head">
        <Link to="/studio">{t('studio.listings')}</Link>
        <div className="row">
          <h1>{addressLine(listing.data)}</h1>
          <StatusBadge tone={listingTone(standardStatus)}>
            {t(`listing.status.${standardStatus}`)}
          </StatusBadge>
        </div>
        {isOfFeed ? <p className="studio-off">{t('studio.feed.note')}</p> : null}
        {hiddenFor.map((reason) => (
          <p key={reason} className="studio-off">
            {t(`studio.hidden.${reason}`)}
          </p>
        ))}
      </div>
      <nav ref={showCurrent} className="studio-steps" aria-label={t('studio.steps')}>
        {steps.map(({ to, key }) => (
          <Link
            key={key}
            to={to}
            params={{ propertyId }}
            className="studio-step"
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {t(key)}
            {key === 'studio.step.review' && pendingReviewCount > 0 ? (
              <span className="studio-count">
                <span aria-hidden="true">{pendingReviewCount}</span>
                <span className="visually-hidden">{t('review.pending', { count: pendingReviewCount })}</span>
              </span>
            ) : null}
          </Link>
        ))}
      </nav>
      <h2 className="visually-hidden">{title}</h2>
      {isOfFeed ? (
        <fieldset className="studio-read-only" disabled>
          {children(listing.data)}
        </fieldset>
      ) : (
        children(listing.data)
      )}
    </div>
  );
}

/** On a phone the steps are wider than the window: the one of this page is brought into it. */
function showCurrent(steps: HTMLElement | null): void {
  const current = steps?.querySelector<HTMLElement>('[aria-current]');
  if (steps && current) steps.scrollLeft = current.offsetLeft + current.offsetWidth - steps.clientWidth;
}

function NotShown({ listing }: { readonly listing: UseQueryResult<OwnListing> }) {
  const { t } = useText();
  const isUnknown = failureOf(listing.error).errorCode === 'NOT_FOUND';
  return (
    <div className="page">
      <h1>{t('studio.title')}</h1>
      {listing.isError ? (
        <EmptyState
          title={t(isUnknown ? 'studio.unknownListing' : 'problem.failed')}
          action={
            isUnknown ? (
              <ButtonLink to="/studio">{t('studio.listings')}</ButtonLink>
            ) : (
              <Button onPress={() => void listing.refetch()}>{t('common.retry')}</Button>
            )
          }
        />
      ) : (
        <Skeleton height="20rem" />
      )}
    </div>
  );
}
