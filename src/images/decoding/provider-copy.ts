/** The copies of a photo for the provider: opaque RGB JPEGs of at most 2048 pixels a side, made of the stored photo. */
import type { Sharp } from 'sharp';
import {
  canBeFramed,
  nearestAspectRatio,
  type Pad,
  type PictureSize,
  padTo,
} from '../../../machines/framing.ts';
import { PROVIDER_INPUT_SIDE, type StagingFraming } from '../../../machines/vocabulary.ts';
import { sharp } from './sharp-settings.ts';

const QUALITY = 90;
/** In pixels of the copy: the continued edges become soft and have no lines that a model could take for a room. */
const PAD_BLUR = 24;

export interface ProviderCopy extends PictureSize {
  bytes: Buffer;
}

/**
 * The copy for a framing: the whole photo, or the photo padded to the nearest shape (docs/contract.md#framing). Null
 * for a photo that has too long a shape to be padded.
 */
export async function providerCopy(
  photo: PictureSize & { bytes: Buffer },
  framing: StagingFraming,
): Promise<ProviderCopy | null> {
  if (framing === 'fixed') return plainCopy(photo.bytes);
  return canBeFramed(photo) ? paddedCopy(photo.bytes, padTo(photo, nearestAspectRatio(photo))) : null;
}

// Optimised Huffman tables cost 5% of size and, at 60 megapixels, 330 MB of coefficients held until the end.
export const encodeJpeg = (picture: Sharp): Sharp =>
  picture.jpeg({ quality: QUALITY, optimiseCoding: false });

const opaque = (photo: Buffer): Sharp =>
  sharp(photo, { sequentialRead: true }).flatten({ background: '#ffffff' });

async function plainCopy(photo: Buffer): Promise<ProviderCopy> {
  const side = PROVIDER_INPUT_SIDE;
  const small = opaque(photo).resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
  const { data, info } = await encodeJpeg(small).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/** The edges continue into the pad and are blurred there; the photo itself is laid over it unchanged. */
async function paddedCopy(photo: Buffer, { width, height, frame }: Pad): Promise<ProviderCopy> {
  const { left, top } = frame;
  const small = await opaque(photo)
    .resize({ width: frame.width, height: frame.height, fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: frame.width, height: frame.height, channels: small.info.channels };
  const padded = sharp(small.data, { raw })
    .extend({
      left,
      top,
      right: width - left - frame.width,
      bottom: height - top - frame.height,
      extendWith: 'copy',
    })
    .blur(PAD_BLUR)
    .composite([{ input: small.data, raw, left, top }]);
  return { bytes: await encodeJpeg(padded).toBuffer(), width, height };
}
