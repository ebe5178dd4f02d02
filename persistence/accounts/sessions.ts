import type { Pool } from 'pg';
import { type Millis, withMillis } from '../database/instants.ts';
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

/** Called after a sign-in: ends the sessions above the limit. */
export async function endExcessSessions(pool: Pool, userId: string): Promise<void> {
  await pool.query(
    `DELETE FROM session WHERE "userId" = $1 AND id IN (
       SELECT id FROM session WHERE "userId" = $1 ORDER BY "lastUsedAt" DESC, "createdAt" DESC, id OFFSET $2)`,
    [userId, MAX_SESSIONS_PER_PERSON],
  );
}
