import type { Auth, SessionUser } from '../../auth/auth.ts';
import { asSignedIn } from '../../auth/route-session.ts';
import { PublicError } from '../../errors/errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';

/**
 * Runs a route for a signed-in agent. Signed-out callers get UNAUTHORIZED; customers get NOT_FOUND. A renewed cookie
 * goes out with any answer.
 */
export function asAgent(
  auth: Pick<Auth, 'resolveSession'>,
  request: HttpRequest,
  work: (agent: SessionUser) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return asSignedIn(auth, request, async (user) => {
    if (user.role !== 'agent') throw new PublicError('NOT_FOUND');
    return work(user);
  });
}
