import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Inputs } from '../../../../typescript/procedures.ts';
import { Button, ButtonLink } from '../../../primitives/button.tsx';
import { Section, StatusBadge } from '../../../primitives/parts.tsx';
import { listingTone } from '../../../primitives/status-tones.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { myListing, type OwnListing } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { Workspace } from '../workspace.tsx';
import { ListingAgents } from './listing-agents.tsx';
import { MarketCheck } from './market-check.tsx';

const SaleSheet = lazy(() => import('./sale-sheet.tsx'));
const ConfirmSheet = lazy(() => import('../confirm-sheet.tsx'));

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
          <MarketCheck listing={listing} />
          <ListingAgents listing={listing} agent={agent} />
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

type StatusChange = Omit<Inputs['properties']['setStatus'], 'propertyId'>;
type NextStatus = StatusChange['standardStatus'];
/** Not taken back by another click. */
const FINAL: readonly NextStatus[] = ['Delete', 'Canceled', 'Withdrawn', 'Expired'];
/** With these, buyers find the listing. */
const PUBLIC: readonly NextStatus[] = ['Active', 'Coming Soon'];

function Status({ listing }: { readonly listing: OwnListing }) {
  const { api } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const [asked, setAsked] = useState<NextStatus | null>(null);
  const { propertyId, standardStatus, nextStatuses, missing, hiddenFor } = listing;
  const isDraft = standardStatus === 'Incomplete';
  const isPublic = !isDraft && standardStatus !== 'Delete' && hiddenFor.length === 0;
  const set = async (change: StatusChange): Promise<void> => {
    setAsked(null);
    await act(() => api.properties.setStatus({ ...change, propertyId }));
    await queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey });
  };
  const choose = (status: NextStatus): void => {
    if (status === 'Closed' || FINAL.includes(status)) setAsked(status);
    else void set({ standardStatus: status });
  };
  return (
    <Section title={t('studio.publish.status')}>
      <p className="row">
        <StatusBadge tone={listingTone(standardStatus)}>{t(`listing.status.${standardStatus}`)}</StatusBadge>
        {isPublic ? (
          <ButtonLink kind="quiet" to="/properties/$propertyId" params={{ propertyId }}>
            {t('studio.publish.view')}
          </ButtonLink>
        ) : null}
      </p>
      {isDraft ? (
        <div className="row">
          {PUBLIC.map((status, index) => (
            <Button
              key={status}
              kind={index === 0 ? 'primary' : 'secondary'}
              isDisabled={isBusy || missing.length > 0}
              onPress={() => choose(status)}
            >
              {t(`studio.publish.as.${status.replace(' ', '')}`)}
            </Button>
          ))}
        </div>
      ) : null}
      {isDraft && missing.length > 0 ? <p className="muted">{t('studio.publish.first')}</p> : null}
      <p>{t('studio.publish.change')}</p>
      <div className="row">
        {(nextStatuses as NextStatus[])
          .filter((status) => !isDraft || status === 'Delete')
          .map((status) => (
            <Button
              key={status}
              kind={FINAL.includes(status) ? 'danger' : 'secondary'}
              isDisabled={isBusy}
              onPress={() => choose(status)}
            >
              {t(`listing.status.${status}`)}
            </Button>
          ))}
      </div>
      <Suspense>
        {asked === 'Closed' ? (
          <SaleSheet
            currency={listing.currency}
            timeZone={listing.propertyTimeZoneName}
            onClose={() => setAsked(null)}
            onSale={(sale) => void set({ standardStatus: 'Closed', ...sale })}
          />
        ) : asked === null ? null : (
          <ConfirmSheet
            title={t('studio.publish.confirm', { status: t(`listing.status.${asked}`) })}
            text={t('studio.publish.confirmText')}
            action={t(`listing.status.${asked}`)}
            onClose={() => setAsked(null)}
            onConfirm={() => void set({ standardStatus: asked })}
          />
        )}
      </Suspense>
    </Section>
  );
}
