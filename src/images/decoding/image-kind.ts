import { PHOTO_KINDS, type PhotoKind } from '../../../machines/vocabulary.ts';

/** The kind of picture by the first bytes of a file; `heic` covers every HEIF brand that is not AVIF. */
export type ImageKind =
  | 'jpeg'
  | 'png'
  | 'webp'
  | 'avif'
  | 'avif-sequence'
  | 'heic'
  | 'heic-sequence'
  | 'gif'
  | 'tiff'
  | 'svg';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEIF_BRANDS = new Set(['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1', 'miaf']);
const HEIF_SEQUENCES: ReadonlySet<string | undefined> = new Set(['hevc', 'hevx', 'hevm', 'hevs', 'msf1']);
/** Enough for any real `ftyp` box; a longer list of brands is invalid. */
const MAX_FTYP_BYTES = 256;

/**
 * The kind of picture by content, never by name or declared type; null for any other file. Only these kinds reach
 * the decoders, so formats with more vulnerabilities (SVG, TIFF) never do.
 */
export function sniffImageKind(bytes: Buffer): ImageKind | null {
  if (bytes.length >= 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png';
  const head = bytes.toString('latin1', 0, 16);
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'webp';
  if (head.slice(4, 8) === 'ftyp') return sniffBrands(bytes);
  if (head.startsWith('GIF8')) return 'gif';
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'tiff';
  if (/<svg[\s>]/i.test(bytes.toString('latin1', 0, 1024))) return 'svg';
  return null;
}

/** Whether it is a kind that photos and staged pictures have. */
export const isPhotoKind = (kind: ImageKind | null): kind is PhotoKind =>
  PHOTO_KINDS.some((one) => one === kind);

function sniffBrands(bytes: Buffer): ImageKind | null {
  const end = Math.min(bytes.length >= 4 ? bytes.readUInt32BE(0) : 0, bytes.length, MAX_FTYP_BYTES);
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  if (brands[0] === 'avis') return 'avif-sequence';
  if (brands.includes('avif')) return 'avif';
  if (HEIF_SEQUENCES.has(brands[0])) return 'heic-sequence';
  return brands.some((brand) => HEIF_BRANDS.has(brand)) ? 'heic' : null;
}

/**
 * True when a PNG contains an animation (`acTL` before the pixels); libvips would silently decode only its first
 * frame.
 */
export function isAnimatedPng(bytes: Buffer): boolean {
  let at = PNG_SIGNATURE.length;
  while (at + 8 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT' || type === 'IEND') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}
