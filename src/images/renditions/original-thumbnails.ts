import { type ObjectStorage, StorageError } from '../../storage/object-storage.ts';
import type { Decoder } from '../decoding/decoder.ts';
import type { OriginalThumbnails } from '../marks/marks.ts';

/** The most bytes that a picture of the original adds to a copy. */
export const MAX_THUMBNAIL_BYTES = 20 * 1024;

/** The second is small enough for any picture. */
const TRIES = [
  { side: 256, quality: 60 },
  { side: 128, quality: 40 },
] as const;

export function createOriginalThumbnails(
  decoder: Decoder,
  storage: Pick<ObjectStorage, 'get'>,
): OriginalThumbnails {
  return async ({ imageId, objectKey }) => {
    try {
      for (const { side, quality } of TRIES) {
        const box = { width: side, height: side };
        const plan = {
          box,
          fit: 'contain',
          format: 'jpeg',
          quality,
          mark: null,
          variant: 'thumbnail',
        } as const;
        const bytes = await decoder.run('rendition', [plan, { pad: null }], {
          load: async () => (await storage.get(objectKey)).bytes,
          about: { imageId },
        });
        if (bytes.length <= MAX_THUMBNAIL_BYTES) return new Uint8Array(bytes);
      }
      return null;
    } catch (error) {
      if (error instanceof StorageError && error.kind === 'missing') return null;
      throw error;
    }
  };
}
