import type { Sharp } from 'sharp';
import { PublicError } from '../../errors/errors.ts';
import { isWithinBounds, MAX_PICTURE_PIXELS } from './picture-bounds.ts';
import { outputSize, type RenditionPlan } from './rendition-plan.ts';
import type { QualityStep } from './rendition-request.ts';
import { sharp } from './sharp-settings.ts';

/** About the same visual quality at the same step; AVIF has a different scale. */
const AVIF_QUALITY: Record<QualityStep, number> = { 40: 32, 60: 44, 80: 56, 90: 66 };
/** One step higher costs ten times the time for 4 % of the size. */
const AVIF_EFFORT = 2;

/**
 * Marks a staged picture in its own metadata, with the press vocabulary (IPTC Digital Source Type). The pixels and
 * the stored bytes are unchanged.
 */
const STAGED_XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
 Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"/>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;

/**
 * Makes a smaller copy of a stored picture: upright, sRGB, never enlarged, without metadata except the mark of a
 * staged one. Transparent parts become white in JPEG and stay in WebP and AVIF.
 * @throws PublicError PHOTO_BROKEN for a stored picture beyond the bounds.
 */
export async function renderRendition(
  bytes: Buffer,
  plan: RenditionPlan,
  { isStaged }: { isStaged: boolean },
): Promise<Buffer> {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (!isWithinBounds(autoOrient)) throw new PublicError('PHOTO_BROKEN', { details: { ...autoOrient } });
  // One pixel of rounding is cropped, not scaled.
  const size = { ...outputSize(autoOrient, plan), fit: 'cover' } as const;
  const small = sharp(bytes, {
    limitInputPixels: MAX_PICTURE_PIXELS,
    sequentialRead: true,
    autoOrient: true,
  })
    .resize(size)
    .toColourspace('srgb');
  const told = isStaged ? small.withXmp(STAGED_XMP) : small;
  return encode(told, plan).toBuffer();
}

function encode(picture: Sharp, { format, quality }: RenditionPlan): Sharp {
  if (format === 'avif') return picture.avif({ quality: AVIF_QUALITY[quality], effort: AVIF_EFFORT });
  if (format === 'webp') return picture.webp({ quality });
  return picture.flatten({ background: '#ffffff' }).jpeg({ quality });
}
