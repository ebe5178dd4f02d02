import { CARD_SIZES, GALLERY_SIZES, pictureSet } from '../pictures/picture-files.ts';

/** The first picture of a page: the browser asks for it before it has read the page. */
export interface FirstPicture {
  readonly imageId: string;
  /** As the `sizes` attribute of the image. */
  readonly sizes: string;
}

/** The cover of the first card of a list. */
export function firstCover(cards: readonly { readonly coverImageId: string | null }[]): FirstPicture | null {
  const imageId = cards[0]?.coverImageId ?? null;
  return imageId === null ? null : { imageId, sizes: CARD_SIZES };
}

/** The first picture of a gallery. */
export function firstOf([image]: readonly { readonly imageId: string }[]): FirstPicture | null {
  return image === undefined ? null : { imageId: image.imageId, sizes: GALLERY_SIZES };
}

/** The links of a page's head that name its first picture. */
export const preloadOf = (picture: FirstPicture | null) =>
  picture === null
    ? []
    : [
        {
          rel: 'preload',
          as: 'image',
          imageSrcSet: pictureSet(picture.imageId),
          imageSizes: picture.sizes,
          fetchPriority: 'high',
        } as const,
      ];
