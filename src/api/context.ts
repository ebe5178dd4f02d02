import type { Auth } from '../auth/auth.ts';
import type { HttpRequest } from '../http/message.ts';
import { readableHeaders } from '../http/web-bridge.ts';
import type { Repeats } from '../repeats/repeats.ts';
import type { RequestContext } from './base.ts';

/**
 * The context of one call: the caller, read from the session cookie, and the cookie to send with the answer (a
 * renewed one, or the clearing of an invalid one), whether or not the call succeeds.
 */
export function createContextFactory(
  auth: Pick<Auth, 'resolveSession'>,
  { repeats }: { readonly repeats: Repeats },
) {
  return async (given: {
    readonly request: HttpRequest;
    readonly responseHeaders: RequestContext['responseHeaders'];
  }): Promise<RequestContext> => {
    const { request, responseHeaders } = given;
    const { user, setCookies } = await auth.resolveSession(readableHeaders(request));
    for (const cookie of setCookies) responseHeaders.append('set-cookie', cookie);
    return { request, user, responseHeaders, repeats };
  };
}
