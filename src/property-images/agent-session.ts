import type { Auth, SessionUser } from '../auth/auth.ts';
import { PublicError } from '../errors.ts';
import type { HttpHeader, HttpRequest, HttpResponse } from '../http/message.ts';
import { asPublicError, refusalResponse } from '../http/refusal-response.ts';
import { toWebHeaders } from '../http/web-bridge.ts';

/**
 * Runs a route for a signed-in agent. Signed-out callers get UNAUTHORIZED; customers get NOT_FOUND, as everybody
 * does for whom there is nothing here. A renewed cookie goes out with the answer, whatever it is.
 */
export async function asAgent(
  auth: Pick<Auth, 'resolveSession'>,
  request: HttpRequest,
  work: (agent: SessionUser) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { user, setCookies } = await auth.resolveSession(toWebHeaders(request));
  if (user === null) throw new PublicError('UNAUTHORIZED');
  if (user.role !== 'agent') throw new PublicError('NOT_FOUND');
  const response = await work(user).catch((error: unknown) => {
    const shown = asPublicError(error);
    // Faults are logged by the server, which needs the error itself.
    if (setCookies.length === 0 || shown.refusal.httpStatus >= 500) throw error;
    return refusalResponse(shown);
  });
  const cookies = setCookies.map((cookie): HttpHeader => ['set-cookie', cookie]);
  return { ...response, headers: [...response.headers, ...cookies] };
}
