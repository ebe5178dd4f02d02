import type { PoolClient } from 'pg';
import type { PhotoSubject } from '../../../machines/disclosure/photo-subject.ts';
import { requireRoomForPhoto } from '../../../persistence/growth/growth-counts.ts';
import type { PropertyImageView } from '../../../persistence/images/image-queries.ts';
import { stagedPictureNamedBy } from '../../../persistence/images/own-marks.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import type { Decoder } from '../decoding/decoder.ts';
import type { ImageServices } from '../services.ts';
import { storeDecoded } from './store-decoded.ts';
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
  const { alteration } = statements;
  const stored = await storeDecoded(services, {
    main,
    providerInput,
    statements,
    imageId: chance.id(),
    propertyId,
    agentId,
    imageOf,
    altered: alteration && { kind: alteration, by: 'FILE' },
    ...growth,
    keep: upload.keep,
  });
  return found(stored);
}

/** @param stagedImageId null for people who are no agents of its listing */
export function stagedPicture(stagedImageId: string | null): PublicError {
  return new PublicError('STAGED_PICTURE', stagedImageId === null ? {} : { picture: { stagedImageId } });
}
