import type { PictureOrder } from './profile.ts';

interface OrderedPicture {
  readonly imageId: string;
  /** Staged here, or altered elsewhere. */
  readonly isAltered: boolean;
  /** The photo of which it was staged or altered; null for a photo, and where that is not known. */
  readonly originalImageId: string | null;
}

/**
 * The pictures in the order that a market asks for, from the gallery's order (each photo followed by those staged of
 * it). The first is an unaltered photo, if there is one. Where a photo must be next to each picture staged from it, it
 * is there once for each of them.
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
  if (first?.isAltered !== true) return ordered;
  const cover =
    gallery.find(({ imageId }) => imageId === first.originalImageId) ??
    gallery.find(({ isAltered }) => !isAltered);
  return cover === undefined ? ordered : [cover, ...ordered];
}
