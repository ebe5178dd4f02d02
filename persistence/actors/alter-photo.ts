import type { PoolClient } from 'pg';
import type { AlterationSource, MediaAlteration } from '../../machines/disclosure/alterations.ts';
import { toDate } from '../database/instants.ts';
import { isAltered } from '../database/listing-visibility.ts';
import { takeTurn } from '../database/photo-turn.ts';
import { named } from '../database/sql-values.ts';

/**
 * A person's word that a photo was altered before it came here, or that it was not (docs/contract.md#altered-photos).
 * Each change has one row in `photo_alteration_events`. What follows for jobs and staged pictures is
 * `supervisors/actors/photo-alteration.ts`.
 */
export interface PhotoAlteration {
  imageId: string;
  /** Null takes the declaration back. */
  kind: MediaAlteration | null;
  /** An unaltered photo of the same listing. */
  originalImageId: string | null;
  /** An agent of the listing; the caller has checked that. Null: an operator, who may change what a file or a feed says. */
  agentId: string | null;
  /** `user:<id>` or `operator:<name>`. */
  by: string;
  at: number;
}

/**
 * `missing`: no such picture. `staged`: it was made here. `stands`: a file or a feed says so.
 * `not-original`: the named original is staged, altered, of another listing, or the photo itself.
 */
export type PhotoAlterationResult =
  | 'changed'
  | 'unchanged'
  | 'missing'
  | 'staged'
  | 'stands'
  | 'not-original';

interface PhotoRow {
  propertyId: string;
  isStyled: boolean;
  alteration: MediaAlteration | null;
  alterationBy: AlterationSource | null;
  alteredFromId: string | null;
}

/**
 * Writes the change and its event. The locks of the listing and of its photos hold until the end of the transaction: no
 * photo becomes the cover meanwhile, and none is submitted. Fails with 55P03 while a deletion or submission is under way.
 */
export async function alterPhoto(
  client: PoolClient,
  { imageId, kind, originalImageId, agentId, by, at }: PhotoAlteration,
): Promise<PhotoAlterationResult> {
  const read = async () => {
    const { rows } = await client.query<PhotoRow>(
      `SELECT i."propertyId", i."isStyled", i.alteration, i."alterationBy", i."alteredFromId"
       FROM property_images i WHERE i.id = $1`,
      [imageId],
    );
    return rows[0];
  };
  const seen = await read();
  if (seen === undefined) return 'missing';
  await takeTurn(client, seen.propertyId);
  const photo = await read();
  if (photo === undefined) return 'missing';
  if (photo.isStyled) return 'staged';
  const { propertyId, alteration: before, alterationBy, alteredFromId } = photo;
  const isOthersWord = alterationBy !== null && alterationBy !== 'AGENT';
  if (agentId !== null && isOthersWord && kind !== before) return 'stands';
  if (kind === before && originalImageId === alteredFromId) return 'unchanged';
  if (originalImageId !== null && !(await isTruePhoto(client, { imageId, originalImageId, propertyId })))
    return 'not-original';
  const change = { imageId, propertyId, kind, originalImageId, before, by, at: toDate(at) };
  await client.query(
    named(
      `UPDATE property_images SET alteration = :kind, "alteredFromId" = :originalImageId,
         "alterationBy" = CASE WHEN :kind::text IS NOT NULL THEN coalesce("alterationBy", 'AGENT') END
       WHERE id = :imageId`,
      change,
    ),
  );
  // It is an unaltered photo for no other one any more.
  if (kind !== null)
    await client.query(`UPDATE property_images SET "alteredFromId" = NULL WHERE "alteredFromId" = $1`, [
      imageId,
    ]);
  await client.query(
    named(
      `INSERT INTO photo_alteration_events ("imageId", "propertyId", before, after, "originalImageId", by, at)
       VALUES (:imageId, :propertyId, :before, :kind, :originalImageId, :by, :at)`,
      change,
    ),
  );
  return 'changed';
}

async function isTruePhoto(
  client: PoolClient,
  { imageId, originalImageId, propertyId }: { imageId: string; originalImageId: string; propertyId: string },
): Promise<boolean> {
  if (originalImageId === imageId) return false;
  const { rowCount } = await client.query(
    `SELECT FROM property_images i WHERE i.id = $1 AND i."propertyId" = $2 AND NOT ${isAltered('i')}`,
    [originalImageId, propertyId],
  );
  return rowCount === 1;
}
