import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiHost } from '../../../support/http/api-host.ts';
import { createPerson, type Person } from '../../../support/http/person.ts';
import { type AccountWorld, openAccountWorld } from '../../../support/worlds/account-world.ts';

let world: AccountWorld;
let host: ApiHost;
beforeAll(async () => {
  world = await openAccountWorld();
  host = world.host;
});
afterAll(() => world.close());

/** Another device of the person, signed in by mail. */
const device = async (person: Person): Promise<Person> =>
  createPerson(host.url, { id: person.id, cookie: await world.signIn(`${person.id}@example.com`) });
const list = async (person: Person) => {
  const { status, data, text } = await person.query('users.listSessions', {});
  expect(status).toBe(200);
  return { sessions: data.sessions as Record<string, unknown>[], text };
};
const currentOf = async (person: Person): Promise<string> =>
  String((await list(person)).sessions.find(({ current }) => current)?.sessionId);

describe('users.listSessions', () => {
  test('shows the person’s sessions, the last used first, and no secret that could sign in', async () => {
    const person = await host.signedIn({ role: 'customer' });
    await host.rows(
      `insert into session ("userId", token, "createdAt", "lastUsedAt", "expiresAt", "ipAddress", "userAgent")
       values
         ($1, 'over', now() - interval '8 days', now() - interval '7 days', now() - interval '1 second', null, null),
         ($1, 'phone-token', '2026-01-02T03:04:05Z', '2026-03-04T05:06:07Z', now() + interval '2 days',
           '2001:db8:12:34:56::1', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1'),
         ($1, 'laptop-token', '2026-01-02T03:04:05Z', '2026-03-04T06:06:07Z', now() + interval '2 days',
           '203.0.113.77', 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0')`,
      [person.id],
    );
    const { sessions, text } = await list(person);
    const createdAt = '2026-01-02T03:04:05.000Z';
    expect(sessions).toEqual([
      expect.objectContaining({ current: true, client: null, system: null, network: null }),
      {
        sessionId: expect.any(String),
        createdAt,
        lastUsedAt: '2026-03-04T06:06:07.000Z',
        client: 'Edge',
        system: 'Windows',
        network: '203.0.113.0/24',
        current: false,
      },
      {
        sessionId: expect.any(String),
        createdAt,
        lastUsedAt: '2026-03-04T05:06:07.000Z',
        client: 'Safari',
        system: 'iPhone',
        network: '2001:db8:12::/48',
        current: false,
      },
    ]);
    for (const secret of ['token', '203.0.113.77', '56::1']) expect(text).not.toContain(secret);
    const other = await host.signedIn();
    expect((await list(other)).sessions).toHaveLength(1);
  });

  test('shows a sign-in by mail, with its user agent cut to a maximum length', async () => {
    const person = await host.signedIn({ role: 'customer' });
    const cookie = await world.signIn(`${person.id}@example.com`, {
      'user-agent': `okhttp/4.12 ${'x'.repeat(2_000)}`,
      'x-forwarded-for': '198.51.100.20',
    });
    const phone = createPerson(host.url, { id: person.id, cookie });
    const { sessions } = await list(phone);
    expect(sessions.find(({ current }) => current)).toMatchObject({
      client: 'App',
      system: 'Android',
      network: '198.51.100.0/24',
    });
    const [row] = await host.rows<{ length: number }>(
      `select max(length("userAgent")) as length from session where "userId" = $1`,
      [person.id],
    );
    expect(row?.length).toBe(300);
  });
});

