import type { Pool } from 'pg';
import { noteSessionUse, unexpiredSessions } from '../../persistence/accounts/sessions.ts';
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
