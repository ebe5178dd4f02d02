/**
 * Sign-in by mailed code and by Google or Apple id token, on better-auth (docs/contract.md#sign-in,
 * docs/provider.md#better-auth). It owns the rows of `session`, `account` and `sign_in_codes`, and creates rows of
 * `user`; everything durable is in PostgreSQL, the rate counters in Redis. A session is read with every request, never
 * cached in the cookie. A code is kept as a keyed hash, belongs to the client that requested it (`mailed-codes.ts`),
 * and works once, for five minutes and three tries. A crash between storing and mailing leaves a code that was never
 * sent; the person requests another.
 */
import { PublicError } from '../errors/errors.ts';
import { loadedOnce } from '../loaded-once.ts';
import { AUTH_BASE_PATH, trustedHeaders } from './auth-request.ts';
import { authErrorResponse, lostRace, withCode } from './auth-response.ts';
import type { AuthOptions } from './library.ts';
import { type ChosenSession, chooseSession, noteUse, renewed } from './live-session.ts';
import { notedQuery } from './noted-pool.ts';
import { PERSON_HEADER, refuseOtherPerson } from './page-person.ts';
import { createProviderRequests } from './provider-requests.ts';
import { AUTH_ROUTES, readBody, socialSignInOf } from './request-body.ts';
import { createRequestNotes } from './request-notes.ts';
import { createSessionCookies, type SignedSession } from './session-cookie.ts';
import { type SessionUser, toSessionUser } from './session-user.ts';

export type { AuthOptions } from './library.ts';
export type { SessionUser } from './session-user.ts';

interface ResolvedSession {
  user: SessionUser | null;
  /** Cookies to send with the answer: a renewed one, or the clearing of an invalid one. */
  setCookies: string[];
}

/** What the library tells of a session, in its answers as text. */
interface SessionTimes {
  readonly id: string;
  readonly createdAt: Date | string;
  readonly expiresAt: Date | string;
}
interface ShownSession {
  readonly session?: SessionTimes;
}

/** The cookie of a session that was renewed, and its new end. */
interface Renewal {
  readonly cookies: readonly string[];
  readonly expiresAt: Date | null;
}
const NO_RENEWAL: Renewal = { cookies: [], expiresAt: null };

/** The library's answer with the new end of the session. */
const withEnd = ({ status, headers }: Response, body: ShownSession | null, expiresAt: Date): Response =>
  Response.json({ ...body, session: { ...body?.session, expiresAt } }, { status, headers });

export type Auth = ReturnType<typeof createAuth>;

/** The `Retry-After` of an answer while mail, Redis or the database is unavailable. */
const OUTAGE_RETRY = { 'retry-after': '5' };

