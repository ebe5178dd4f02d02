import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BASE_URL, codeOf, deviceCookie, sessionCookie, useAuth } from '../../support/http/auth-fixture.ts';

const fixture = useAuth();

describe('a person signs in with a mailed code', () => {
  test('from the request of a code to signing out', async () => {
    const { auth, signIn, codeFor, post } = fixture;
    const email = 'Mixed.Case@Example.com';
    const signedIn = await signIn(email, await codeFor(email), {
      body: { name: '  Ana  ', role: 'agent', image: 'https://evil.example/x.png', phone: '1' },
      headers: { 'accept-language': 'es-MX,es;q=0.9' },
    });
    expect(signedIn.status).toBe(200);
    const setCookie = signedIn.headers.getSetCookie().join('\n');
    expect(setCookie).toMatch(/^__Host-better-auth\.session_token=.*HttpOnly/im);
    expect(setCookie).toMatch(/Secure/);
    expect(setCookie).toMatch(/SameSite=Lax/);

    const rows = await fixture.pool.query(
      `select "earlierNameSince", "lastUsedAt" > now() - interval '1 minute' as used from session`,
    );
    expect(rows.rows).toEqual([{ earlierNameSince: null, used: true }]);
    const cookie = sessionCookie(signedIn);
    expect(await auth.sessionUser(new Headers({ cookie }))).toMatchObject({
      email: 'mixed.case@example.com',
      name: 'Ana',
      image: null,
      role: 'customer',
      locale: 'es',
      phone: null,
      licenseNumber: null,
      officeName: null,
    });
    const session = await auth.handler(
      new Request(`${BASE_URL}/api/auth/get-session`, { headers: { cookie } }),
      '::1',
    );
    expect(await session.json()).toMatchObject({ user: { email: 'mixed.case@example.com' } });

    expect((await post('/sign-out', {}, { cookie })).status).toBe(200);
    expect(await auth.sessionUser(new Headers({ cookie }))).toBeNull();
  });

  test('a change of role, language and profile by SQL applies to the next request', async () => {
    const { auth, pool, cookieOf } = fixture;
    const headers = new Headers({ cookie: await cookieOf('agent@example.com') });
    await pool.query(
      `update "user" set role = 'agent', locale = 'es', "licenseNumber" = 'L-1', "officeName" = 'Office', phone = '555'
       where email = 'agent@example.com'`,
    );
    expect(await auth.sessionUser(headers)).toMatchObject({
      role: 'agent',
      locale: 'es',
      licenseNumber: 'L-1',
      officeName: 'Office',
      phone: '555',
    });
    await fixture.askCode('agent@example.com', { headers: { 'accept-language': 'en' } });
    expect(fixture.sink.mails.at(-1)?.email.subject).toBe('Tu código de acceso de Proscenium');
  });

  test('a session lasts seven days, and use after the first day renews it', async () => {
    const { auth, pool, cookieOf } = fixture;
    const headers = new Headers({ cookie: await cookieOf('weekly@example.com') });
    expect((await auth.resolveSession(headers)).setCookies).toEqual([]);
    const owner = `"userId" = (select id from "user" where email = 'weekly@example.com')`;
    await pool.query(`update session set "expiresAt" = now() + interval '5 days' where ${owner}`);
    const renewed = await auth.resolveSession(headers);
    expect(renewed.user).toMatchObject({ email: 'weekly@example.com' });
    expect(renewed.setCookies.join()).toMatch(/session_token=.*Max-Age=604800/);
    await pool.query(`update session set "expiresAt" = now() - interval '1 second' where ${owner}`);
    const expired = await auth.resolveSession(headers);
    expect(expired.user).toBeNull();
    expect(expired.setCookies.join()).toMatch(/session_token=;.*Max-Age=0/);
  });

  test('a missing, foreign or forged cookie counts as unauthenticated', async () => {
    const { auth, cookieOf } = fixture;
    const cookie = await cookieOf('forged@example.com');
    const forged = `${cookie.slice(0, cookie.indexOf('=') + 1)}A${cookie.slice(cookie.indexOf('=') + 2)}`;
    for (const value of [undefined, 'a=b', '__cf_bm=x', forged, cookie.split('.').slice(0, -1).join('.')]) {
      const headers = new Headers(value === undefined ? {} : { cookie: value });
      expect(await auth.sessionUser(headers), value).toBeNull();
    }
  });

  test('at an address with an international domain, in either spelling', async () => {
    const { askCode, signIn, codeIn } = fixture;
    const stored = 'ana@xn--mnchen-3ya.example';
    for (const [requested, given] of [
      ['Ana@MÜNCHEN.example', 'ana@münchen.example'],
      ['ana@münchen.example', stored],
    ] as const) {
      const cookie = deviceCookie(await askCode(requested));
      // The mail server of the test shows domains in their own letters.
      expect((await signIn(given, codeIn('ana@münchen.example'), { cookie })).status).toBe(200);
    }
    const { rows } = await fixture.pool.query(`select email from "user" where email like 'ana@%'`);
    expect(rows).toEqual([{ email: stored }]);
  });
  test.each(['ana', 'ana@', '@example.com', 'ana@exa mple.com', 'ana@[::1]', 'ana@a@example.com', 'ana@-'])(
    '%s is no address',
    async (email) => {
      const { post } = fixture;
      const answer = await post('/email-otp/send-verification-otp', { email, type: 'sign-in' });
      expect(await codeOf(answer)).toEqual([400, 'INVALID_EMAIL']);
    },
  );
});

