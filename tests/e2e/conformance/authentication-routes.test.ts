import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitForMail } from '../../../ops/dev/stack/mailbox.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../support/http/identity-provider.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { browserHeaders, ownClient, wayOf } from './ways.ts';

/** docs/contract.md#sign-in, over HTTP: one test a row, by plain `fetch` and by our client. */
let host: ApiHost;
let provider: TestIdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
  host = await startApiHost({
    settings: { GOOGLE_CLIENT_ID: 'the-web-client' },
    overrides: { identityKeys: { google: provider.keysUrl } },
  });
});
afterAll(async () => {
  await host.stop();
  await provider.close();
});

const post = (path: string, body: unknown, cookie = '') =>
  fetch(`${host.url}/api/auth/${path}`, {
    method: 'POST',
    headers: { ...browserHeaders(host, cookie), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const codeTo = async (email: string) => {
  const mail = await waitForMail(sharedStack().mailDir, { to: email });
  return /\b\d{6}\b/.exec(mail.email.text ?? '')?.[0] ?? '';
};
const emailOf = async (cookie: string) =>
  (await wayOf('fetch', host, cookie).query('users.getMe')).output?.email;
const tokenFor = (email: string) => {
  const now = Math.floor(Date.now() / 1_000);
  const who = { sub: `google-${email}`, email, email_verified: true, name: 'Gina' };
  return provider.sign({
    iss: 'https://accounts.google.com',
    aud: 'the-web-client',
    iat: now,
    exp: now + 3_600,
    ...who,
  });
};

describe('by fetch', () => {
  test('every route answers the same with and without a trailing slash', async () => {
    const email = `${randomUUID()}@example.com`;
    const asked = await post('email-otp/send-verification-otp/', { email, type: 'sign-in' });
    expect(asked.status).toBe(200);
    const answer = await post('sign-in/email-otp/', { email, otp: await codeTo(email) }, cookieOf(asked));
    expect(answer.status).toBe(200);
    const cookie = cookieOf(answer);
    expect(await emailOf(cookie)).toBe(email);
    const said = (await answer.json()) as { user: unknown };
    expect([Object.keys(said).toSorted(), said.user]).toMatchObject([
      ['token', 'user'],
      { id: expect.any(String), email, name: expect.any(String) },
    ]);
    const headers = { ...browserHeaders(host, cookie), 'content-type': 'application/json' };
    const session = await fetch(`${host.url}/api/auth/get-session/`, { headers });
    expect(await session.json()).toMatchObject({ user: { email } });
    const social = await post('sign-in/social/', { provider: 'google', idToken: await tokenFor(email) });
    expect(social.status).toBe(200);
    expect((await fetch(`${host.url}/api/auth/sign-out/`, { method: 'POST', headers })).status).toBe(200);
    expect(await emailOf(cookie)).toBeUndefined();
  });

  test('POST /api/auth/sign-in/social | {provider, idToken} | session established through a Set-Cookie response header', async () => {
    const email = `${randomUUID()}@example.com`;
    const answer = await post('sign-in/social', { provider: 'google', idToken: await tokenFor(email) });
    expect(answer.status).toBe(200);
    expect(await emailOf(cookieOf(answer))).toBe(email);
    const forged = await post('sign-in/social', { provider: 'google', idToken: `${await tokenFor(email)}x` });
    expect([forged.status, forged.headers.getSetCookie()]).toEqual([401, []]);
  });

  test('operation send-verification-otp | sends an email OTP', async () => {
    const email = `${randomUUID()}@example.com`;
    const answer = await post('email-otp/send-verification-otp', { email, type: 'sign-in' });
    expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
    expect(await codeTo(email)).toMatch(/^\d{6}$/);
  });

  test('operation sign-in/email-otp | signs in with the OTP', async () => {
    const email = `${randomUUID()}@example.com`;
    const device = cookieOf(await post('email-otp/send-verification-otp', { email, type: 'sign-in' }));
    const otp = await codeTo(email);
    const answer = await post('sign-in/email-otp', { email, otp }, device);
    expect(answer.status).toBe(200);
    expect(await emailOf(cookieOf(answer))).toBe(email);
    expect((await post('sign-in/email-otp', { email, otp }, device)).status).toBe(400);
  });
});

describe('by our client', () => {
  test('POST /api/auth/sign-in/social | {provider, idToken} | session established through a Set-Cookie response header', async () => {
    const email = `${randomUUID()}@example.com`;
    const client = ownClient(host);
    await client.auth.signInSocial({ provider: 'google', idToken: await tokenFor(email) });
    expect(await client.users.getMe()).toMatchObject({ email });
  });

  test('operations send-verification-otp and sign-in/email-otp', async () => {
    const email = `${randomUUID()}@example.com`;
    const client = ownClient(host);
    await client.auth.sendOtp(email);
    await client.auth.signInWithOtp({ email, otp: await codeTo(email) });
    expect(await client.users.getMe()).toMatchObject({ email, name: '' });
  });
});
