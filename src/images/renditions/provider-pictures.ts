import { createHash } from 'node:crypto';
import type { ObjectStorage } from '../../storage/object-storage.ts';
import { isPhotoKind, sniffImageKind } from '../decoding/image-kind.ts';
import type { ProviderPictures } from '../marks/marks.ts';
import { readCredentials } from '../statements/credentials.ts';
import { manifestStoreOf } from '../statements/manifest-store.ts';

export function createProviderPictures(storage: Pick<ObjectStorage, 'get'>): ProviderPictures {
  return async (objectKey) => {
    const { bytes } = await storage.get(objectKey);
    const kind = sniffImageKind(bytes);
    if (!isPhotoKind(kind)) return null;
    const store = manifestStoreOf(bytes, kind);
    if (store === null) return null;
    return {
      bytes: new Uint8Array(bytes),
      format: kind,
      checksum: createHash('sha256').update(bytes).digest('hex'),
      generator: readCredentials(store)?.generator ?? null,
      manifestBytes: store.length,
    };
  };
}
