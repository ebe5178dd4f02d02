import type { Pool } from 'pg';
import { toDate } from '../../persistence/database/instants.ts';
import type { SignedSession } from './session-cookie.ts';

/** How long the cookie's earlier name stays valid, for sessions created by earlier releases. */
const EARLIER_NAME_DAYS = 7;

/** The session of a request, chosen among its cookies. */
export interface ChosenSession extends SignedSession {
  /** Null when the session was not looked up here: the caller reads it anyway. */
  readonly secondsLeft: number | null;
}

/**
 * The first live session; null when there is none. A single cookie under the present name is not looked up here.
 * All others are looked up in one query, and only those with our signature.
 */
export async function chooseSession(
  pool: Pool,
  candidates: readonly SignedSession[],
): Promise<ChosenSession | null> {
  const [first] = candidates;
  if (first === undefined) return null;
  if (candidates.length === 1 && !first.isEarlierName) return { ...first, secondsLeft: null };
  const { rows } = await pool.query<{ token: string; secondsLeft: number; hasEarlierName: boolean }>(
    `SELECT token, floor(extract(epoch FROM "expiresAt" - now()))::integer AS "secondsLeft",
       coalesce("earlierNameSince" > now() - make_interval(days => $2), false) AS "hasEarlierName"
     FROM session WHERE token = ANY ($1) AND "expiresAt" > now()`,
    [candidates.map(({ token }) => token), EARLIER_NAME_DAYS],
  );
  for (const candidate of candidates) {
    const row = rows.find(({ token }) => token === candidate.token);
    if (row !== undefined && (!candidate.isEarlierName || row.hasEarlierName)) {
      return { ...candidate, secondsLeft: row.secondsLeft };
    }
  }
  return null;
}

/** The time of last use is written at most this often. */
const USE_NOTED_MS = 60 * 60_000;

/** Records when the session was last used, to the hour. */
export async function noteUse(
  pool: Pool,
  { id, lastUsedAt }: { id: string; lastUsedAt?: Date | null | undefined },
  at: number,
): Promise<void> {
  const before = at - USE_NOTED_MS;
  if (lastUsedAt == null || lastUsedAt.getTime() > before) return;
  // Of several concurrent requests, one writes.
  await pool.query(`UPDATE session SET "lastUsedAt" = $2 WHERE id = $1 AND "lastUsedAt" <= $3`, [
    id,
    toDate(at),
    toDate(before),
  ]);
}
