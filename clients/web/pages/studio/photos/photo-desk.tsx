import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { AddressQuery } from '../../../addresses/address-query.ts';
import { kept } from '../../../site/keeper.ts';
import { useText } from '../../../site/use-site.ts';
import { ExportDownload } from '../publish/export-download.tsx';
import type { StyleState } from '../staging/photo-states.ts';
import type { EarlierOrder } from '../staging/staging-panel.tsx';
import { unsentOrder } from '../staging/unsent-order.ts';
import type { Job, OwnListing, Variant } from '../studio-queries.ts';
import { useSelection } from '../use-selection.ts';
import { filterIn, fits, type PhotoFilter } from './photo-filter.ts';
import { PhotoFilters } from './photo-filters.tsx';
import { PhotoGrid } from './photo-grid.tsx';
import { PhotoToolbar } from './photo-toolbar.tsx';
import { useArrange } from './use-arrange.ts';
import { useLargePhoto } from './use-large-photo.ts';
import './photo-desk.css';

const StagingPanel = lazy(() => import('../staging/staging-panel.tsx'));
const LargePhoto = lazy(() => import('./large-photo.tsx'));

interface PhotoDeskProps {
  readonly agentId: string;
  readonly listing: OwnListing;
  /** The staged pictures, and what has become of each photo; undefined until they are known. */
  readonly variants: readonly Variant[] | undefined;
  readonly states: ReadonlyMap<string, readonly StyleState[]> | undefined;
}

const NO_STATES: ReadonlyMap<string, readonly StyleState[]> = new Map();

/** The photos of a listing with what is done with them: which are shown, chosen, ordered and staged. */
export default function PhotoDesk({ agentId, listing, variants = [], states }: PhotoDeskProps) {
  const { t } = useText();
  const { propertyId, photos } = listing;
  const known = states ?? NO_STATES;
  const { filter, selection } = useChoice(listing);
  const arrange = useArrange(propertyId);
  const large = useLargePhoto();
  const [earlier, setEarlier] = useState<EarlierOrder | null>(null);
  const isFor = (one: PhotoFilter) =>
    photos.filter((photo) => fits(one, photo, known.get(photo.imageId) ?? []));
  // What was chosen stays in sight until it is ordered: a room that is given would take it away.
  const fitting = new Set(isFor(filter).map(({ imageId }) => imageId));
  const shown = photos.map(({ imageId }) => imageId).filter((id) => fitting.has(id) || selection.has(id));
  const stageAgain = ({ originalImageId, canonicalStyle, canonicalRoomType, groupId }: Job): void => {
    selection.choose([originalImageId]);
    setEarlier({ imageId: originalImageId, style: canonicalStyle, roomType: canonicalRoomType, groupId });
  };
  return (
    <div className="studio-photos">
      <div className="studio-photos-head">
        {states === undefined ? null : (
          <PhotoFilters propertyId={propertyId} countOf={(one) => isFor(one).length} />
        )}
        <Downloads propertyId={propertyId} agentId={agentId} variants={variants} />
      </div>
      <PhotoToolbar
        agentId={agentId}
        propertyId={propertyId}
        photos={photos}
        shown={shown}
        selection={selection}
        arrange={arrange}
      />
      <Staging agentId={agentId} listing={listing} selection={selection} earlier={earlier} />
      {shown.length === 0 ? (
        <p className="muted">{t('studio.photo.noneFit')}</p>
      ) : (
        <PhotoGrid
          photos={photos}
          shown={shown}
          selection={selection}
          arrange={arrange}
          states={known}
          onLarge={large.open}
          onStageAgain={stageAgain}
        />
      )}
      <Suspense>
        {large.shown === undefined ? null : (
          <LargePhoto photos={photos} variants={variants} first={large.shown} onClose={large.close} />
        )}
      </Suspense>
    </div>
  );
}

/** The filter of the address, and the photos that are chosen; another filter begins with none. */
function useChoice({ photos }: OwnListing) {
  const query: AddressQuery = useSearch({ from: '/studio/$propertyId' });
  const filter = filterIn(query);
  const selection = useSelection(photos.map(({ imageId }) => imageId));
  const [last, setLast] = useState(filter);
  if (last !== filter) {
    setLast(filter);
    selection.choose([]);
  }
  return { filter, selection };
}

/** The photos and all approved pictures as one file, once there is an approved one. */
function Downloads({
  propertyId,
  agentId,
  variants,
}: {
  readonly propertyId: string;
  readonly agentId: string;
  readonly variants: readonly Variant[];
}) {
  const { t } = useText();
  const isAny = variants.some(
    ({ reviewStatus, withdrawnAt }) => reviewStatus === 'APPROVED' && withdrawnAt === null,
  );
  return isAny ? (
    <ExportDownload propertyId={propertyId} agentId={agentId} kind="quiet">
      {t('studio.photo.downloadAll')}
    </ExportDownload>
  ) : null;
}

interface StagingProps extends Pick<PhotoDeskProps, 'agentId' | 'listing'> {
  readonly selection: ReturnType<typeof useSelection>;
  readonly earlier: EarlierOrder | null;
}

/** The panel of the order. It is loaded when a photo is chosen, and where a page before has left a part of an order. */
function Staging({ agentId, listing: { propertyId, photos }, selection, earlier }: StagingProps) {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    if (unsentOrder(kept, { personId: agentId, propertyId }, Date.now()) !== null) setNeeded(true);
  }, [agentId, propertyId]);
  if (selection.ids.length > 0 && !isNeeded) setNeeded(true);
  return isNeeded ? (
    <Suspense fallback={<NothingChosen />}>
      <StagingPanel
        personId={agentId}
        propertyId={propertyId}
        photos={photos.filter(({ imageId }) => selection.has(imageId))}
        earlier={earlier}
        onOrdered={selection.leaveOut}
        onClear={() => selection.choose([])}
      />
    </Suspense>
  ) : (
    <NothingChosen />
  );
}

function NothingChosen() {
  const { t } = useText();
  return (
    <section className="panel studio-staging studio-staging-idle" aria-label={t('studio.staging.title')}>
      <p className="muted">{t('studio.staging.noneChosen')}</p>
    </section>
  );
}
