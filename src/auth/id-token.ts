/**
 * Checks id tokens of Google and Apple against the provider's published keys (docs/contract.md#sign-in;
 * docs/provider.md#better-auth). It owns one key set per provider, kept in memory for ten minutes. A token that names
 * an unknown key causes a new fetch, at most every thirty seconds, so invented key names do not load the provider.
 * better-auth's own check fetches the keys for every token, reports an unreachable key server as a bad token, and has
 * no setting for the key address. A crash loses the cached keys only.
 */
import { createHash } from 'node:crypto';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { Clock } from '../../supervisors/ports.ts';

/** Google's and Apple's key sets are about two kilobytes. */
const MAX_KEYS_BYTES = 64 * 1024;

/**
 * Fetches key sets: without redirects (jose sets `redirect: 'manual'` and accepts 200 only), and at most the size
 * of a key set. The caller's signal limits the time, including the body.
 */
const fetchKeys: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    return new Response(null, { status: 502 });
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_KEYS_BYTES) throw new Error('the key set is too large');
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks));
};

/** The claims of each provider's tokens, and the address of its keys. */
const IDENTITY_PROVIDERS = {
  google: {
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
    hashedNonce: false,
  },
  apple: {
    issuers: ['https://appleid.apple.com'],
    jwksUrl: 'https://appleid.apple.com/auth/keys',
    // Apple's SDK gets the SHA-256 of the nonce, in hex; some apps pass the nonce itself.
    hashedNonce: true,
  },
} as const;
export type IdentityProvider = keyof typeof IDENTITY_PROVIDERS;

/** The provider's keys could not be fetched, so the token could not be checked. Try again later. */
export class IdentityKeysUnavailable extends Error {
  readonly code = 'IDENTITY_KEYS_UNAVAILABLE';

  constructor(cause: unknown) {
    super('the keys of an identity provider could not be fetched', { cause });
    this.name = 'IdentityKeysUnavailable';
  }
}

/** `reason` is for the log only; clients always receive INVALID_TOKEN. */
type IdTokenVerdict = { ok: true } | { ok: false; reason: string };

const ALGORITHMS = ['RS256'];
const MAX_TOKEN_AGE = '1h';
const CLOCK_TOLERANCE_SECONDS = 30;
const KEYS_TIMEOUT_MS = 3_000;
const KEYS_MAX_AGE_MS = 10 * 60_000;
const KEYS_COOLDOWN_MS = 30_000;

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** True when the keys were fetched, but the token's key is missing or ambiguous. */
const isTokensFault = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

function providerKeys(jwksUrl: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    cacheMaxAge: KEYS_MAX_AGE_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    [customFetch]: fetchKeys,
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      throw isTokensFault(error) ? error : new IdentityKeysUnavailable(error);
    }
  };
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `${error.claim} ${error.reason}`;
  return error.code;
}

function nonceFits({ nonce: claim }: JWTPayload, nonce: string, hashed: boolean): boolean {
  return claim === nonce || (hashed && claim === sha256Hex(nonce));
}

/** The check of one provider's tokens. */
export function createIdTokenVerifier(options: {
  provider: IdentityProvider;
  /** Our client id: the token must have been made for it. */
  audience: string;
  clock: Clock;
  /** Address of the keys, when it is not the provider's own. */
  jwksUrl?: string | undefined;
}) {
  const { issuers, hashedNonce, jwksUrl } = IDENTITY_PROVIDERS[options.provider];
  const keys = providerKeys(options.jwksUrl ?? jwksUrl);
  return {
    /** Compares the nonce only when one is given. Rejects with IdentityKeysUnavailable. */
    async verify(token: string, nonce?: string): Promise<IdTokenVerdict> {
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ALGORITHMS,
          issuer: [...issuers],
          audience: options.audience,
          requiredClaims: ['sub', 'exp'],
          maxTokenAge: MAX_TOKEN_AGE,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(options.clock.now()),
        });
        if (typeof payload.sub !== 'string' || payload.sub === '') return { ok: false, reason: 'sub empty' };
        if (nonce === undefined || nonceFits(payload, nonce, hashedNonce)) return { ok: true };
        return { ok: false, reason: 'nonce differs' };
      } catch (error) {
        if (error instanceof errors.JOSEError) return { ok: false, reason: reasonOf(error) };
        throw error;
      }
    },
  };
}
