import type { Pool } from 'pg';

/** A stored picture whose checksum is not known; only pictures of old releases have none. */
export interface UnknownChecksum {
  imageId: string;
  objectKey: string;
}

/** The staged picture and its original, as far as their checksums are not known. */
export async function unknownChecksums(pool: Pool, stagedImageId: string): Promise<UnknownChecksum[]> {
  const { rows } = await pool.query<UnknownChecksum>(
    `SELECT i.id AS "imageId", i."objectKey" FROM property_images v JOIN property_images i
       ON i.id IN (v.id, v."styledFromId")
     WHERE v.id = $1 AND i."outputChecksum" IS NULL ORDER BY i."isStyled"`,
    [stagedImageId],
  );
  return rows;
}

/** `checksum` is the SHA-256 of the stored bytes, in hexadecimal digits. A known checksum stays. */
export async function noteChecksum(
  pool: Pool,
  { imageId, objectKey, checksum }: UnknownChecksum & { checksum: string },
): Promise<void> {
  await pool.query(
    `UPDATE property_images SET "outputChecksum" = $3
     WHERE id = $1 AND "objectKey" = $2 AND "outputChecksum" IS NULL`,
    [imageId, objectKey, checksum],
  );
}
