import type { Pool } from 'pg';
import type { Pad } from '../../machines/framing.ts';
import type { DriftFlag } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { padColumn } from '../database/staged-frame.ts';
import { stagedStyleJoin } from '../database/staged-style.ts';
import { releaseGuards, type UploadGuards } from './upload-guards.ts';

/**
 * The comparisons of staged pictures with their photos (docs/contract.md#drift). Triggers of 0061 make the row with the
 * picture and end it with the picture. Always true: a result is written once; it decides nothing but whether a picture
 * may be approved together with others.
 */

/** A rectangle as shares of the photo's width and height, from 0 to 1. */
export interface DriftBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** What is shown of a result. */
export interface DriftView {
  /** 0 (nothing found) to 1; for sorting only. */
  score: number;
  geometryMoved: boolean;
  flags: DriftFlag[];
  /** New things above the height of furniture, for people to look at. */
  boxes: DriftBox[];
}

export interface DriftResult extends DriftView {
  /** The version of the algorithm and its thresholds. */
  algorithm: number;
  /** All numbers that the flags come from, by name. */
  measures: Readonly<Record<string, number>>;
}

/** A result as it is read for answers; null while there is none. */
export type StoredDrift = DriftView & { comparedAt: number; hasHeatMap: boolean };

/** Tries of one comparison; a crash counts as one. */
export const MAX_DRIFT_TRIES = 3;

/** The result of the staged image with alias `v`, as one column; null without one. */
export function driftColumn(v: string): string {
  return `(SELECT jsonb_build_object('score', d.score, 'geometryMoved', d."geometryMoved", 'flags', d.flags,
      'boxes', d.boxes, 'hasHeatMap', d."heatMapKey" IS NOT NULL,
      'comparedAt', floor(extract(epoch FROM d."comparedAt") * 1000))
    FROM drift_comparisons d WHERE d."stagedImageId" = ${v}.id AND d."comparedAt" IS NOT NULL) AS drift`;
}

/** A comparison that a worker has claimed, with what it reads. */
export interface ClaimedDrift {
  imageId: string;
  /** This try, from 1. */
  tries: number;
  stagedKey: string;
  originalKey: string;
  pad: Pad | null;
}

/**
 * Claims the newest due comparison and counts a try; null when none is due. Agents wait for new pictures, so older ones
 * come last. Until `heldUntil` no other worker takes it; after a crash it is due again then.
 */
export function claimDrift(
  pool: Pool,
  { at, heldUntil }: { at: number; heldUntil: number },
): Promise<ClaimedDrift | null> {
  return inTransaction(pool, async (client) => {
    const { rows: claimed } = await client.query<{ imageId: string; tries: number }>(
      `UPDATE drift_comparisons SET tries = tries + 1, "nextTryAt" = $2
       WHERE "stagedImageId" = (
         SELECT "stagedImageId" FROM drift_comparisons
         WHERE "nextTryAt" <= $1 AND tries < ${MAX_DRIFT_TRIES}
         ORDER BY "createdAt" DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING "stagedImageId" AS "imageId", tries`,
      [toDate(at), toDate(heldUntil)],
    );
    if (claimed[0] === undefined) return null;
    const { rows } = await client.query<Omit<ClaimedDrift, 'tries'>>(
      `SELECT v.id AS "imageId", v."objectKey" AS "stagedKey", o."objectKey" AS "originalKey", ${padColumn('staged_by')}
       FROM property_images v JOIN property_images o ON o.id = v."styledFromId" ${stagedStyleJoin('v')}
       WHERE v.id = $1`,
      [claimed[0].imageId],
    );
    return rows[0] ? { ...rows[0], tries: claimed[0].tries } : null;
  });
}

/**
 * Writes the result, once, and removes the guards of the heat map, if there is one. False when the picture is gone or
 * another worker has written it: the guards stay, and the sweep deletes the heat map.
 * @throws UploadExpired when the sweep has taken the heat map; nothing is written then.
 */
export function recordDrift(
  pool: Pool,
  { imageId, result, at }: { imageId: string; result: DriftResult; at: number },
  heatMap: { key: string; guards: UploadGuards } | null,
): Promise<boolean> {
  const { score, flags, geometryMoved: moved, boxes, measures, algorithm } = result;
  return inTransaction(pool, async (client) => {
    // Serializes this with a deletion, which locks the picture first and ends the row by its trigger.
    const { rowCount: found } = await client.query(
      'SELECT FROM property_images WHERE id = $1 FOR KEY SHARE',
      [imageId],
    );
    if (found !== 1) return false;
    const { rowCount } = await client.query(
      `UPDATE drift_comparisons SET "comparedAt" = $2, "nextTryAt" = NULL, score = $3, flags = $4,
         "geometryMoved" = $5, boxes = $6, measures = $7, algorithm = $8, "heatMapKey" = $9
       WHERE "stagedImageId" = $1 AND "comparedAt" IS NULL`,
      [
        imageId,
        toDate(at),
        score,
        flags,
        moved,
        JSON.stringify(boxes),
        JSON.stringify(measures),
        algorithm,
        heatMap?.key ?? null,
      ],
    );
    if (rowCount !== 1) return false;
    if (heatMap !== null) await releaseGuards(client, heatMap.guards);
    return true;
  });
}

/**
 * Says when a try that failed is repeated; null gives the comparison up. `counts` is false for an outage of ours: the
 * try is given back. Only the holder of the try writes; false for any other.
 */
export async function postponeDrift(
  pool: Pool,
  { imageId, tries }: Pick<ClaimedDrift, 'imageId' | 'tries'>,
  { nextTryAt, counts }: { nextTryAt: number | null; counts: boolean },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE drift_comparisons SET "nextTryAt" = $3, tries = tries - $4
     WHERE "stagedImageId" = $1 AND tries = $2 AND "nextTryAt" IS NOT NULL`,
    [imageId, tries, nextTryAt === null ? null : toDate(nextTryAt), counts ? 0 : 1],
  );
  return rowCount === 1;
}

/** Gives up the comparisons whose last try ended with its worker; their ids. */
export async function giveUpLostDrifts(pool: Pool, at: number): Promise<string[]> {
  const { rows } = await pool.query<{ imageId: string }>(
    `UPDATE drift_comparisons SET "nextTryAt" = NULL
     WHERE "nextTryAt" <= $1 AND tries >= ${MAX_DRIFT_TRIES} RETURNING "stagedImageId" AS "imageId"`,
    [toDate(at)],
  );
  return rows.map(({ imageId }) => imageId);
}
