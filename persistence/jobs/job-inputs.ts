import type { Pool } from 'pg';
import { canBeFramed, nearestAspectRatio, padTo } from '../../machines/framing.ts';
import type { StagingAspectRatio, StagingFraming } from '../../machines/vocabulary.ts';
import type { UnderLease } from '../actors/actor-store.ts';
import { isShownVariant } from '../database/listing-visibility.ts';
import { named } from '../database/sql-values.ts';
import { PAD_COLUMNS, padValues } from '../database/staged-frame.ts';
import type { PropertyImage } from '../entities/property-image.ts';

/** What a job's input is made from. */
export type InputOriginal = Pick<PropertyImage, 'objectKey' | 'providerInputKey' | 'paddedInputKey'> & {
  imageId: string;
};

/** What the provider's copy needs of the job's original; null when the original is gone. */
export async function originalOfJob(pool: Pool, originalImageId: string): Promise<InputOriginal | null> {
  const { rows } = await pool.query<InputOriginal>(
    `SELECT id AS "imageId", "objectKey", "providerInputKey", "paddedInputKey" FROM property_images
     WHERE id = $1 AND NOT "isStyled"`,
    [originalImageId],
  );
  return rows[0] ?? null;
}

/** How a job was submitted; its shape is null only while a photo's shape is not known. */
export interface AskedShape {
  framing: StagingFraming;
  aspectRatio: StagingAspectRatio | null;
}

/** An original, as far as a job's shape and input follow from it. */
export interface ShapedOriginal {
  providerInputKey: string | null;
  paddedInputKey: string | null;
  width: number | null;
  height: number | null;
}

/**
 * The columns of a job that say in which shape its photo is sent, and which copy (docs/contract.md#framing). In the
 * photo's own shape they follow from the size of the stored photo alone. They are empty when that is unknown, or too
 * long to be sent: the worker measures the photo, or fails the job, before it buys anything.
 */
export function shapeColumns({ framing, aspectRatio }: AskedShape, original: ShapedOriginal) {
  if (framing === 'fixed')
    return { framing, aspectRatio, providerInputKey: original.providerInputKey, ...padValues(null) };
  const { width, height } = original;
  const photo = width === null || height === null ? null : { width, height };
  if (photo === null || !canBeFramed(photo))
    return { framing, aspectRatio: null, providerInputKey: null, ...padValues(null) };
  const nearest = nearestAspectRatio(photo);
  return {
    framing,
    aspectRatio: nearest,
    providerInputKey: original.paddedInputKey,
    ...padValues(padTo(photo, nearest)),
  };
}

/** Sets the original's copy as the job's input, once, and the shape of it; false while the original has no copy. */
export async function adoptInputOfOriginal(pool: Pool, jobId: string): Promise<boolean> {
  const { rows } = await pool.query<AskedShape & ShapedOriginal>(
    `SELECT s.framing, s."aspectRatio", o."providerInputKey", o."paddedInputKey", o."outputWidth" AS width,
       o."outputHeight" AS height
     FROM ai_room_staging_jobs s JOIN property_images o ON o.id = s."originalImageId" WHERE s."aiJobId" = $1`,
    [jobId],
  );
  const [row] = rows;
  const columns = row && shapeColumns(row, row);
  if (columns === undefined || columns.providerInputKey === null) return false;
  const set = [...PAD_COLUMNS, 'aspectRatio', 'providerInputKey'].map(
    (name) => `"${name}" = coalesce("${name}", :${name})`,
  );
  const { rowCount } = await pool.query(
    named(`UPDATE ai_room_staging_jobs SET ${set.join(', ')} WHERE "aiJobId" = :jobId`, {
      ...columns,
      jobId,
    }),
  );
  return rowCount === 1;
}

/**
 * Removes the second input of a job whose picture is gone or withdrawn; true when it did. What a job names is what
 * its next purchase sends, and what is recorded with the result. Only under the lease, whose row is locked: a worker
 * that was overtaken must not change a job that the next one has sent with the picture.
 */
export async function dropLostReference(pool: Pool, { jobId, owner, epoch }: UnderLease): Promise<boolean> {
  const { rowCount } = await pool.query(
    `WITH held AS (
       SELECT id FROM ai_jobs WHERE id = $1 AND "leaseOwner" = $2 AND "leaseEpoch" = $3 FOR NO KEY UPDATE
     )
     UPDATE ai_room_staging_jobs s SET "referenceImageKey" = NULL FROM held
     WHERE s."aiJobId" = held.id AND s."referenceImageKey" IS NOT NULL AND NOT EXISTS (
       SELECT FROM property_images i WHERE i."objectKey" = s."referenceImageKey" AND ${isShownVariant('i')})`,
    [jobId, owner, epoch],
  );
  return rowCount === 1;
}
