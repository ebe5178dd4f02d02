import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentityProvider } from '../../harness/identity-provider.ts';
import { type ApiHost, startApiHost } from './api-host.ts';
import { createPerson, type Person } from './person.ts';

let host: ApiHost;
beforeAll(async () => {
  host = await startApiHost();
});
afterAll(() => host.stop());

const RENEWED =
  /^__Secure-better-auth\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/;
const CLEARED = /^__Secure-better-auth\.session_token=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/;
/** Moves the end of a person's session; a session of full age ends in seven days. */
const endsIn = (person: Person, interval: string) =>
  host.rows(`update session set "expiresAt" = now() + $2::interval where "userId" = $1`, [
    person.id,
    interval,
  ]);
const forge = (cookie: string): Person => createPerson(host.url, { id: '', cookie });

describe('a session slides', () => {
  test('not within its first day', async () => {
    const person = await host.signedIn();
    await endsIn(person, '6 days 1 hour');
    expect((await person.query('users.getMe')).headers.getSetCookie()).toEqual([]);
  });

  test('after it, with the answer of a query, a mutation and a refusal', async () => {
    const person = await host.signedIn();
    const answers = [
      () => person.query('users.getMe'),
      () => person.mutate('users.updateProfile', { name: 'Ada' }),
      () => person.mutate('users.updateProfile', { name: '' }),
      () => person.query('ai.getStagingJob', { aiJobId: person.id }),
      () => person.send('GET', '/api/auth/get-session'),
    ];
    const statuses: number[] = [];
    for (const ask of answers) {
      await endsIn(person, '5 days 23 hours');
      const answer = await ask();
      statuses.push(answer.status);
      const cookies = answer.headers.getSetCookie();
      expect(cookies).toHaveLength(1);
      expect(cookies[0]).toMatch(RENEWED);
      expect(await forge(cookies[0]?.split(';')[0] ?? '').query('users.getMe')).toMatchObject({
        status: 200,
        data: { id: person.id },
      });
    }
    expect(statuses).toEqual([200, 200, 400, 404, 200]);
    const [row] = await host.rows<{ days: number }>(
      `select extract(epoch from "expiresAt" - now())::float8 / 86400 as days from session where "userId" = $1`,
      [person.id],
    );
    expect(row?.days).toBeGreaterThan(6.9);
  });
});

