import { z } from 'zod';
import type { PublicErrorCode } from '../errors/public-errors.ts';
import { safelyParsed } from '../wire/safely-parsed.ts';

/** Far above any sign-in body; an id token is a few kilobytes. */
const MAX_BODY_CHARACTERS = 32_768;
const MAX_NAME_LENGTH = 100;

/** The library decides which addresses are valid. PostgreSQL, where the address is looked up, cannot store NUL. */
const email = z
  .string()
  .trim()
  .max(254)
  .refine((value) => !/\p{Cc}/u.test(value));

/** Only codes for signing in: the other kinds answer known and unknown addresses at different speeds. */
export const sendBody = z.object({ email, type: z.literal('sign-in') });

/** Everything not named here is dropped. */
export const otpSignInBody = z.object({
  email,
  otp: z.string().trim().max(32),
  name: z.string().trim().max(MAX_NAME_LENGTH).optional(),
});

const idToken = z.string().min(1).max(16_384);
const nonce = z.string().min(1).max(512).optional();
const state = z.string().min(1).max(512).optional();
const socialName = z.object({ firstName: z.string().optional(), lastName: z.string().optional() });

/**
 * Clients send the token as a string, better-auth wants an object with a nonce: both are accepted. A nonce may also
 * stand outside the token, so that no nonce is overlooked.
 */
const socialSignInBody = z
  .object({
    provider: z.string().max(64),
    nonce,
    state,
    idToken: z.union([
      idToken.transform((token) => ({ token })),
      z.object({ token: idToken, nonce, user: z.object({ name: socialName.optional() }).optional() }),
    ]),
  })
  .transform(({ provider, nonce: beside, idToken: given, state }) => ({
    provider,
    state,
    idToken: beside === undefined ? given : { nonce: beside, ...given },
  }));

/** A body that `readBody` has made with `socialSignInBody`. */
const readSocialSignIn = z.object({
  state,
  idToken: z.object({ token: idToken, nonce }),
});
export type SocialSignIn = z.output<typeof readSocialSignIn>;
export const socialSignInOf = (body: string): SocialSignIn => readSocialSignIn.parse(JSON.parse(body));

/** The nonce in an id token, of which nothing has been checked; null when there is none. */
export function nonceIn(token: string): string | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return z.object({ nonce: z.string() }).safeParse(claims).data?.nonce ?? null;
  } catch {
    // Not a token at all, which the provider's check says.
    return null;
  }
}

export interface AuthRoute {
  method: 'GET' | 'POST';
  body?: z.ZodType;
}

/** Every better-auth route that clients reach (docs/contract.md#sign-in). All others answer 404. */
export const AUTH_ROUTES: Readonly<Record<string, AuthRoute>> = {
  '/email-otp/send-verification-otp': { method: 'POST', body: sendBody },
  '/sign-in/email-otp': { method: 'POST', body: otpSignInBody },
  '/provider-request': { method: 'POST', body: z.object({}) },
  '/sign-in/social': { method: 'POST', body: socialSignInBody },
  '/get-session': { method: 'GET' },
  '/sign-out': { method: 'POST', body: z.object({}) },
};

export function isJson(contentType: string | null): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType?.trim() ?? '');
}

export type BodyOutcome =
  | { ok: true; text: string }
  | { ok: false; status: 400 | 413 | 415; code: PublicErrorCode };

/** The body with only the fields that the route takes, as JSON text. An empty body counts as `{}`. */
export function readBody(schema: z.ZodType, contentType: string | null, text: string): BodyOutcome {
  if (text.length > MAX_BODY_CHARACTERS) return { ok: false, status: 413, code: 'PAYLOAD_TOO_LARGE' };
  if (text !== '' && !isJson(contentType)) return { ok: false, status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    return { ok: false, status: 400, code: 'BAD_REQUEST' };
  }
  const parsed = safelyParsed(schema, value);
  return parsed.success
    ? { ok: true, text: JSON.stringify(parsed.data) }
    : { ok: false, status: 400, code: 'INVALID_INPUT' };
}
