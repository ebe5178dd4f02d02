import type { DisclosurePicture } from '../../persistence/images/disclosure-pictures.ts';
import { Semaphore } from '../../supervisors/concurrency/semaphore.ts';
import { PublicError } from '../errors/errors.ts';
import { readError } from '../images/photo-storage.ts';
import type { ImageServices } from '../images/services.ts';

/** Files of pictures in one export; a photo that is there several times counts as often. */
export const MAX_EXPORTED_PICTURES = 500;
/**
 * Pixels of all of them together. A JPEG of this quality takes less than a byte a pixel, and a ZIP holds less than
 * 4 GiB.
 */
const MAX_EXPORTED_PIXELS = 4_000_000_000;
const LOOKUPS_AT_ONCE = 8;

/**
 * Checks before the first byte is sent that the export can be whole: afterwards a failure could only break the
 * connection off.
 * @throws PublicError EXPORT_TOO_LARGE; PICTURE_LOST when the store no longer holds a picture; SERVICE_UNAVAILABLE
 *   when it does not answer
 */
export async function requireWholeExport(
  { storage, logger }: Pick<ImageServices, 'storage' | 'logger'>,
  pictures: readonly DisclosurePicture[],
  signal: AbortSignal,
): Promise<void> {
  const pixels = pictures.reduce((sum, { storedPixels }) => sum + (storedPixels ?? 0), 0);
  if (pictures.length > MAX_EXPORTED_PICTURES || pixels > MAX_EXPORTED_PIXELS)
    throw new PublicError('EXPORT_TOO_LARGE');
  const byKey = new Map(pictures.map((picture) => [picture.objectKey, picture]));
  const turns = new Semaphore(LOOKUPS_AT_ONCE);
  const isThere = async (objectKey: string): Promise<boolean> => {
    const giveBack = await turns.take({ signal });
    try {
      return await storage.exists(objectKey, { signal });
    } finally {
      giveBack();
    }
  };
  const answers = await Promise.all([...byKey.keys()].map(isThere)).catch((error: unknown) => {
    throw readError(error, () => {});
  });
  const lost = [...byKey.values()].filter((_, index) => answers[index] === false);
  if (lost.length === 0) return;
  for (const { imageId, objectKey } of lost)
    logger.error({ imageId, objectKey }, 'an image has lost its object');
  throw new PublicError('PICTURE_LOST');
}
