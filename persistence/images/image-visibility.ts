import type { Pool } from 'pg';
import type { Pad } from '../../machines/framing.ts';
import { hasPublicPage, isPublicPicture } from '../database/listing-visibility.ts';
import { framedSizeOf, padColumn } from '../database/staged-frame.ts';
import { mayAct } from '../listings/agent-access.ts';

/** An image that the caller may see, with the fields that an answer needs. */
export interface VisibleImage {
  imageId: string;
  propertyId: string;
  objectKey: string;
  isStyled: boolean;
  /** False when only the listing's agents may see it. */
  isPublic: boolean;
  /** The size at which the picture is shown, upright; null for pictures of old releases. */
  width: number | null;
  height: number | null;
  /** Of a staged picture of which only the photo's frame is shown (docs/contract.md#framing). */
  pad: Pad | null;
  format: string | null;
  checksum: string | null;
  /** Its plain and its padded copy for the provider, smaller JPEGs of the same picture; null for staged pictures. */
  providerInputKey: string | null;
  paddedInputKey: string | null;
  /** Where its heat map is stored; null for originals and for pictures that were not compared. */
  heatMapKey: string | null;
}

/**
 * SQL condition: the image with alias `image` of the property with alias `property` is public: an original or an
 * approved variant, of a listing that is neither a draft nor deleted.
 */
export function isPublicImage(image: string, property: string): string {
  return `(${isPublicPicture(image)} AND ${hasPublicPage(property)})`;
}

/**
 * The image, when it is public or the agent's, else null. A private image and an unknown id give the same empty result
 * of the same statement.
 */
export async function findVisibleImage(
  pool: Pool,
  { imageId, agentId }: { imageId: string; agentId: string | null },
): Promise<VisibleImage | null> {
  const { rows } = await pool.query<VisibleImage>(
    `${IMAGES} WHERE i.id = $1 AND (${isPublicImage('i', 'p')} OR ${mayAct('p', '$2')})`,
    [imageId, agentId],
  );
  return rows[0] ? visible(rows[0]) : null;
}

/** The given images that are public, by id in lower case. */
export async function findPublicImages(
  pool: Pool,
  imageIds: readonly string[],
): Promise<Map<string, VisibleImage>> {
  const { rows } = await pool.query<VisibleImage>(
    `${IMAGES} WHERE i.id = ANY ($1::uuid[]) AND ${isPublicImage('i', 'p')}`,
    [imageIds],
  );
  return new Map(rows.map((image) => [image.imageId, visible(image)]));
}

/** Whether everyone may see all of the given images now. */
export async function arePublicImages(pool: Pool, imageIds: readonly string[]): Promise<boolean> {
  const { rows } = await pool.query<{ shown: number }>(
    `SELECT count(*)::int AS shown FROM property_images i JOIN properties p ON p.id = i."propertyId"
     WHERE i.id = ANY ($1::uuid[]) AND ${isPublicImage('i', 'p')}`,
    [imageIds],
  );
  return rows[0]?.shown === imageIds.length;
}

const visible = (row: VisibleImage): VisibleImage => ({ ...framedSizeOf(row), pad: row.pad });

const IMAGES = `
  SELECT i.id AS "imageId", i."propertyId", i."objectKey", i."isStyled", ${isPublicImage('i', 'p')} AS "isPublic",
    i."outputWidth" AS width, i."outputHeight" AS height, i."outputFormat" AS format, i."outputChecksum" AS checksum,
    ${padColumn('made_by')}, i."providerInputKey", i."paddedInputKey",
    (SELECT d."heatMapKey" FROM drift_comparisons d WHERE d."stagedImageId" = i.id AND i."isStyled") AS "heatMapKey"
  FROM property_images i JOIN properties p ON p.id = i."propertyId"
    LEFT JOIN ai_room_staging_jobs made_by ON made_by."aiJobId" = i."aiJobId"`;
