import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Inputs } from '../../../../typescript/procedures.ts';
import { Button, ButtonLink } from '../../../primitives/button.tsx';
import { Section, StatusBadge } from '../../../primitives/parts.tsx';
import { listingTone } from '../../../primitives/status-tones.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { myListing, type OwnListing } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';

const SaleSheet = lazy(() => import('./sale-sheet.tsx'));
const ConfirmSheet = lazy(() => import('../confirm-sheet.tsx'));

type StatusChange = Omit<Inputs['properties']['setStatus'], 'propertyId'>;
type NextStatus = StatusChange['standardStatus'];

/** All statuses, always in these places: an agent finds them without reading. */
const PLACES: readonly NextStatus[] = [
  'Coming Soon',
  'Active',
  'Active Under Contract',
  'Pending',
  'Closed',
  'Hold',
  'Withdrawn',
  'Canceled',
  'Expired',
  'Incomplete',
  'Delete',
];
/** The usual next step of each status, if it has one. */
const NEXT: Readonly<Partial<Record<OwnListing['standardStatus'], NextStatus>>> = {
  Incomplete: 'Active',
  'Coming Soon': 'Active',
  Active: 'Active Under Contract',
  'Active Under Contract': 'Pending',
  Pending: 'Closed',
  Hold: 'Active',
  Withdrawn: 'Active',
  Canceled: 'Active',
  Expired: 'Active',
  Delete: 'Incomplete',
};
/** Asked about first: buyers lose the listing. */
const FINAL: readonly NextStatus[] = ['Delete', 'Canceled', 'Withdrawn', 'Expired'];
/** These need all that buyers need. */
const PUBLIC: readonly NextStatus[] = ['Active', 'Coming Soon', 'Active Under Contract', 'Pending', 'Closed'];

/** The listing's status: one button for the usual next step, and a menu of all of them. */
export function Status({ listing }: { readonly listing: OwnListing }) {
  const { t } = useText();
  const { isBusy, asked, choose, set, close } = useStatus(listing);
  const { propertyId, standardStatus, nextStatuses, missing, hiddenFor } = listing;
  const isDraft = standardStatus === 'Incomplete';
  const isPublic = !isDraft && standardStatus !== 'Delete' && hiddenFor.length === 0;
  const next = NEXT[standardStatus];
  const can = (status: NextStatus): boolean =>
    !isBusy && nextStatuses.includes(status) && !(isDraft && missing.length > 0 && PUBLIC.includes(status));
  const nameOf = (status: NextStatus): string =>
    t(isDraft && status === 'Active' ? 'studio.publish.publish' : `studio.publish.to.${status}`);
  return (
    <Section title={t('studio.publish.status')}>
      <p className="row">
        <StatusBadge tone={listingTone(standardStatus)}>{t(`listing.status.${standardStatus}`)}</StatusBadge>
        {isPublic ? (
          <ButtonLink kind="quiet" to="/properties/$propertyId" params={{ propertyId }}>
            {t('studio.publish.view')}
          </ButtonLink>
        ) : isDraft ? (
          <ButtonLink kind="quiet" to="/studio/$propertyId/preview" params={{ propertyId }}>
            {t('studio.publish.preview')}
          </ButtonLink>
        ) : null}
      </p>
      {next === undefined ? null : (
        <div>
          <Button kind="primary" isDisabled={!can(next)} onPress={() => choose(next)}>
            {nameOf(next)}
          </Button>
        </div>
      )}
      {isDraft && missing.length > 0 ? <p className="muted">{t('studio.publish.first')}</p> : null}
      <details className="studio-brief">
        <summary>{t('studio.publish.change')}</summary>
        <ul className="stack">
          {PLACES.map((status) => (
            <li key={status}>
              <Button
                kind={FINAL.includes(status) ? 'danger' : 'secondary'}
                isDisabled={!can(status)}
                onPress={() => choose(status)}
              >
                {nameOf(status)}
              </Button>
            </li>
          ))}
        </ul>
      </details>
      <Suspense>
        {asked === 'Closed' ? (
          <SaleSheet
            currency={listing.currency}
            timeZone={listing.propertyTimeZoneName}
            onClose={close}
            onSale={(sale) => set({ standardStatus: 'Closed', ...sale })}
          />
        ) : asked === null ? null : (
          <ConfirmSheet
            title={t('studio.publish.confirm', { action: nameOf(asked) })}
            text={t('studio.publish.confirmText')}
            action={nameOf(asked)}
            onClose={close}
            onConfirm={() => set({ standardStatus: asked })}
          />
        )}
      </Suspense>
    </Section>
  );
}

/** Changes the status, and asks first where that matters. */
function useStatus({ propertyId }: OwnListing) {
  const { api } = useSite();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const [asked, setAsked] = useState<NextStatus | null>(null);
  const set = async (change: StatusChange): Promise<void> => {
    setAsked(null);
    await act(() => api.properties.setStatus({ ...change, propertyId }));
    await queries.invalidateQueries({ queryKey: myListing(api, propertyId).queryKey });
  };
  return {
    isBusy,
    /** The status that the person is asked about. */
    asked,
    set: (change: StatusChange) => void set(change),
    choose: (status: NextStatus): void => {
      if (status === 'Closed' || FINAL.includes(status)) setAsked(status);
      else void set({ standardStatus: status });
    },
    close: () => setAsked(null),
  };
}
