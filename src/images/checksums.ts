import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { noteChecksum, unknownChecksums } from '../../persistence/images/checksums.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';

/**
 * Computes and stores the checksums of a staged picture and its original that are not known: their provenance record
 * names them (docs/contract.md#provenance). Reads nothing for pictures of this release, which have theirs.
 * @throws StorageError of a picture that cannot be read.
 */
export async function storeChecksums(
  { pool, storage }: { pool: Pool; storage: Pick<ObjectStorage, 'get'> },
  stagedImageId: string,
): Promise<void> {
  for (const picture of await unknownChecksums(pool, stagedImageId)) {
    const { bytes } = await storage.get(picture.objectKey);
    const checksum = createHash('sha256').update(bytes).digest('hex');
    await noteChecksum(pool, { ...picture, checksum });
  }
}
