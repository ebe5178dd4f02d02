import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { currentServer } from '../../../persistence/standbys/confirmation.ts';
import { DEVICE, SESSION } from '../../../src/console/sign-in/signed-token.ts';
import { TRY_RULES } from '../../../src/console/sign-in/try-limits.ts';
import { NOT_YET_DURABLE } from '../../../src/operations/operation.ts';
import {
  basicOf,
  type ConsoleHost,
  CREDENTIALS,
  OPERATOR,
  openConsole,
  wordsOf,
} from '../../support/http/console-host.ts';
import { createTcpGate } from '../../support/http/tcp-gate.ts';

/** Unauthenticated callers get no information; operators can sign in. */
let host: ConsoleHost;
beforeAll(async () => {
  host = await openConsole();
});
afterAll(() => host.close());

/** Wrong tries of one test must not lock out the next. */
beforeEach(async () => {
  const keys = await host.parts.redis.keys(`console-try${host.parts.config.queueSuffix}:*`);
  if (keys.length > 0) await host.parts.redis.del(keys);
});

const PATHS = [
  '/console',
  '/console/',
  '/console/actors/stagingJob',
  '/console/assets/console.css',
  '/console/nothing',
  '/queues',
  '/queues/api/queues',
  '/console/actions',
  '/console/costs',
  '/console/ready',
  '/sign-out',
];

