import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useSite } from '../../../site/use-site.ts';
import { changePhoto } from '../change-photo.ts';
import { myListing, type Photo } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { movesBetween, type PhotoOrder } from './photo-order.ts';
import { canBeCover } from './photo-place.ts';

/** Stores an order in which these photos have moved. */
export type Arrange = (order: PhotoOrder, moved: PhotoOrder) => Promise<void>;

/** The photo that is the cover in an order: who puts another photo in front wants it. Null where the cover stays. */
function newCover(photos: readonly Photo[], order: PhotoOrder, moved: PhotoOrder): string | null {
  const first = photos.find(({ imageId }) => imageId === order[0]);
  if (first === undefined || first.isMain || !canBeCover(first)) return null;
  return first.imageId !== photos[0]?.imageId || moved.includes(first.imageId) ? first.imageId : null;
}

/** Shows a new order at once, and stores it, one photo after the other. The first photo becomes the cover. */
export function useArrange(propertyId: string): Arrange {
  const { api, sender } = useSite();
  const queries = useQueryClient();
  const { act } = useAct();
  const open = useRef(0);
  const { queryKey } = myListing(api, propertyId);
  return async (order, moved) => {
    const listing = queries.getQueryData(queryKey);
    if (sender === null || listing === undefined) return;
    await queries.cancelQueries({ queryKey });
    const { photos } = listing;
    const cover = newCover(photos, order, moved);
    const moves = movesBetween(
      photos.map(({ imageId }) => imageId),
      order,
      moved,
    );
    const arranged = order.flatMap((id) => photos.filter(({ imageId }) => imageId === id));
    const shown = arranged.map((photo) =>
      cover === null ? photo : { ...photo, isMain: photo.imageId === cover },
    );
    queries.setQueryData(queryKey, { ...listing, photos: shown });
    open.current += 1;
    await act(async () => {
      for (const { imageId, position } of moves) await changePhoto(sender, imageId, { position });
      if (cover !== null) await changePhoto(sender, cover, { isMain: true });
    });
    open.current -= 1;
    // The answer between two moves would show the order before the second one.
    if (open.current === 0) await queries.invalidateQueries({ queryKey });
  };
}