describe('a session ends', () => {
  test('at once when it is signed out, and no other one with it', async () => {
    const person = await host.signedIn();
    const [row] = await host.rows<{ token: string }>('select token from session where "userId" = $1', [
      person.id,
    ]);
    await host.rows(
      `insert into session ("expiresAt", token, "userId") values (now() + interval '1 day', 'other-device', $1)`,
      [person.id],
    );
    const out = await person.send('POST', '/api/auth/sign-out');
    expect([out.status, out.body]).toEqual([200, { success: true }]);
    expect(out.headers.getSetCookie().join('\n')).toMatch(/session_token=; Max-Age=0/);
    const refused = await person.query('users.getMe');
    expect([refused.status, refused.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    const left = await host.rows<{ token: string }>('select token from session where "userId" = $1', [
      person.id,
    ]);
    expect(left).toEqual([{ token: 'other-device' }]);
    expect(row?.token).not.toBe('other-device');
    // Signing out twice is no mistake.
    expect((await person.send('POST', '/api/auth/sign-out')).status).toBe(200);
  });

  test('with the week, and the client is told to forget its cookie', async () => {
    const person = await host.signedIn();
    await endsIn(person, '-1 second');
    const answer = await person.query('users.getMe');
    expect([answer.status, answer.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    expect(answer.headers.getSetCookie().join('\n')).toMatch(/session_token=; Max-Age=0/);
    expect(await host.rows('select id from session where "userId" = $1', [person.id])).toEqual([]);
  });

  test('with the account', async () => {
    const person = await host.signedIn();
    await host.rows('delete from "user" where id = $1', [person.id]);
    expect((await person.query('users.getMe')).status).toBe(401);
  });
});

describe('a cookie that is nobody’s', () => {
  const name = '__Secure-better-auth.session_token';
  test.each([
    ['is empty', `${name}=`],
    ['holds words', `${name}=hello`],
    ['holds a token that nobody signed', `${name}=${'a'.repeat(32)}.${'b'.repeat(43)}%3D`],
    ['cannot be decoded', `${name}=%zz`],
    ['comes after others', `a=b; ${name}=x.y; c=d`],
  ])('%s: 401, cleared', async (_, cookie) => {
    const person = forge(cookie);
    const asks = [
      () => person.query('users.getMe'),
      () => person.mutate('users.updateProfile', {}),
      () => person.send('DELETE', `/api/property-images/${randomUUID()}`),
    ];
    for (const ask of asks) {
      const answer = await ask();
      expect([answer.status, answer.errorCode]).toEqual([401, 'UNAUTHORIZED']);
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(CLEARED)]);
    }
    const session = await person.send('GET', '/api/auth/get-session');
    expect([session.status, session.body]).toEqual([200, null]);
    expect(session.headers.getSetCookie()).toEqual([expect.stringMatching(CLEARED)]);
    const open = await person.query('ai.getStagingCatalog');
    expect(open.status).toBe(200);
  });

  test('under another name is left alone', async () => {
    const answer = await forge('better-auth.session_token=x.y; __cf_bm=z').query('users.getMe');
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
  });

  test('whose signature was made with another secret', async () => {
    const person = await host.signedIn();
    const [, signature = ''] = person.cookie.split('.').slice(-2);
    const other = signature.startsWith('A') ? 'B' : 'A';
    const forged = person.cookie.replace(`.${signature}`, `.${other}${signature.slice(1)}`);
    expect((await forge(forged).query('users.getMe')).status).toBe(401);
    expect((await person.query('users.getMe')).status).toBe(200);
  });
});

test('a session begins with an id token, posted as the apps post it', async () => {
  const provider = await startIdentityProvider();
  const other = await startApiHost({
    settings: { GOOGLE_CLIENT_ID: 'web-client' },
    overrides: { identityKeys: { google: provider.keysUrl } },
  });
  try {
    const now = Math.floor(Date.now() / 1000);
    const idToken = await provider.sign({
      ...{ iss: 'https://accounts.google.com', aud: 'web-client', azp: 'ios-client', sub: '1' },
      ...{ iat: now, exp: now + 3_600, email: 'ida@example.com', email_verified: true, name: 'Ida' },
    });
    const signIn = (body: object) =>
      other.anonymous().send('POST', '/api/auth/sign-in/social', { body: JSON.stringify(body) });
    const signedIn = await signIn({ provider: 'google', idToken });
    expect(signedIn.status).toBe(200);
    const [cookie = ''] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(RENEWED);
    const person = createPerson(other.url, { id: '', cookie: cookie.split(';')[0] ?? '' });
    expect((await person.query('users.getMe')).data).toMatchObject({
      ...{ email: 'ida@example.com', name: 'Ida', role: 'customer', image: null },
    });
    const notOffered = await signIn({ provider: 'apple', idToken });
    expect([notOffered.status, notOffered.body.code]).toEqual([404, 'PROVIDER_NOT_FOUND']);
    expect(JSON.stringify(other.lines)).not.toContain(idToken);
  } finally {
    await other.stop();
    await provider.close();
  }
});

test('a new agent is one with the very next call, on every device', async () => {
  const person = await host.signedIn({ role: 'customer' });
  expect((await person.query('properties.listMine', {})).errorCode).toBe('AGENT_REQUIRED');
  await person.mutate('users.becomeAgent', { licenseNumber: 'L-1', officeName: 'Office' });
  const again = forge(person.cookie);
  expect((await again.query('properties.listMine', {})).status).toBe(200);
});
