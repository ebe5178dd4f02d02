import { canBeFramed } from '../../../machines/framing.ts';
import { MIN_STAGED_SIDE, type StagingFraming } from '../../../machines/vocabulary.ts';
import { adoptProviderInput, type PropertyImageView } from '../../../persistence/images/image-queries.ts';
import { PublicError } from '../../errors/errors.ts';
import { StorageError } from '../../storage/object-storage.ts';
import type { Decoder } from '../decoding/decoder.ts';
import { asOutage, storeObjects } from '../photo-storage.ts';
import type { ImageServices } from '../services.ts';

/** The key of an original's copy for the provider. */
export function providerInputKeyOf(imageId: string, uploadId: string): string {
  return `provider-inputs/${imageId}/${uploadId}.jpg`;
}

/** A stored photo; its size is unknown for photos of old releases. */
type KnownPhoto = Pick<PropertyImageView, 'width' | 'height' | 'alteration' | 'photoState'>;

/** Why a photo is not staged, as the codes of the API's errors. */
type StagingRefusal = 'IMAGE_NOT_ORIGINAL' | 'PHOTO_TOO_SMALL' | 'PHOTO_SHAPE';

/** Why a photo is not staged with this framing; null when it can be, and while its size is unknown. */
export function stagingRefusal(
  { width, height, alteration, photoState }: KnownPhoto,
  framing: StagingFraming,
): StagingRefusal | null {
  if (alteration !== null || photoState === 'QUESTION' || photoState === 'STAGED_PICTURE')
    return 'IMAGE_NOT_ORIGINAL';
  if (width === null || height === null) return null;
  if (Math.min(width, height) < MIN_STAGED_SIDE) return 'PHOTO_TOO_SMALL';
  return framing === 'photo' && !canBeFramed({ width, height }) ? 'PHOTO_SHAPE' : null;
}

/** The key of the original's copy for a framing; null when there is none yet. */
export function inputKeyOf(
  { providerInputKey, paddedInputKey }: Pick<PropertyImageView, 'providerInputKey' | 'paddedInputKey'>,
  framing: StagingFraming,
): string | null {
  return framing === 'photo' ? paddedInputKey : providerInputKey;
}

/**
 * Makes the provider's copy of an original that has none for this framing: it was uploaded before such copies existed,
 * or under the other framing (docs/contract.md#framing). It is guarded like any upload. When two are made concurrently,
 * the first stays and the other is removed. The photo is measured, because old ones have no size.
 * @throws PublicError PHOTO_BROKEN when the stored photo is missing or unreadable, PHOTO_TOO_SMALL, PHOTO_SHAPE, the
 *   errors of an upload, SERVICE_UNAVAILABLE when the object store is unavailable.
 */
export async function ensureProviderInput(
  services: Pick<ImageServices, 'pool' | 'storage' | 'chance' | 'clock' | 'logger'> & { decoder: Decoder },
  original: Pick<PropertyImageView, 'imageId' | 'objectKey' | 'providerInputKey' | 'paddedInputKey'>,
  framing: StagingFraming,
): Promise<void> {
  if (inputKeyOf(original, framing) !== null) return;
  const { pool, chance } = services;
  const copy = await services.decoder.run('provider-input', [framing], {
    load: () => readOriginal(services, original.objectKey),
    about: { imageId: original.imageId },
  });
  const key = providerInputKeyOf(original.imageId, chance.id());
  await storeObjects(services, [{ key, bytes: copy.bytes, contentType: 'image/jpeg' }], (guards) =>
    adoptProviderInput(pool, { imageId: original.imageId, framing, key, photo: copy.photo, guards }),
  );
}

async function readOriginal({ storage }: Pick<ImageServices, 'storage'>, objectKey: string): Promise<Buffer> {
  try {
    return (await storage.get(objectKey)).bytes;
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'missing')
      throw new PublicError('PHOTO_BROKEN', { cause: error });
    throw asOutage(error);
  }
}
