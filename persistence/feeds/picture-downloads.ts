import type { Pool, PoolClient } from 'pg';
import type { MediaAlteration } from '../../machines/disclosure/alterations.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import type { Reader } from '../database/reader.ts';
import { arrangePictures } from './feed-media.ts';

/**
 * The downloads of the pictures that feeds name (`feed_media`, docs/feeds-in.md#pictures). Always true: one download has the
 * claim of a row, and only it changes what became of the row; a page of the feed that says something else takes the claim
 * away, and the download is then for nothing. A claim ends by itself when its worker dies. All times are the database's.
 */
export interface ClaimedPicture {
  propertyId: string;
  key: string;
  /** The id of the picture that it becomes. */
  claim: string;
  url: string;
  /** With this one. */
  attempts: number;
  alteration: MediaAlteration | null;
  /** Of the file that the picture of now came from, in hexadecimal digits; null without such a picture. */
  knownChecksum: string | null;
}

/** Longer than a download may take, with its decoding and storing. */
const CLAIM_MS = 300_000;

/** Feeds with a picture that is due, and that no answer of theirs keeps waiting. */
export async function feedsWithPictures(pool: Reader): Promise<string[]> {
  const isDue = (isFirst: boolean) => `EXISTS (SELECT FROM feed_media m
    WHERE m."feedId" = f.id AND m."isFirst" = ${isFirst} AND m."nextAttemptAt" <= clock_timestamp())`;
  const { rows } = await pool.query<{ id: string }>(
    `SELECT f.id FROM feeds f
     WHERE f.status IN ('REPLICATING', 'RECONCILING', 'WAITING')
       AND coalesce(f."mediaPausedUntil" <= clock_timestamp(), true) AND (${isDue(true)} OR ${isDue(false)})
     ORDER BY f.id LIMIT 100`,
  );
  return rows.map(({ id }) => id);
}

/** Whether so many photos wait for their verdict: those of people must not wait for more of a feed. */
export async function hasUncheckedPhotos(pool: Reader, most: number): Promise<boolean> {
  const { rows } = await pool.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (SELECT FROM photo_checks
       WHERE NOT "isOlder" AND verdict IS NULL AND "nextTryAt" IS NOT NULL LIMIT $1) waiting`,
    [most],
  );
  return (rows[0]?.waiting ?? 0) >= most;
}

/** Claims a due picture and counts an attempt: the first ones of all listings before the others. Null when none is due. */
export async function claimPicture(
  pool: Pool,
  { feedId, claim }: { feedId: string; claim: string },
): Promise<ClaimedPicture | null> {
  for (const isFirst of [true, false]) {
    const { rows } = await pool.query<ClaimedPicture>(
      `UPDATE feed_media m SET claim = $2, attempts = m.attempts + 1,
         "nextAttemptAt" = clock_timestamp() + ${CLAIM_MS} * interval '1 millisecond'
       WHERE (m."propertyId", m.key) = (
         SELECT d."propertyId", d.key FROM feed_media d
         WHERE d."feedId" = $1 AND d."isFirst" = $3 AND d."nextAttemptAt" <= clock_timestamp()
         ORDER BY d."nextAttemptAt" LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING m."propertyId", m.key, m.claim, m.url, m.attempts, m.alteration,
         CASE WHEN m."imageId" IS NOT NULL THEN encode(m.checksum, 'hex') END AS "knownChecksum"`,
      [feedId, claim, isFirst],
    );
    if (rows[0] !== undefined) return rows[0];
  }
  return null;
}

type Claim = Pick<ClaimedPicture, 'propertyId' | 'key' | 'claim'>;
const OF_CLAIM = '"propertyId" = $1 AND key = $2 AND claim = $3';
const claimOf = ({ propertyId, key, claim }: Claim) => [propertyId, key, claim];

/** Ends a download without a result; the next one is after `inMs`. `counts` is false when the feed is not to blame. */
export async function postponePicture(
  pool: Pool,
  claimed: Claim,
  { inMs, counts }: { inMs: number; counts: boolean },
): Promise<void> {
  await pool.query(
    `UPDATE feed_media SET claim = NULL, attempts = attempts - CASE WHEN $5 THEN 0 ELSE 1 END,
       "nextAttemptAt" = clock_timestamp() + $4 * interval '1 millisecond' WHERE ${OF_CLAIM}`,
    [...claimOf(claimed), inMs, counts],
  );
}

/** The file is the one that the picture of now came from. */
export async function keepPicture(pool: Pool, claimed: Claim): Promise<void> {
  await pool.query(
    `UPDATE feed_media SET state = 'TAKEN', attempts = 0, "nextAttemptAt" = NULL, claim = NULL
     WHERE ${OF_CLAIM} AND "imageId" IS NOT NULL`,
    claimOf(claimed),
  );
}

/**
 * The picture that the download became, in the transaction that stores it: it replaces the one of before. The listing is
 * locked. False when the claim is lost: the picture must not be stored.
 */
export async function takePicture(client: PoolClient, claimed: Claim, checksum: string): Promise<boolean> {
  if (!(await removePictureOf(client, claimed))) return false;
  await client.query(
    `UPDATE feed_media SET state = 'TAKEN', "imageId" = $3, checksum = decode($4, 'hex'), attempts = 0,
       "nextAttemptAt" = NULL, claim = NULL
     WHERE ${OF_CLAIM}`,
    [...claimOf(claimed), checksum],
  );
  await arrangePictures(client, [claimed.propertyId]);
  return true;
}

/** It is no picture here, and neither is the one of before. */
export function refusePicture(pool: Pool, claimed: Claim, reason: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT FROM properties WHERE id = $1 FOR NO KEY UPDATE', [claimed.propertyId]);
    if (!(await removePictureOf(client, claimed))) return;
    await client.query(
      `UPDATE feed_media SET state = 'REFUSED', reason = $4, "nextAttemptAt" = NULL, claim = NULL WHERE ${OF_CLAIM}`,
      [...claimOf(claimed), reason],
    );
    await arrangePictures(client, [claimed.propertyId]);
  });
}

async function removePictureOf(client: PoolClient, claimed: Claim): Promise<boolean> {
  const { rows } = await client.query<{ imageId: string | null }>(
    `SELECT "imageId" FROM feed_media WHERE ${OF_CLAIM} FOR UPDATE`,
    claimOf(claimed),
  );
  if (rows[0] === undefined) return false;
  await client.query('DELETE FROM property_images WHERE id = $1', [rows[0].imageId]);
  return true;
}

/** The feed asked for a pause: no worker downloads its pictures until then. */
export async function pausePictures(pool: Pool, feedId: string, ms: number): Promise<void> {
  await pool.query(
    `UPDATE feeds SET "mediaPausedUntil" = clock_timestamp() + $2 * interval '1 millisecond' WHERE id = $1`,
    [feedId, ms],
  );
}

const MAX_PICTURES_COUNTED = 100_000;
/** Pictures that wait for their download, counted up to 100,000. */
export async function waitingPictures(pool: Reader): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (SELECT FROM feed_media WHERE "nextAttemptAt" IS NOT NULL
       LIMIT ${MAX_PICTURES_COUNTED}) waiting`,
  );
  return rows[0]?.waiting ?? 0;
}
