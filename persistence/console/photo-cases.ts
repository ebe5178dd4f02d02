import type { Pool } from 'pg';
import type { PhotoState } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { type ActTrail, actCount, recordAct } from './operator-acts.ts';

/** A photo that looks like a staged picture of ours, as operators see it (docs/contract.md#intake). */
export interface PhotoCase {
  imageId: string;
  propertyId: string;
  state: PhotoState;
  nearestId: string;
  /** 0 to 1, where the two pictures differ. */
  likeStaged: number;
  likePhoto: number;
  checkedAt: Date;
  /** Whose word there is that it is a true photo. */
  answeredBy: 'AGENT' | 'OPERATOR' | null;
  /** How many acts of operators there were about its listing. */
  version: number;
}

const CASES = `
  SELECT c."imageId", c."propertyId", i."photoState" AS state, c."nearestId", c."likeStaged", c."likePhoto",
    c."checkedAt", c."answeredBy", ${actCount('propertyId', 'c."propertyId"')} AS version
  FROM photo_checks c JOIN property_images i ON i.id = c."imageId" WHERE c.verdict = 'STAGED_PICTURE'`;

/** What is no final no, until an operator has decided. */
const IS_OPEN = `(c."isOlder" OR c."isQuestion") AND c."answeredBy" IS DISTINCT FROM 'OPERATOR'`;

/** Photos about which an operator has not decided, the oldest find first. */
export async function openPhotoCases(pool: Pool, limit: number): Promise<PhotoCase[]> {
  const { rows } = await pool.query<PhotoCase>(
    `${CASES} AND ${IS_OPEN} ORDER BY c."checkedAt", c."imageId" LIMIT $1`,
    [limit],
  );
  return rows;
}

/** The photo, when it looks like a staged picture; also a refused one. */
export async function photoCase(pool: Pool, imageId: string): Promise<PhotoCase | null> {
  const { rows } = await pool.query<PhotoCase>(`${CASES} AND c."imageId" = $1`, [imageId]);
  return rows[0] ?? null;
}

/** An operator's decision. False when it is shown, or refused, by an operator's decision already. */
export function decidePhoto(
  pool: Pool,
  { imageId, answer }: { imageId: string; answer: 'PHOTO' | 'STAGED_PICTURE' },
  trail: ActTrail,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ propertyId: string }>(
      `UPDATE photo_checks SET answer = $2, "answeredBy" = 'OPERATOR', "answeredAt" = $3, "answeredByUserId" = NULL
       WHERE "imageId" = $1 AND verdict = 'STAGED_PICTURE'
         AND ("answeredBy" IS DISTINCT FROM 'OPERATOR' OR answer <> $2) RETURNING "propertyId"`,
      [imageId, answer, toDate(trail.at)],
    );
    if (rows[0] === undefined) return false;
    const act = answer === 'PHOTO' ? 'accept-photo' : 'refuse-photo';
    await recordAct(client, { act, propertyId: rows[0].propertyId }, trail);
    return true;
  });
}
