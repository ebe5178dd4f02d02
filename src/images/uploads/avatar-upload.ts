import type { PoolClient } from 'pg';
import type { UserProfile } from '../../../persistence/accounts/user-queries.ts';
import { replaceAvatar } from '../../../persistence/images/avatar-queries.ts';
import { withRetries } from '../../../supervisors/actors/retry-policy.ts';
import { PublicError } from '../../errors/errors.ts';
import { PUBLIC_ERRORS } from '../../errors/public-errors.ts';
import type { Decoder } from '../decoding/decoder.ts';
import { storeObjects } from '../photo-storage.ts';
import type { ImageServices } from '../services.ts';
import type { UploadedFile } from './upload-turns.ts';

export interface AvatarToStore extends UploadedFile {
  signal: AbortSignal;
  /** Called in the transaction that stores the picture. */
  keep(client: PoolClient, profile: UserProfile): Promise<void>;
}

/**
 * Stores an uploaded picture of a person. The transaction that replaces the old one also queues the old object for
 * deletion. Null when the account does not exist any more.
 * @throws PublicError PHOTO_TYPE_UNSUPPORTED, PHOTO_TOO_LARGE, PHOTO_BROKEN, UPLOAD_EXPIRED, SERVICE_UNAVAILABLE.
 */
export async function storeAvatar(
  services: ImageServices,
  upload: AvatarToStore,
): Promise<UserProfile | null> {
  const { pool, clock, chance, settings, uploadTurns } = services;
  const { userId, file, signal, keep } = upload;
  const decode = (decoder: Decoder) =>
    decoder.run('avatar', [], { load: () => file, signal, about: { userId } });
  const { bytes, checksum } = await uploadTurns.run(upload, decode, signal);
  const [avatarId, objectKey] = [chance.id(), `avatars/${chance.id()}.jpg`];
  // Its id is random and new with each upload, so one address never shows two pictures.
  const url = `${settings.publicBaseUrl}/api/avatars/${avatarId}`;
  return storeObjects(services, [{ key: objectKey, bytes, contentType: 'image/jpeg' }], (guards) => {
    const avatar = { avatarId, userId, objectKey, checksum, url, at: clock.now() };
    return withRetries(services, () => replaceAvatar(pool, avatar, guards, keep));
  });
}

/** The same error with the limits of a person's picture in its message. */
export function asAvatarError(error: PublicError): PublicError {
  const { code, messageKey } = error;
  const isTooLarge = code === 'PHOTO_TOO_LARGE' || code === 'PAYLOAD_TOO_LARGE';
  // That of a HEIC names other limits.
  if (!isTooLarge || messageKey !== PUBLIC_ERRORS[code].messageKey) return error;
  const message =
    'The picture is too large. Send one of at most 10 MiB, 60 megapixels and 16,384 pixels a side, no more than 20 times as long as it is wide.';
  return new PublicError('PHOTO_TOO_LARGE', { message, cause: error });
}
