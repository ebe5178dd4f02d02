/** The bounds of every picture that is read, whatever its source: uploads, the provider, our own store. */

/** For an uploaded avatar; that of photos is in `machines/limits.ts`. */
export const MAX_AVATAR_BYTES = 10 * 1024 * 1024;

/** For a downloaded picture of the provider. */
export const MAX_OUTPUT_BYTES = 20 * 1024 * 1024;

export const MAX_PICTURE_PIXELS = 60_000_000;
/** Its decoder holds every pixel at once, and 23 kB can be 100 megapixels. */
export const MAX_HEIC_PIXELS = 50_000_000;
/** Rows of pixels are processed whole, so a very wide picture of few pixels costs gigabytes. */
export const MAX_PICTURE_SIDE = 16_384;
/** Longer side divided by the shorter. A very tall picture costs the work of a row for every few pixels. */
export const MAX_PICTURE_RATIO = 20;

/** True when a picture of these sides may be decoded. */
export function isWithinBounds(
  { width, height }: { width: number; height: number },
  mostPixels = MAX_PICTURE_PIXELS,
): boolean {
  const [shorter, longer] = width < height ? [width, height] : [height, width];
  return (
    shorter >= 1 &&
    longer <= MAX_PICTURE_SIDE &&
    width * height <= mostPixels &&
    longer <= shorter * MAX_PICTURE_RATIO
  );
}
