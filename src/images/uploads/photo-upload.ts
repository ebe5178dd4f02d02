import type { PoolClient } from 'pg';
import type { CanonicalRoomType } from '../../../machines/vocabulary.ts';
import { insertOriginal, type PropertyImageView } from '../../../persistence/images/image-queries.ts';
import { guardUploads } from '../../../persistence/images/upload-guards.ts';
import { PublicError } from '../../errors/errors.ts';
import type { PreparedPhoto } from '../decoding/photo-intake.ts';
import { contentTypeOf, type PhotoObject, putAll, removeAll, uploadFailed } from '../photo-storage.ts';
import type { ImageServices } from '../services.ts';
import { providerInputKey } from './provider-input.ts';

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
  const objects = objectsOf(photo, { imageId, propertyId: upload.propertyId });
  const keys = objects.map(({ key }) => key);
  try {
    const guards = await guardUploads(pool, { keys, at: clock.now() });
    await putAll(services, objects);
    const stored = await insertOriginal(
      pool,
      rowOf(photo, { ...upload, imageId, keys, at: clock.now() }),
      guards,
      upload.keep,
    );
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
      contentType: contentTypeOf(main.format),
    },
    { key: providerInputKey(imageId, imageId), bytes: providerInput.bytes, contentType: 'image/jpeg' },
  ];
}

function rowOf(
  { main }: PreparedPhoto,
  given: Omit<PhotoToStore, 'file' | 'signal' | 'keep'> & {
    imageId: string;
    keys: readonly string[];
    at: number;
  },
) {
  const { imageId, propertyId, agentId, roomType, at } = given;
  const [objectKey = '', providerInputKey = ''] = given.keys;
  const { width, height, format, checksum } = main;
  const bytes = main.bytes.length;
  return {
    imageId,
    propertyId,
    agentId,
    roomType,
    at,
    objectKey,
    providerInputKey,
    bytes,
    width,
    height,
    format,
    checksum,
  };
}
