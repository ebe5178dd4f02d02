import type { Sharp } from 'sharp';
import { framedSize, frameIn, type Pad } from '../../../machines/framing.ts';
import { PublicError } from '../../errors/errors.ts';
import { labelOverlay } from './burned-label.ts';
import { isWithinBounds, MAX_PICTURE_PIXELS } from './picture-bounds.ts';
import { outputSize, type RenditionPlan } from './rendition-plan.ts';
import type { QualityStep } from './rendition-request.ts';
import { sharp } from './sharp-settings.ts';

/** About the same visual quality at the same step; AVIF has a different scale. */
const AVIF_QUALITY: Record<QualityStep, number> = { 40: 32, 60: 44, 80: 56, 90: 66 };
/** One step higher costs ten times the time for 4 % of the size. */
const AVIF_EFFORT = 2;

/** What decides about a copy besides its plan: which part of the picture is shown. */
export interface RenditionSource {
  pad: Pad | null;
  /** A label to draw into the copy. Only copies of an export have one (docs/contract.md#market-profiles). */
  burnedLabel?: string | null;
}

/**
 * Makes a smaller copy of a stored picture: upright, sRGB, never enlarged, without metadata except the marks of
 * a staged one. Transparent parts become white in JPEG and stay in the other formats. Of a picture with a pad, only the
 * photo's frame is shown, in the photo's proportions (docs/contract.md#framing).
 * @throws PublicError PHOTO_BROKEN for a stored picture beyond the bounds.
 */
export async function renderRendition(
  bytes: Buffer,
  plan: RenditionPlan,
  { pad, burnedLabel = null }: RenditionSource,
): Promise<Buffer> {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (!isWithinBounds(autoOrient)) throw new PublicError('PHOTO_BROKEN', { details: { ...autoOrient } });
  const whole = sharp(bytes, {
    limitInputPixels: MAX_PICTURE_PIXELS,
    sequentialRead: true,
    autoOrient: true,
  });
  // One pixel of rounding is cropped, not scaled.
  const size = outputSize(pad === null ? autoOrient : framedSize(pad, autoOrient), plan);
  const small =
    pad === null
      ? whole.resize({ ...size, fit: 'cover' })
      : whole
          .extract(frameIn(pad, autoOrient))
          // The frame has the photo's corners: scaled to the photo's proportions, it lies exactly over the photo.
          .resize({ ...size, fit: plan.fit === 'cover' ? 'cover' : 'fill' });
  const labelled =
    burnedLabel === null ? small : small.composite([{ input: labelOverlay(burnedLabel, size) }]);
  const picture = labelled.toColourspace('srgb');
  const marked = plan.mark === null ? picture : picture.withXmp(plan.mark.xmp);
  return encode(marked, plan).toBuffer();
}

function encode(picture: Sharp, { format, quality }: RenditionPlan): Sharp {
  if (format === 'avif') return picture.avif({ quality: AVIF_QUALITY[quality], effort: AVIF_EFFORT });
  if (format === 'webp') return picture.webp({ quality });
  if (format === 'png') return picture.png();
  return picture.flatten({ background: '#ffffff' }).jpeg({ quality });
}
