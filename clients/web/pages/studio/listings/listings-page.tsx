import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { addressLine } from '../../../../../i18n/address-line.ts';
import { ButtonLink } from '../../../primitives/button.tsx';
import { LoadFailed, LoadMore } from '../../../primitives/list-parts.tsx';
import { EmptyState, Skeleton, StatusBadge } from '../../../primitives/parts.tsx';
import { Picture } from '../../../primitives/picture.tsx';
import { listingTone } from '../../../primitives/status-tones.ts';
import type { Me } from '../../../session/person.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { AgentsOnly } from '../agents-only.tsx';
import { myListings, type OwnListing } from '../studio-queries.ts';
import { InviteColleague } from './invite-colleague.tsx';
import { ReceivedOffers } from './received-offers.tsx';
import '../studio.css';

/** The listings that an agent works on, newest first. */
export function Component() {
  return <AgentsOnly path="/studio">{(agent) => <Listings agent={agent} />}</AgentsOnly>;
}

function Listings({ agent }: { readonly agent: Me }) {
  const { api } = useSite();
  const { t } = useText();
  const list = useInfiniteQuery(myListings(api));
  const items = list.data?.pages.flatMap((page) => page.items);
  const toNew = (
    <ButtonLink kind="primary" to="/studio/new">
      {t('studio.new.title')}
    </ButtonLink>
  );
  return (
    <div className="page">
      <h1>{t('studio.title')}</h1>
      <div className="row">
        {toNew}
        <ButtonLink to="/studio/tours">{t('studio.tours.title')}</ButtonLink>
        <ButtonLink to="/studio/webhooks">{t('studio.webhooks.title')}</ButtonLink>
      </div>
      <InviteColleague />
      <ReceivedOffers agent={agent} />
      {items === undefined ? (
        list.isError ? (
          <LoadFailed onRetry={() => void list.refetch()} />
        ) : (
          <Skeleton height="20rem" />
        )
      ) : items.length === 0 ? (
        <EmptyState title={t('studio.none')}>
          <p className="muted">{t('studio.noneText')}</p>
        </EmptyState>
      ) : (
        <ul className="studio-cards">
          {items.map((listing) => (
            <li key={listing.propertyId}>
              <ListingCard listing={listing} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={list} />
    </div>
  );
}

type Summary = Omit<OwnListing, 'nextStatuses' | 'missing' | 'photos'>;

function ListingCard({ listing }: { readonly listing: Summary }) {
  const { t, money } = useText();
  const { propertyId, coverImageId, standardStatus, listPrice, currency } = listing;
  const { imageCount, pendingReviewCount, openReportCount, hiddenFor } = listing;
  return (
    <article className="panel studio-card">
      {coverImageId === null ? (
        <span className="studio-card-none">{t('card.noPicture')}</span>
      ) : (
        <Picture imageId={coverImageId} alt="" ratio={4 / 3} sizes="8rem" />
      )}
      <div className="stack">
        <h2>
          <Link to="/studio/$propertyId" params={{ propertyId }}>
            {addressLine(listing)}
          </Link>
        </h2>
        <p className="row">
          <StatusBadge tone={listingTone(standardStatus)}>
            {t(`listing.status.${standardStatus}`)}
          </StatusBadge>
          {hiddenFor.length === 0 ? null : <StatusBadge tone="danger">{t('studio.hidden')}</StatusBadge>}
          {money(listPrice, currency)}
        </p>
        <p className="muted">{t('studio.photoCount', { count: imageCount })}</p>
        {pendingReviewCount === 0 ? null : (
          <Link to="/studio/$propertyId/review" params={{ propertyId }}>
            {t('review.pending', { count: pendingReviewCount })}
          </Link>
        )}
        {openReportCount === 0 ? null : (
          <Link to="/studio/$propertyId/review" params={{ propertyId }}>
            {t('studio.reports.title', { count: openReportCount })}
          </Link>
        )}
      </div>
    </article>
  );
}