describe('users.revokeSession', () => {
  test('ends another session at once, and only that one', async () => {
    const person = await host.signedIn({ role: 'customer' });
    const [phone, tablet] = [await device(person), await device(person)];
    const sessionId = await currentOf(phone);
    const answer = await person.mutate('users.revokeSession', { sessionId });
    expect([answer.status, answer.data]).toEqual([200, { sessionId, ended: true }]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const refused = await phone.query('users.getMe');
    expect([refused.status, refused.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    expect((await phone.send('GET', '/api/auth/get-session')).body).toBeNull();
    for (const one of [person, tablet]) expect((await one.query('users.getMe')).status).toBe(200);
    expect((await list(person)).sessions).toHaveLength(2);
    expect((await person.mutate('users.revokeSession', { sessionId })).errorCode).toBe('NOT_FOUND');
  });

  test('ends the caller’s own session and clears its cookie', async () => {
    const person = await host.signedIn({ role: 'customer' });
    await host.rows(`update session set "expiresAt" = now() + interval '5 days' where "userId" = $1`, [
      person.id,
    ]);
    const answer = await person.mutate('users.revokeSession', {
      sessionId: (
        await host.rows<{ id: string }>('select id from session where "userId" = $1', [person.id])
      )[0]?.id,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/session_token=; Max-Age=0/)]);
    expect((await person.query('users.getMe')).status).toBe(401);
  });

  test('does not find other people’s sessions', async () => {
    const [person, other] = [await host.signedIn(), await host.signedIn()];
    for (const sessionId of [await currentOf(other), randomUUID()]) {
      const answer = await person.mutate('users.revokeSession', { sessionId });
      expect([answer.status, answer.errorCode]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await other.query('users.getMe')).status).toBe(200);
    for (const input of [{}, { sessionId: 'x' }, { sessionId: randomUUID(), all: true }]) {
      expect((await person.mutate('users.revokeSession', input)).errorCode).toBe('INVALID_INPUT');
    }
    for (const name of ['listSessions', 'revokeSession']) {
      const call = name === 'listSessions' ? host.anonymous().query : host.anonymous().mutate;
      expect((await call(`users.${name}`, { sessionId: randomUUID() })).status).not.toBe(200);
    }
  });
});

describe('users.revokeOtherSessions', () => {
  test('ends all other sessions of the caller at once, and none of another person', async () => {
    const [person, other] = [await host.signedIn({ role: 'customer' }), await host.signedIn()];
    const [phone, tablet] = [await device(person), await device(person)];
    const answer = await phone.mutate('users.revokeOtherSessions');
    expect([answer.status, answer.data]).toEqual([200, { ended: 2 }]);
    for (const ended of [person, tablet]) {
      const refused = await ended.query('users.getMe');
      expect([refused.status, refused.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    }
    expect((await list(phone)).sessions).toMatchObject([{ current: true }]);
    expect((await other.query('users.getMe')).status).toBe(200);
    expect((await phone.mutate('users.revokeOtherSessions')).data).toEqual({ ended: 0 });
  });

  test('is for signed-in people', async () => {
    const refused = await host.anonymous().mutate('users.revokeOtherSessions');
    expect([refused.status, refused.errorCode]).toEqual([401, 'UNAUTHORIZED']);
  });
});

test('a person has at most twenty sessions: a new one ends the one used least recently', async () => {
  const person = await host.signedIn({ role: 'customer' });
  const neighbor = await host.signedIn();
  await host.rows(
    `insert into session ("userId", token, "lastUsedAt", "expiresAt")
     select $1::uuid, 'old-' || $1 || n, now() - n * interval '1 hour', now() + interval '1 day' from generate_series(1, 24) n`,
    [person.id],
  );
  const phone = await device(person);
  expect((await list(phone)).sessions).toHaveLength(20);
  const left = await host.rows<{ token: string }>(
    `select token from session where "userId" = $1 and token like 'old-%' order by "lastUsedAt" desc`,
    [person.id],
  );
  expect(left.map(({ token }) => token)).toEqual(
    Array.from({ length: 18 }, (_, n) => `old-${person.id}${n + 1}`),
  );
  for (const one of [person, phone, neighbor]) expect((await one.query('users.getMe')).status).toBe(200);
});
