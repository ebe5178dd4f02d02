import type { PoolClient } from 'pg';
import type { PhotoSubject } from '../../../machines/disclosure/photo-subject.ts';
import { requireRoomForPhoto } from '../../../persistence/growth/growth-counts.ts';
import { insertOriginal, type PropertyImageView } from '../../../persistence/images/image-queries.ts';
import { stagedPictureNamedBy } from '../../../persistence/images/own-marks.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import type { Decoder } from '../decoding/decoder.ts';
import { storeObjects } from '../photo-storage.ts';
import type { ImageServices } from '../services.ts';
import { providerInputKeyOf } from './provider-input.ts';
import type { UploadedFile } from './upload-turns.ts';

export interface PhotoToStore extends UploadedFile {
  propertyId: string;
  imageOf: PhotoSubject | null;
  signal: AbortSignal;
  /** Called in the transaction that stores the row. */
  keep(client: PoolClient, stored: PropertyImageView): Promise<void>;
}

/**
 * Stores one uploaded photo and its copy for the provider.
 * @throws PublicError NOT_FOUND (when the row is inserted, the property is not the agent's),
 *   STAGED_PICTURE (the file says that it is one of ours), PHOTO_TYPE_UNSUPPORTED, PHOTO_TOO_LARGE, PHOTO_BROKEN,
 *   UPLOAD_EXPIRED, QUOTA_REACHED, SERVICE_UNAVAILABLE.
 */
export async function storePhoto(services: ImageServices, upload: PhotoToStore): Promise<PropertyImageView> {
  const { pool, clock, chance } = services;
  const { framing } = services.settings.providerInputs;
  const { propertyId, userId: agentId, imageOf, file, signal } = upload;
  const growth = { fileBytes: file.length, limits: services.settings.growthLimits };
  // The file of a photo that would be refused is not decoded.
  await requireRoomForPhoto(pool, { propertyId, agentId, ...growth, at: clock.now() });
  const decode = (decoder: Decoder) =>
    decoder.run('photo', [framing], { load: () => file, signal, about: { propertyId } });
  const { main, providerInput, statements } = await services.uploadTurns.run(upload, decode, signal);
  const staged = await stagedPictureNamedBy(pool, { ...statements, agentId });
  if (staged !== null) throw stagedPicture(staged.isOfAgent ? staged.stagedImageId : null);
  const { alteration, credentials } = statements;
  const imageId = chance.id();
  const objectKey = `originals/${propertyId}/${imageId}.${main.format === 'jpeg' ? 'jpg' : main.format}`;
  const inputKey = providerInput && providerInputKeyOf(imageId, imageId);
  const objects = [{ key: objectKey, bytes: main.bytes, contentType: `image/${main.format}` }];
  if (providerInput !== null && inputKey !== null)
    objects.push({ key: inputKey, bytes: providerInput.bytes, contentType: 'image/jpeg' });
  const credentialsKey = `credentials/${imageId}.c2pa`;
  if (credentials !== null)
    objects.push({
      key: credentialsKey,
      bytes: Buffer.from(credentials.store),
      contentType: 'application/c2pa',
    });
  const stored = await storeObjects(services, objects, (guards) => {
    const { bytes, ...described } = main;
    const inputs = {
      providerInputKey: framing === 'fixed' ? inputKey : null,
      paddedInputKey: framing === 'photo' ? inputKey : null,
    };
    const names = { imageId, propertyId, agentId, imageOf, objectKey };
    const said = {
      alteration,
      credentials: credentials && {
        objectKey: credentialsKey,
        generator: credentials.generator,
        signer: credentials.signer,
      },
    };
    const original = {
      ...names,
      ...inputs,
      ...said,
      ...described,
      ...growth,
      bytes: bytes.length,
      at: clock.now(),
    };
    return insertOriginal(pool, original, guards, upload.keep);
  });
  return found(stored);
}

/** @param stagedImageId null for people who are no agents of its listing */
export function stagedPicture(stagedImageId: string | null): PublicError {
  return new PublicError('STAGED_PICTURE', stagedImageId === null ? {} : { picture: { stagedImageId } });
}
