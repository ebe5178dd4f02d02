import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../clients/typescript/errors.ts';
import { memoryStore, type SecureStore, Session } from '../../../clients/typescript/session.ts';
import { eventually } from '../../support/eventually.ts';
import {
  COOKIE,
  clientOf,
  refuse,
  rejection,
  type SeenRequest,
  startServer,
  succeed,
} from '../../support/http/client-under-test.ts';

const NAME = '__Host-better-auth.session_token';
const cleared = `${NAME}=; Max-Age=0; Path=/; HttpOnly; Secure`;
const cookies = (seen: readonly SeenRequest[]) => seen.map(({ headers }) => headers.cookie ?? null);
const signedIn = { token: 't', user: { id: '1', email: 'a@b.c', name: '' } };

describe('the client manages the Cookie header itself', () => {
  test('cookies set by any answer, errors included, are sent with the next request and stored', async () => {
    const answers: { status: number; headers: Record<string, string | string[]> }[] = [
      { status: 200, headers: { 'set-cookie': [`${NAME}=second; Max-Age=604800; Path=/`, 'cdn=1'] } },
      { status: 409, headers: { 'set-cookie': `${NAME}=third` } },
      { status: 200, headers: { 'set-cookie': 'cdn=; Expires=Thu, 01 Jan 1970 00:00:00 GMT' } },
      { status: 200, headers: {} },
    ];
    const { url, seen } = await startServer((_request, response) => {
      const { status, headers } = answers.shift() ?? { status: 500, headers: {} };
      if (status === 200) succeed(response, {}, headers);
      else refuse(response, status, headers);
    });
    const { client, stored, signOuts } = clientOf(url);
    await client.users.getMe();
    expect(await stored()).toBe(`${NAME}=second; cdn=1`);
    await rejection(client.users.getMe());
    await client.users.getMe();
    await client.users.getMe();
    expect(cookies(seen)).toEqual([COOKIE, `${NAME}=second; cdn=1`, `${NAME}=third; cdn=1`, `${NAME}=third`]);
    expect(await stored()).toBe(`${NAME}=third`);
    expect(signOuts).toEqual([]);
  });

  test('a new process uses the stored cookies; with an empty storage no Cookie is sent', async () => {
    const { url, seen } = await startServer((_request, response) => succeed(response, {}));
    const kept = `${NAME}=kept.abc%3D; cdn=1`;
    await clientOf(url, { cookie: kept }).client.users.getMe();
    await clientOf(url, { cookie: null }).client.users.getMe();
    expect(cookies(seen)).toEqual([kept, null]);
  });

  test('no Origin, Referer or Sec-Fetch header is sent, and no redirect is followed', async () => {
    const { url, seen } = await startServer((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const { client } = clientOf(url);
    expect(await rejection(client.users.updateProfile({ name: 'Z' }))).toMatchObject({
      httpStatus: 302,
      errorCode: null,
    });
    expect(seen).toHaveLength(1);
    const names = Object.keys(seen[0]!.headers);
    expect(names.filter((name) => /^(?:origin|referer|sec-fetch-)/.test(name))).toEqual([]);
  });

  test('an answer that clears the session cookie signs out, even a successful one', async () => {
    const { url, seen } = await startServer((_request, response) =>
      succeed(response, {}, { 'set-cookie': cleared }),
    );
    const { client, signOuts, stored } = clientOf(url);
    await client.ai.getStagingCatalog();
    await client.ai.getStagingCatalog();
    expect(signOuts).toEqual(['cookie-removed']);
    expect(await stored()).toBeNull();
    expect(await client.auth.isSignedIn()).toBe(false);
    expect(cookies(seen)).toEqual([COOKIE, null]);
  });
});

describe('any 401 signs out once', () => {
  test.each([
    ['a procedure', (response: Parameters<typeof refuse>[0]) => refuse(response, 401)],
    [
      'a plain body',
      (response: Parameters<typeof refuse>[0]) => response.writeHead(401).end('<html>no</html>'),
    ],
    [
      'one that clears the cookie too',
      (r: Parameters<typeof refuse>[0]) => refuse(r, 401, { 'set-cookie': cleared }),
    ],
    [
      'one that sets another',
      (r: Parameters<typeof refuse>[0]) => refuse(r, 401, { 'set-cookie': `${NAME}=x` }),
    ],
  ])('401 by %s', async (_what, answer) => {
    const { url, seen } = await startServer((_request, response) => void answer(response));
    const { client, signOuts, stored } = clientOf(url);
    expect(await rejection(client.users.getMe())).toMatchObject({ httpStatus: 401 });
    expect(signOuts).toEqual(['unauthorized']);
    expect(await stored()).toBeNull();
    await rejection(client.users.getMe());
    expect(cookies(seen)).toEqual([COOKIE, null]);
    expect(signOuts).toEqual(['unauthorized']);
  });

  test('a 401 of an upload or a plain route signs out as well', async () => {
    const { url } = await startServer((_request, response) => void response.writeHead(401).end());
    const { client, signOuts } = clientOf(url);
    await rejection(client.images.change({ imageId: 'i', isMain: true }));
    expect(signOuts).toEqual(['unauthorized']);
  });

  test('many 401s at once are one sign-out event', async () => {
    const held: Array<() => void> = [];
    const { url, seen } = await startServer(
      (_request, response) => void held.push(() => refuse(response, 401)),
    );
    const { client, signOuts } = clientOf(url);
    const calls = Array.from({ length: 20 }, () => rejection(client.users.getMe()));
    await eventually(() => held.length === 20, { what: 'all calls under way' });
    for (const answer of held) answer();
    for (const error of await Promise.all(calls)) expect(error).toBeInstanceOf(ApiError);
    expect(signOuts).toEqual(['unauthorized']);
    expect(new Set(cookies(seen))).toEqual(new Set([COOKIE]));
  });

  test('without a session no sign-out is reported', async () => {
    const { url } = await startServer((_request, response) => refuse(response, 401));
    const { client, signOuts } = clientOf(url, { cookie: null });
    await rejection(client.users.getMe());
    expect(signOuts).toEqual([]);
  });
});

describe('an answer of an earlier session', () => {
  /** A server that holds back the answer to `users.getMe` and accepts every sign-in. */
  async function slowServer() {
    const held: Array<(answer: 'refuse' | 'rotate' | 'clear') => void> = [];
    const server = await startServer(({ url }, response) => {
      if (url.startsWith('/api/auth/sign-in')) {
        response
          .writeHead(200, { 'set-cookie': `${NAME}=fresh; Max-Age=604800` })
          .end(JSON.stringify(signedIn));
      } else if (url.startsWith('/api/auth')) response.end('{}');
      else if (url.includes('users.getMe')) {
        held.push((answer) => {
          if (answer === 'refuse') refuse(response, 401, { 'set-cookie': cleared });
          else succeed(response, {}, { 'set-cookie': answer === 'clear' ? cleared : `${NAME}=old-rotated` });
        });
      } else succeed(response, {});
    });
    return { ...server, held };
  }

  test.each(['refuse', 'rotate', 'clear'] as const)(
    'does not change a newer sign-in (%s)',
    async (answer) => {
      const { url, held, seen } = await slowServer();
      const { client, signOuts, stored } = clientOf(url);
      const stale = client.users.getMe().catch(() => {});
      await eventually(() => held.length === 1, { what: 'the slow call' });
      await client.auth.signOut();
      await client.auth.signInWithOtp({ email: 'a@b.c', otp: '123456' });
      held[0]!(answer);
      await stale;
      expect(signOuts).toEqual(['asked']);
      expect(await stored()).toBe(`${NAME}=fresh`);
      await client.ai.getStagingCatalog();
      expect(seen.at(-1)?.headers.cookie).toBe(`${NAME}=fresh`);
    },
  );

  test('does not sign in again after a sign-out', async () => {
    const { url, held } = await slowServer();
    const { client, stored } = clientOf(url);
    const stale = client.users.getMe();
    await eventually(() => held.length === 1, { what: 'the slow call' });
    await client.auth.signOut();
    held[0]!('rotate');
    await stale;
    expect(await stored()).toBeNull();
    expect(await client.auth.isSignedIn()).toBe(false);
  });

  test('a 401 to a cookie that has been replaced does not end the session of the new one', async () => {
    const session = new Session({ store: memoryStore(COOKIE), now: () => 0, storeFailed: () => {} });
    const events: string[] = [];
    session.onSignedOut((reason) => void events.push(reason));
    const [early, other] = [await session.ticket(), await session.ticket()];
    await session.heard(other, { status: 200, setCookies: [`${NAME}=second`] });
    await session.heard(early, { status: 401, setCookies: [] });
    expect(events).toEqual([]);
    await session.heard(await session.ticket(), { status: 401, setCookies: [] });
    expect(events).toEqual(['unauthorized']);
  });
});

describe('signing in and out', () => {
  test('the device cookie is kept across sessions and stored; no other cookie is', async () => {
    const device = '__Host-proscenium.device';
    const answers: string[][] = [
      [`${device}=new`, 'cdn=1'],
      [`${NAME}=fresh`, `${device}=known; Max-Age=34560000`],
      [],
      [`${NAME}=again`],
    ];
    const { url, seen } = await startServer((_request, response) => {
      response.writeHead(200, { 'set-cookie': answers.shift() ?? [] }).end(JSON.stringify(signedIn));
    });
    const { client, stored, signOuts } = clientOf(url, { cookie: null });
    const given = { email: 'a@b.c', otp: '123456' };
    await client.auth.sendOtp(given.email);
    await client.auth.signInWithOtp(given);
    await client.auth.signOut();
    expect([await stored(), signOuts]).toEqual([`${device}=known`, ['asked']]);
    expect(await client.auth.isSignedIn()).toBe(false);
    await client.auth.signInWithOtp(given);
    expect(await stored()).toBe(`${device}=known; ${NAME}=again`);
    expect(cookies(seen)).toEqual([
      null,
      `${device}=new; cdn=1`,
      `${device}=known; ${NAME}=fresh`,
      `${device}=known`,
    ]);
  });

  test('a failed sign-in stores nothing; a successful answer without a session cookie is a failed sign-in', async () => {
    const answers = [400, 200];
    const { url } = await startServer((_request, response) => {
      const status = answers.shift() ?? 500;
      response
        .writeHead(status)
        .end(JSON.stringify(status === 200 ? signedIn : { message: 'Invalid OTP', code: 'INVALID_OTP' }));
    });
    const { client, stored } = clientOf(url, { cookie: null });
    const given = { email: 'a@b.c', otp: '000000' };
    expect(await rejection(client.auth.signInWithOtp(given))).toMatchObject({
      httpStatus: 400,
      errorCode: 'INVALID_OTP',
    });
    expect(await rejection(client.auth.signInWithOtp(given))).toMatchObject({
      name: 'UnexpectedAnswerError',
    });
    expect(await stored()).toBeNull();
  });

  test('signing out works without a network, is one event, and returns whether the session was revoked', async () => {
    const { url } = await startServer((_request, _response, raw) => void raw.socket.destroy());
    const { client, signOuts, stored } = clientOf(url);
    expect(await client.auth.signOut()).toEqual({ revoked: false });
    expect(await client.auth.signOut()).toEqual({ revoked: true });
    expect(signOuts).toEqual(['asked']);
    expect(await stored()).toBeNull();
  });

  test('storage is written in order, and a failing storage fails no call', async () => {
    const log: string[] = [];
    const store: SecureStore = {
      read: async () => COOKIE,
      write: async (cookie) => {
        await new Promise((resolve) => setImmediate(resolve));
        log.push(cookie);
        throw new Error('locked');
      },
      clear: async () => void log.push('cleared'),
    };
    const answers = [200, 401];
    const { url } = await startServer((_request, response) =>
      answers.shift() === 200
        ? succeed(response, {}, { 'set-cookie': `${NAME}=second` })
        : refuse(response, 401),
    );
    const failures: unknown[] = [];
    const { client } = clientOf(url, { store, onStoreFailed: (error) => void failures.push(error) });
    await client.users.getMe();
    await rejection(client.users.getMe());
    expect(log).toEqual([`${NAME}=second`, 'cleared']);
    expect(failures).toHaveLength(1);
  });

  test('when storage cannot be read the call fails instead of being sent signed out, and the next call reads it again', async () => {
    let reads = 0;
    const store: SecureStore = {
      ...memoryStore(),
      read: async () => {
        reads += 1;
        if (reads === 1) throw new Error('locked');
        return COOKIE;
      },
    };
    const { url, seen } = await startServer((_request, response) => succeed(response, {}));
    const { client } = clientOf(url, { store });
    expect(await rejection(client.users.getMe())).toMatchObject({ message: 'locked' });
    expect(seen).toEqual([]);
    await client.users.getMe();
    expect(cookies(seen)).toEqual([COOKIE]);
  });
});
