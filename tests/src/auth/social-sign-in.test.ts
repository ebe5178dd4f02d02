import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  type AuthFixture,
  codeOf,
  openAuth,
  type SendOptions,
  sessionCookie,
} from '../../support/http/auth-fixture.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../support/http/identity-provider.ts';

let provider: TestIdentityProvider;
let fixture: AuthFixture;
beforeAll(async () => {
  provider = await startIdentityProvider();
  fixture = await openAuth({ identityKeys: { google: provider.keysUrl, apple: provider.keysUrl } });
});
afterAll(async () => {
  await fixture.close();
  await provider.close();
});

const now = (): number => Math.floor(Date.now() / 1000);
const google = (email: string, changes: object = {}) => ({
  iss: 'https://accounts.google.com',
  aud: 'google-client',
  sub: `google-${email}`,
  iat: now(),
  exp: now() + 3_600,
  email,
  email_verified: true,
  name: 'Gina Google',
  picture: 'https://evil.example/p.png',
  ...changes,
});
const apple = (email: string, changes: object = {}) => ({
  ...google(email, { iss: 'https://appleid.apple.com', aud: 'apple-client', sub: `apple-${email}` }),
  name: undefined,
  picture: undefined,
  email_verified: 'true',
  ...changes,
});
const sign = (claims: object): Promise<string> => provider.sign({ ...claims });
const social = (body: object, options?: SendOptions): Promise<Response> =>
  fixture.post('/sign-in/social', body, options);
const personOf = (response: Response) =>
  fixture.auth.sessionUser(new Headers({ cookie: sessionCookie(response) }));
const rowsOf = async (email: string): Promise<[users: number, accounts: number, sessions: number]> => {
  const { rows } = await fixture.pool.query<{ users: number; accounts: number; sessions: number }>(
    `select count(distinct u.id)::int as users, count(distinct a.id)::int as accounts,
       count(distinct s.id)::int as sessions
     from "user" u left join account a on a."userId" = u.id left join session s on s."userId" = u.id
     where u.email = $1`,
    [email],
  );
  return [rows[0]?.users ?? 0, rows[0]?.accounts ?? 0, rows[0]?.sessions ?? 0];
};

/** Both requests look and find nothing before either writes to the table. */
async function atOnce(table: string, request: () => Promise<Response>): Promise<Response[]> {
  const holder = await fixture.pool.connect();
  try {
    await holder.query(`begin; lock table ${table} in exclusive mode`);
    const answers = Promise.all([request(), request()]);
    const waiting = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(
      async () => (await fixture.pool.query<{ count: number }>(waiting)).rows[0]?.count === 2,
      {
        what: 'both requests to wait for the table',
      },
    );
    await holder.query('commit');
    return await answers;
  } finally {
    holder.release();
  }
}

