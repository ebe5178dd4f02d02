import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { EmptyState, Skeleton } from '../../../primitives/parts.tsx';
import type { Me } from '../../../session/person.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import { changePhoto } from '../change-photo.ts';
import { photoStates } from '../staging/photo-states.ts';
import { StagingProgress } from '../staging/staging-progress.tsx';
import { useListingWork } from '../staging/use-listing-work.ts';
import { myListing, type OwnListing } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { useSelection } from '../use-selection.ts';
import { Workspace } from '../workspace.tsx';
import { PhotoGrid } from './photo-grid.tsx';
import { PhotoToolbar } from './photo-toolbar.tsx';
import './photos.css';

const PhotoUploads = lazy(() => import('./photo-uploads.tsx'));
const StagingPanel = lazy(() => import('../staging/staging-panel.tsx'));

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

const NOTHING = { open: [], failed: [], variants: [] };

interface PhotosProps {
  readonly listing: OwnListing;
  readonly agent: Me;
}

function Photos({ listing: { propertyId, photos }, agent }: PhotosProps) {
  const { t } = useText();
  const work = useListingWork(propertyId);
  const states = useMemo(() => photoStates(work ?? NOTHING), [work]);
  const selection = useSelection(photos.map(({ imageId }) => imageId));
  const move = useMove(propertyId);
  const chosen = photos.filter(({ imageId }) => selection.has(imageId));
  return (
    <>
      {work === undefined ? null : <StagingProgress propertyId={propertyId} work={work} />}
      <Suspense fallback={<Skeleton height="5rem" />}>
        <PhotoUploads agentId={agent.id} propertyId={propertyId} isSmall={photos.length > 0} />
      </Suspense>
      {photos.length === 0 ? (
        <EmptyState title={t('studio.photo.none')}>
          <p className="muted">{t('studio.photo.noneText')}</p>
        </EmptyState>
      ) : (
        <div className="studio-photos">
          <div className="stack">
            <PhotoToolbar propertyId={propertyId} photos={photos} selection={selection} onMove={move} />
            <PhotoGrid photos={photos} states={states} selection={selection} onMove={move} />
          </div>
          <Suspense>
            <StagingPanel
              personId={agent.id}
              propertyId={propertyId}
              photos={chosen}
              onOrdered={(ordered) => selection.choose(selection.ids.filter((id) => !ordered.includes(id)))}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}

/** Shows a new order at once, and stores it, one move after the other. */
function useMove(propertyId: string) {
  const { api, sender } = useSite();
  const queries = useQueryClient();
  const { act } = useAct();
  const open = useRef(0);
  const { queryKey } = myListing(api, propertyId);
  return async (imageId: string, position: number): Promise<void> => {
    if (sender === null) return;
    await queries.cancelQueries({ queryKey });
    queries.setQueryData(queryKey, (listing) => {
      const moved = listing?.photos.find((photo) => photo.imageId === imageId);
      if (listing === undefined || moved === undefined) return listing;
      const others = listing.photos.filter((photo) => photo !== moved);
      return { ...listing, photos: others.toSpliced(position, 0, moved) };
    });
    open.current += 1;
    await act(() => changePhoto(sender, imageId, { position }));
    open.current -= 1;
    // The answer between two moves would show the order before the second one.
    if (open.current === 0) await queries.invalidateQueries({ queryKey });
  };
}
