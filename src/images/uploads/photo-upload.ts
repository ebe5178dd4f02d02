import type { PoolClient } from 'pg';
import type { CanonicalRoomType } from '../../../machines/vocabulary.ts';
import { insertOriginal, type PropertyImageView } from '../../../persistence/images/image-queries.ts';
import { guardUploads } from '../../../persistence/images/upload-guards.ts';
import { PublicError } from '../../errors/errors.ts';
import type { PreparedPhoto } from '../decoding/photo-intake.ts';
import { type PhotoObject, putAll, removeAll, uploadFailed } from '../photo-storage.ts';
import type { ImageServices } from '../services.ts';
import { providerInputKeyOf } from './provider-input.ts';

/**
 * Stores one uploaded photo: persist, then act. The keys are guarded in the database, then the photo and its copy for
 * the provider are put, then one transaction inserts the row and removes the guards. A failure or crash in between
 * leaves no row, and objects that the deletion outbox names.
 */
export interface PhotoToStore {
  propertyId: string;
  agentId: string;
  roomType: CanonicalRoomType | null;
  file: Buffer;
  signal: AbortSignal;
  /** In the transaction that stores the row. */
  keep(client: PoolClient, stored: PropertyImageView): Promise<void>;
}

/**
 * @throws PublicError NOT_FOUND (not the agent's property when the row is inserted), PHOTO_TYPE_UNSUPPORTED, PHOTO_TOO_LARGE,
 *   PHOTO_BROKEN, UPLOAD_EXPIRED, SERVICE_UNAVAILABLE.
 */
export async function storePhoto(services: ImageServices, upload: PhotoToStore): Promise<PropertyImageView> {
  const { pool, clock, chance } = services;
  const photo = await services.decoders.uploads.run('photo', [], {
    load: () => upload.file,
    signal: upload.signal,
    about: { propertyId: upload.propertyId },
  });
  const imageId = chance.id();
  const { propertyId, agentId, roomType } = upload;
  const objects = objectsOf(photo, { imageId, propertyId });
  const [objectKey, providerInputKey] = [objects[0].key, objects[1].key];
  try {
    const guards = await guardUploads(pool, { keys: [objectKey, providerInputKey], at: clock.now() });
    await putAll(services, objects);
    const { bytes, ...described } = photo.main;
    const names = { imageId, propertyId, agentId, roomType, objectKey, providerInputKey };
    const original = { ...names, ...described, bytes: bytes.length, at: clock.now() };
    const stored = await insertOriginal(pool, original, guards, upload.keep);
    if (stored !== null) return stored;
  } catch (error) {
    throw await uploadFailed(services, objects, error);
  }
  await removeAll(services, objects);
  throw new PublicError('NOT_FOUND');
}

/** The listing photo first, then the copy for the provider. */
function objectsOf(
  { main, providerInput }: PreparedPhoto,
  { imageId, propertyId }: { imageId: string; propertyId: string },
): [PhotoObject, PhotoObject] {
  const extension = main.format === 'jpeg' ? 'jpg' : main.format;
  return [
    {
      key: `originals/${propertyId}/${imageId}.${extension}`,
      bytes: main.bytes,
      contentType: `image/${main.format}`,
    },
    { key: providerInputKeyOf(imageId, imageId), bytes: providerInput.bytes, contentType: 'image/jpeg' },
  ];
}
