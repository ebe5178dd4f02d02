import { endSession, liveSessions } from '../../../persistence/accounts/sessions.ts';
import { clearedSessionCookie } from '../../auth/session-cookie.ts';
import { PublicError } from '../../errors/errors.ts';
import {
  listSessionsOutput,
  revokeSessionInput,
  revokeSessionOutput,
  toShownSession,
} from '../../wire/sessions.ts';
import { noInput } from '../../wire/text.ts';
import { sessionProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/**
 * The procedures of `users.*` about the caller's sessions. Every call reads its session, so an ended session stops
 * working at once.
 */
export function sessionProcedures({ pool, settings }: Services) {
  const cleared = clearedSessionCookie(settings.publicBaseUrl);
  return {
    listSessions: sessionProcedure
      .input(noInput)
      .output(listSessionsOutput)
      .query(async ({ ctx: { user } }) => {
        const sessions = await liveSessions(pool, user.id);
        return { sessions: sessions.map((session) => toShownSession(session, user.sessionId)) };
      }),
    revokeSession: sessionProcedure
      .meta({ whileSuspended: true, errors: ['NOT_FOUND', 'NOT_YET_DURABLE'] })
      .input(revokeSessionInput)
      .output(revokeSessionOutput)
      .mutation(async ({ ctx: { user, responseHeaders }, input: { sessionId } }) => {
        if (!(await endSession(pool, { userId: user.id, sessionId }))) throw new PublicError('NOT_FOUND');
        // Also replaces a renewed cookie.
        if (sessionId === user.sessionId) responseHeaders.set('set-cookie', cleared);
        return { sessionId, ended: true };
      }),
  };
}
