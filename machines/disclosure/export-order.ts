import type { PictureOrder } from './profile.ts';

interface OrderedPicture {
  readonly imageId: string;
  /** Null for a photo. */
  readonly originalImageId: string | null;
}

/**
 * The pictures in the order that a market asks for, from the gallery's order (each photo followed by those staged of
 * it). The first is always a photo. Where a photo must be next to each picture staged from it, it is there once for
 * each of them.
 */
export function exportOrder<P extends OrderedPicture>(gallery: readonly P[], order: PictureOrder): P[] {
  const ordered = gallery
    .filter(({ originalImageId }) => originalImageId === null)
    .flatMap((photo) => {
      const staged = gallery.filter(({ originalImageId }) => originalImageId === photo.imageId);
      if (order === 'ANY' || staged.length === 0) return [photo, ...staged];
      return staged.flatMap((picture) => (order === 'ALTERED_FIRST' ? [picture, photo] : [photo, picture]));
    });
  const [first] = ordered;
  const cover = gallery.find(({ imageId }) => imageId === first?.originalImageId);
  return cover === undefined ? ordered : [cover, ...ordered];
}
