/**
 * Turns an uploaded file into the two stored pictures: the listing photo and the copy for the provider. Always true
 * of both: upright, sRGB, 8 bits per channel, no metadata of any kind (GPS, EXIF, XMP, ICC, comments, trailing
 * data), since every pixel was decoded and encoded again. Holds nothing between calls; a crash leaves nothing.
 */
import { createHash } from 'node:crypto';
import type { Metadata, OutputInfo, Sharp } from 'sharp';
import type { PictureSize } from '../../../machines/framing.ts';
import { MAX_PHOTO_BYTES } from '../../../machines/limits.ts';
import { MIN_STAGED_SIDE, type PhotoKind, type StagingFraming } from '../../../machines/vocabulary.ts';
import { PublicError } from '../../errors/errors.ts';
import { type FileStatements, readStatements } from '../statements/file-statements.ts';
import { decodeHeic } from './heic.ts';
import { isAnimatedPng, isPhotoKind, sniffImageKind } from './image-kind.ts';
import { withPlainHeader } from './jpeg-header.ts';
import { isWithinBounds, MAX_PICTURE_PIXELS } from './picture-bounds.ts';
import { encodeJpeg, type ProviderCopy, providerCopy } from './provider-copy.ts';
import { sharp } from './sharp-settings.ts';

const WEBP_QUALITY = 90;
/**
 * Larger WebP files are stored as JPEG or PNG: the encoder takes many seconds and can overflow a fixed-size part of
 * the format.
 */
const MAX_WEBP_PIXELS = 16_000_000;

/** The kinds in one container, by what their pixels are coded with. */
const HEIF_KINDS: Readonly<Record<string, PhotoKind>> = { av1: 'avif', hevc: 'heic' };

type StoredPhotoFormat = 'jpeg' | 'png' | 'webp';

export interface PreparedPhoto {
  /** The listing photo; width and height are those of the upright picture, checksum is sha256 in hex. */
  main: { bytes: Buffer; format: StoredPhotoFormat; width: number; height: number; checksum: string };
  /** Null when the photo's shape is too long for this framing. */
  providerInput: ProviderCopy | null;
  /** What the file says about itself; nothing of it is in the stored pictures. */
  statements: FileStatements;
}

/**
 * Checks, decodes and rewrites one uploaded photo (docs/contract.md#photos).
 * JPEG, PNG and WebP keep their format. HEIC, AVIF (slow and memory-hungry to write) and WebP above 16 megapixels become
 * JPEG, or PNG when they have transparency.
 * @throws PublicError PHOTO_TYPE_UNSUPPORTED, PHOTO_TOO_LARGE or PHOTO_BROKEN. Any other error is ours, not the photo's.
 */
export async function preparePhoto(file: Buffer, framing: StagingFraming): Promise<PreparedPhoto> {
  const { kind, header, bytes } = await inspectPhoto(file, MAX_PHOTO_BYTES);
  const main = await rewrite(bytes, storedFormat(kind, header));
  // Made from the stored picture, not from the upload: the stored one is upright, 8-bit sRGB and cheap to decode.
  const providerInput = await providerCopy(main, framing);
  return { main, providerInput, statements: readStatements(file, { kind, header }) };
}

/**
 * Only the provider's copy, for a stored photo that has none for this framing; with the upright size of the photo.
 * @throws PublicError as `preparePhoto`, and PHOTO_TOO_SMALL or PHOTO_SHAPE when the photo must not be staged.
 */
export async function prepareProviderInput(
  bytes: Buffer,
  framing: StagingFraming,
): Promise<ProviderCopy & { photo: PictureSize }> {
  const { main, providerInput } = await preparePhoto(bytes, framing);
  const { width, height } = main;
  if (Math.min(width, height) < MIN_STAGED_SIDE) throw new PublicError('PHOTO_TOO_SMALL');
  if (providerInput === null) throw new PublicError('PHOTO_SHAPE');
  return { ...providerInput, photo: { width, height } };
}

/** An uploaded file whose header is that of a picture within the bounds. */
export interface InspectedPhoto {
  kind: PhotoKind;
  header: Metadata;
  /** The file as the picture library decodes it. */
  bytes: Buffer;
}

