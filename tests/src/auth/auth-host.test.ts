import { describe, expect, test, vi } from 'vitest';
import { ownSite } from '../../../src/site/read-site.ts';
import { systemClock } from '../../../src/time.ts';
import { BASE_URL, codeOf, useAuth } from '../../support/http/auth-fixture.ts';

const fixture = useAuth();

describe('origins', () => {
  test('a native client works with a cookie and no Origin', async () => {
    const { cookieOf, post, askCode } = fixture;
    const cookie = await cookieOf('native@example.com');
    expect((await askCode('native-2@example.com', { cookie })).status).toBe(200);
    expect((await askCode('native-3@example.com', { cookie: '__cf_bm=from-a-cdn' })).status).toBe(200);
    const headers = { 'sec-fetch-mode': 'cors' };
    expect((await askCode('node-fetch@example.com', { cookie, headers })).status).toBe(200);
    expect((await post('/sign-out', {}, { cookie })).status).toBe(200);
  });

  test('a browser on our own origin works', async () => {
    const cookie = await fixture.cookieOf('browser@example.com');
    const headers = { origin: BASE_URL, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
    expect((await fixture.post('/sign-out', {}, { cookie, headers })).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['a null origin', { origin: 'null' }],
    [
      'a foreign origin with fetch metadata',
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ],
    ['fetch metadata without an origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['another host of our site', { origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' }],
    ['a foreign referer', { referer: 'https://evil.example/page' }],
    ['an origin that begins like ours', { origin: `${BASE_URL}.evil.example` }],
    ['forwarded host headers', { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }],
  ])('%s is rejected, with and without a cookie, and the session stays', async (name, headers) => {
    const email = `victim-${name.replaceAll(' ', '-')}@example.com`;
    const cookie = await fixture.cookieOf(email);
    expect((await fixture.post('/sign-out', {}, { cookie, headers })).status).toBe(403);
    const before = fixture.sink.mails.length;
    expect((await fixture.askCode(`other-${email}`, { cookie, headers })).status).toBe(403);
    expect((await fixture.askCode(`other-${email}`, { headers })).status).toBe(403);
    expect(fixture.sink.mails).toHaveLength(before);
    expect(await fixture.auth.sessionUser(new Headers({ cookie }))).toMatchObject({ email });
  });
});

describe('the routes', () => {
  const request = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fixture.auth.handler(new Request(`http://internal${path}`, { method, ...init }), fixture.freshIp());

  test.each([
    '/api/auth/sign-up/email',
    '/api/auth/sign-in/email',
    '/api/auth/update-user',
    '/api/auth/delete-user',
    '/api/auth/email-otp/reset-password',
    '/api/auth/email-otp/verify-email',
    '/api/auth/callback/google',
    '/api/auth/ok',
    '/api/auth',
    '/api/auth/',
    '/api/authentic/get-session',
    '/api/auth/get-session//',
  ])('%s does not exist', async (path) => {
    for (const method of ['GET', 'POST']) {
      const response = await request(method, path);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await codeOf(response)).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('another method is 405 with the allowed ones', async () => {
    const response = await request('GET', '/api/auth/sign-in/email-otp');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.each([
    ['text/plain', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/x-www-form-urlencoded', 'email=a', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json', '{', 400, 'BAD_REQUEST'],
    ['application/json', '[]', 400, 'INVALID_INPUT'],
    ['application/json; charset=utf-8', '{"email":1,"type":"sign-in"}', 400, 'INVALID_INPUT'],
    ['application/json', '{"email":"a@example.com","type":"forget-password"}', 400, 'INVALID_INPUT'],
    ['application/json', '{"email":"not an address","type":"sign-in"}', 400, 'INVALID_EMAIL'],
    ['application/json', `"${'x'.repeat(40_000)}"`, 413, 'PAYLOAD_TOO_LARGE'],
  ])('a body of %s %.40s is %i %s', async (contentType, body, status, code) => {
    const headers = { 'content-type': contentType };
    const response = await request('POST', '/api/auth/email-otp/send-verification-otp', { headers, body });
    expect(await codeOf(response)).toEqual([status, code]);
  });

  test('get-session without a session is 200 null', async () => {
    const response = await request('GET', '/api/auth/get-session');
    expect([response.status, await response.json()]).toEqual([200, null]);
  });
});

describe('outages', () => {
  test('mail that the server does not accept is 503 MAIL_UNAVAILABLE, for known and unknown people alike', async () => {
    await fixture.cookieOf('known@example.com');
    fixture.sink.mode.refuse = true;
    try {
      for (const email of ['known@example.com', 'unknown@example.com']) {
        const response = await fixture.askCode(email);
        expect(response.headers.get('retry-after')).toBe('5');
        expect(await codeOf(response)).toEqual([503, 'MAIL_UNAVAILABLE']);
      }
    } finally {
      fixture.sink.mode.refuse = false;
    }
  });

  test('without Redis only the holder of a code can sign in, existing sessions stay, and sign-in works again when Redis is back', async () => {
    const { askCode, signIn, codeFor, cookieOf, auth, post, redis, redisServer } = fixture;
    const printed = vi.spyOn(console, 'error');
    const cookie = await cookieOf('stays@example.com');
    const code = await codeFor('waits@example.com', { ip: '192.0.2.1' });
    const held = await codeFor('holds@example.com');
    await redisServer.crash();
    expect(await codeOf(await askCode('stays@example.com'))).toEqual([503, 'RATE_LIMIT_UNAVAILABLE']);
    const elsewhere = { ip: '192.0.2.1', cookie: 'a=b' };
    const refused = await signIn('waits@example.com', code, elsewhere);
    expect(await codeOf(refused)).toEqual([503, 'RATE_LIMIT_UNAVAILABLE']);
    expect((await signIn('holds@example.com', held)).status).toBe(200);
    // The failure is only in the log, where secrets are removed.
    expect(printed).not.toHaveBeenCalled();
    expect(await auth.sessionUser(new Headers({ cookie }))).toMatchObject({ email: 'stays@example.com' });
    expect((await post('/sign-out', {}, { cookie })).status).toBe(200);
    await redisServer.start();
    await expect.poll(() => redis.status, { timeout: 15_000 }).toBe('ready');
    expect((await signIn('waits@example.com', code, elsewhere)).status).toBe(200);
  });

  test('without the database the answer is 503 and the session lookup rejects: no session is ended', async () => {
    const broken = await openAuthWithoutDatabase();
    const headers = new Headers({ cookie: await fixture.cookieOf('unsure@example.com') });
    await expect(broken.auth.resolveSession(headers)).rejects.toThrow();
    const response = await broken.auth.handler(
      new Request(`${BASE_URL}/api/auth/get-session`, { headers }),
      fixture.freshIp(),
    );
    expect(await codeOf(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await broken.pool.end();
  });
});

async function openAuthWithoutDatabase() {
  const { default: pg } = await import('pg');
  const { createAuth } = await import('../../../src/auth/auth.ts');
  const { createLogger } = await import('../../../src/telemetry/logger.ts');
  const pool = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
  const auth = createAuth({
    config: {
      authSecret: 'an-auth-secret-of-at-least-32-characters',
      publicBaseUrl: BASE_URL,
      site: ownSite(),
      webOrigins: [],
      googleClientId: null,
      appleClientId: null,
      codesPerHour: 0,
      signUp: 'open',
    },
    pool,
    redis: fixture.redis,
    sendOtpMail: async () => {},
    logger: createLogger({ role: 'web', level: 'silent' }),
    clock: systemClock,
  });
  return { auth, pool };
}
