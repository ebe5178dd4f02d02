import type { Pool } from 'pg';
import { addToken } from '../../persistence/reso/api-clients.ts';
import { hashOf, newSecret } from '../auth/client-secrets.ts';
import { PublicError } from '../errors/errors.ts';
import { errorHeaders, withFault } from '../http/error-response.ts';
import { type HttpRequest, type HttpResponse, json, type Route } from '../http/message.ts';
import { networkOf } from '../limits/client-network.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { uuid } from '../wire/text.ts';

/**
 * `POST /reso/oauth2/token` (docs/feeds.md#clients): OAuth 2 client credentials, in the body or as Basic. A token is opaque,
 * and valid for an hour. Answers are counted for a client and for a network before anything is compared.
 */
const PER_NETWORK = { windowSeconds: 60, max: 60 };
const PER_CLIENT = { windowSeconds: 60, max: 30 };
const BODY_BYTES = 4_096;
const MOST_SECRET = 200;
const NOT_STORED = [
  ['cache-control', 'no-store'],
  ['pragma', 'no-cache'],
] as const;

interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/** Errors of RFC 6749, 5.2. */
const oauthError = (status: 400 | 401, error: string): HttpResponse =>
  json(status, { error }, [
    ...NOT_STORED,
    ...(status === 401 ? [['www-authenticate', 'Basic'] as const] : []),
  ]);

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** Null when the header is not Basic, or cannot be read. */
function basicOf(header: string): Credentials | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(header) ?? [];
  if (encoded === undefined) return null;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (id === undefined || secret === undefined) return null;
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) };
  } catch {
    return null;
  }
}

function credentialsOf(request: HttpRequest, form: URLSearchParams): Credentials | null {
  const header = request.headers.get('authorization');
  if (header !== undefined) return basicOf(header);
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  return id === null || secret === null ? null : { id, secret };
}

export function tokenRoutes({ pool, limiter }: { pool: Pool; limiter: Pick<RateLimiter, 'hit'> }): Route[] {
  const count = async (key: string, rule: typeof PER_CLIENT): Promise<void> => {
    const wait = await limiter.hit(key, rule).catch((cause: unknown) => {
      throw new PublicError('SERVICE_UNAVAILABLE', { cause });
    });
    if (wait > 0) throw new PublicError('RATE_LIMITED', { retryAfterSeconds: wait });
  };
  const handler = async (request: HttpRequest): Promise<HttpResponse> => {
    await count(`token network ${networkOf(request.remoteAddress)}`, PER_NETWORK);
    const type = request.headers.get('content-type') ?? '';
    if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(type)) return oauthError(400, 'invalid_request');
    const form = new URLSearchParams((await request.body()).toString());
    if ([...new Set(form.keys())].some((name) => form.getAll(name).length > 1))
      return oauthError(400, 'invalid_request');
    if (form.get('grant_type') !== 'client_credentials') return oauthError(400, 'unsupported_grant_type');
    const given = credentialsOf(request, form);
    const clientId = uuid.safeParse(given?.id).data;
    if (given === null || clientId === undefined || given.secret.length > MOST_SECRET)
      return oauthError(401, 'invalid_client');
    await count(`token client ${clientId}`, PER_CLIENT);
    const scope = form.get('scope') ?? '';
    if (scope.split(' ').some((name) => name !== '' && name !== 'reso.read' && name !== 'api'))
      return oauthError(400, 'invalid_scope');
    const token = newSecret();
    const added = await addToken(pool, {
      clientId,
      secretHash: hashOf(given.secret),
      tokenHash: hashOf(token),
    });
    if (added === null) return oauthError(401, 'invalid_client');
    const { scopes, seconds } = added;
    return json(
      200,
      { access_token: token, token_type: 'Bearer', expires_in: seconds, scope: scopes.join(' ') },
      NOT_STORED,
    );
  };
  return [
    {
      methods: ['POST'],
      path: '/reso/oauth2/token',
      bodyLimit: BODY_BYTES,
      // A server sends no origin, and each answer is counted.
      isUngated: true,
      errorResponse: (error) =>
        withFault(
          json(error.httpStatus, { error: 'temporarily_unavailable' }, [
            ...NOT_STORED,
            ...errorHeaders(error),
          ]),
          error,
        ),
      handler,
    },
  ];
}
