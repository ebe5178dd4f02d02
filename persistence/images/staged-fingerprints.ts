import type { Pool } from 'pg';
import type { Pad } from '../../machines/framing.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { padColumn } from '../database/staged-frame.ts';
import { type Claim, claimSet, releaseSet } from './check-claims.ts';

/**
 * The fingerprints of staged pictures (docs/contract.md#intake). A trigger of 0123 makes the row with the picture. Always
 * true: a fingerprint is made once, and stays when picture, listing and account are gone. One that cannot be made says why,
 * so that no photo waits for it.
 */

/** The version of the algorithm and its thresholds. */
const FINGERPRINT_ALGORITHM = 1;
export const MAX_FINGERPRINT_TRIES = 3;

/** Why there is none: an object is gone, a picture cannot be read, or every try ended with its worker. */
export type GivenUp = 'OBJECT_MISSING' | 'UNREADABLE' | 'TRIES';

export interface ClaimedFingerprint extends Claim {
  stagedImageId: string;
  stagedKey: string;
  originalKey: string;
  pad: Pad | null;
}

const DUE = `f."nextTryAt" <= clock_timestamp() AND f.tries < ${MAX_FINGERPRINT_TRIES}`;

/** Of a listing whose photos wait for it. */
const WAITED_FOR = `
  SELECT f."stagedImageId" FROM photo_checks c JOIN staged_fingerprints f ON f."propertyId" = c."propertyId"
    AND f."createdAt" <= c."createdAt" AND ${DUE}
  WHERE NOT c."isOlder" AND c."nextTryAt" IS NOT NULL AND c.verdict IS NULL
  ORDER BY c."createdAt" LIMIT 1 FOR UPDATE OF f SKIP LOCKED`;
const NEWEST = `
  SELECT f."stagedImageId" FROM staged_fingerprints f WHERE ${DUE}
  ORDER BY f."createdAt" DESC LIMIT 1 FOR UPDATE SKIP LOCKED`;

/** Claims a due fingerprint and counts a try: one that photos wait for, else the newest. Null when none is due. */
export async function claimFingerprint(pool: Pool): Promise<ClaimedFingerprint | null> {
  for (const which of [WAITED_FOR, NEWEST]) {
    const { rows } = await pool.query<ClaimedFingerprint>(
      `WITH claimed AS (
         UPDATE staged_fingerprints ${claimSet} WHERE "stagedImageId" = (${which}) RETURNING *)
       SELECT claimed."stagedImageId", claimed."stagedKey", claimed."originalKey", claimed.tries, claimed.claim,
         ${padColumn('made_by')}
       FROM claimed LEFT JOIN ai_room_staging_jobs made_by ON made_by."aiJobId" = claimed."aiJobId"`,
    );
    if (rows[0] !== undefined) return rows[0];
  }
  return null;
}

export interface MadeFingerprint {
  /** Sealed (src/images/fingerprints/sealed-pictures.ts). */
  pictures: Uint8Array;
  margins: readonly number[];
  keys: readonly { key: number; hash: string }[];
  isEmptied: boolean;
}

/**
 * Stores a fingerprint, once. Photos of the listing that were uploaded since the picture was there, and looked up without
 * it, are due again. False when another worker has the claim.
 */
export function recordFingerprint(
  pool: Pool,
  { stagedImageId, claim }: ClaimedFingerprint,
  { pictures, margins, keys, isEmptied }: MadeFingerprint,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ propertyId: string }>(
      `UPDATE staged_fingerprints SET "madeAt" = clock_timestamp(), algorithm = ${FINGERPRINT_ALGORITHM}, pictures = $3,
         margins = $4, "isQuestion" = "isQuestion" OR $5, "nextTryAt" = NULL, claim = NULL, "stagedKey" = NULL,
         "originalKey" = NULL
       WHERE "stagedImageId" = $1 AND claim = $2 AND "madeAt" IS NULL RETURNING "propertyId"`,
      [stagedImageId, claim, Buffer.from(pictures), margins, isEmptied],
    );
    if (rows[0] === undefined) return false;
    await client.query(
      `INSERT INTO staged_fingerprint_keys (key, hash, "stagedImageId")
       SELECT key, hash, $3 FROM unnest($1::int[], $2::bigint[]) AS of (key, hash) ON CONFLICT DO NOTHING`,
      [keys.map(({ key }) => key), keys.map(({ hash }) => hash), stagedImageId],
    );
    await client.query(
      `UPDATE photo_checks c SET "nextTryAt" = clock_timestamp(), claim = NULL, tries = 0
       FROM staged_fingerprints f WHERE f."stagedImageId" = $1 AND c."propertyId" = f."propertyId"
         AND c."createdAt" >= f."createdAt" AND c.answer IS NULL AND (c.verdict = 'PHOTO' OR c.claim IS NOT NULL)`,
      [stagedImageId],
    );
    return true;
  });
}

