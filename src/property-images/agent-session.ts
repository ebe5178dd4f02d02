import type { Auth, SessionUser } from '../auth/auth.ts';
import { asSignedIn } from '../auth/route-session.ts';
import { PublicError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';

/**
 * Runs a route for a signed-in agent. Signed-out callers get UNAUTHORIZED; customers get NOT_FOUND, as everybody
 * does for whom there is nothing here. A renewed cookie goes out with the answer, whatever it is.
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
