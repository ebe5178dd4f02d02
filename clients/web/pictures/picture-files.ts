/** Widths that the API host makes; it rounds any other up to one of them. */
const WIDTHS = [384, 768, 1280, 2048];

/** The address of a picture, not wider than so many pixels. */
export const pictureUrl = (imageId: string, width: number): string => `/api/images/${imageId}?w=${width}`;

/** Its files for the browser to choose from, as the `srcset` attribute of an image. */
export const pictureSet = (imageId: string): string =>
  WIDTHS.map((width) => `${pictureUrl(imageId, width)} ${width}w`).join(', ');

/**
 * How wide a picture is shown, as the `sizes` attribute of an image. For phones it is two thirds of the truth: they
 * have three dots for a pixel, and two look the same in half the bytes.
 */
export const CARD_SIZES = '(min-width: 48rem) 18rem, 66vw';
export const GALLERY_SIZES = '(min-width: 48rem) 37.5rem, 66vw';
