import type { Pool } from 'pg';
import { toDate } from '../../persistence/database/instants.ts';
import type { SignedSession } from './session-cookie.ts';

/** How long the cookie's earlier name stays valid for sessions that old processes began. */
const EARLIER_NAME_DAYS = 7;

/** The session of a request, chosen among its cookies. */
export interface ChosenSession extends SignedSession {
  /** Null when nothing had to be looked up: the caller reads the session anyway. */
  readonly secondsLeft: number | null;
}

/**
 * The first of the sessions that is alive; null when none is. A single cookie under the present name is not looked up
 * here. One query for all others, and only for those with our signature.
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

/** The use of a session is written at most this often. */
const USE_NOTED_MS = 60 * 60_000;

/** Notes when the session was used, to the hour. */
export async function noteUse(
  pool: Pool,
  { id, lastUsedAt }: { id: string; lastUsedAt?: Date | null | undefined },
  at: number,
): Promise<void> {
  const before = at - USE_NOTED_MS;
  if (lastUsedAt == null || lastUsedAt.getTime() > before) return;
  // Requests at the same time write once.
  await pool.query(`UPDATE session SET "lastUsedAt" = $2 WHERE id = $1 AND "lastUsedAt" <= $3`, [
    id,
    toDate(at),
    toDate(before),
  ]);
}