describe('a new person', () => {
  test('is accepted with the token as a string and as an object, and is the same person', async () => {
    const idToken = await sign(google('gina@example.com'));
    const headers = { 'accept-language': 'es-MX' };
    const asText = await social({ provider: 'google', idToken }, { headers });
    expect(asText.status).toBe(200);
    expect(await asText.clone().json()).toMatchObject({
      redirect: false,
      token: expect.any(String),
      user: { email: 'gina@example.com', emailVerified: true },
    });
    expect(asText.headers.getSetCookie().join()).toMatch(
      /^__Host-better-auth\.session_token=.*Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax/,
    );
    const first = await personOf(asText);
    expect(first).toMatchObject({
      email: 'gina@example.com',
      name: 'Gina Google',
      image: null,
      role: 'customer',
      locale: 'es',
    });
    const asObject = await social({ provider: 'google', idToken: { token: idToken } });
    expect((await personOf(asObject))?.id).toBe(first?.id);
    const { rows } = await fixture.pool.query(
      'select "idToken", "accessToken", "refreshToken" from account where "userId" = $1',
      [first?.id],
    );
    expect(rows).toEqual([{ idToken: null, accessToken: null, refreshToken: null }]);
  });

  test('signs in by Apple with the name that only the app has', async () => {
    const idToken = {
      token: await sign(apple('ada@example.com')),
      user: { name: { firstName: ' Ada\u0000', lastName: `L${'x'.repeat(200)}` } },
    };
    const person = await personOf(await social({ provider: 'apple', idToken }));
    expect(person).toMatchObject({ email: 'ada@example.com', role: 'customer' });
    expect(person?.name).toMatch(/^Ada Lx{90,}$/);
    expect(person?.name).toHaveLength(100);
  });

  test('gets no name when the name in the token is not text', async () => {
    const idToken = await sign(google('odd@example.com', { name: { first: 1 } }));
    expect(await personOf(await social({ provider: 'google', idToken }))).toMatchObject({ name: '' });
  });

  test.each(['a\0@example.com', '\ud800@example.com', { toString: 1 }, 7])(
    'whose address in the token cannot be stored is rejected as input, not as a fault of ours: %j',
    async (email) => {
      const idToken = await sign(google('x@example.com', { email }));
      const answer = await social({ provider: 'google', idToken });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([expect.toBeOneOf([401, 403]), []]);
    },
  );

  test('becomes one person, even when the button was pressed twice', async () => {
    const idToken = await sign(google('eager@example.com'));
    const answers = await atOnce('"user"', () => social({ provider: 'google', idToken }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await rowsOf('eager@example.com')).toEqual([1, 1, 2]);
  });
});

describe('a known person', () => {
  test('by a mailed code is the same person by Google and by Apple', async () => {
    const email = 'both@example.com';
    const byCode = await fixture.auth.sessionUser(new Headers({ cookie: await fixture.cookieOf(email) }));
    const byGoogle = await personOf(
      await social({ provider: 'google', idToken: await sign(google('Both@Example.com')) }),
    );
    const byApple = await personOf(await social({ provider: 'apple', idToken: await sign(apple(email)) }));
    expect([byGoogle?.id, byApple?.id]).toEqual([byCode?.id, byCode?.id]);
    expect(byGoogle?.name).toBe('');
    expect(await rowsOf(email)).toEqual([1, 2, 3]);
  });

  test('is linked once, even when the button was pressed twice', async () => {
    await fixture.cookieOf('twice@example.com');
    const idToken = await sign(google('twice@example.com'));
    const answers = await atOnce('account', () => social({ provider: 'google', idToken }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await rowsOf('twice@example.com')).toEqual([1, 1, 3]);
  });

  test('stays the same person when the provider changes their address', async () => {
    const sub = 'google-stable';
    const first = await personOf(
      await social({ provider: 'google', idToken: await sign(google('old@example.com', { sub })) }),
    );
    const later = await personOf(
      await social({ provider: 'google', idToken: await sign(google('new@example.com', { sub })) }),
    );
    expect(later).toMatchObject({ id: first?.id, email: 'old@example.com' });
    expect(await rowsOf('new@example.com')).toEqual([0, 0, 0]);
  });

  test('is not linked when the address was not verified here', async () => {
    await fixture.pool.query(
      `insert into "user" (name, email, "emailVerified") values ('', 'unproven@example.com', false)`,
    );
    const response = await social({
      provider: 'google',
      idToken: await sign(google('unproven@example.com')),
    });
    expect(await codeOf(response)).toEqual([401, 'OAUTH_LINK_ERROR']);
    expect(await rowsOf('unproven@example.com')).toEqual([1, 0, 0]);
  });
});

describe('an invalid sign-in is rejected and leaves no row behind', () => {
  test.each<[string, () => object, number, string]>([
    ['a token for another client', () => google('a@x.example', { aud: 'other' }), 401, 'INVALID_TOKEN'],
    ['another issuer', () => google('a@x.example', { iss: 'https://evil.example' }), 401, 'INVALID_TOKEN'],
    ['Apple’s token sent as Google’s', () => apple('a@x.example'), 401, 'INVALID_TOKEN'],
    ['an expired token', () => google('a@x.example', { exp: now() - 60 }), 401, 'INVALID_TOKEN'],
    ['an old token', () => google('a@x.example', { iat: now() - 4_000 }), 401, 'INVALID_TOKEN'],
    ['no address', () => google('a@x.example', { email: undefined }), 401, 'USER_EMAIL_NOT_FOUND'],
    [
      'an address not verified',
      () => google('a@x.example', { email_verified: false }),
      403,
      'EMAIL_NOT_VERIFIED',
    ],
    [
      'an address of which nothing is said',
      () => google('a@x.example', { email_verified: undefined }),
      403,
      'EMAIL_NOT_VERIFIED',
    ],
  ])('%s', async (_, claims, status, code) => {
    for (const idToken of [await sign(claims()), { token: await sign(claims()) }]) {
      const response = await social({ provider: 'google', idToken });
      expect(response.headers.getSetCookie()).toEqual([]);
      const body = await response.json();
      expect([response.status, body]).toEqual([
        status,
        { code, message: expect.stringMatching(/\.$/), messageKey: expect.stringMatching(/^errors\./) },
      ]);
    }
    expect(await rowsOf('a@x.example')).toEqual([0, 0, 0]);
  });

  test('Apple’s claim that an address is not verified', async () => {
    const idToken = await sign(apple('relay@x.example', { email_verified: 'false' }));
    expect(await codeOf(await social({ provider: 'apple', idToken }))).toEqual([403, 'EMAIL_NOT_VERIFIED']);
  });

  test('a forged signature', async () => {
    const otherProvider = await startIdentityProvider();
    const idToken = await otherProvider.sign(google('victim@x.example'));
    await otherProvider.close();
    expect(await codeOf(await social({ provider: 'google', idToken }))).toEqual([401, 'INVALID_TOKEN']);
    expect(fixture.lines.join('')).toContain('"reason":"ERR_JWS_SIGNATURE_VERIFICATION_FAILED"');
    expect(fixture.lines.join('')).not.toContain(idToken.split('.')[2]);
  });

  test.each<[string, object, number, string]>([
    ['no token', { provider: 'google' }, 400, 'INVALID_INPUT'],
    ['a redirect', { provider: 'google', callbackURL: 'https://evil.example' }, 400, 'INVALID_INPUT'],
    ['an empty token', { provider: 'google', idToken: '' }, 400, 'INVALID_INPUT'],
    ['a number for a token', { provider: 'google', idToken: 1 }, 400, 'INVALID_INPUT'],
    ['an object without a token', { provider: 'google', idToken: {} }, 400, 'INVALID_INPUT'],
    ['no provider', { idToken: 'a.b.c' }, 400, 'INVALID_INPUT'],
    ['words for a token', { provider: 'google', idToken: 'a.b.c' }, 401, 'INVALID_TOKEN'],
    ['a provider that is not set up', { provider: 'github', idToken: 'a.b.c' }, 404, 'PROVIDER_NOT_FOUND'],
    ['an unknown provider', { provider: '__proto__', idToken: 'a.b.c' }, 404, 'PROVIDER_NOT_FOUND'],
  ])('%s', async (_, body, status, code) => {
    expect(await codeOf(await social(body))).toEqual([status, code]);
  });

  test('a wrong nonce, at either place', async () => {
    const token = await sign(google('nonce@x.example', { nonce: 'right' }));
    const beside = { provider: 'google', idToken: token };
    const inside = (nonce: string) => ({ provider: 'google', idToken: { token, nonce } });
    expect(await codeOf(await social(inside('wrong')))).toEqual([401, 'INVALID_TOKEN']);
    expect(await codeOf(await social({ ...beside, nonce: 'wrong' }))).toEqual([401, 'INVALID_TOKEN']);
    expect((await social(inside('right'))).status).toBe(200);
    expect((await social({ ...beside, nonce: 'right' })).status).toBe(200);
    const hashed = createHash('sha256').update('raw').digest('hex');
    const appleToken = await sign(apple('nonce@x.example', { nonce: hashed }));
    const byApple = await social({ provider: 'apple', idToken: { token: appleToken, nonce: 'raw' } });
    expect(byApple.status).toBe(200);
  });
});

test('keys that cannot be fetched are 503, not a bad token', async () => {
  const away = await startIdentityProvider();
  away.mode = 'error';
  const other = await openAuth({ identityKeys: { google: away.keysUrl } });
  try {
    const idToken = await away.sign(google('patient@example.com'));
    const refused = await other.post('/sign-in/social', { provider: 'google', idToken });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await codeOf(refused)).toEqual([503, 'IDENTITY_KEYS_UNAVAILABLE']);
    away.mode = 'well';
    expect((await other.post('/sign-in/social', { provider: 'google', idToken })).status).toBe(200);
  } finally {
    await other.close();
    await away.close();
  }
});