/** The exact bytes of the answer, without the date. */
function raw(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  return new Promise<string>((resolve, reject) => {
    const sent = request(`${host.base}${path}`, { method, headers, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (body += part));
      answer.on('end', () => {
        const { rawHeaders, statusCode, statusMessage } = answer;
        const told = rawHeaders.map((value, index) => (rawHeaders[index - 1] === 'Date' ? 'now' : value));
        resolve(JSON.stringify([statusCode, statusMessage, told, body]));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const signIn = (
  user: string,
  password: string,
  headers: Record<string, string> = {},
  base: string = host.base,
) =>
  fetch(`${base}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ user, password }),
  });
const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const withCookie = (cookie: string, path = '/console') =>
  fetch(`${host.base}${path}`, { headers: { cookie }, redirect: 'manual' });

describe('unauthenticated callers', () => {
  test.for(PATHS)('%s is answered like an unknown path', async (path) => {
    const unknown = await raw('/no-such-path');
    const wrong = { authorization: basicOf({ user: OPERATOR.user, password: 'wrong' }) };
    expect(await raw(path)).toBe(unknown);
    expect(await raw(path, { headers: wrong })).toBe(unknown);
    expect(await raw(path, { headers: { cookie: 'operator=1893456000000.AAAA' } })).toBe(unknown);
    expect(await raw(path, { method: 'POST', headers: wrong })).toBe(
      await raw('/no-such-path', { method: 'POST' }),
    );
    expect(unknown).not.toMatch(/www-authenticate/i);
  });

  test('malformed requests are answered the same way', async () => {
    const odd: Record<string, string>[] = [
      { host: 'a b' },
      { authorization: 'Basic %%%' },
      { authorization: 'Basic Og==' },
    ];
    for (const headers of odd)
      expect(await raw('/console', { headers })).toBe(await raw('/no-such-path', { headers }));
  });

  test('the form contains no names and loads nothing from other hosts', async () => {
    const answer = await fetch(`${host.base}/sign-in`);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).not.toMatch(/proscenium|console|queue|staging|worker|<script|<link|https?:/i);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('wrong credentials are answered like an unknown path', async () => {
    const unknown = await raw('/no-such-path', { method: 'POST' });
    for (const [user, password] of [
      [OPERATOR.user, 'wrong'],
      ['wrong', OPERATOR.password],
      ['', ''],
      [OPERATOR.user, `${OPERATOR.password} `],
    ] as const) {
      const answer = await signIn(user, password);
      expect([answer.status, await answer.text()]).toEqual([404, '{"error":{"code":"NOT_FOUND"}}']);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(await raw('/sign-in', { method: 'POST' })).toBe(unknown);
    expect(await raw('/sign-in/more')).toBe(await raw('/no-such-path'));
    expect(await raw('/sign-in', { method: 'PUT' })).toBe(await raw('/no-such-path', { method: 'PUT' }));
    expect((await signIn(OPERATOR.user, 'x'.repeat(10_000))).status).toBe(404);
  });

  test('rejected tries are logged with the address and never with the credentials', async () => {
    host.lines.length = 0;
    await signIn(OPERATOR.user, 'guess-number-one');
    const [line = ''] = host.lines.filter((one) => one.includes('refused'));
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', address: expect.stringContaining('127.0.0.1') });
    expect(host.lines.join('')).not.toContain('guess-number-one');
  });
});

describe('operators', () => {
  test('sign in, get a session that scripts and other sites cannot use, and sign out', async () => {
    const answer = await signIn(OPERATOR.user, OPERATOR.password);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console']);
    const [set = ''] = answer.headers.getSetCookie();
    expect(set).toMatch(/; HttpOnly/);
    expect(set).toMatch(/; SameSite=Strict/);
    expect(set).toMatch(/; Path=\//);
    expect(set).toMatch(new RegExp(`Max-Age=${SESSION.seconds}`));
    expect(set).not.toMatch(/Secure/);
    expect(set).not.toContain(OPERATOR.password);
    const cookie = cookieOf(answer);
    const page = await withCookie(cookie);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const out = await fetch(`${host.base}/sign-out`, {
      method: 'POST',
      headers: { cookie },
      redirect: 'manual',
    });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/sign-in']);
    expect(out.headers.getSetCookie()).toEqual([expect.stringMatching(/^operator=;.*Max-Age=0/)]);
  });

  test('with a standby, a sign-out is answered as done only once the standby has it; the same call confirms it', async () => {
    let hasStandby = false;
    const confirm = async () => {
      const server = await currentServer(other.database.pool);
      return hasStandby && server !== null ? { server, isTrusted: true } : null;
    };
    const confirmation = { confirm, unconfirmedMs: () => 0, isHopeful: () => true, close: async () => {} };
    const other = await openConsole(CREDENTIALS, { confirmation });
    try {
      const cookie = cookieOf(await signIn(OPERATOR.user, OPERATOR.password, {}, other.base));
      const send = (path: string, method: string) =>
        fetch(`${other.base}${path}`, { method, headers: { cookie }, redirect: 'manual' });
      const unconfirmed = await send('/sign-out', 'POST');
      expect([unconfirmed.status, unconfirmed.headers.get('retry-after')]).toEqual([503, '5']);
      expect(wordsOf(await unconfirmed.text())).toContain(NOT_YET_DURABLE);
      expect(unconfirmed.headers.getSetCookie()).toEqual([]);
      // It has ended here all the same.
      expect((await send('/console', 'GET')).status).toBe(404);
      hasStandby = true;
      expect((await send('/sign-out', 'POST')).status).toBe(303);
    } finally {
      await other.close();
    }
  });

  test('a signed-out session is invalid in every worker, including a copy of its cookie; other sessions stay', async () => {
    const [one, two] = [
      await signIn(OPERATOR.user, OPERATOR.password),
      await signIn(OPERATOR.user, OPERATOR.password),
    ];
    const [copy, other] = [cookieOf(one), cookieOf(two)];
    expect(copy).not.toBe(other);
    const leave = (cookie: string) =>
      fetch(`${host.base}/sign-out`, { method: 'POST', headers: { cookie }, redirect: 'manual' });
    expect((await leave(copy)).status).toBe(303);
    expect((await withCookie(copy)).status).toBe(404);
    expect((await leave(copy)).status).toBe(404);
    expect((await withCookie(other)).status).toBe(200);
    expect((await withCookie(`${copy}; ${other}`)).status).toBe(200);
    const { rows } = await host.database.pool.query(
      `select "endsAt" from console_sign_outs where "sessionId" = $1`,
      [copy.split('.')[1]],
    );
    expect(rows).toEqual([{ endsAt: new Date(host.clock.now() + SESSION.seconds * 1000) }]);
    await leave(other);
  });

  test('while the database is away, sessions are rejected, since they may be over; credentials are accepted', async () => {
    const gate = await createTcpGate(host.database.url);
    const cut = await openConsole(CREDENTIALS, {
      clock: host.clock,
      through: () => gate.through(host.database.url),
    });
    try {
      const cookie = cookieOf(await signIn(OPERATOR.user, OPERATOR.password));
      const look = (headers: Record<string, string>) =>
        fetch(`${cut.base}/console/assets/console.css`, { headers });
      expect((await look({ cookie })).status).toBe(200);
      await gate.cut();
      expect((await look({ cookie })).status).toBe(404);
      expect((await look({ authorization: basicOf(OPERATOR) })).status).toBe(200);
    } finally {
      await cut.close();
      await gate.cut();
    }
  });

  test('behind an https proxy the cookie is never sent unencrypted', async () => {
    for (const proto of ['https', 'https, http']) {
      const answer = await signIn(OPERATOR.user, OPERATOR.password, { 'x-forwarded-proto': proto });
      expect(answer.headers.getSetCookie()[0]).toMatch(/; Secure/);
    }
  });

  test('can use Authorization: Basic too', async () => {
    expect((await host.get('/console')).status).toBe(200);
  });

  test('an altered or expired session is rejected', async () => {
    const cookie = cookieOf(await signIn(OPERATOR.user, OPERATOR.password));
    const [name, token = ''] = cookie.split('=');
    const [endsAt = '', id = '', mac = ''] = token.split('.');
    const later = `${Number(endsAt) + 1}.${id}.${mac}`;
    const other = `${endsAt}.${id}.${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`;
    const device = (await signIn(OPERATOR.user, OPERATOR.password)).headers.getSetCookie()[1] ?? '';
    const ofDevice = device.split(';')[0]?.split('=')[1] ?? '';
    expect(ofDevice).toMatch(/^\d{13}\./);
    for (const altered of [later, other, ofDevice, `${endsAt}.${mac}`, endsAt, `${endsAt}.`, ''])
      expect((await withCookie(`${name}=${altered}`)).status, altered).toBe(404);
    expect((await withCookie(cookie)).status).toBe(200);
    host.clock.advance(SESSION.seconds * 1000 - 1);
    expect((await withCookie(cookie)).status).toBe(200);
    host.clock.advance(1);
    expect((await withCookie(cookie)).status).toBe(404);
  });

  test('a session is valid only for the credentials it was created with', async () => {
    const other = await openConsole({ ...CREDENTIALS, QUEUE_DASHBOARD_PASSWORD: 'another-password' }, host);
    try {
      const cookie = cookieOf(await signIn(OPERATOR.user, OPERATOR.password));
      const answer = await fetch(`${other.base}/console`, { headers: { cookie } });
      expect(answer.status).toBe(404);
    } finally {
      await other.close();
    }
  });

  test('requests that another site makes their browser send change nothing', async () => {
    const cookie = cookieOf(await signIn(OPERATOR.user, OPERATOR.password));
    const post = (headers: Record<string, string>, path = '/sign-out') =>
      fetch(`${host.base}${path}`, { method: 'POST', redirect: 'manual', headers: { cookie, ...headers } });
    expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await post({ origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await post({ origin: 'null' })).status).toBe(403);
    expect((await post({ origin: host.base })).status).toBe(303);
    const again = cookieOf(await signIn(OPERATOR.user, OPERATOR.password));
    const own = { cookie: again, 'sec-fetch-site': 'same-origin', origin: host.base };
    expect((await post(own)).status).toBe(303);
    const foreign = await signIn(OPERATOR.user, OPERATOR.password, { 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([404, []]);
  });
});

describe('too many wrong tries', () => {
  const wrongTry = () => signIn(OPERATOR.user, 'wrong');

  test('lock an address out even with the right credentials, but not a signed-in operator', async () => {
    const cookie = cookieOf(await signIn(OPERATOR.user, OPERATOR.password));
    host.lines.length = 0;
    // Right credentials do not count.
    for (let n = 0; n < TRY_RULES.perAddress; n += 1) {
      expect((await signIn(OPERATOR.user, OPERATOR.password)).status).toBe(303);
      await wrongTry();
    }
    expect((await signIn(OPERATOR.user, OPERATOR.password)).status).toBe(404);
    expect((await host.get('/console')).status).toBe(404);
    expect((await withCookie(cookie)).status).toBe(200);
    expect(host.lines.filter((line) => line.includes('too many tries'))).toHaveLength(1);
    const keys = await host.parts.redis.keys(`console-try${host.parts.config.queueSuffix}:address*`);
    expect(keys).toHaveLength(1);
    // The lock ends with the window.
    expect(await host.parts.redis.pttl(keys[0] ?? '')).toBeGreaterThan(0);
    await host.parts.redis.del(keys);
    expect((await signIn(OPERATOR.user, OPERATOR.password)).status).toBe(303);
  });

  test('of others never lock out the right password in a known browser', async () => {
    const first = await signIn(OPERATOR.user, OPERATOR.password);
    const [, device = ''] = first.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    expect(first.headers.getSetCookie()[1]).toMatch(
      new RegExp(`^operator-device=.*Max-Age=${DEVICE.seconds}.*HttpOnly.*SameSite=Strict`),
    );
    const all = `console-try${host.parts.config.queueSuffix}:all:all`;
    for (let n = 0; n <= TRY_RULES.perAddress; n += 1) await wrongTry();
    await host.parts.redis.set(all, TRY_RULES.inAll, 'KEEPTTL');
    expect((await signIn(OPERATOR.user, OPERATOR.password)).status).toBe(404);
    expect(
      (await signIn(OPERATOR.user, OPERATOR.password, { cookie: 'operator-device=forged' })).status,
    ).toBe(404);
    // The device cookie is not a session, survives signing out, and its own wrong tries are limited as well.
    expect((await withCookie(device)).status).toBe(404);
    for (let n = 1; n < TRY_RULES.perDevice; n += 1) await signIn(OPERATOR.user, 'wrong', { cookie: device });
    expect((await signIn(OPERATOR.user, OPERATOR.password, { cookie: device })).status).toBe(303);
    await signIn(OPERATOR.user, 'wrong', { cookie: device });
    expect((await signIn(OPERATOR.user, OPERATOR.password, { cookie: device })).status).toBe(404);
  });

  test('are counted by the address from the trusted proxies, never by headers of the client', async () => {
    const proxied = await openConsole({ ...CREDENTIALS, TRUSTED_PROXY_HOPS: '1' }, { clock: host.clock });
    try {
      const enter = (password: string, forwarded: string) =>
        fetch(`${proxied.base}/console`, {
          headers: { authorization: basicOf({ ...OPERATOR, password }), 'x-forwarded-for': forwarded },
        });
      // The last entry was written by the proxy; the entries before it by the client.
      for (let n = 0; n <= TRY_RULES.perAddress; n += 1) await enter('wrong', `10.0.0.${n}, 203.0.113.9`);
      expect((await enter(OPERATOR.password, '203.0.113.9')).status).toBe(404);
      expect((await enter(OPERATOR.password, '203.0.113.10')).status).toBe(200);
      expect(proxied.lines.filter((line) => line.includes('"address":"203.0.113.9"'))).not.toEqual([]);
    } finally {
      await proxied.close();
    }
    for (let n = 0; n <= TRY_RULES.perAddress; n += 1)
      await signIn(OPERATOR.user, 'wrong', { 'x-forwarded-for': `203.0.113.${n}` });
    expect(
      (await signIn(OPERATOR.user, OPERATOR.password, { 'x-forwarded-for': '203.0.113.99' })).status,
    ).toBe(404);
  });

  test('at the same time do not exceed the limit', async () => {
    const tries = Array.from({ length: TRY_RULES.perAddress * 3 }, (_, n) =>
      signIn(OPERATOR.user, n === TRY_RULES.perAddress * 3 - 1 ? OPERATOR.password : 'wrong'),
    );
    expect((await Promise.all(tries)).map(({ status }) => status)).not.toContain(303);
  });

  test('of all addresses together are limited too', async () => {
    const key = `console-try${host.parts.config.queueSuffix}:all:all`;
    await wrongTry();
    expect(await host.parts.redis.get(key)).toBe('1');
    await host.parts.redis.set(key, TRY_RULES.inAll, 'KEEPTTL');
    expect((await signIn(OPERATOR.user, OPERATOR.password)).status).toBe(404);
    await host.parts.redis.del(key);
    expect((await signIn(OPERATOR.user, OPERATOR.password)).status).toBe(303);
  });

  test('are counted by each process while the key-value store is away', async () => {
    const alone = await openConsole({ ...CREDENTIALS, KV_URL: 'redis://127.0.0.1:9' });
    try {
      const enter = (password: string) =>
        fetch(`${alone.base}/console`, { headers: { authorization: basicOf({ ...OPERATOR, password }) } });
      expect((await enter(OPERATOR.password)).status).toBe(200);
      for (let n = 0; n < TRY_RULES.perAddress; n += 1) await enter('wrong');
      expect((await enter(OPERATOR.password)).status).toBe(404);
    } finally {
      await alone.close();
    }
  });
});

test('without configured credentials there is no console and no sign-in', async () => {
  const bare = await openConsole({});
  try {
    for (const path of [...PATHS, '/sign-in']) {
      const answer = await bare.get(path);
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        404,
        '{"error":{"code":"NOT_FOUND"}}',
      ]);
    }
  } finally {
    await bare.close();
  }
});
