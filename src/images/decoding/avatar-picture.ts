/** Turns an uploaded file into the square picture of a person. The rules of photos apply; only the sizes differ. */
import { createHash } from 'node:crypto';
import { decoded, inspectPhoto, openUpload } from './photo-intake.ts';
import { MAX_AVATAR_BYTES } from './picture-bounds.ts';

/** Large enough for every screen that shows a face in a circle. */
const AVATAR_SIDE = 512;
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
export async function prepareAvatar(file: Buffer): Promise<AvatarPicture> {
  const { bytes } = await inspectPhoto(file, MAX_AVATAR_BYTES);
  const square = { width: AVATAR_SIDE, height: AVATAR_SIDE, fit: 'cover' } as const;
  const picture = openUpload(bytes).resize(square).flatten({ background: '#ffffff' });
  const { data } = await decoded(picture.jpeg({ quality: QUALITY }));
  return { bytes: data, checksum: createHash('sha256').update(data).digest('hex') };
}
