import type { Auth } from '../auth/auth.ts';
import type { HttpRequest } from '../http/message.ts';
import { toWebHeaders } from '../http/web-bridge.ts';
import type { Repeats } from '../repeats/repeats.ts';
import type { RequestContext } from './base.ts';

/**
 * The context of one call: who calls, read from the session cookie, and what must go back with the answer (a
 * renewed cookie, or the clearing of a dead one), whether the call succeeds or not.
 */
export function createContextFactory(
  auth: Pick<Auth, 'resolveSession'>,
  { repeats }: { readonly repeats: Repeats },
) {
  return async (given: {
    readonly request: HttpRequest;
    readonly responseHeaders: Headers;
  }): Promise<RequestContext> => {
    const { request, responseHeaders } = given;
    const { user, setCookies } = await auth.resolveSession(toWebHeaders(request));
    for (const cookie of setCookies) responseHeaders.append('set-cookie', cookie);
    return { request, user, responseHeaders, repeats };
  };
}
