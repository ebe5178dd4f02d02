import type { Pool } from 'pg';
import { isPublicImage } from './image-visibility.ts';
import { toDate } from './instants.ts';
import { inTransaction } from './postgres-actor-store.ts';
import { releaseGuards, UploadExpired, type UploadGuards } from './upload-guards.ts';

/**
 * Which smaller copies of a picture are stored, and where. A row owns its object: a trigger queues the object for
 * deletion when the row goes, and the row goes with its image. Only public pictures have rows.
 */
export interface StoredRendition {
  imageId: string;
  variant: string;
  objectKey: string;
  bytes: number;
}

/** Where the variant is stored, if it is, and how many variants of the picture are. */
export async function findRendition(
  pool: Pool,
  { imageId, variant }: { imageId: string; variant: string },
): Promise<{ objectKey: string | null; stored: number }> {
  const { rows } = await pool.query<{ objectKey: string | null; stored: number }>(
    `SELECT max("objectKey") FILTER (WHERE variant = $2) AS "objectKey", count(*)::integer AS stored
     FROM image_renditions WHERE "imageId" = $1`,
    [imageId, variant],
  );
  return rows[0] ?? { objectKey: null, stored: 0 };
}

/**
 * Makes a stored object the picture's rendition and takes its guards away, together. False when the picture is gone or
 * private by now, or when somebody else was first: the guards stay and sweep the object.
 * @throws UploadExpired when the sweep has taken the object.
 */
export function recordRendition(
  pool: Pool,
  rendition: StoredRendition & { at: number },
  guards: UploadGuards,
): Promise<boolean> {
  const { imageId, variant, objectKey, bytes, at } = rendition;
  return inTransaction(pool, async (client) => {
    // The lock lets a deletion of the picture come before or after, never in between.
    const { rowCount: shown } = await client.query(
      `SELECT FROM property_images i JOIN properties p ON p.id = i."propertyId"
       WHERE i.id = $1 AND ${isPublicImage('i', 'p')} FOR KEY SHARE OF i`,
      [imageId],
    );
    if (shown !== 1) return false;
    const { rowCount } = await client.query(
      `INSERT INTO image_renditions ("imageId", variant, "objectKey", bytes, "createdAt")
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT ("imageId", variant) DO NOTHING`,
      [imageId, variant, objectKey, bytes, toDate(at)],
    );
    if (rowCount !== 1) return false;
    if (!(await releaseGuards(client, guards))) throw new UploadExpired();
    return true;
  });
}

/** Drops a row whose object turned out to be gone, so that it is made again. */
export async function forgetRendition(
  pool: Pool,
  { imageId, variant, objectKey }: Omit<StoredRendition, 'bytes'>,
): Promise<void> {
  await pool.query(
    `DELETE FROM image_renditions WHERE "imageId" = $1 AND variant = $2 AND "objectKey" = $3`,
    [imageId, variant, objectKey],
  );
}
