/**
 * Error codes that only sign-in answers, in addition to the table of public errors (`src/errors/errors.ts`): the
 * library's codes that clients can get, and ours for outages. These messages replace the library's, which do not
 * say what to do; `messageKey` is their key in the i18n catalogs. The statuses are the library's (docs/provider.md#better-auth).
 */
export const AUTH_CODES = {
  INVALID_EMAIL: {
    messageKey: 'errors.invalidEmail',
    message: 'This is not an e-mail address. Correct it and try again.',
  },
  INVALID_OTP: {
    messageKey: 'errors.invalidOtp',
    message: 'This code is not correct, or was used already. Check it, or ask for a new one.',
  },
  OTP_EXPIRED: { messageKey: 'errors.otpExpired', message: 'This code has expired. Ask for a new one.' },
  TOO_MANY_ATTEMPTS: {
    messageKey: 'errors.tooManyAttempts',
    message: 'Too many wrong codes were tried. Ask for a new one.',
  },
  INVALID_TOKEN: {
    messageKey: 'errors.invalidToken',
    message:
      'The identity token is not valid here, or no longer. Get a new one from the provider and try again.',
  },
  PROVIDER_NOT_FOUND: {
    messageKey: 'errors.providerNotFound',
    message: 'This server does not accept this provider. Use google or apple if offered, or a mailed code.',
  },
  USER_EMAIL_NOT_FOUND: {
    messageKey: 'errors.userEmailNotFound',
    message: 'The provider did not share an e-mail address. Allow it to, or sign in with a mailed code.',
  },
  EMAIL_NOT_VERIFIED: {
    messageKey: 'errors.emailNotVerified',
    message: 'The provider has not verified this e-mail address. Sign in with a mailed code instead.',
  },
  OAUTH_LINK_ERROR: {
    messageKey: 'errors.oauthLinkError',
    message:
      'An account with this e-mail address exists and was not linked. Sign in with a mailed code first.',
  },
  MAIL_UNAVAILABLE: {
    messageKey: 'errors.mailUnavailable',
    message: 'The code could not be sent. Try again shortly.',
  },
  RATE_LIMIT_UNAVAILABLE: {
    messageKey: 'errors.rateLimitUnavailable',
    message: 'Sign-in is not available at the moment. Try again shortly.',
  },
  IDENTITY_KEYS_UNAVAILABLE: {
    messageKey: 'errors.identityKeysUnavailable',
    message: 'The identity provider does not answer. Try again shortly, or sign in with a mailed code.',
  },
} as const;

export type AuthCode = keyof typeof AUTH_CODES;

/** True for a code that has one of our messages. */
export function isAuthCode(code: unknown): code is AuthCode {
  return typeof code === 'string' && Object.hasOwn(AUTH_CODES, code);
}
