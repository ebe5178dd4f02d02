import type { Pool } from 'pg';
import { type Stored, toDate, withMillis } from '../database/instants.ts';
import { isShownVariant } from '../database/listing-visibility.ts';
import { otherRoomShown } from '../database/shown-rooms.ts';
import { CONSOLE_KINDS } from './kinds.ts';
import { COUNTED_UP_TO } from './lists.ts';

/** A process that holds leases now, or has recorded its start. */
export interface NodeSeen {
  nodeId: string;
  /** `web` or `worker`; null when only its leases are known. */
  role: string | null;
  startedAt: number | null;
  /** Whether its settings equal those of the process that runs this query. */
  sameSettings: boolean | null;
  /** The number of jobs that it holds, and when the last of these leases expires. */
  jobs: number;
  heldUntil: number | null;
}

/** Holders of leases first, then the processes that started after `since`, the latest first. */
export async function nodesSeen(
  pool: Pool,
  { hash, since, limit }: { hash: string; since: number; limit: number },
): Promise<NodeSeen[]> {
  const { rows } = await pool.query<Stored<NodeSeen, 'startedAt' | 'heldUntil'>>(
    `WITH holders AS (
       SELECT "leaseOwner" AS "nodeId", count(*)::int AS jobs, max("leaseExpiresAt") AS "heldUntil"
       FROM ai_jobs WHERE "leaseOwner" IS NOT NULL GROUP BY "leaseOwner"
     ), started AS (
       SELECT "nodeId", role, "publishedAt" AS "startedAt", hash = $1 AS "sameSettings"
       FROM role_fingerprints WHERE "publishedAt" > $2
     )
     SELECT "nodeId", role, "startedAt", "sameSettings", coalesce(jobs, 0) AS jobs, "heldUntil"
     FROM holders FULL JOIN started USING ("nodeId")
     ORDER BY jobs DESC NULLS LAST, "startedAt" DESC NULLS LAST, "nodeId" LIMIT $3`,
    [hash, toDate(since), limit],
  );
  return rows.map(withMillis);
}

/** Actors of a kind that wait until an operator decides; counted up to `COUNTED_UP_TO` + 1. */
export async function countAwaitingOperator(pool: Pool, kind: 'imageReview' | 'tour'): Promise<number> {
  const { from, narrow } = CONSOLE_KINDS[kind];
  const { rows } = await pool.query<{ actors: number }>(
    `SELECT count(*)::int AS actors FROM (SELECT FROM ${from} WHERE ${narrow.awaitsOperator} LIMIT $1) waiting`,
    [COUNTED_UP_TO + 1],
  );
  return rows[0]?.actors ?? 0;
}

/** Pictures that show a photo as another kind of room than a second picture of it does; counted as those above. */
export async function countRoomDifferences(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pictures: number }>(
    `SELECT count(*)::int AS pictures FROM (
       SELECT FROM room_differences d JOIN property_images v ON v.id = d."stagedImageId"
       WHERE ${isShownVariant('v')} AND ${otherRoomShown('v')} LIMIT $1) shown`,
    [COUNTED_UP_TO + 1],
  );
  return rows[0]?.pictures ?? 0;
}

/** Quarantined jobs, which wait for a person; counted up to `COUNTED_UP_TO` + 1. */
export async function countQuarantined(pool: Pool): Promise<{ stagingJob: number; descriptionJob: number }> {
  const { rows } = await pool.query<{ staging: number; descriptions: number }>(
    `SELECT count(*) FILTER (WHERE type = 'ROOM_STAGING')::int AS staging,
       count(*) FILTER (WHERE type = 'DESCRIPTION')::int AS descriptions
     FROM (SELECT type FROM ai_jobs WHERE "quarantinedAt" IS NOT NULL LIMIT $1) aside`,
    [COUNTED_UP_TO + 1],
  );
  return { stagingJob: rows[0]?.staging ?? 0, descriptionJob: rows[0]?.descriptions ?? 0 };
}
