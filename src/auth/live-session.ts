import type { Pool } from 'pg';
import { noteSessionUse, renewSession, unexpiredSessions } from '../../persistence/accounts/sessions.ts';
import type { SignedSession } from './session-cookie.ts';

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
  const rows = await unexpiredSessions(
    pool,
    candidates.map(({ token }) => token),
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
  await noteSessionUse(pool, { sessionId: id, at, before });
}

const DAY_MS = 86_400_000;
/** A session that is not used ends after this time. */
export const SESSION_MS = 7 * DAY_MS;
/** Every session ends after this time, however much it is used. */
const LONGEST_SESSION_MS = 30 * DAY_MS;

/**
 * Moves the end of a session that is in use, at most once a day. better-auth does not renew (`disableSessionRefresh`): it
 * knows no latest end, and would write with every request once that end is near.
 * @returns the new end, or null when it stays
 */
export async function renewed(
  pool: Pool,
  { id, createdAt, expiresAt }: { id: string; createdAt: Date; expiresAt: Date },
  at: number,
): Promise<Date | null> {
  const end = new Date(Math.min(at + SESSION_MS, createdAt.getTime() + LONGEST_SESSION_MS));
  if (end.getTime() - expiresAt.getTime() < DAY_MS) return null;
  await renewSession(pool, { sessionId: id, expiresAt: end });
  return end;
}
