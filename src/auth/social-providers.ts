import { APIError } from 'better-auth/api';
import type { Clock } from '../../supervisors/ports.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createIdTokenVerifier, IdentityKeysUnavailable, type IdentityProvider } from './id-token.ts';
import type { RequestNotes } from './request-notes.ts';

export interface SocialOptions {
  /** Null or absent: sign-in with this provider is off. */
  clientIds: Readonly<Record<IdentityProvider, string | null>>;
  clock: Clock;
  logger: Logger;
  /** Address of a provider's keys, when it is not the provider's own. */
  identityKeys?: Partial<Record<IdentityProvider, string>> | undefined;
}

const isOutage = (error: unknown): boolean => error instanceof IdentityKeysUnavailable;

/**
 * An address that the provider has not verified may belong to another person: it can neither create an account nor
 * be linked to one. Checked before anything is written; the library would create the account first.
 */
function requireVerifiedEmail(profile: {
  email?: unknown;
  email_verified?: boolean | string;
}): Record<string, never> {
  const { email, email_verified: verified } = profile;
  // The library rejects a missing address itself.
  if (email === undefined) return {};
  // An address that is not text, or that no column can hold, cannot have been verified.
  const isText = typeof email === 'string' && email.isWellFormed() && !/\p{Cc}/u.test(email);
  if (isText && (verified === true || verified === 'true')) return {};
  throw new APIError('FORBIDDEN', { code: 'EMAIL_NOT_VERIFIED', message: 'E-mail not verified' });
}

/** better-auth's providers with our check of their tokens (docs/contract.md#sign-in). */
export function socialProviders(
  { clientIds, clock, logger, identityKeys }: SocialOptions,
  notes: RequestNotes,
) {
  const settings = (provider: IdentityProvider, clientId: string) => {
    const verifier = createIdTokenVerifier({
      provider,
      audience: clientId,
      clock,
      jwksUrl: identityKeys?.[provider],
    });
    const check = async (token: string, nonce: string | undefined): Promise<boolean> => {
      const verdict = await verifier.verify(token, nonce);
      if (!verdict.ok) {
        logger.info({ event: 'id_token_refused', provider, reason: verdict.reason }, 'id token refused');
      }
      return verdict.ok;
    };
    return {
      clientId,
      mapProfileToUser: requireVerifiedEmail,
      verifyIdToken: (token: string, nonce?: string) =>
        notes.during(
          'IDENTITY_KEYS_UNAVAILABLE',
          () => check(token, nonce),
          (error) => !isOutage(error),
        ),
    };
  };
  return {
    ...(clientIds.google ? { google: settings('google', clientIds.google) } : {}),
    ...(clientIds.apple ? { apple: settings('apple', clientIds.apple) } : {}),
  };
}