/** Ends a try: it is repeated after `inMs`, or given up. Only the holder of the claim writes; false for any other. */
export async function endFingerprintTry(
  pool: Pool,
  { stagedImageId, claim }: ClaimedFingerprint,
  end: { inMs: number; counts: boolean } | { givenUp: GivenUp },
): Promise<boolean> {
  if ('givenUp' in end) {
    const { rowCount } = await pool.query(
      `UPDATE staged_fingerprints SET "nextTryAt" = NULL, claim = NULL, "givenUp" = $3
       WHERE "stagedImageId" = $1 AND claim = $2`,
      [stagedImageId, claim, end.givenUp],
    );
    return rowCount === 1;
  }
  const { rowCount } = await pool.query(
    `UPDATE staged_fingerprints ${releaseSet('$3', '$4')} WHERE "stagedImageId" = $1 AND claim = $2`,
    [stagedImageId, claim, end.inMs, end.counts],
  );
  return rowCount === 1;
}

/** Gives up the fingerprints whose last try ended with its worker; their ids. */
export async function giveUpLostFingerprints(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `UPDATE staged_fingerprints SET "nextTryAt" = NULL, claim = NULL, "givenUp" = 'TRIES'
     WHERE "nextTryAt" <= clock_timestamp() AND tries >= ${MAX_FINGERPRINT_TRIES} RETURNING "stagedImageId" AS id`,
  );
  return rows.map(({ id }) => id);
}

/** A fingerprint that a photo may be. */
export interface CandidateFingerprint {
  stagedImageId: string;
  pictures: Buffer;
  margins: [number, number, number, number];
  /** Of the photo's own listing. */
  isOfListing: boolean;
  isQuestion: boolean;
}

/** Of a listing: far more than its photos have staged pictures. */
const MOST_OF_LISTING = 120;
const MOST_ELSEWHERE = 24;
/** Bits of 64. */
const NEAR = 10;

/**
 * The fingerprints with a hash near to one of the probes, the nearest first; then those of the photo's own listing. A photo
 * is no picture that was made after its upload.
 */
export async function candidateIds(
  pool: Pool,
  {
    imageId,
    propertyId,
    keys,
    hashes,
  }: { imageId: string; propertyId: string; keys: Int32Array; hashes: readonly string[] },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH photo AS (SELECT "createdAt" AS at FROM photo_checks WHERE "imageId" = $4), near AS (
       SELECT k."stagedImageId" AS id, min(bit_count((k.hash # probe.hash)::bit(64))) AS distance
       FROM unnest($2::int[], $3::bigint[]) AS probe (key, hash) JOIN staged_fingerprint_keys k ON k.key = probe.key
         JOIN staged_fingerprints f ON f."stagedImageId" = k."stagedImageId"
       WHERE bit_count((k.hash # probe.hash)::bit(64)) <= ${NEAR} AND f."createdAt" <= (SELECT at FROM photo)
       GROUP BY k."stagedImageId"
       ORDER BY distance, id LIMIT ${MOST_ELSEWHERE}), own AS (
       SELECT "stagedImageId" AS id, "createdAt" FROM staged_fingerprints
       WHERE "propertyId" = $1 AND "madeAt" IS NOT NULL AND "createdAt" <= (SELECT at FROM photo)
       ORDER BY "createdAt" DESC LIMIT ${MOST_OF_LISTING})
     SELECT id FROM near FULL JOIN own USING (id)
     ORDER BY near.distance NULLS LAST, own."createdAt" DESC NULLS LAST, id`,
    [propertyId, [...keys], hashes, imageId],
  );
  return rows.map(({ id }) => id);
}

/** The fingerprints with these ids, in their order. */
export async function readFingerprints(
  pool: Pool,
  { ids, propertyId }: { ids: readonly string[]; propertyId: string },
): Promise<CandidateFingerprint[]> {
  const { rows } = await pool.query<CandidateFingerprint>(
    `SELECT f."stagedImageId", f.pictures, f.margins, f."propertyId" = $2 AS "isOfListing", f."isQuestion"
     FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, place)
       JOIN staged_fingerprints f ON f."stagedImageId" = wanted.id ORDER BY wanted.place`,
    [ids, propertyId],
  );
  return rows;
}
