import { verifySession } from '../../../persistence/accounts/account-codes.ts';
import { endOtherSessions, endSession, liveSessions } from '../../../persistence/accounts/sessions.ts';
import { clearedSessionCookie } from '../../auth/session-cookie.ts';
import { PublicError } from '../../errors/errors.ts';
import { coarseNetworkOf } from '../../limits/client-network.ts';
import { logSecurityEvent } from '../../security-events.ts';
import { codeInput, codeMailedOutput } from '../../wire/data-export.ts';
import {
  listSessionsOutput,
  revokeOthersOutput,
  revokeSessionInput,
  revokeSessionOutput,
  toShownSession,
  verifySessionOutput,
} from '../../wire/sessions.ts';
import { iso, noInput } from '../../wire/text.ts';
import { sessionProcedure } from '../base.ts';
import type { Services } from '../services.ts';
import { verifiedUntil } from '../verified-session.ts';

/**
 * The procedures of `users.*` about the caller's sessions. Every call reads its session, so an ended session stops
 * working at once.
 */
export function sessionProcedures({ pool, clock, logger, accountCodes, settings }: Services) {
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
      .mutation(async ({ ctx: { user, request, responseHeaders }, input: { sessionId } }) => {
        if (!(await endSession(pool, { userId: user.id, sessionId }))) throw new PublicError('NOT_FOUND');
        const network = coarseNetworkOf(request.remoteAddress);
        logSecurityEvent(logger, 'SESSIONS_ENDED', { userId: user.id, ended: 1, network });
        // Also replaces a renewed cookie.
        if (sessionId === user.sessionId) responseHeaders.set('set-cookie', cleared);
        return { sessionId, ended: true };
      }),
    revokeOtherSessions: sessionProcedure
      .meta({ whileSuspended: true, errors: ['NOT_YET_DURABLE'] })
      .input(noInput)
      .output(revokeOthersOutput)
      .mutation(async ({ ctx: { user, request } }) => {
        const ended = await endOtherSessions(pool, { userId: user.id, sessionId: user.sessionId });
        const network = coarseNetworkOf(request.remoteAddress);
        logSecurityEvent(logger, 'SESSIONS_ENDED', { userId: user.id, ended, network });
        return { ended };
      }),
    requestVerification: sessionProcedure
      .meta({ whileSuspended: true })
      .input(noInput)
      .output(codeMailedOutput)
      .mutation(async ({ ctx: { user, request } }) => {
        const { id: userId, email, locale } = user;
        await accountCodes.mail({ userId, ip: request.remoteAddress, email, locale }, 'verification');
        return { codeSent: true };
      }),
    verifySession: sessionProcedure
      .meta({ whileSuspended: true, errors: ['CODE_INVALID'] })
      .input(codeInput)
      .output(verifySessionOutput)
      .mutation(async ({ ctx: { user, request }, input: { code } }) => {
        const caller = { userId: user.id, ip: request.remoteAddress };
        const codeHash = await accountCodes.check(caller, { purpose: 'verification', code });
        const at = clock.now();
        const session = { userId: user.id, sessionId: user.sessionId };
        if (!(await verifySession(pool, { ...session, codeHash, at }))) throw new PublicError('CODE_INVALID');
        return { verifiedUntil: iso(verifiedUntil(at)) };
      }),
  };
}
