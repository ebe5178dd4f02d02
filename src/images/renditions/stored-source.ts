import { canBeFramed, nearestAspectRatio, type Pad, padTo } from '../../../machines/framing.ts';
import { PROVIDER_INPUT_SIDE } from '../../../machines/vocabulary.ts';
import type { VisibleImage } from '../../../persistence/images/image-visibility.ts';
import { outputSize, type PixelSize, type RenditionPlan } from '../decoding/rendition-plan.ts';

/** A stored object that a smaller copy can be made of. */
export interface StoredSource {
  objectKey: string;
  /** Only the frame of the pad is shown. */
  pad: Pad | null;
  /** The size of the photo of which this is the provider's copy; null for the stored picture itself. */
  photo: PixelSize | null;
}

/** The factor between two sizes from which the compression of the larger picture is not seen in the smaller one. */
const CLEARLY_LARGER = 1.5;

export const storedPicture = ({ objectKey, pad }: Pick<VisibleImage, 'objectKey' | 'pad'>): StoredSource => ({
  objectKey,
  pad,
  photo: null,
});

/**
 * The photo's copy for the provider (docs/contract.md#framing), when a thumbnail can be made of it: it is read and
 * decoded in a fraction of the photo's time. Null for staged pictures and photos of unknown size, when the copy is
 * not clearly larger than the thumbnail, or hardly smaller than the photo, and when transparency would be lost.
 */
export function providerCopyFor(
  image: Pick<
    VisibleImage,
    'isStyled' | 'width' | 'height' | 'format' | 'providerInputKey' | 'paddedInputKey'
  >,
  plan: RenditionPlan,
): StoredSource | null {
  const { width, height } = image;
  if (image.isStyled || width === null || height === null) return null;
  // The copy is opaque.
  if (image.format !== 'jpeg' && plan.format !== 'jpeg') return null;
  const photo = { width, height };
  const found = copyOf(image, photo);
  if (found === null) return null;
  const wanted = outputSize(photo, plan);
  const scale = Math.max(wanted.width / width, wanted.height / height);
  const isWorthIt = found.scale * CLEARLY_LARGER <= 1 && scale * CLEARLY_LARGER <= found.scale;
  return isWorthIt ? { objectKey: found.objectKey, pad: found.pad, photo } : null;
}

/** With the size of the photo in it, as a part of the photo's own. */
function copyOf(
  { providerInputKey, paddedInputKey }: Pick<VisibleImage, 'providerInputKey' | 'paddedInputKey'>,
  photo: PixelSize,
): { objectKey: string; pad: Pad | null; scale: number } | null {
  const longest = Math.max(photo.width, photo.height);
  if (providerInputKey !== null)
    return { objectKey: providerInputKey, pad: null, scale: Math.min(1, PROVIDER_INPUT_SIDE / longest) };
  if (paddedInputKey === null || !canBeFramed(photo)) return null;
  const pad = padTo(photo, nearestAspectRatio(photo));
  return { objectKey: paddedInputKey, pad, scale: pad.frame.width / photo.width };
}
