import type { Pool } from 'pg';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import type { Session } from '../entities/user.ts';

/** Sessions. A person has at most this many; a new session ends the least recently used ones. */
export const MAX_SESSIONS_PER_PERSON = 20;

type SessionRow = Pick<Session, 'ipAddress' | 'userAgent' | 'createdAt' | 'lastUsedAt'> & {
  sessionId: string;
};
export type LiveSession = Millis<SessionRow>;

/** The person's unexpired sessions, the last used first. */
export async function liveSessions(pool: Pool, userId: string): Promise<LiveSession[]> {
  const { rows } = await pool.query<SessionRow>(
    `SELECT id AS "sessionId", "createdAt", "lastUsedAt", "ipAddress", "userAgent" FROM session
     WHERE "userId" = $1 AND "expiresAt" > now() ORDER BY "lastUsedAt" DESC, id LIMIT $2`,
    [userId, MAX_SESSIONS_PER_PERSON],
  );
  return rows.map(withMillis);
}

/** False when the person has no such session; the session of another person counts as none. */
export async function endSession(
  pool: Pool,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  const { rowCount } = await pool.query('DELETE FROM session WHERE id = $1 AND "userId" = $2', [
    sessionId,
    userId,
  ]);
  return rowCount === 1;
}

/** Ends all sessions of the person but this one. @returns how many ended */
export async function endOtherSessions(
  pool: Pool,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<number> {
  const { rowCount } = await pool.query('DELETE FROM session WHERE "userId" = $1 AND id <> $2', [
    userId,
    sessionId,
  ]);
  return rowCount ?? 0;
}

/** Called after a sign-in: ends the sessions above the limit. */
export async function endExcessSessions(pool: Pool, userId: string): Promise<void> {
  await pool.query(
    `DELETE FROM session WHERE "userId" = $1 AND id IN (
       SELECT id FROM session WHERE "userId" = $1 ORDER BY "lastUsedAt" DESC, "createdAt" DESC, id OFFSET $2)`,
    [userId, MAX_SESSIONS_PER_PERSON],
  );
}

/** How long the cookie's earlier name stays valid, for sessions created by earlier releases. */
const EARLIER_NAME_DAYS = 7;

export interface UnexpiredSession {
  readonly token: string;
  readonly secondsLeft: number;
  /** Whether the cookie may still have its earlier name. */
  readonly hasEarlierName: boolean;
}

/** The sessions with these tokens that have not expired. */
export async function unexpiredSessions(pool: Pool, tokens: readonly string[]): Promise<UnexpiredSession[]> {
  const { rows } = await pool.query<UnexpiredSession>(
    `SELECT token, floor(extract(epoch FROM "expiresAt" - now()))::integer AS "secondsLeft",
       coalesce("earlierNameSince" > now() - make_interval(days => $2), false) AS "hasEarlierName"
     FROM session WHERE token = ANY ($1) AND "expiresAt" > now()`,
    [tokens, EARLIER_NAME_DAYS],
  );
  return rows;
}

/** Records a use of the session, unless one after `before` is recorded: of several concurrent requests, one writes. */
export async function noteSessionUse(
  pool: Pool,
  { sessionId, at, before }: { sessionId: string; at: number; before: number },
): Promise<void> {
  await pool.query(`UPDATE session SET "lastUsedAt" = $2 WHERE id = $1 AND "lastUsedAt" <= $3`, [
    sessionId,
    toDate(at),
    toDate(before),
  ]);
}

/** Moves the session's end. Nothing happens when it was ended meanwhile. */
export async function renewSession(
  pool: Pool,
  { sessionId, expiresAt }: { sessionId: string; expiresAt: Date },
): Promise<void> {
  await pool.query('UPDATE session SET "expiresAt" = $2, "updatedAt" = now() WHERE id = $1', [
    sessionId,
    expiresAt,
  ]);
}