/**
 * The checks that come before decoding: size, kind by content, bounds of the sides, one frame only. A HEIC is decoded
 * already, because the picture library reads only its header.
 * @throws PublicError as `preparePhoto`.
 */
export async function inspectPhoto(file: Buffer, maxBytes: number): Promise<InspectedPhoto> {
  const kind = acceptedKind(file, maxBytes);
  const bytes = kind === 'jpeg' ? withPlainHeader(file) : file;
  const header = await readHeader(bytes, kind);
  return { kind, header, bytes: kind === 'heic' ? decodeHeic(file, header.icc ?? null) : bytes };
}

function acceptedKind(bytes: Buffer, maxBytes: number): PhotoKind {
  if (bytes.length > maxBytes) throw tooLarge({ bytes: bytes.length });
  const kind = sniffImageKind(bytes);
  const isSequence = kind === 'avif-sequence' || kind === 'heic-sequence';
  if (isSequence || (kind === 'png' && isAnimatedPng(bytes))) throw animated();
  if (isPhotoKind(kind)) return kind;
  throw new PublicError('PHOTO_TYPE_UNSUPPORTED', { details: { kind } });
}

async function readHeader(bytes: Buffer, kind: PhotoKind): Promise<Metadata> {
  // Reads the header only; sharp's own limit would report an oversized picture as broken.
  const header = await sharp(bytes, { limitInputPixels: false }).metadata().catch(broken);
  const coded = header.format === 'heif' ? HEIF_KINDS[header.compression ?? ''] : header.format;
  if (coded !== kind) broken();
  if (!isWithinBounds(header)) throw tooLarge({ width: header.width, height: header.height });
  // Several pictures in a HEIC are views or takes of one; its main picture is the photo.
  if (kind !== 'heic' && (header.pages ?? 1) > 1) throw animated();
  return header;
}

function storedFormat(kind: PhotoKind, header: Metadata): StoredPhotoFormat {
  const isSmall = header.width * header.height <= MAX_WEBP_PIXELS;
  if (kind !== 'avif' && kind !== 'heic' && (kind !== 'webp' || isSmall)) return kind;
  return header.hasAlpha ? 'png' : 'jpeg';
}

/** An upload about to be decoded: upright, in sRGB. */
export function openUpload(bytes: Buffer): Sharp {
  return sharp(bytes, {
    // 'warning' also rejects damage in the middle of a JPEG; the laxer levels turn it into gray blocks.
    failOn: 'warning',
    limitInputPixels: MAX_PICTURE_PIXELS,
    sequentialRead: true,
    autoOrient: true,
  }).toColourspace('srgb');
}

/** Runs the work on an upload; a fault of its pixels becomes PHOTO_BROKEN. */
export function decoded(work: Sharp): Promise<{ data: Buffer; info: OutputInfo }> {
  return work
    .toBuffer({ resolveWithObject: true })
    .catch((error: Error) => (isOurs(error) ? Promise.reject(error) : broken(error)));
}

async function rewrite(bytes: Buffer, format: StoredPhotoFormat): Promise<PreparedPhoto['main']> {
  const { data, info } = await decoded(encode(openUpload(bytes), format));
  const checksum = createHash('sha256').update(data).digest('hex');
  return { bytes: data, format, width: info.width, height: info.height, checksum };
}

function encode(picture: Sharp, format: StoredPhotoFormat): Sharp {
  if (format === 'png') return picture.png({ adaptiveFiltering: true });
  if (format === 'webp') return picture.webp({ quality: WEBP_QUALITY });
  return encodeJpeg(picture);
}

/** An encoder failure does not prove that the photo is broken. */
function isOurs(error: Error): boolean {
  return /(jpeg|png|webp)save/.test(error.message);
}

function tooLarge(details: Record<string, number>): PublicError {
  return new PublicError('PHOTO_TOO_LARGE', { details });
}

function animated(): PublicError {
  const message = 'Animated pictures are not accepted. Send a still JPEG, PNG, WebP, AVIF or HEIC picture.';
  return new PublicError('PHOTO_TYPE_UNSUPPORTED', { message, details: { animated: true } });
}

function broken(cause?: Error): never {
  throw new PublicError('PHOTO_BROKEN', { cause });
}
