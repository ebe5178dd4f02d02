import { PublicError } from '../errors/errors.ts';
import { asPublicError, errorResponse } from '../http/error-response.ts';
import type { HttpHeader, HttpRequest, HttpResponse } from '../http/message.ts';
import { readableHeaders } from '../http/web-bridge.ts';
import type { Auth, SessionUser } from './auth.ts';

/**
 * Runs a plain route with the caller's session, null when unauthenticated. A renewed cookie is sent with any
 * answer.
 */
export async function withSession(
  auth: Pick<Auth, 'resolveSession'>,
  request: HttpRequest,
  work: (user: SessionUser | null) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { user, setCookies } = await auth.resolveSession(readableHeaders(request));
  const response = await work(user).catch((error: unknown) => {
    const shown = asPublicError(error);
    // The server logs faults and needs the original error.
    if (setCookies.length === 0 || shown.httpStatus >= 500) throw error;
    return errorResponse(shown);
  });
  const cookies = setCookies.map((cookie): HttpHeader => ['set-cookie', cookie]);
  return { ...response, headers: [...response.headers, ['vary', 'Cookie'], ...cookies] };
}

/** Runs a plain route for a signed-in caller; others get UNAUTHORIZED. A suspended one may only read. */
export function asSignedIn(
  auth: Pick<Auth, 'resolveSession'>,
  request: HttpRequest,
  work: (user: SessionUser) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return withSession(auth, request, async (user) => {
    if (user === null) throw new PublicError('UNAUTHORIZED');
    if (user.isSuspended && request.method !== 'GET') throw new PublicError('ACCOUNT_SUSPENDED');
    return work(user);
  });
}
