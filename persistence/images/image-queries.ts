import type { Pool, PoolClient } from 'pg';
import type { AlterationSource, MediaAlteration } from '../../machines/disclosure/alterations.ts';
import { type PhotoSubject, storedSubject } from '../../machines/disclosure/photo-subject.ts';
import type { PictureSize } from '../../machines/framing.ts';
import type { StagingFraming } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { credentialsColumn, type PhotoCredentials } from '../database/photo-credentials.ts';
import { photoStateColumns, type SeenPhotoState } from '../database/photo-state.ts';
import { imageOf } from '../database/photo-subject.ts';
import { named } from '../database/sql-values.ts';
import { framedSizeOf, padColumn, type StoredSize } from '../database/staged-frame.ts';
import { stagedStyleJoin } from '../database/staged-style.ts';
import type { PropertyImage } from '../entities/property-image.ts';
import { countPhoto, type GrowthLimits } from '../growth/growth-counts.ts';
import { mayAct, mayAddPhotos } from '../listings/agent-access.ts';
import { releaseGuards, type UploadGuards } from './upload-guards.ts';

/** An image row as its agents see it; the size is the one at which it is shown. */
export type PropertyImageView = Omit<Millis<ImageViewRow>, 'pad'>;
type ImageViewRow = Pick<
  PropertyImage,
  | 'propertyId'
  | 'objectKey'
  | 'providerInputKey'
  | 'paddedInputKey'
  | 'position'
  | 'isMain'
  | 'isStyled'
  | 'alteration'
  | 'alterationBy'
  | 'alteredFromId'
  | 'roomType'
  | 'reviewStatus'
  | 'createdAt'
> &
  StoredSize &
  SeenPhotoState & {
    imageId: string;
    /** What it shows, rooms included. */
    imageOf: PhotoSubject | null;
    format: string | null;
    credentials: PhotoCredentials | null;
  };

const COLUMNS = `
  i.id AS "imageId", i."propertyId", i."objectKey", i."providerInputKey", i."paddedInputKey", i.position, i."isMain",
  i."isStyled", i.alteration, i."alterationBy", i."alteredFromId", i."roomType", ${imageOf('i')} AS "imageOf",
  i."reviewStatus", i."outputWidth" AS width, i."outputHeight" AS height,
  i."outputFormat" AS format, i."createdAt",
  ${photoStateColumns('i')}, ${credentialsColumn('i')}`;

const viewOf = (row: ImageViewRow): PropertyImageView => framedSizeOf(withMillis(row));

/** The given images that the agent may work with, in no particular order. */
export async function imagesForAgent(
  db: Pool | PoolClient,
  { imageIds, agentId }: { imageIds: readonly string[]; agentId: string },
): Promise<PropertyImageView[]> {
  const { rows } = await db.query<ImageViewRow>(
    `SELECT ${COLUMNS}, ${padColumn('staged_by')} FROM property_images i JOIN properties p ON p.id = i."propertyId"
     ${stagedStyleJoin('i')}
     WHERE i.id = ANY($1::uuid[]) AND ${mayAct('p', '$2')}`,
    [imageIds, agentId],
  );
  return rows.map(viewOf);
}

/** A photo of a listing; `sameAsId` is the first one of the listing with the same stored bytes, null for that one itself. */
export type OriginalView = PropertyImageView & { sameAsId: string | null };

const FIRST_OF_SAME = `
  CASE WHEN i."outputChecksum" IS NOT NULL THEN nullif(first_value(i.id) OVER (
    PARTITION BY i."outputChecksum" ORDER BY i.position, i."createdAt", i.id), i.id) END`;

/** Far more photos than a listing has. */
const MOST_PHOTOS = 500;

