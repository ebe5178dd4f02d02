import { REFUSALS, type RefusalCode } from '../errors.ts';

/** What only sign-in can meet; the rest is in the table of public refusals. */
const OWN_MESSAGES = {
  MAIL_UNAVAILABLE: 'The code could not be sent. Try again shortly.',
  RATE_LIMIT_UNAVAILABLE: 'Nobody can sign in for the moment. Try again shortly.',
} as const;

export type AuthRefusalCode = RefusalCode | keyof typeof OWN_MESSAGES;

function messageOf(code: AuthRefusalCode): string {
  return code in OWN_MESSAGES
    ? OWN_MESSAGES[code as keyof typeof OWN_MESSAGES]
    : REFUSALS[code as RefusalCode].message;
}

/** `{message, code}`, the shape of better-auth's own errors. */
export function refusal(
  status: number,
  code: AuthRefusalCode,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify({ message: messageOf(code), code }), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}

/** better-auth names the wait `X-Retry-After` only; HTTP clients look for `Retry-After`. */
export function tooManyRequests(retryAfter: string): Response {
  return refusal(429, 'RATE_LIMITED', { 'retry-after': retryAfter, 'x-retry-after': retryAfter });
}

/** The library's answer, with the ones that carry no JSON code replaced. */
export function withCode(response: Response): Response {
  if (response.status === 429) return tooManyRequests(response.headers.get('x-retry-after') ?? '60');
  if (response.status >= 500) return refusal(response.status, 'INTERNAL_ERROR');
  if (response.status === 404 && !response.headers.get('content-type')?.startsWith('application/json')) {
    return refusal(404, 'NOT_FOUND');
  }
  return response;
}
