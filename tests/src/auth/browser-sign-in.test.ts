import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthFixture, BASE_URL, codeOf, openAuth } from '../../support/http/auth-fixture.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../support/http/identity-provider.ts';

/** Sign-in with a token that a browser has asked an identity provider for: only in that browser, and once. */
let provider: TestIdentityProvider;
let fixture: AuthFixture;
beforeAll(async () => {
  provider = await startIdentityProvider();
  fixture = await openAuth({ identityKeys: { google: provider.keysUrl } });
});
afterAll(async () => {
  await fixture.close();
  await provider.close();
});

const BROWSER = { origin: BASE_URL, 'sec-fetch-site': 'same-origin' };
const email = 'browser@example.com';

/** What a browser gets before it goes to the provider. */
async function begun() {
  const response = await fixture.post('/provider-request', {}, { headers: BROWSER });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const [setCookie = ''] = response.headers.getSetCookie();
  expect(setCookie).toMatch(
    /^__Host-proscenium\.provider=[\w-]{32}; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const { state, nonce } = (await response.json()) as { state: string; nonce: string };
  return { state, nonce, cookie: setCookie.split(';')[0] ?? '' };
}
const tokenWith = (nonce?: string): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  return provider.sign({
    iss: 'https://accounts.google.com',
    aud: 'google-client',
    sub: 'google-browser',
    iat: now,
    exp: now + 3_600,
    email,
    email_verified: true,
    ...(nonce === undefined ? {} : { nonce }),
  });
};
const signIn = (body: object, cookie = '', headers: Record<string, string> = BROWSER) =>
  fixture.post('/sign-in/social', { provider: 'google', ...body }, { headers, cookie });
const REFUSED = [401, 'INVALID_TOKEN'];

test('a browser signs in with what it began, and its cookie is removed', async () => {
  const { state, nonce, cookie } = await begun();
  const answer = await signIn({ state, idToken: { token: await tokenWith(nonce), nonce } }, cookie);
  expect(answer.status).toBe(200);
  const cookies = answer.headers.getSetCookie();
  expect(cookies).toContainEqual(expect.stringMatching(/^__Host-better-auth\.session_token=\w/));
  expect(cookies).toContainEqual(expect.stringMatching(/^__Host-proscenium\.provider=; Max-Age=0; /));
});

describe('a token that a browser asked for is not taken', () => {
  test('twice, in any process', async () => {
    const { state, nonce, cookie } = await begun();
    const body = { state, idToken: { token: await tokenWith(nonce), nonce } };
    expect((await signIn(body, cookie)).status).toBe(200);
    fixture.anotherProcess();
    expect(await codeOf(await signIn(body, cookie))).toEqual(REFUSED);
  });

  test('from another browser, one that lost its cookie, or a program that sends no headers of a browser', async () => {
    const [mine, other] = [await begun(), await begun()];
    const body = { state: mine.state, idToken: { token: await tokenWith(mine.nonce), nonce: mine.nonce } };
    for (const cookie of ['', other.cookie, '__Host-proscenium.provider=x'])
      expect(await codeOf(await signIn(body, cookie))).toEqual(REFUSED);
    for (const stolen of [body, { idToken: body.idToken }, { idToken: body.idToken.token }])
      expect(await codeOf(await signIn(stolen, '', {}))).toEqual(REFUSED);
    // Nothing of this used the request up.
    expect((await signIn(body, mine.cookie)).status).toBe(200);
  });

  test('without nonce or state, with another one, or with a state but without our nonce in the token', async () => {
    const { state, nonce, cookie } = await begun();
    const token = await tokenWith(nonce);
    for (const body of [
      { idToken: token },
      { state, idToken: token },
      { idToken: { token, nonce } },
      { state: 'other', idToken: { token, nonce } },
      { state, idToken: { token, nonce: 'other' } },
      { state, idToken: { token: await tokenWith(), nonce } },
    ])
      expect(await codeOf(await signIn(body, cookie))).toEqual(REFUSED);
  });
});

test('a token of a native app, which its system has asked for, needs none of it', async () => {
  expect((await signIn({ idToken: await tokenWith() }, '', {})).status).toBe(200);
  const idToken = { token: await tokenWith('the app’s own'), nonce: 'the app’s own' };
  expect((await signIn({ idToken }, '', {})).status).toBe(200);
});

test('what is no token at all is an invalid one, not a fault of ours', async () => {
  for (const idToken of ['x', 'a.b.c', `a.${Buffer.from('null').toString('base64url')}.c`])
    expect(await codeOf(await signIn({ idToken }))).toEqual(REFUSED);
});

test('a lost Redis is an outage, not a second use', async () => {
  const { state, nonce, cookie } = await begun();
  const body = { state, idToken: { token: await tokenWith(nonce), nonce } };
  await fixture.redisServer.stop();
  expect(await codeOf(await signIn(body, cookie))).toEqual([503, 'RATE_LIMIT_UNAVAILABLE']);
});
