/**
 * Sign-in by mailed code and by Google or Apple id token, on better-auth (decisions.md section 5, protocol-facts
 * section 4). It owns the rows of `session`, `account` and `verification`, and creates rows of `user`; everything
 * durable is in PostgreSQL, the rate counters in Redis. A session is looked up with every request, never cached in
 * the cookie. Codes are kept as a keyed hash, work once, for five minutes and three tries. A crash between storing a
 * code and mailing it leaves a code that nobody knows; the person asks again.
 */
import { PublicError } from '../errors.ts';
import { AUTH_BASE_PATH, trustedHeaders } from './auth-request.ts';
import { lostRace, refusal, withCode } from './auth-response.ts';
import { type AuthOptions, buildLibrary } from './library.ts';
import { AUTH_ROUTES, readBody } from './request-body.ts';
import { createRequestNotes } from './request-notes.ts';
import { clearedSessionCookie, sessionCookieValue } from './session-cookie.ts';
import { type SessionUser, toSessionUser } from './session-user.ts';

export type { AuthOptions } from './library.ts';
export type { SessionUser } from './session-user.ts';

export interface ResolvedSession {
  user: SessionUser | null;
  /** To be sent with the answer: a renewed cookie, or the clearing of a dead one. */
  setCookies: string[];
}

export interface Auth {
  /** Answers a request under /api/auth; never rejects. `clientIp` is the socket's or the trusted proxy's word. */
  handler(request: Request, clientIp: string): Promise<Response>;
  /** Who sent these headers. Rejects when the database fails: that is a 5xx, and never a sign-out. */
  resolveSession(headers: Headers): Promise<ResolvedSession>;
  /** `resolveSession` for callers that cannot set cookies. */
  sessionUser(headers: Headers): Promise<SessionUser | null>;
}

/** What a client is told to wait while mail, Redis or the database is away. */
const OUTAGE_RETRY = { 'retry-after': '5' };

/** What follows `/api/auth`; every route answers with and without a slash at its end. */
function authPath(pathname: string): string {
  const path = pathname.startsWith(AUTH_BASE_PATH) ? pathname.slice(AUTH_BASE_PATH.length) : '';
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The sign-in of the API host. */
export function createAuth(options: AuthOptions): Auth {
  const { config, logger } = options;
  const notes = createRequestNotes();
  const library = buildLibrary(options, notes);
  /** The library clears the cookie of a session that ended, but not one whose signature is wrong. */
  const dead = clearedSessionCookie(config.publicBaseUrl);

  const ask = async (request: () => Request): Promise<Response> => {
    const result = await notes.run(async () => {
      const response = await library.handler(request());
      return (await lostRace(response)) ? library.handler(request()) : response;
    });
    return result.outage ? refusal(503, result.outage, OUTAGE_RETRY) : withCode(result.value);
  };
  const answer = async (request: Request, clientIp: string): Promise<Response> => {
    const path = authPath(new URL(request.url).pathname);
    const route = Object.hasOwn(AUTH_ROUTES, path) ? AUTH_ROUTES[path] : undefined;
    if (!route) return refusal(404, 'NOT_FOUND');
    if (request.method !== route.method) return refusal(405, 'METHOD_NOT_ALLOWED', { allow: route.method });
    const headers = trustedHeaders(request.headers, { publicBaseUrl: config.publicBaseUrl, clientIp });
    const target = config.publicBaseUrl + AUTH_BASE_PATH + path;
    if (!route.body) return forgetDead(await ask(() => new Request(target, { headers })), headers);
    const body = readBody(route.body, request.headers.get('content-type'), await request.text());
    if (!body.ok) return refusal(body.status, body.code);
    headers.set('content-type', 'application/json');
    return ask(() => new Request(target, { method: 'POST', headers, body: body.text }));
  };
  /** `get-session` answers `null` with status 200 for a cookie that is nobody's; the client is to drop it. */
  const forgetDead = async (response: Response, headers: Headers): Promise<Response> => {
    const sent = sessionCookieValue(headers.get('cookie'), config.publicBaseUrl) !== null;
    const cleared = response.headers.getSetCookie().length > 0;
    if (!sent || cleared || !response.ok || (await response.clone().text()) !== 'null') return response;
    response.headers.append('set-cookie', dead);
    return response;
  };
  const resolveSession = async (headers: Headers): Promise<ResolvedSession> => {
    if (sessionCookieValue(headers.get('cookie'), config.publicBaseUrl) === null) {
      return { user: null, setCookies: [] };
    }
    const result = await notes.run(() => library.api.getSession({ headers, returnHeaders: true }));
    if (result.outage) throw new PublicError('SERVICE_UNAVAILABLE');
    const { response, headers: answered } = result.value;
    const setCookies = answered.getSetCookie();
    if (response) return { user: toSessionUser(response.user), setCookies };
    return { user: null, setCookies: setCookies.length > 0 ? setCookies : [dead] };
  };
  return {
    handler: async (request, clientIp) => {
      try {
        return await answer(request, clientIp);
      } catch (error) {
        logger.error({ err: error, event: 'auth_failed' }, 'sign-in request failed');
        return refusal(500, 'INTERNAL_ERROR');
      }
    },
    resolveSession,
    sessionUser: async (headers) => (await resolveSession(headers)).user,
  };
}
