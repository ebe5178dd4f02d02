import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIdTokenVerifier, IdentityKeysUnavailable } from '../../../src/auth/id-token.ts';
import {
  type KeyServerMode,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/http/identity-provider.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';

let provider: TestIdentityProvider;
let time: ManualTime;
beforeEach(async () => {
  provider = await startIdentityProvider();
  time = createManualTime();
});
afterEach(() => provider.close());

const seconds = (): number => time.now() / 1000;
const claims = (changes: object = {}) => ({
  iss: 'https://accounts.google.com',
  aud: 'client-1',
  sub: '1234',
  iat: seconds(),
  exp: seconds() + 3_600,
  ...changes,
});
const verifier = (name: 'google' | 'apple' = 'google') =>
  createIdTokenVerifier({ provider: name, audience: 'client-1', clock: time, jwksUrl: provider.keysUrl });

describe('a token is accepted', () => {
  test.each([
    ['as Google writes it', {}],
    ['with the issuer’s short name', { iss: 'accounts.google.com' }],
    ['for several audiences, ours among them', { aud: ['other', 'client-1'] }],
    ['that a clock 30 s behind ours still calls valid', { exp: -29 }],
    ['from a clock 30 s before ours', { iat: 30 }],
    ['an hour and 30 s old', { iat: -3_630 }],
  ])('%s', async (_, changes) => {
    const shifted = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [
        name,
        typeof value === 'number' ? seconds() + value : value,
      ]),
    );
    expect(await verifier().verify(await provider.sign(claims(shifted)))).toEqual({ ok: true });
  });
});

describe('a token is rejected', () => {
  test.each<[string, object, string]>([
    ['for another client', { aud: 'client-2' }, 'aud check_failed'],
    ['of another issuer', { iss: 'https://appleid.apple.com' }, 'iss check_failed'],
    ['of an issuer with a slash more', { iss: 'https://accounts.google.com/' }, 'iss check_failed'],
    ['that has expired', { exp: -31 }, 'expired'],
    ['made more than an hour ago', { iat: -3_632, exp: 100 }, 'expired'],
    ['from the future', { iat: 32 }, 'iat check_failed'],
    ['not to be used yet', { nbf: 32 }, 'nbf check_failed'],
    ['without a subject', { sub: undefined }, 'sub missing'],
    ['with an empty subject', { sub: '' }, 'sub empty'],
    ['without an end', { exp: undefined }, 'exp missing'],
    ['without a beginning', { iat: undefined }, 'iat missing'],
    ['without an audience', { aud: undefined }, 'aud missing'],
    ['without an issuer', { iss: undefined }, 'iss missing'],
  ])('%s', async (_, changes, reason) => {
    const shifted = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [
        name,
        typeof value === 'number' ? seconds() + value : value,
      ]),
    );
    const token = await provider.sign(claims(shifted));
    expect(await verifier().verify(token)).toEqual({ ok: false, reason });
  });

  test('signed with another key under the id of a known key', async () => {
    const otherProvider = await startIdentityProvider();
    const forged = await otherProvider.sign(claims());
    await otherProvider.close();
    expect(await verifier().verify(forged)).toEqual({
      ok: false,
      reason: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
  });

  test('with a claim changed after signing', async () => {
    const [header, , signature] = (await provider.sign(claims())).split('.');
    const changed = Buffer.from(JSON.stringify(claims({ sub: 'victim' }))).toString('base64url');
    expect(await verifier().verify(`${header}.${changed}.${signature}`)).toMatchObject({ ok: false });
  });

  test('signed with a shared secret, or not at all', async () => {
    const secret = await provider.sign(claims(), { alg: 'HS256' });
    expect(await verifier().verify(secret)).toMatchObject({ ok: false });
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(await verifier().verify(`${part({ alg: 'none' })}.${part(claims())}.`)).toMatchObject({
      ok: false,
    });
    for (const noToken of ['', 'a', 'a.b.c', '..', '{}']) {
      expect(await verifier().verify(noToken), noToken).toMatchObject({ ok: false });
    }
    expect(provider.fetches).toBe(0);
  });
});

describe('the nonce', () => {
  const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');
  const apple = (changes: object) => claims({ iss: 'https://appleid.apple.com', ...changes });

  test('is compared only when the client sends one', async () => {
    const { verify } = verifier();
    expect(await verify(await provider.sign(claims({ nonce: 'n-1' })))).toEqual({ ok: true });
    expect(await verify(await provider.sign(claims({ nonce: 'n-1' })), 'n-1')).toEqual({ ok: true });
    for (const nonce of ['n-2', undefined]) {
      expect(await verify(await provider.sign(claims({ nonce })), 'n-1')).toEqual({
        ok: false,
        reason: 'nonce differs',
      });
    }
  });

  test('may be hashed in Apple’s tokens, and only there', async () => {
    for (const nonce of ['n-1', hashed('n-1')]) {
      const token = await provider.sign(apple({ nonce }));
      expect(await verifier('apple').verify(token, 'n-1')).toEqual({ ok: true });
    }
    const otherwise = await provider.sign(apple({ nonce: hashed('n-2') }));
    expect(await verifier('apple').verify(otherwise, 'n-1')).toMatchObject({ ok: false });
    const google = await provider.sign(claims({ nonce: hashed('n-1') }));
    expect(await verifier('google').verify(google, 'n-1')).toMatchObject({ ok: false });
  });
});

describe('the keys', () => {
  test('are fetched once, and again when a token names a new key', async () => {
    const { verify } = verifier();
    const token = await provider.sign(claims());
    await Promise.all([verify(token), verify(token)]);
    expect(await verify(token)).toEqual({ ok: true });
    expect(provider.fetches).toBe(1);
    // Within half a minute after a fetch the keys are not fetched again.
    await provider.rotate();
    expect(await verify(await provider.sign(claims()))).toEqual({
      ok: false,
      reason: 'ERR_JWKS_NO_MATCHING_KEY',
    });
    expect(provider.fetches).toBe(1);
    expect(await verifier().verify(await provider.sign(claims()))).toEqual({ ok: true });
  });

  test('are used from memory while their server is unreachable', async () => {
    const { verify } = verifier();
    await verify(await provider.sign(claims()));
    provider.mode = 'error';
    expect(await verify(await provider.sign(claims({ sub: 'another' })))).toEqual({ ok: true });
  });

  test.each<KeyServerMode>(['error', 'redirect', 'not-json', 'no-keys', 'too-large'])(
    'that cannot be fetched (%s) give an outage, not an invalid token',
    async (mode) => {
      provider.mode = mode;
      const { verify } = verifier();
      await expect(verify(await provider.sign(claims()))).rejects.toThrow(IdentityKeysUnavailable);
      provider.mode = 'well';
      expect(await verify(await provider.sign(claims()))).toEqual({ ok: true });
    },
  );

  test('of a server that is unreachable, or never answers', async () => {
    const token = await provider.sign(claims());
    const nowhere = createIdTokenVerifier({
      provider: 'google',
      audience: 'client-1',
      clock: time,
      jwksUrl: 'http://127.0.0.1:1/keys',
    });
    await expect(nowhere.verify(token)).rejects.toThrow(IdentityKeysUnavailable);
    provider.mode = 'silent';
    await expect(verifier().verify(token)).rejects.toThrow(IdentityKeysUnavailable);
  });
});
