/** Turns an uploaded file into the one square picture of a person. The rules of photos hold; only the sizes differ. */
import { createHash } from 'node:crypto';
import { PublicError } from '../errors.ts';
import { type DecodeLimiter, decodeWeight, processDecodeLimiter } from './decode-limiter.ts';
import { decoded, inspectPhoto, openUpload } from './photo-intake.ts';

export const MAX_AVATAR_BYTES = 10 * 1024 * 1024;
/** Large enough for every screen that shows a face in a circle. */
export const AVATAR_SIDE = 512;
const QUALITY = 85;

export interface AvatarPicture {
  /** JPEG, which every client and every mail program shows; transparent parts are white. */
  bytes: Buffer;
  /** sha256 in hex. */
  checksum: string;
}

/**
 * Checks and decodes the upload and cuts its middle to 512 x 512, upright, sRGB, without metadata.
 * @throws PublicError PHOTO_TYPE_UNSUPPORTED, PHOTO_TOO_LARGE or PHOTO_BROKEN. Any other error is ours.
 */
export async function prepareAvatar(
  file: Buffer,
  options: { limiter?: DecodeLimiter; signal?: AbortSignal } = {},
): Promise<AvatarPicture> {
  const { kind, header } = await inspectPhoto(file, MAX_AVATAR_BYTES);
  const square = { width: AVATAR_SIDE, height: AVATAR_SIDE, fit: 'cover' } as const;
  const { data } = await (options.limiter ?? processDecodeLimiter).run(
    () =>
      decoded(openUpload(file).resize(square).flatten({ background: '#ffffff' }).jpeg({ quality: QUALITY })),
    {
      weight: decodeWeight({ pixels: header.width * header.height, avif: kind === 'avif' }),
      signal: options.signal,
    },
  );
  return { bytes: data, checksum: createHash('sha256').update(data).digest('hex') };
}

/** The same refusal in words that name the limits for a person's picture. */
export function inAvatarWords(error: PublicError): PublicError {
  if (error.code !== 'PHOTO_TOO_LARGE' && error.code !== 'PAYLOAD_TOO_LARGE') return error;
  const message = 'The picture is too large. Send one of at most 10 MiB and 60 megapixels.';
  return new PublicError('PHOTO_TOO_LARGE', { message, cause: error });
}
