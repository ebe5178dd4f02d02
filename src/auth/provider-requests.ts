import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Redis } from 'ioredis';
import { cookiePairs } from './cookie-header.ts';
import { nonceIn, type SocialSignIn } from './request-body.ts';

/**
 * What a browser takes to an identity provider and brings back: a state and a nonce that belong to a random cookie, which
 * scripts cannot read. Our signature on the nonce tells a token of such a request. It is taken only with the cookie and the
 * state, and once, whatever client sends it: a token that was found somewhere (an address, a log) is worth nothing, and a
 * sign-in that another person began cannot be finished here. Other tokens are those of native apps, which get them from
 * their system (docs/contract.md#sign-in).
 */
const NAME = 'proscenium.provider';
const SECRET_BYTES = 24;
const SECRET = /^[\w-]{32}$/;
/** For the provider's pages, with a second factor. */
const LIFETIME_SECONDS = 15 * 60;
/** Longer than a provider's token is taken. */
const USED_SECONDS = 2 * 3_600;

interface ProviderRequest {
  readonly state: string;
  readonly nonce: string;
}

export function createProviderRequests(
  { publicBaseUrl, authSecret }: { publicBaseUrl: string; authSecret: string },
  { redis, deployment }: { redis: Redis; deployment: string },
) {
  const isSecure = publicBaseUrl.startsWith('https:');
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const attributes = `Path=/; HttpOnly;${isSecure ? ' Secure;' : ''} SameSite=Lax`;
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'proscenium provider requests v1', 32));
  const signed = (what: keyof ProviderRequest, id: string): string =>
    createHmac('sha256', key).update(`${what}.${id}`).digest('base64url');
  const requestOf = (id: string): ProviderRequest => ({
    state: signed('state', id),
    nonce: `${id}.${signed('nonce', id)}`,
  });
  return {
    /** A new request, and the cookie that it belongs to. */
    begin(): { request: ProviderRequest; cookie: string } {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      return {
        request: requestOf(idOf(secret)),
        cookie: `${name}=${secret}; Max-Age=${LIFETIME_SECONDS}; ${attributes}`,
      };
    },
    isSent: (header: string | null): boolean => cookiePairs(header).some((pair) => pair.name === name),
    /** The `set-cookie` that forgets it. */
    cleared: `${name}=; Max-Age=0; ${attributes}`,
    /**
     * Whether the token may be tried. One of a request of a browser is used up by that. Its signature has not been checked.
     * Rejects while the key-value store does not answer.
     */
    async admits(header: string | null, { idToken, state }: SocialSignIn): Promise<boolean> {
      const nonce = nonceIn(idToken.token);
      const [id = ''] = nonce?.split('.', 1) ?? [];
      const request = requestOf(id);
      if (!same(nonce, request.nonce)) return state === undefined;
      const isOwn = cookiePairs(header).some(
        (pair) => pair.name === name && SECRET.test(pair.raw) && idOf(pair.raw) === id,
      );
      if (!isOwn || !same(state, request.state) || !same(idToken.nonce, request.nonce)) return false;
      const used = `provider-request${deployment}:${id}`;
      return (await redis.set(used, '1', 'EX', USED_SECONDS, 'NX')) === 'OK';
    },
  };
}

const idOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

function same(sent: string | null | undefined, ours: string): boolean {
  const [given, wanted] = [Buffer.from(sent ?? ''), Buffer.from(ours)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
