import type { Pool } from 'pg';
import { type Millis, withMillis } from '../database/instants.ts';
import type { Session } from '../entities/user.ts';

/** Where people are signed in. A person has at most this many sessions; a new one ends those that were used longest ago. */
export const MAX_SESSIONS_PER_PERSON = 20;

type SessionRow = Pick<Session, 'ipAddress' | 'userAgent' | 'createdAt' | 'lastUsedAt'> & {
  sessionId: string;
};
export type LiveSession = Millis<SessionRow>;

/** The person's sessions that are not over, the last used first. */
export async function liveSessions(pool: Pool, userId: string): Promise<LiveSession[]> {
  const { rows } = await pool.query<SessionRow>(
    `SELECT id AS "sessionId", "createdAt", "lastUsedAt", "ipAddress", "userAgent" FROM session
     WHERE "userId" = $1 AND "expiresAt" > now() ORDER BY "lastUsedAt" DESC, id LIMIT $2`,
    [userId, MAX_SESSIONS_PER_PERSON],
  );
  return rows.map(withMillis);
}

/** False when the person has no such session; the session of another person is none. */
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

/** After a sign-in: ends what is more than a person may have. */
export async function endExcessSessions(pool: Pool, userId: string): Promise<void> {
  await pool.query(
    `DELETE FROM session WHERE "userId" = $1 AND id IN (
       SELECT id FROM session WHERE "userId" = $1 ORDER BY "lastUsedAt" DESC, "createdAt" DESC, id OFFSET $2)`,
    [userId, MAX_SESSIONS_PER_PERSON],
  );
}
