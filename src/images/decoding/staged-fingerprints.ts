import type { Pad, PictureSize } from '../../../machines/framing.ts';
import type { Raster } from '../drift/raster.ts';
import { fingerprintOf, isEmptied, type Margins, packed } from '../fingerprints/fingerprint.ts';
import { asBigint, keysOf, probesOf, windowsOf } from '../fingerprints/hashes.ts';
import { type Judgement, judged, uploadOf } from '../fingerprints/judge.ts';
import { smallPicture, smallSide } from '../fingerprints/small-picture.ts';
import { sharp } from './sharp-settings.ts';
import { openShown, rasterOf } from './small-raster.ts';

/** About 16 kB for both pictures. */
const WEBP_QUALITY = 82;

/** The pictures of a fingerprint as they are stored. */
interface StoredPictures {
  /** A WebP: the staged picture above its photo. */
  pictures: Uint8Array;
  margins: Margins;
}

/**
 * The fingerprint of a stored staged picture (docs/contract.md#intake). Of a padded picture only the photo's frame counts:
 * nothing else is ever shown.
 * @param order.photo the bytes of the photo
 */
export async function makeFingerprint(
  staged: Buffer,
  { photo, pad }: { photo: Uint8Array; pad: Pad | null },
) {
  const before = await open(Buffer.from(photo.buffer, photo.byteOffset, photo.byteLength), null, null);
  const after = await open(staged, pad, pad === null ? null : before);
  const { margins, ...both } = packed(smallPicture(before), smallPicture(after), pad !== null);
  const raw = { width: both.width, height: both.height, channels: 3 as const };
  const pictures = await sharp(both.rgb, { raw }).webp({ quality: WEBP_QUALITY }).toBuffer();
  // From what is stored, so that everything that is computed from it later is the same.
  const fingerprint = fingerprintOf({ ...(await openPair(pictures)), margins });
  return {
    pictures,
    margins,
    hashes: fingerprint.hashes.map(asBigint),
    keys: keysOf(fingerprint.hashes),
    isEmptied: isEmptied(fingerprint),
  };
}

/** A stored photo at the size of fingerprints, and what is looked up for it. */
export async function readProbes(photo: Buffer) {
  const small = await open(photo, null, null);
  return { small, ...probesOf(windowsOf(smallPicture(small).gray)) };
}

/** A fingerprint that an upload may be, and whether it belongs to the upload's own listing. */
export interface Candidate extends StoredPictures {
  isOfListing: boolean;
}

/**
 * Compares a photo with each of the staged pictures.
 * @param rgb of the photo, as `readProbes` has read it
 */
export async function judgePhoto(
  rgb: Buffer,
  { size, candidates }: { size: PictureSize; candidates: readonly Candidate[] },
): Promise<Judgement[]> {
  const upload = uploadOf(smallPicture({ ...size, rgb }));
  const found: Judgement[] = [];
  for (const { pictures, margins, isOfListing } of candidates) {
    const pair = await openPair(Buffer.from(pictures));
    found.push(judged(upload, fingerprintOf({ ...pair, margins }), isOfListing));
  }
  return found;
}

/** @param size null for the size that follows from the picture's proportions */
async function open(bytes: Buffer, pad: Pad | null, size: PictureSize | null): Promise<Raster> {
  const opened = await openShown(bytes, pad);
  const side = smallSide(opened.size);
  const box = size === null ? { width: side, height: side } : { width: size.width, height: size.height };
  return rasterOf(opened.shown.resize({ ...box, fit: size === null ? 'inside' : 'fill', kernel: 'cubic' }));
}

const openPair = (pictures: Buffer): Promise<Raster> => rasterOf(sharp(pictures).removeAlpha());
