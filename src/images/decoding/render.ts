import type { Sharp } from 'sharp';
import { framedSize, frameIn, type Pad } from '../../../machines/framing.ts';
import { PublicError } from '../../errors/errors.ts';
import { labelOverlay } from './burned-label.ts';
import { isWithinBounds, MAX_PICTURE_PIXELS } from './picture-bounds.ts';
import { outputSize, type PixelSize, type RenditionPlan } from './rendition-plan.ts';
import type { QualityStep } from './rendition-request.ts';
import { sharp } from './sharp-settings.ts';

/** About the same visual quality at the same step; AVIF has a different scale. */
const AVIF_QUALITY: Record<QualityStep, number> = { 40: 32, 60: 44, 80: 56, 90: 66 };
/** One step higher costs ten times the time for 4 % of the size. */
const AVIF_EFFORT = 2;

/** What the bytes are that a copy is made of. */
export interface RenditionSource {
  /** Only the frame of the pad is shown. */
  pad: Pad | null;
  /** The upright size of the photo, when the bytes are its copy for the provider and not the photo itself. */
  photo?: PixelSize | null;
  /** A label to draw into the copy: of an export (docs/contract.md#market-profiles), or of a private staged picture. */
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
  { pad, photo = null, burnedLabel = null }: RenditionSource,
): Promise<Buffer> {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (!isWithinBounds(autoOrient)) throw new PublicError('PHOTO_BROKEN', { details: { ...autoOrient } });
  const whole = sharp(bytes, {
    limitInputPixels: MAX_PICTURE_PIXELS,
    sequentialRead: true,
    autoOrient: true,
  });
  const size = outputSize(photo ?? (pad === null ? autoOrient : framedSize(pad, autoOrient)), plan);
  const small = resized(whole, { size, pad, isCopy: photo !== null, stored: autoOrient, fit: plan.fit });
  const labeled =
    burnedLabel === null ? small : small.composite([{ input: labelOverlay(burnedLabel, size) }]);
  const picture = labeled.toColourspace('srgb');
  const marked = plan.mark === null ? picture : picture.withXmp(plan.mark.xmp);
  return encode(marked, plan).toBuffer();
}

interface Resizing {
  size: PixelSize;
  pad: Pad | null;
  isCopy: boolean;
  /** The size of the bytes' picture. */
  stored: PixelSize;
  fit: RenditionPlan['fit'];
}

function resized(whole: Sharp, { size, pad, isCopy, stored, fit }: Resizing): Sharp {
  // One pixel of rounding is cropped, not scaled.
  if (pad === null) return whole.resize({ ...size, fit: 'cover' });
  if (isCopy) return middleOfFrame(whole, pad, size);
  // The frame has the photo's corners: scaled to the photo's proportions, it lies exactly over the photo.
  return whole.extract(frameIn(pad, stored)).resize({ ...size, fit: fit === 'cover' ? 'cover' : 'fill' });
}

/**
 * As much of a padded copy's frame as the size takes, cut out of the middle. It is cut after scaling: a decoder of
 * JPEG that is to be cut first reads every pixel. The place is then rounded to a pixel of the result.
 */
function middleOfFrame(copy: Sharp, { frame, ...padded }: Pad, size: PixelSize): Sharp {
  const scale = Math.max(size.width / frame.width, size.height / frame.height);
  const width = Math.ceil(padded.width * scale);
  const height = Math.ceil(padded.height * scale);
  const place = (middle: number, side: number, all: number) =>
    Math.max(0, Math.min(all - side, Math.round(middle * scale - side / 2)));
  return copy.resize({ width, height, fit: 'fill' }).extract({
    left: place(frame.left + frame.width / 2, size.width, width),
    top: place(frame.top + frame.height / 2, size.height, height),
    ...size,
  });
}

function encode(picture: Sharp, { format, quality }: RenditionPlan): Sharp {
  if (format === 'avif') return picture.avif({ quality: AVIF_QUALITY[quality], effort: AVIF_EFFORT });
  if (format === 'webp') return picture.webp({ quality });
  if (format === 'png') return picture.png();
  return picture.flatten({ background: '#ffffff' }).jpeg({ quality });
}
