import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startApiHost, useApiHost } from '../../support/http/api-host.ts';
import { startIdentityProvider } from '../../support/http/identity-provider.ts';
import { createPerson, type Person } from '../../support/http/person.ts';

const host = useApiHost();

const RENEWED =
  /^__Host-better-auth\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/;
const CLEARED = /^__Host-better-auth\.session_token=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/;
/** Sets the time until a person's session ends; a new session ends in seven days. */
const endsIn = (person: Person, interval: string) =>
  host.rows(`update session set "expiresAt" = now() + $2::interval where "userId" = $1`, [
    person.id,
    interval,
  ]);
const forge = (cookie: string): Person => createPerson(host.url, { id: '', cookie });

describe('a session is renewed', () => {
  test('not within its first day', async () => {
    const person = await host.signedIn();
    await endsIn(person, '6 days 1 hour');
    expect((await person.query('users.getMe')).headers.getSetCookie()).toEqual([]);
  });

  test('after its first day, by the answer of a query, a mutation and an error', async () => {
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

describe('a session that is used every day ends after 30 days', () => {
  const began = (person: Person, age: string) =>
    host.rows(`update session set "createdAt" = now() - $2::interval where "userId" = $1`, [person.id, age]);
  const daysLeft = async (person: Person) => {
    const [row] = await host.rows<{ days: number }>(
      `select extract(epoch from "expiresAt" - now())::float8 / 86400 as days from session where "userId" = $1`,
      [person.id],
    );
    return row?.days;
  };

  test.each([
    ['a procedure', (person: Person) => person.query('users.getMe')],
    ['get-session', (person: Person) => person.send('GET', '/api/auth/get-session')],
  ])('renewed by %s only up to that day, cookie included', async (_, ask) => {
    const person = await host.signedIn();
    await began(person, '27 days');
    await endsIn(person, '1 day');
    const cookies = (await ask(person)).headers.getSetCookie();
    expect(cookies).toEqual([expect.stringMatching(/session_token=[^;]+; Max-Age=2592\d\d;/)]);
    expect(await daysLeft(person)).toBeCloseTo(3, 2);
  });

  test('and is not written again with each request once that day is near', async () => {
    const person = await host.signedIn();
    await began(person, '29 days');
    await endsIn(person, '1 day');
    const written = () => host.rows('select xmin::text from session where "userId" = $1', [person.id]);
    const before = await written();
    for (const answer of [
      await person.query('users.getMe'),
      await person.send('GET', '/api/auth/get-session'),
    ])
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    expect(await written()).toEqual(before);
  });
});

test('get-session shows the new end of a renewed session', async () => {
  const person = await host.signedIn();
  await endsIn(person, '2 days');
  const { body } = await person.send('GET', '/api/auth/get-session');
  expect(Date.parse(body.session.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
});

describe('a session ends', () => {
  test('at once when it is signed out, and no other one ends', async () => {
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
    expect(out.headers.getSetCookie().join('\n')).not.toContain('device');
    expect(out.headers.get('clear-site-data')).toBe('"cache"');
    expect((await person.query('ai.getStagingCatalog')).headers.has('clear-site-data')).toBe(false);
    const refused = await person.query('users.getMe');
    expect([refused.status, refused.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    const left = await host.rows<{ token: string }>('select token from session where "userId" = $1', [
      person.id,
    ]);
    expect(left).toEqual([{ token: 'other-device' }]);
    expect(row?.token).not.toBe('other-device');
    // Signing out twice is no error.
    expect((await person.send('POST', '/api/auth/sign-out')).status).toBe(200);
  });

  test('after seven days, and the answer clears the cookie', async () => {
    const person = await host.signedIn();
    await endsIn(person, '-1 second');
    const answer = await person.query('users.getMe');
    expect([answer.status, answer.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    expect(answer.headers.getSetCookie().join('\n')).toMatch(/session_token=; Max-Age=0/);
    expect(await host.rows('select id from session where "userId" = $1', [person.id])).toEqual([]);
  });

  test('when the account is deleted', async () => {
    const person = await host.signedIn();
    await host.rows('delete from "user" where id = $1', [person.id]);
    expect((await person.query('users.getMe')).status).toBe(401);
  });
});

describe('a cookie without a session', () => {
  const name = '__Host-better-auth.session_token';
  test.each([
    ['is empty', `${name}=`],
    ['holds words', `${name}=hello`],
    ['holds an unsigned token', `${name}=${'a'.repeat(32)}.${'b'.repeat(43)}%3D`],
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

  test('with another name is ignored', async () => {
    const answer = await forge('better-auth.session_token=x.y; __cf_bm=z').query('users.getMe');
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
  });

  test('with the signature of another secret', async () => {
    const person = await host.signedIn();
    const [, signature = ''] = person.cookie.split('.').slice(-2);
    const other = signature.startsWith('A') ? 'B' : 'A';
    const forged = person.cookie.replace(`.${signature}`, `.${other}${signature.slice(1)}`);
    expect((await forge(forged).query('users.getMe')).status).toBe(401);
    expect((await person.query('users.getMe')).status).toBe(200);
  });
});

describe('several cookies with one name', () => {
  const name = '__Host-better-auth.session_token';
  const junk = [`${name}=hello`, `${name}=%zz`, `${name}=`, `${name}=${'a'.repeat(32)}.${'b'.repeat(43)}%3D`];

  test('a planted one in front ends no session, on any surface', async () => {
    const person = await host.signedIn();
    const ended = await host.signedIn();
    await ended.send('POST', '/api/auth/sign-out');
    for (const planted of [...junk, junk.join('; '), ended.cookie]) {
      const asked = forge(`x=y; ${planted}; ${person.cookie}`);
      const answer = await asked.query('users.getMe');
      expect([planted, answer.status, answer.data?.id]).toEqual([planted, 200, person.id]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      const session = await asked.send('GET', '/api/auth/get-session');
      expect([session.body?.user?.id, session.headers.getSetCookie()]).toEqual([person.id, []]);
      expect((await asked.send('DELETE', `/api/property-images/${randomUUID()}`)).status).toBe(404);
    }
    const out = await forge(`${ended.cookie}; ${junk[0]}; ${person.cookie}`).send(
      'POST',
      '/api/auth/sign-out',
    );
    expect(out.status).toBe(200);
    expect((await person.query('users.getMe')).status).toBe(401);
  });

  test('only the first five with our signature are checked', async () => {
    const person = await host.signedIn();
    const ended: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const other = await host.signedIn();
      await other.send('POST', '/api/auth/sign-out');
      ended.push(other.cookie);
    }
    const behind = (count: number) => forge([...ended.slice(0, count), person.cookie].join('; '));
    expect((await behind(4).query('users.getMe')).status).toBe(200);
    expect((await behind(5).query('users.getMe')).status).toBe(401);
  });
});

describe('a session of the previous release', () => {
  const earlier = (person: Person): string => person.cookie.replace('__Host-', '__Secure-');
  const since = (person: Person, age: string | null) =>
    host.rows(`update session set "earlierNameSince" = now() - $2::interval where "userId" = $1`, [
      person.id,
      age,
    ]);
  const [MOVED, LEFT] = [
    /^__Host-better-auth\.session_token=[^;]+; Max-Age=6047\d\d; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    /^__Secure-better-auth\.session_token=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  ];

  test('continues under the new name, even when several requests have the old one', async () => {
    const person = await host.signedIn();
    await since(person, '6 days 23 hours');
    const old = forge(earlier(person));
    const answers = await Promise.all([
      old.query('users.getMe'),
      old.query('users.getMe'),
      old.send('GET', '/api/auth/get-session'),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(MOVED),
        expect.stringMatching(LEFT),
      ]);
    }
    const [moved = ''] = answers[0]?.headers.getSetCookie() ?? [];
    const next = await forge(moved.split(';')[0] ?? '').query('users.getMe');
    expect([next.data.id, next.headers.getSetCookie()]).toEqual([person.id, []]);
  });

  test('is renewed under the new name, and signed out under both', async () => {
    const person = await host.signedIn();
    await since(person, '1 day');
    await endsIn(person, '5 days');
    const renewed = await forge(earlier(person)).query('users.getMe');
    expect(renewed.headers.getSetCookie()).toEqual([
      expect.stringMatching(RENEWED),
      expect.stringMatching(LEFT),
    ]);
    const out = await forge(earlier(person)).send('POST', '/api/auth/sign-out');
    const cleared = out.headers.getSetCookie();
    expect(cleared).toContainEqual(expect.stringMatching(CLEARED));
    expect(cleared).toContainEqual(expect.stringMatching(LEFT));
    expect((await person.query('users.getMe')).status).toBe(401);
  });

  test('ends under the old name after seven days, and a session that began later is not accepted under it', async () => {
    for (const age of ['7 days 1 hour', null]) {
      const person = await host.signedIn();
      await since(person, age);
      const refused = await forge(earlier(person)).query('users.getMe');
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, [expect.stringMatching(LEFT)]]);
      // Another person's old cookie, set by another host of the site, does not replace the session.
      const other = await host.signedIn();
      expect((await forge(`${earlier(person)}; ${other.cookie}`).query('users.getMe')).data.id).toBe(
        other.id,
      );
      expect((await person.query('users.getMe')).status).toBe(200);
    }
  });

  test('is ignored when a cookie with the new name is sent, even while it is valid', async () => {
    const [planted, person] = [await host.signedIn(), await host.signedIn()];
    await since(planted, '1 day');
    const asked = forge(`${earlier(planted)}; ${person.cookie}`);
    expect((await asked.query('users.getMe')).data.id).toBe(person.id);
  });
});

test('the last use of a session is stored to the hour', async () => {
  const person = await host.signedIn();
  const lastUse = async () => {
    const [row] = await host.rows<{ minutes: number }>(
      `select extract(epoch from now() - "lastUsedAt")::float8 / 60 as minutes from session where "userId" = $1`,
      [person.id],
    );
    return row?.minutes;
  };
  const used = (age: string) =>
    host.rows(`update session set "lastUsedAt" = now() - $2::interval where "userId" = $1`, [person.id, age]);
  await used('50 minutes');
  await person.query('users.getMe');
  expect(await lastUse()).toBeGreaterThan(49);
  await used('61 minutes');
  await person.query('users.getMe');
  expect(await lastUse()).toBeLessThan(1);
});

test('on loopback the cookie has no prefix', async () => {
  const plain = await startApiHost({ settings: { PUBLIC_BASE_URL: 'http://127.0.0.1:3000' } });
  try {
    const person = await plain.signedIn();
    const cookie = person.cookie.replace('__Host-', '');
    const asked = createPerson(plain.url, { id: '', cookie: `better-auth.session_token=x; ${cookie}` });
    expect((await asked.query('users.getMe')).data.id).toBe(person.id);
    const out = await asked.send('POST', '/api/auth/sign-out');
    expect(out.headers.getSetCookie()).toContainEqual(
      'better-auth.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    );
  } finally {
    await plain.stop();
  }
});

test('a session begins with an id token, sent as the apps send it', async () => {
  const provider = await startIdentityProvider();
  const other = await startApiHost({
    settings: { GOOGLE_CLIENT_ID: 'web-client' },
    overrides: { identityKeys: { google: provider.keysUrl } },
  });
  try {
    const now = Math.floor(Date.now() / 1000);
    const idToken = await provider.sign({
      iss: 'https://accounts.google.com',
      aud: 'web-client',
      azp: 'ios-client',
      sub: '1',
      iat: now,
      exp: now + 3_600,
      email: 'ida@example.com',
      email_verified: true,
      name: 'Ida',
    });
    const signIn = (body: object) =>
      other.anonymous().send('POST', '/api/auth/sign-in/social', { body: JSON.stringify(body) });
    const signedIn = await signIn({ provider: 'google', idToken });
    expect(signedIn.status).toBe(200);
    const [cookie = ''] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(RENEWED);
    const person = createPerson(other.url, { id: '', cookie: cookie.split(';')[0] ?? '' });
    expect((await person.query('users.getMe')).data).toMatchObject({
      email: 'ida@example.com',
      name: 'Ida',
      role: 'customer',
      image: null,
    });
    const notOffered = await signIn({ provider: 'apple', idToken });
    expect([notOffered.status, notOffered.body.code]).toEqual([404, 'PROVIDER_NOT_FOUND']);
    expect(JSON.stringify(other.lines)).not.toContain(idToken);
  } finally {
    await other.stop();
    await provider.close();
  }
});

test('a new agent has the role with the very next call, on every device', async () => {
  const person = await host.signedIn({ role: 'customer' });
  expect((await person.query('properties.listMine', {})).errorCode).toBe('AGENT_REQUIRED');
  await person.mutate('users.becomeAgent', { licenseNumber: 'L-1', officeName: 'Office' });
  const again = forge(person.cookie);
  expect((await again.query('properties.listMine', {})).status).toBe(200);
});
