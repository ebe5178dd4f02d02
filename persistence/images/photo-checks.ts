import type { Pool } from 'pg';
import { type Claim, claimSet, prolongSet, releaseSet } from './check-claims.ts';

/**
 * The checks of photos: is one a staged picture of ours (docs/contract.md#intake)? Triggers of 0123 make the row with the
 * photo, and show or hide the photo by it. Always true: a photo is shown only with a verdict, unless it is older than
 * this rule; a verdict is recorded only by the holder of the claim, when no fingerprint that it must know is missing.
 */
export interface ClaimedPhoto extends Claim {
  imageId: string;
  propertyId: string;
  objectKey: string;
}

/** A fingerprint of a picture that was there before the photo is still to be made. */
const WAITS_FOR_FINGERPRINT = `EXISTS (SELECT FROM staged_fingerprints f
  WHERE f."propertyId" = c."propertyId" AND f."nextTryAt" IS NOT NULL AND f."createdAt" <= c."createdAt")`;

/**
 * Claims a due photo and counts a try; null when none is due. New photos take turns by the owner of
 * their listing (0126), others go by their time.
 * @param which `new`: private until now; `others`: looked up again, or older than this rule
 */
export async function claimPhoto(pool: Pool, which: 'new' | 'others'): Promise<ClaimedPhoto | null> {
  const kinds =
    which === 'new'
      ? [{ kind: `NOT c."isOlder" AND c.verdict IS NULL`, order: 'c.turn, c."createdAt"' }]
      : ['NOT c."isOlder"', 'c."isOlder"'].map((kind) => ({ kind, order: 'c."nextTryAt"' }));
  for (const { kind, order } of kinds) {
    const { rows } = await pool.query<ClaimedPhoto>(
      `WITH claimed AS (
         UPDATE photo_checks ${claimSet} WHERE "imageId" = (
           SELECT c."imageId" FROM photo_checks c
           WHERE c."nextTryAt" <= clock_timestamp() AND ${kind} AND NOT ${WAITS_FOR_FINGERPRINT}
           ORDER BY ${order} LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING *)
       SELECT claimed."imageId", claimed."propertyId", claimed.claim, claimed.tries, i."objectKey"
       FROM claimed JOIN property_images i ON i.id = claimed."imageId"`,
    );
    if (rows[0] !== undefined) return rows[0];
  }
  return null;
}

/** Holds the claim for another minute; false when it ran out and another worker has it, or the photo is gone. */
export async function prolongPhotoClaim(pool: Pool, { imageId, claim }: ClaimedPhoto): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE photo_checks ${prolongSet} WHERE "imageId" = $1 AND claim = $2`,
    [imageId, claim],
  );
  return rowCount === 1;
}

export interface PhotoVerdict {
  isStaged: boolean;
  /** The staged picture that it looks like most; null when none shows the same room. */
  nearestId: string | null;
  /** Likeness to that picture and to its photo, where the two differ; -1 to 1. */
  likeStaged: number | null;
  likePhoto: number | null;
  /** A true photo may look like that picture. */
  isQuestion: boolean;
}

/** Records a verdict. False when the claim was lost meanwhile: the photo is due again, or gone. */
export async function recordVerdict(
  pool: Pool,
  { imageId, claim }: ClaimedPhoto,
  { isStaged, nearestId, likeStaged, likePhoto, isQuestion }: PhotoVerdict,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE photo_checks SET verdict = $3, "checkedAt" = clock_timestamp(), "nearestId" = $4, "likeStaged" = $5,
       "likePhoto" = $6, "isQuestion" = $7, "nextTryAt" = NULL, claim = NULL
     WHERE "imageId" = $1 AND claim = $2`,
    [
      imageId,
      claim,
      isStaged ? 'STAGED_PICTURE' : 'PHOTO',
      nearestId,
      likeStaged,
      likePhoto,
      isStaged && isQuestion,
    ],
  );
  return rowCount === 1;
}

/** Ends a try without a verdict; it is repeated after `inMs`. `counts` is false for an outage of ours. */
export async function postponePhoto(
  pool: Pool,
  { imageId, claim }: ClaimedPhoto,
  { inMs, counts }: { inMs: number; counts: boolean },
): Promise<void> {
  await pool.query(`UPDATE photo_checks ${releaseSet('$3', '$4')} WHERE "imageId" = $1 AND claim = $2`, [
    imageId,
    claim,
    inMs,
    counts,
  ]);
}
