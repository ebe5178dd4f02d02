import type { Pool } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { isPublicImage } from './image-visibility.ts';
import { releaseGuards, type UploadGuards } from './upload-guards.ts';

/**
 * The stored smaller copies (renditions) of a picture. A row owns its object: when the row is deleted, a trigger queues
 * the object for deletion. The row is deleted with its image. Only public pictures have rows.
 */
export interface StoredRendition {
  imageId: string;
  variant: string;
  objectKey: string;
  bytes: number;
}

/** A rendition that may be stored, and what decides whether there is room for it. */
export interface Candidate {
  imageId: string;
  variant: string;
  /** All canonical variants of the picture: there is always room for these. */
  canonical: readonly string[];
  /** Now, in ms. */
  at: number;
}

/**
 * The maximum number of stored renditions of one picture that are not canonical. There are thousands of combinations of
 * sizes: further ones are made on each request, so that a client cannot fill the bucket by requesting them all.
 */
export const MAX_OTHER_VARIANTS = 18;
/** After this time a rendition that is not canonical may be replaced, so that the first ones do not stay forever. */
const KEEPS_PLACE_MS = 24 * 60 * 60_000;

/**
 * SQL condition on the picture's rows: there is room for variant $2, given the canonical variants $3 and the instant
 * $4.
 */
const HAS_ROOM = `($2::text = ANY ($3::text[]) OR count(*) FILTER (
  WHERE variant <> ALL ($3::text[]) AND "createdAt" >= $4::timestamptz) < ${MAX_OTHER_VARIANTS})`;

const roomOf = ({ imageId, variant, canonical, at }: Candidate) => [
  imageId,
  variant,
  canonical,
  toDate(at - KEEPS_PLACE_MS),
];

/** Where the variant is stored, if it is, and whether there is room for it. */
export async function findRendition(
  pool: Pool,
  candidate: Candidate,
): Promise<{ objectKey: string | null; hasRoom: boolean }> {
  const { rows } = await pool.query<{ objectKey: string | null; hasRoom: boolean }>(
    `SELECT max("objectKey") FILTER (WHERE variant = $2) AS "objectKey", ${HAS_ROOM} AS "hasRoom"
     FROM image_renditions WHERE "imageId" = $1`,
    roomOf(candidate),
  );
  return rows[0] ?? { objectKey: null, hasRoom: false };
}

/**
 * Records a stored object as the picture's rendition and removes its guards, in one transaction. False when the picture
 * is gone or private, when another request was first, or when there is no room any more: the guards stay, and the sweep
 * deletes the object.
 * @throws UploadExpired when the sweep has taken the object.
 */
export function recordRendition(
  pool: Pool,
  rendition: Candidate & StoredRendition,
  guards: UploadGuards,
): Promise<boolean> {
  const { imageId, objectKey, bytes, at } = rendition;
  return inTransaction(pool, async (client) => {
    // The lock serializes this with a deletion of the picture and with other renditions, which are counted.
    const { rowCount: shown } = await client.query(
      `SELECT FROM property_images i JOIN properties p ON p.id = i."propertyId"
       WHERE i.id = $1 AND ${isPublicImage('i', 'p')} FOR NO KEY UPDATE OF i`,
      [imageId],
    );
    if (shown !== 1) return false;
    await client.query(
      `WITH others AS (
         SELECT variant, "createdAt", row_number() OVER (ORDER BY "createdAt" DESC) AS place
         FROM image_renditions WHERE "imageId" = $1 AND variant <> ALL ($3::text[]))
       DELETE FROM image_renditions r USING others o
       WHERE r."imageId" = $1 AND r.variant = o.variant AND (o.place > ${MAX_OTHER_VARIANTS}
         OR (o.place = ${MAX_OTHER_VARIANTS} AND o."createdAt" < $4 AND $2::text <> ALL ($3::text[])))`,
      roomOf(rendition),
    );
    const { rowCount } = await client.query(
      `INSERT INTO image_renditions ("imageId", variant, "objectKey", bytes, "createdAt")
       SELECT $1, $2, $5, $6, $7 FROM image_renditions WHERE "imageId" = $1 HAVING ${HAS_ROOM}
       ON CONFLICT ("imageId", variant) DO NOTHING`,
      [...roomOf(rendition), objectKey, bytes, toDate(at)],
    );
    if (rowCount !== 1) return false;
    await releaseGuards(client, guards);
    return true;
  });
}

/** Deletes a row whose object is missing, so that the rendition is made again. */
export async function forgetRendition(
  pool: Pool,
  { imageId, variant, objectKey }: Omit<StoredRendition, 'bytes'>,
): Promise<void> {
  await pool.query(
    `DELETE FROM image_renditions WHERE "imageId" = $1 AND variant = $2 AND "objectKey" = $3`,
    [imageId, variant, objectKey],
  );
}