/** What follows `/api/auth`; every route answers with and without a slash at its end. */
function authPath(pathname: string): string {
  const path = pathname.startsWith(AUTH_BASE_PATH) ? pathname.slice(AUTH_BASE_PATH.length) : '';
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Routes that act on an existing session; the others create one. */
const SESSION_PATHS = ['/get-session', '/sign-out'];

/** The sign-in routes of the API host. */
export function createAuth(options: AuthOptions) {
  const { config, pool, logger, clock } = options;
  const notes = createRequestNotes();
  const cookies = createSessionCookies(config);
  const providers = createProviderRequests(config, {
    redis: options.redis,
    deployment: options.deployment ?? '',
  });
  const library = loadedOnce(async () => {
    const { buildLibrary } = await import('./library.ts');
    return buildLibrary(options, { notes, cookies });
  });

  const noteSwallowed = (fault: { readonly error: unknown } | null): void => {
    if (fault !== null) logger.error({ err: fault.error }, 'the sign-in library answered despite a fault');
  };
  const choose = (header: string | null): Promise<ChosenSession | null> =>
    notedQuery(notes, () => chooseSession(pool, cookies.signed(header)));
  /**
   * Cookie changes that the library does not make: it reads only one name, and keeps a cookie with a wrong
   * signature.
   */
  const cookieChanges = (
    header: string | null,
    { chosen, answered }: { chosen: ChosenSession | null; answered: readonly string[] },
  ): string[] => {
    const changed = (name: string) => answered.some((cookie) => cookie.startsWith(`${name}=`));
    const isRenamed = chosen?.isEarlierName === true && !changed(cookies.name);
    const changes = isRenamed ? [cookies.kept(chosen, chosen.secondsLeft ?? 0)] : [];
    for (const name of cookies.sent(header)) {
      const isEarlier = name !== cookies.name;
      const isOver = chosen === null || (isEarlier && (isRenamed || changed(cookies.name)));
      if (isOver && !changed(name)) changes.push(cookies.cleared(name));
    }
    return changes;
  };
  /** Renews the session, when it is time to, and the cookie with it. */
  const renewalOf = async (chosen: SignedSession, session: SessionTimes): Promise<Renewal> => {
    const times = { createdAt: new Date(session.createdAt), expiresAt: new Date(session.expiresAt) };
    const at = clock.now();
    const expiresAt = await notedQuery(notes, () => renewed(pool, { id: session.id, ...times }, at));
    if (expiresAt === null) return NO_RENEWAL;
    const secondsLeft = Math.round((expiresAt.getTime() - at) / 1_000);
    return { cookies: [cookies.kept(chosen, secondsLeft)], expiresAt };
  };
  const ask = async (request: () => Request): Promise<Response> => {
    const { handler } = await library();
    const response = await handler(request());
    return (await lostRace(response)) ? handler(request()) : response;
  };
  /** For routes that act on the session: the library gets only the cookie of the live session. */
  const askAsSession = async (request: Request): Promise<Response> => {
    const header = request.headers.get('cookie');
    const chosen = await choose(header);
    if (chosen !== null) request.headers.set('cookie', cookies.withOnly(header, chosen));
    const { handler } = await library();
    const response = await handler(request);
    if (!response.ok) return response;
    const body = chosen === null ? null : ((await response.clone().json()) as ShownSession | null);
    const renewal = chosen !== null && body?.session ? await renewalOf(chosen, body.session) : NO_RENEWAL;
    const answered = [...response.headers.getSetCookie(), ...renewal.cookies];
    const changes = cookieChanges(header, { chosen: body && chosen, answered });
    const shown = renewal.expiresAt === null ? response : withEnd(response, body, renewal.expiresAt);
    for (const cookie of [...renewal.cookies, ...changes]) shown.headers.append('set-cookie', cookie);
    return shown;
  };
  const beginWithProvider = (): Response => {
    const { request, cookie } = providers.begin();
    return Response.json(request, { headers: { 'cache-control': 'no-store', 'set-cookie': cookie } });
  };
  /** The refusal of a token that another browser has asked for, or that was used; null for others. */
  const foreignToken = async (header: string | null, body: string): Promise<Response | null> => {
    const result = await notes.run(() =>
      notes.during('RATE_LIMIT_UNAVAILABLE', () => providers.admits(header, socialSignInOf(body))),
    );
    if (result.outage) return authErrorResponse(503, result.outage, OUTAGE_RETRY);
    return result.value ? null : authErrorResponse(401, 'INVALID_TOKEN');
  };
  const answer = async (request: Request, clientIp: string): Promise<Response> => {
    const path = authPath(new URL(request.url).pathname);
    const route = Object.hasOwn(AUTH_ROUTES, path) ? AUTH_ROUTES[path] : undefined;
    if (!route) return authErrorResponse(404, 'NOT_FOUND');
    if (request.method !== route.method)
      return authErrorResponse(405, 'METHOD_NOT_ALLOWED', { allow: route.method });
    // The page of another person neither ends nor replaces this session.
    if (request.headers.has(PERSON_HEADER)) await resolveSession(request.headers);
    const headers = trustedHeaders(request.headers, { publicBaseUrl: config.publicBaseUrl, clientIp });
    const target = config.publicBaseUrl + AUTH_BASE_PATH + path;
    let init: RequestInit = { headers };
    if (route.body) {
      const body = readBody(route.body, request.headers.get('content-type'), await request.text());
      if (!body.ok) return authErrorResponse(body.status, body.code);
      if (path === '/provider-request') return beginWithProvider();
      if (path === '/sign-in/social') {
        const refusal = await foreignToken(request.headers.get('cookie'), body.text);
        if (refusal !== null) return refusal;
      }
      headers.set('content-type', 'application/json');
      init = { method: 'POST', headers, body: body.text };
    }
    const result = await notes.run(() =>
      SESSION_PATHS.includes(path)
        ? askAsSession(new Request(target, init))
        : ask(() => new Request(target, init)),
    );
    if (result.outage === 'INVITATION_REQUIRED') return authErrorResponse(403, result.outage);
    if (result.outage) return authErrorResponse(503, result.outage, OUTAGE_RETRY);
    const { value, fault } = result;
    if (value.status >= 500)
      throw fault ? fault.error : new Error(`The sign-in library answered ${value.status}`);
    noteSwallowed(fault);
    if (path === '/sign-in/social' && providers.isSent(request.headers.get('cookie')))
      value.headers.append('set-cookie', providers.cleared);
    // Pictures and answers of the person; language, theme and device cookie are not the session's.
    if (path === '/sign-out' && value.ok) value.headers.set('clear-site-data', '"cache"');
    return withCode(value);
  };
  /**
   * The session of these headers. Rejects with PERSON_CHANGED for the page of another person, and when the database
   * fails: that is a 5xx, and never a sign-out.
   */
  const resolveSession = async (headers: Pick<Headers, 'get'>): Promise<ResolvedSession> => {
    const header = headers.get('cookie');
    if (cookies.sent(header).length === 0) return { user: null, setCookies: [] };
    const result = await notes.run(async () => {
      const chosen = await choose(header);
      if (chosen === null) return { chosen, session: null, answered: [] };
      const asked = new Headers({ cookie: cookies.withOnly(header, chosen) });
      const { api } = await library();
      const got = await api.getSession({ headers: asked, returnHeaders: true });
      const session = got.response;
      if (session === null) return { chosen: null, session, answered: got.headers.getSetCookie() };
      await notedQuery(notes, () => noteUse(pool, session.session, clock.now()));
      return { chosen, session, answered: (await renewalOf(chosen, session.session)).cookies };
    });
    if (result.outage) throw new PublicError('SERVICE_UNAVAILABLE');
    noteSwallowed(result.fault);
    const { session, chosen, answered } = result.value;
    refuseOtherPerson(headers.get(PERSON_HEADER), session?.user.id ?? null);
    const setCookies = [...answered, ...cookieChanges(header, { chosen, answered })];
    return { user: session && toSessionUser(session, config.site), setCookies };
  };
  return {
    /**
     * Answers a request under /api/auth; rejects with faults of ours. `clientIp` comes from the socket or a trusted
     * proxy.
     */
    handler: answer,
    resolveSession,
    /** `resolveSession` for callers that cannot set cookies. */
    sessionUser: async (headers: Headers): Promise<SessionUser | null> =>
      (await resolveSession(headers)).user,
  };
}
