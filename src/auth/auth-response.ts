import { PUBLIC_ERRORS, type PublicErrorCode } from '../errors/public-errors.ts';
import { AUTH_CODES, type AuthCode, isAuthCode } from './auth-codes.ts';

export type AuthErrorCode = PublicErrorCode | AuthCode;

const textsOf = (code: AuthErrorCode): { readonly message: string; readonly messageKey: string } =>
  isAuthCode(code) ? AUTH_CODES[code] : PUBLIC_ERRORS[code];

/** `{message, code, messageKey}`: the shape of better-auth's own errors, and the key of the message in the catalogs. */
export function authErrorResponse(
  status: number,
  code: AuthErrorCode,
  headers: Record<string, string> = {},
): Response {
  const { message, messageKey } = textsOf(code);
  return answerOf(status, { message, code, messageKey }, headers);
}

function answerOf(status: number, body: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}

/** better-auth sends the wait as `X-Retry-After` only; HTTP clients read `Retry-After`. */
function tooManyRequests(retryAfter: string): Response {
  return authErrorResponse(429, 'RATE_LIMITED', { 'retry-after': retryAfter, 'x-retry-after': retryAfter });
}

/** The library's message when another request has inserted the row first. */
const LOST_RACES = ['unable to create user', 'unable to link account'];

async function bodyOf(response: Response): Promise<{ code?: unknown; message?: unknown }> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body: unknown = isJson ? await response.clone().json() : null;
  return typeof body === 'object' && body !== null ? body : {};
}

/**
 * True when two first sign-ins of one person with an identity provider raced, as after a double click. A retry finds
 * the account.
 */
export async function lostRace(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const { code, message } = await bodyOf(response);
  return code === 'OAUTH_LINK_ERROR' && LOST_RACES.includes(String(message));
}

/** The library's answer with our messages. An answer without a JSON code is replaced. */
export async function withCode(response: Response): Promise<Response> {
  if (response.ok) return response;
  if (response.status === 429) return tooManyRequests(response.headers.get('x-retry-after') ?? '60');
  const { code, message } = await bodyOf(response);
  if (code === undefined && response.status === 404) return authErrorResponse(404, 'NOT_FOUND');
  const isOurs = isAuthCode(code) || isPublicCode(code);
  const worded = isOurs
    ? authErrorResponse(response.status, code)
    : answerOf(response.status, { message, code, messageKey: PUBLIC_ERRORS.BAD_REQUEST.messageKey });
  for (const cookie of response.headers.getSetCookie()) worded.headers.append('set-cookie', cookie);
  return worded;
}

const PUBLIC_CODES = ['INVALID_ORIGIN', 'MISSING_OR_NULL_ORIGIN', 'INVITATION_REQUIRED'] as const;
const isPublicCode = (code: unknown): code is (typeof PUBLIC_CODES)[number] =>
  PUBLIC_CODES.some((one) => one === code);