describe('codes', () => {
  test('are stored neither in plain text nor as a bare hash', async () => {
    const code = await fixture.codeFor('stored@example.com');
    const { rows } = await fixture.pool.query<{ codeHash: string }>(
      `select "codeHash" from sign_in_codes where email = 'stored@example.com'`,
    );
    expect(rows).toHaveLength(1);
    const stored = rows[0]?.codeHash ?? '';
    expect(stored).toMatch(/^[\w-]{43}$/);
    expect(stored).not.toContain(code);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect(stored).not.toContain(createHash('sha256').update(code).digest(encoding));
    }
  });

  test('three wrong tries invalidate the code', async () => {
    const { codeFor, signIn } = fixture;
    const email = 'guess@example.com';
    const code = await codeFor(email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await codeOf(await signIn(email, wrong))).toEqual([400, 'INVALID_OTP']);
    }
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await codeOf(await signIn(email, code))).toEqual([403, 'TOO_MANY_ATTEMPTS']);
    }
    expect((await signIn(email, await codeFor(email))).status).toBe(200);
  });

  test('a code works once, even when it is used twice at the same time', async () => {
    const { codeFor, signIn } = fixture;
    const code = await codeFor('once@example.com');
    expect((await signIn('once@example.com', code)).status).toBe(200);
    expect(await codeOf(await signIn('once@example.com', code))).toEqual([400, 'INVALID_OTP']);
    const raced = await codeFor('raced@example.com');
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn('raced@example.com', raced)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a newer code replaces the older', async () => {
    const { codeFor, signIn } = fixture;
    const email = 'again@example.com';
    const first = await codeFor(email);
    let second = await codeFor(email);
    if (second === first) second = await codeFor(email);
    expect(await codeOf(await signIn(email, first))).toEqual([400, 'INVALID_OTP']);
    expect((await signIn(email, second)).status).toBe(200);
  });

  test('a code expires', async () => {
    const { codeFor, signIn, pool } = fixture;
    const code = await codeFor('late@example.com');
    const lifetime = await pool.query<{ seconds: number }>(
      `select extract(epoch from "expiresAt" - now())::float8 as seconds from sign_in_codes
       where email = 'late@example.com'`,
    );
    expect(lifetime.rows[0]?.seconds).toBeLessThanOrEqual(300);
    await pool.query(
      `update sign_in_codes set "expiresAt" = now() - interval '1 second' where email = 'late@example.com'`,
    );
    expect(await codeOf(await signIn('late@example.com', code))).toEqual([400, 'OTP_EXPIRED']);
  });

  test('a code does not work for another person', async () => {
    const code = await fixture.codeFor('mine@example.com');
    expect((await fixture.signIn('yours@example.com', code)).status).toBe(400);
  });

  test('no log line holds a code or a session cookie', async () => {
    const code = await fixture.codeFor('logged@example.com');
    const cookie = sessionCookie(await fixture.signIn('logged@example.com', code));
    const text = fixture.lines.join('');
    for (const { email } of fixture.sink.mails) {
      const sent = /\b(\d{6})\b/.exec(email.text ?? '')?.[1] ?? 'none';
      expect(text).not.toContain(`"${sent}"`);
      expect(text).not.toContain(` ${sent}`);
    }
    expect(text).not.toContain(cookie.split('=')[1]);
  });
});
