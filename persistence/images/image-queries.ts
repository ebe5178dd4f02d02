import type { Pool, PoolClient } from 'pg';
import type { CanonicalRoomType } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { named } from '../database/sql-values.ts';
import type { PropertyImage } from '../entities/property-image.ts';
import { mayAct } from '../listings/agent-access.ts';
import { releaseGuards, type UploadGuards } from './upload-guards.ts';

/** An image row as its agents see it. */
export type PropertyImageView = Millis<ImageViewRow>;
type ImageViewRow = Pick<
  PropertyImage,
  | 'propertyId'
  | 'objectKey'
  | 'providerInputKey'
  | 'position'
  | 'isMain'
  | 'isStyled'
  | 'roomType'
  | 'reviewStatus'
  | 'createdAt'
> & { imageId: string; width: number | null; height: number | null; format: string | null };

const COLUMNS = `
  i.id AS "imageId", i."propertyId", i."objectKey", i."providerInputKey", i.position, i."isMain", i."isStyled",
  i."roomType", i."reviewStatus", i."outputWidth" AS width, i."outputHeight" AS height,
  i."outputFormat" AS format, i."createdAt"`;

/** The given images that the agent may work with, in no particular order. */
export async function imagesForAgent(
  db: Pool | PoolClient,
  { imageIds, agentId }: { imageIds: readonly string[]; agentId: string },
): Promise<PropertyImageView[]> {
  const { rows } = await db.query<ImageViewRow>(
    `SELECT ${COLUMNS} FROM property_images i JOIN properties p ON p.id = i."propertyId"
     WHERE i.id = ANY($1::uuid[]) AND ${mayAct('p', '$2')}`,
    [imageIds, agentId],
  );
  return rows.map(withMillis);
}

/** Far more photos than a listing has. */
const MOST_PHOTOS = 500;

/** The photos of a listing in their order, as the gallery has them. The caller has been checked. */
export async function originalsOfProperty(pool: Pool, propertyId: string): Promise<PropertyImageView[]> {
  const { rows } = await pool.query<ImageViewRow>(
    `SELECT ${COLUMNS} FROM property_images i WHERE i."propertyId" = $1 AND NOT i."isStyled"
     ORDER BY i.position, i."createdAt", i.id LIMIT ${MOST_PHOTOS}`,
    [propertyId],
  );
  return rows.map(withMillis);
}

export interface NewOriginal {
  imageId: string;
  propertyId: string;
  agentId: string;
  objectKey: string;
  providerInputKey: string;
  roomType: CanonicalRoomType | null;
  bytes: number;
  width: number;
  height: number;
  format: string;
  checksum: string;
  at: number;
}

/**
 * Stores the row of an uploaded photo and removes its guards, in the same transaction as `keep`. The photo becomes the
 * last one; the first photo of a listing without a cover becomes the cover. Null when the property is not the agent's
 * (any more).
 * @throws UploadExpired when the sweep has taken the objects; nothing is stored then.
 */
export function insertOriginal(
  pool: Pool,
  original: NewOriginal,
  guards: UploadGuards,
  keep: (client: PoolClient, stored: PropertyImageView) => Promise<void>,
): Promise<PropertyImageView | null> {
  return inTransaction(pool, async (client) => {
    // Serializes the uploads to one listing, so that positions and the cover are decided one at a time.
    const { rowCount: allowed } = await client.query(
      `SELECT FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')} FOR NO KEY UPDATE OF p`,
      [original.propertyId, original.agentId],
    );
    if (allowed !== 1) return null;
    await releaseGuards(client, guards);
    const { rows } = await client.query<ImageViewRow>(
      named(
        `INSERT INTO property_images AS i (id, "propertyId", "objectKey", "providerInputKey", position, "isMain",
           "roomType", "outputBytes", "outputWidth", "outputHeight", "outputFormat", "outputChecksum", "createdAt")
         SELECT :imageId, :propertyId, :objectKey, :providerInputKey, coalesce(max(o.position) + 1, 0),
           NOT coalesce(bool_or(o."isMain"), false), :roomType, :bytes, :width, :height, :format, :checksum, :at
         FROM property_images o WHERE o."propertyId" = :propertyId AND NOT o."isStyled"
         RETURNING ${COLUMNS}`,
        { ...original, at: toDate(original.at) },
      ),
    );
    const stored = withMillis(rows[0]!);
    await keep(client, stored);
    return stored;
  });
}

/**
 * Gives an original its copy for the provider, if it has none. False when it has one already or is gone: the guards
 * stay, and the sweep deletes the copy.
 * @throws UploadExpired when the sweep has taken the copy.
 */
export function adoptProviderInput(
  pool: Pool,
  { imageId, key, guards }: { imageId: string; key: string; guards: UploadGuards },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE property_images SET "providerInputKey" = $2
       WHERE id = $1 AND NOT "isStyled" AND "providerInputKey" IS NULL`,
      [imageId, key],
    );
    if (rowCount !== 1) return false;
    await releaseGuards(client, guards);
    return true;
  });
}
