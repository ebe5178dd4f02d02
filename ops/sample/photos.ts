import { randomUUID } from 'node:crypto';
import { NO_GROWTH_LIMITS } from '../../persistence/growth/growth-counts.ts';
import { insertOriginal } from '../../persistence/images/image-queries.ts';
import { guardUploads } from '../../persistence/images/upload-guards.ts';
import { MINUTE, type Town } from './loading.ts';
import { addStaged } from './staging.ts';
import type { PlannedPhoto } from './town.ts';

interface PhotoToAdd {
  readonly propertyId: string;
  readonly agentId: string;
  readonly photo: PlannedPhoto;
  readonly at: number;
}

export async function addPhoto(town: Town, { propertyId, agentId, photo, at }: PhotoToAdd): Promise<void> {
  const { pool, storage } = town;
  const { bytes, ...described } = await town.drawings(photo.picture, null);
  const imageId = randomUUID();
  const objectKey = `originals/${propertyId}/${imageId}.jpg`;
  // A drawing has a shape that is sent whole: the copy for a provider is the photo itself.
  const paddedInputKey = photo.staged.length > 0 ? `provider-inputs/${imageId}/${imageId}.jpg` : null;
  const keys = [objectKey, ...(paddedInputKey === null ? [] : [paddedInputKey])];
  const guards = await guardUploads(pool, { keys, at: town.now() });
  for (const key of keys) await storage.put(key, bytes, { contentType: 'image/jpeg' });
  const stored = await insertOriginal(
    pool,
    {
      ...described,
      imageId,
      propertyId,
      agentId,
      objectKey,
      providerInputKey: null,
      paddedInputKey,
      imageOf: photo.imageOf,
      bytes: bytes.length,
      fileBytes: bytes.length,
      altered: null,
      credentials: null,
      limits: NO_GROWTH_LIMITS,
      at,
    },
    guards,
    async () => {},
  );
  if (stored === null) throw new Error('a photo of the sample was refused');
  for (const { style, end } of photo.staged)
    await addStaged(town, { imageId, agentId, photo, style, end, at: at + 20 * MINUTE });
}
