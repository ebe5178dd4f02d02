import { MIN_STAGED_SIDE } from '../../../machines/vocabulary.ts';
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

/** Whether a photo is too small to be staged; false while its size is unknown. */
export function isTooSmall({ width, height }: { width: number | null; height: number | null }): boolean {
  return width !== null && height !== null && Math.min(width, height) < MIN_STAGED_SIDE;
}

/**
 * Makes the provider's copy of an original that was uploaded before such copies existed (docs/contract.md#photos),
 * guarded like any upload. When two are made concurrently, the first stays and the other is removed. The size of
 * such a photo is unknown, so it is measured.
 * @throws PublicError PHOTO_BROKEN when the stored photo is missing or unreadable, PHOTO_TOO_SMALL, the errors of
 *   an upload, SERVICE_UNAVAILABLE when the object store is unavailable.
 */
export async function ensureProviderInput(
  services: Pick<ImageServices, 'pool' | 'storage' | 'chance' | 'clock' | 'logger'> & { decoder: Decoder },
  original: Pick<PropertyImageView, 'imageId' | 'objectKey' | 'providerInputKey'>,
): Promise<void> {
  if (original.providerInputKey !== null) return;
  const { pool, chance } = services;
  const copy = await services.decoder.run('provider-input', [], {
    load: () => readOriginal(services, original.objectKey),
    about: { imageId: original.imageId },
  });
  const key = providerInputKeyOf(original.imageId, chance.id());
  await storeObjects(services, [{ key, bytes: copy.bytes, contentType: 'image/jpeg' }], (guards) =>
    adoptProviderInput(pool, { imageId: original.imageId, key, guards }),
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