/** The photos of a listing in their order, as the gallery has them. The caller has been checked. */
export async function originalsOfProperty(pool: Pool, propertyId: string): Promise<OriginalView[]> {
  const { rows } = await pool.query<Omit<ImageViewRow, 'pad'> & Pick<OriginalView, 'sameAsId'>>(
    `SELECT ${COLUMNS}, ${FIRST_OF_SAME} AS "sameAsId" FROM property_images i WHERE i."propertyId" = $1 AND NOT i."isStyled"
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
  /** The plain and the padded copy for the provider, as far as they were made. */
  providerInputKey: string | null;
  paddedInputKey: string | null;
  imageOf: PhotoSubject | null;
  bytes: number;
  width: number;
  height: number;
  format: string;
  checksum: string;
  /** What the file, or the feed that it came from, says of it. */
  altered: { kind: MediaAlteration; by: AlterationSource } | null;
  credentials: (PhotoCredentials & { objectKey: string }) | null;
  /** Of the uploaded file. */
  fileBytes: number;
  limits: GrowthLimits;
  at: number;
}

/**
 * Stores the row of an uploaded photo and removes its guards, in the same transaction as `keep`. The photo becomes the
 * last one; the first photo of a listing without a cover becomes the cover, unless it is altered. Null when the
 * property is not the agent's (any more).
 * @throws UploadExpired when the sweep has taken the objects; nothing is stored then.
 * @throws GrowthLimitReached
 */
export function insertOriginal(
  pool: Pool,
  { limits, fileBytes, credentials, altered, ...original }: NewOriginal,
  guards: UploadGuards,
  keep: (client: PoolClient, stored: PropertyImageView) => Promise<void>,
): Promise<PropertyImageView | null> {
  return inTransaction(pool, async (client) => {
    // Serializes the uploads to one listing, so that positions and the cover are decided one at a time.
    const { rowCount: allowed } = await client.query(
      `SELECT FROM properties p WHERE p.id = $1 AND ${mayAddPhotos('p', '$2')} FOR NO KEY UPDATE OF p`,
      [original.propertyId, original.agentId],
    );
    if (allowed !== 1) return null;
    await countPhoto(client, { ...original, fileBytes, limits });
    await releaseGuards(client, guards);
    const { rows } = await client.query<ImageViewRow>(
      named(
        `INSERT INTO property_images AS i (id, "propertyId", "objectKey", "providerInputKey", "paddedInputKey", position,
           "isMain", alteration, "alterationBy", "roomType", "imageOf", "outputBytes", "outputWidth", "outputHeight",
           "outputFormat", "outputChecksum", "createdAt")
         SELECT :imageId, :propertyId, :objectKey, :providerInputKey, :paddedInputKey,
           coalesce(max(o.position) + 1, 0), :alteration::text IS NULL AND NOT coalesce(bool_or(o."isMain"), false),
           :alteration, :alterationBy, :roomType, :imageOf, :bytes, :width, :height, :format, :checksum, :at
         FROM property_images o WHERE o."propertyId" = :propertyId AND NOT o."isStyled"
         RETURNING ${COLUMNS}, NULL::jsonb AS pad`,
        {
          ...original,
          ...storedSubject(original.imageOf),
          alteration: altered?.kind ?? null,
          alterationBy: altered?.by ?? null,
          at: toDate(original.at),
        },
      ),
    );
    if (credentials !== null)
      await client.query(
        named(
          `INSERT INTO photo_credentials ("imageId", "objectKey", generator, signer)
           VALUES (:imageId, :objectKey, :generator, :signer)`,
          { ...credentials, imageId: original.imageId },
        ),
      );
    const shown = credentials && { generator: credentials.generator, signer: credentials.signer };
    const stored = { ...viewOf(rows[0]!), credentials: shown };
    await keep(client, stored);
    return stored;
  });
}

/** The column of each framing's copy for the provider. */
const INPUT_COLUMNS: Readonly<Record<StagingFraming, string>> = {
  fixed: '"providerInputKey"',
  photo: '"paddedInputKey"',
};

interface MadeInput {
  imageId: string;
  framing: StagingFraming;
  key: string;
  /** The photo's upright size, as it was measured. */
  photo: PictureSize;
  guards: UploadGuards;
}

/**
 * Gives an original its copy for the provider, if it has none for this framing, and its size, if that was unknown. False
 * when it has a copy already or is gone: the guards stay, and the sweep deletes the copy.
 * @throws UploadExpired when the sweep has taken the copy.
 */
export function adoptProviderInput(
  pool: Pool,
  { imageId, framing, key, photo, guards }: MadeInput,
): Promise<boolean> {
  const column = INPUT_COLUMNS[framing];
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE property_images SET ${column} = $2, "outputWidth" = coalesce("outputWidth", $3),
         "outputHeight" = coalesce("outputHeight", $4)
       WHERE id = $1 AND NOT "isStyled" AND ${column} IS NULL`,
      [imageId, key, photo.width, photo.height],
    );
    if (rowCount !== 1) return false;
    await releaseGuards(client, guards);
    return true;
  });
}
