import type { PoolClient } from 'pg';
import { prepared } from '../database/prepared.ts';
import type { StartPlace } from './actor-store.ts';

/**
 * The start rate (`start_places`): over all workers, at most `limit` purchases begin in any interval of 60 s. The table
 * has as many places as the limit allows starts. A start takes, in its transaction, the place that was used longest
 * ago, if that was at least 60 s ago. Of any `limit + 1` starts two share a place, so they are 60 s apart. All times
 * are the database's, so workers' clocks do not matter. A start that is rolled back uses no place.
 *
 * Roles with different limits share the first places: in no interval do more begin than the greater limit allows.
 */
export const START_WINDOW_MS = 60_000;
/** How many places there are (migration 0033); no role accepts a greater limit. */
export const MAX_STARTS_PER_MINUTE = 600;
/** The shortest wait of a start without room: the next place may be locked just now. */
const SHORTEST_WAIT_MS = 1_000;

/**
 * CTEs that take a place, the last of them `used`: its instant, if one was free. Skips places that other transactions
 * have locked, so that no start waits for another's commit.
 */
export const takePlace = (perMinute: string, onlyIf = 'true'): string => `
  free AS (
    SELECT place FROM start_places
    WHERE place <= ${perMinute} AND "usedAt" <= clock_timestamp() - interval '${START_WINDOW_MS} milliseconds'
      AND ${onlyIf}
    ORDER BY "usedAt", place LIMIT 1 FOR UPDATE SKIP LOCKED
  ), used AS (
    UPDATE start_places p SET "usedAt" = clock_timestamp() FROM free WHERE p.place = free.place
    RETURNING floor(extract(epoch FROM p."usedAt") * 1000)::float8 AS at
  )`;
const TAKE_PLACE = `WITH ${takePlace('$1')} SELECT at FROM used`;

/** A place with a time in the future (the clock was set back) counts as used now. */
const FORGET_FUTURE = `
  UPDATE start_places p SET "usedAt" = clock_timestamp() FROM (
    SELECT place FROM start_places WHERE "usedAt" > clock_timestamp() + interval '1 second' FOR UPDATE SKIP LOCKED
  ) future WHERE p.place = future.place`;

const NEXT_FREE = `
  SELECT (${START_WINDOW_MS} - extract(epoch FROM clock_timestamp() - min("usedAt")) * 1000)::float8 AS "waitMs"
  FROM start_places WHERE place <= $1`;

/** Runs in the open transaction of a start; the place is used only if that commits. */
export async function takeStartPlace(client: PoolClient, perMinute: number): Promise<StartPlace> {
  const taken = await client.query<{ at: number }>(prepared(TAKE_PLACE, [perMinute]));
  if (taken.rows[0]) return taken.rows[0];
  await client.query(FORGET_FUTURE);
  const { rows } = await client.query<{ waitMs: number }>(NEXT_FREE, [perMinute]);
  const waitMs = Math.ceil(rows[0]?.waitMs ?? 0);
  return { waitMs: Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), START_WINDOW_MS) };
}
