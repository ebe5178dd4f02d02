import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/time.ts';
import {
  type AuthFixture,
  codeOf,
  deviceCookie,
  openAuth,
  type SendOptions,
} from '../../support/http/auth-fixture.ts';

let fixture: AuthFixture;
let offset = 0;
beforeAll(async () => {
  fixture = await openAuth({ clock: { now: () => systemClock.now() + offset } });
});
afterAll(() => fixture.close());

const wrongFor = (code: string): string => (code === '000000' ? '000001' : '000000');
/** For clients without cookies. */
const NO_COOKIE = 'a=b';
/** Requests a code as a client without cookies; returns the client's state and its code. */
async function asked(email: string, options: SendOptions = {}) {
  const answer = await fixture.askCode(email, options);
  expect(answer.status).toBe(200);
  return { cookie: deviceCookie(answer), code: fixture.codeIn(email) };
}
/** The cookie of a client that has signed in and out again. */
async function knownDevice(email: string): Promise<string> {
  const { cookie, code } = await asked(email);
  return deviceCookie(await fixture.signIn(email, code, { cookie }));
}

describe('a code belongs to the client that requested it', () => {
  test('others neither replace it nor use it up, from any network, including the same one', async () => {
    const { signIn, freshIp } = fixture;
    const email = 'victim@example.com';
    const ip = freshIp();
    const victim = await asked(email, { ip });
    for (const other of [freshIp(), ip]) {
      const attacker = await asked(email, { ip: other });
      for (const cookie of [attacker.cookie, NO_COOKIE]) {
        for (let tries = 0; tries < 3; tries += 1) {
          const answer = await signIn(email, wrongFor(attacker.code), { ip: other, cookie });
          expect(await codeOf(answer)).toEqual([400, 'INVALID_OTP']);
        }
        const more = await signIn(email, attacker.code, { ip: other, cookie });
        expect(await codeOf(more)).toEqual([403, 'TOO_MANY_ATTEMPTS']);
      }
    }
    expect((await signIn(email, victim.code, { ip: freshIp(), cookie: victim.cookie })).status).toBe(200);
  });

  test('it works for no other client: not with another cookie, not from another network', async () => {
    const { signIn, freshIp } = fixture;
    const email = 'own@example.com';
    const { code, cookie } = await asked(email);
    const other = await asked('somebody@example.com');
    for (const options of [{ cookie: other.cookie }, { cookie: NO_COOKIE }]) {
      const answer = await signIn(email, code, { ip: freshIp(), ...options });
      expect(await codeOf(answer)).toEqual([400, 'INVALID_OTP']);
    }
    expect((await signIn(email, code, { cookie })).status).toBe(200);
  });

  test('simultaneous wrong tries are all counted', async () => {
    const { signIn } = fixture;
    const email = 'parallel@example.com';
    const { code, cookie } = await asked(email);
    const tries = Array.from({ length: 12 }, () => signIn(email, wrongFor(code), { cookie }));
    const answers = await Promise.all((await Promise.all(tries)).map(codeOf));
    expect(answers.filter(([status]) => status === 400)).toHaveLength(3);
    expect(answers.filter(([, error]) => error === 'TOO_MANY_ATTEMPTS')).toHaveLength(9);
  });

  test('a new request replaces only the client’s own code', async () => {
    const { signIn, freshIp } = fixture;
    const email = 'twice@example.com';
    const first = await asked(email);
    const elsewhere = await asked(email);
    const second = await asked(email, { cookie: first.cookie, ip: freshIp() });
    expect(second.cookie).toBe(first.cookie);
    if (first.code !== second.code) {
      expect((await signIn(email, first.code, { cookie: first.cookie })).status).toBe(400);
    }
    expect((await signIn(email, second.code, { cookie: first.cookie })).status).toBe(200);
    expect((await signIn(email, elsewhere.code, { cookie: elsewhere.cookie })).status).toBe(200);
  });
});

describe('a client without cookies', () => {
  test('has the last code requested from its network', async () => {
    const { signIn, freshIp } = fixture;
    const email = 'plain@example.com';
    const ip = freshIp();
    const first = await asked(email, { ip });
    const last = await asked(email, { ip });
    await asked(email);
    if (first.code !== last.code) {
      expect((await signIn(email, first.code, { ip, cookie: NO_COOKIE })).status).toBe(400);
    }
    expect((await signIn(email, last.code, { ip, cookie: NO_COOKIE })).status).toBe(200);
    expect((await signIn(email, last.code, { ip, cookie: NO_COOKIE })).status).toBe(400);
  });

  test('shares one network with all addresses of its /64', async () => {
    const { signIn } = fixture;
    const email = 'six@example.com';
    const { code } = await asked(email, { ip: '2001:db8:1:2::1' });
    expect((await signIn(email, code, { ip: '2001:db8:1:3::1', cookie: NO_COOKIE })).status).toBe(400);
    expect((await signIn(email, code, { ip: '2001:db8:1:2::ffff', cookie: NO_COOKIE })).status).toBe(200);
  });

  test('is limited to ten tries a minute; the holder of a code is not affected by the tries of others', async () => {
    const { signIn, freshIp } = fixture;
    const ip = freshIp();
    const held = await asked('patient@example.com', { ip });
    const plain = await asked('hasty@example.com', { ip });
    for (let n = 0; n < 10; n += 1) {
      const answer = await signIn(`nobody-${n}@example.com`, '000000', { ip, cookie: NO_COOKIE });
      expect(answer.status).toBe(400);
    }
    const refused = await signIn('hasty@example.com', plain.code, { ip, cookie: NO_COOKIE });
    expect(await codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect((await signIn('patient@example.com', held.code, { ip, cookie: held.cookie })).status).toBe(200);
  });
});

describe('mail limits', () => {
  const statuses = async (count: number, ask: (n: number) => Promise<Response>): Promise<number[]> => {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) found.push((await ask(n)).status);
    return found;
  };
  const fives = [200, 200, 200, 200, 200, 429];

  test('five mails to one address in an hour from one network, in any spelling of the address', async () => {
    const { askCode, signIn, freshIp, redis, sink, anotherProcess } = fixture;
    const email = 'flooded@example.com';
    const ip = freshIp();
    const { cookie, code } = await asked(email, { ip });
    const spellings = ['FLOODED@example.com', ` ${email} `, email, email, email];
    expect(await statuses(5, (n) => askCode(spellings[n] ?? '', { ip }))).toEqual(fives.slice(1));
    await redis.del(await redis.keys('auth-limit:send-from:*'));
    anotherProcess();
    const refused = await askCode(email, { ip });
    expect(await codeOf(refused.clone())).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
    expect(sink.mails.filter(({ to }) => to === email)).toHaveLength(5);
    // Rejected or not, the earlier code stays valid.
    expect((await signIn(email, code, { cookie })).status).toBe(200);
    const keys = await redis.keys('auth-limit:*');
    expect(keys.join()).not.toContain('flooded');
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  test('five a minute from one network, whatever headers it forges', async () => {
    const { askCode, freshIp } = fixture;
    const ip = freshIp();
    const ask = (n: number) => {
      const headers = { 'x-forwarded-for': `203.0.113.${n}`, 'x-proscenium-client-ip': `203.0.113.${n}` };
      return askCode(`client-${n}@example.com`, { ip, headers });
    };
    expect(await statuses(6, ask)).toEqual(fives);
    expect((await askCode('other-client@example.com')).status).toBe(200);
  });

  test('five an hour to one address from thousands of networks, and one more; a known device has ten of its own', async () => {
    const { askCode, freshIp, sink, signIn } = fixture;
    const email = 'target@example.com';
    const device = await knownDevice(email);
    const ip = freshIp();
    await statuses(6, (n) => askCode(`neighbor-${n}@example.com`, { ip }));
    const networks = Array.from({ length: 40 }, (_, n) => `2001:db8:${n.toString(16)}::1`);
    const answers = await statuses(40, (n) => askCode(email, { ip: networks[n] ?? '' }));
    expect(answers.filter((status) => status === 200)).toHaveLength(5);
    expect(sink.mails.filter(({ to }) => to === email)).toHaveLength(6);
    // This also holds for a network that has used up its minute.
    expect(await statuses(11, () => askCode(email, { ip, cookie: device }))).toEqual([
      ...fives.slice(0, 5),
      ...fives,
    ]);
    expect((await signIn(email, fixture.codeIn(email), { cookie: device })).status).toBe(200);
    expect((await askCode(email)).status).toBe(429);
  });

  test('rejected requests of one network do not count against the others', async () => {
    const { askCode, freshIp } = fixture;
    const email = 'shared@example.com';
    const ip = freshIp();
    await statuses(5, (n) => askCode(`near-${n}@example.com`, { ip }));
    expect(await statuses(40, () => askCode(email, { ip }))).toEqual(Array(40).fill(429));
    expect(await statuses(5, () => askCode(email))).toEqual(Array(5).fill(200));
  });
});

/** An hour later, as far as the limits are concerned. */
async function forgetSends(): Promise<void> {
  await fixture.redis.del(await fixture.redis.keys('auth-limit:send*'));
  fixture.anotherProcess();
}

describe('a device', () => {
  test('is known for up to five addresses that signed in on it, for 400 days', async () => {
    const { askCode, signIn } = fixture;
    let cookie = '';
    for (let n = 0; n < 6; n += 1) {
      const email = `resident-${n}@example.com`;
      const answer = await askCode(email, { cookie });
      const held = deviceCookie(answer) || cookie;
      cookie = deviceCookie(await signIn(email, fixture.codeIn(email), { cookie: held }));
    }
    await forgetSends();
    // A known device gets no new cookie.
    const isKnown = async (n: number) =>
      deviceCookie(await askCode(`resident-${n}@example.com`, { cookie })) === '';
    expect(await Promise.all([0, 1, 2, 3, 4, 5].map(isKnown))).toEqual([false, true, true, true, true, true]);
    expect(cookie.length).toBeLessThan(250);
    offset = 399 * 86_400_000;
    expect(await isKnown(1)).toBe(true);
    offset = 401 * 86_400_000;
    expect(await isKnown(2)).toBe(false);
    offset = 0;
  });

  test('that only requested a code is not known, and its mark cannot be forged or moved', async () => {
    const { askCode } = fixture;
    const known = await knownDevice('marked@example.com');
    const otherUser = (await asked('marked@example.com')).cookie;
    const mark = known.split('.').at(-1) ?? '';
    const [, id = ''] = known.split('=');
    for (const cookie of [
      otherUser,
      `${otherUser}.${mark}`,
      known.replace(mark, `${mark.split('~')[0]}~${'A'.repeat(22)}`),
      `__Host-proscenium.device=${id.split('.')[0]}`,
    ]) {
      await forgetSends();
      expect(deviceCookie(await askCode('marked@example.com', { cookie }))).not.toBe('');
    }
    // For another address it is an unknown device.
    expect(deviceCookie(await askCode('unmarked@example.com', { cookie: known }))).not.toBe('');
  });

  test('with an invalid cookie gets a new one; a known device is checked before others', async () => {
    const { askCode, redis } = fixture;
    const name = '__Host-proscenium.device';
    for (const junk of ['', 'x', `${'a'.repeat(22)}.x`, `"${'a'.repeat(22)}"`, 'ä'.repeat(22), '%zz']) {
      const answer = await askCode(`junk@example.com`, { cookie: encodeURI(`${name}=${junk}`) });
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-proscenium\.device=[\w-]{22}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ]);
      await redis.del(await redis.keys('auth-limit:send*'));
    }
    const known = await knownDevice('front@example.com');
    const cookie = `${name}=${'p'.repeat(22)}; ${known}`;
    expect(deviceCookie(await askCode('front@example.com', { cookie }))).toBe('');
  });

  test('survives signing out, and is no session', async () => {
    const { post, signIn, auth } = fixture;
    const email = 'leaves@example.com';
    const { cookie, code } = await asked(email);
    const answer = await signIn(email, code, { cookie });
    const both = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
    expect(answer.headers.getSetCookie()[1]).toMatch(
      /^__Host-proscenium\.device=[\w.~-]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const out = await post('/sign-out', {}, { cookie: both.join('; ') });
    expect(deviceCookie(out)).toBe('');
    expect(await auth.sessionUser(new Headers({ cookie: both[1] ?? '' }))).toBeNull();
  });
});

test('at most 64 codes are stored for an address, even when the limits are reset', async () => {
  const { askCode, redis, pool, signIn } = fixture;
  const email = 'crowd@example.com';
  for (let n = 0; n < 70; n += 1) {
    await askCode(email);
    await redis.del(await redis.keys('auth-limit:send*'));
  }
  const last = await asked(email);
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from sign_in_codes where email = $1',
    [email],
  );
  expect(rows[0]?.count).toBe(64);
  expect((await signIn(email, last.code, { cookie: last.cookie })).status).toBe(200);
});

test('a person who proves the address of an unproven account gets the account without its earlier sessions', async () => {
  const { pool, signIn } = fixture;
  const email = 'unproven@example.com';
  await pool.query(
    `with person as (insert into "user" (name, email, "emailVerified") values ('', $1, false) returning id)
     insert into session ("expiresAt", token, "userId") select now() + interval '1 day', 'before', id from person`,
    [email],
  );
  const { cookie, code } = await asked(email);
  const answer = await signIn(email, code, { cookie });
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as { user: object }).user).toMatchObject({ email, emailVerified: true });
  const { rows } = await pool.query(`select token from session where token = 'before'`);
  expect(rows).toEqual([]);
});
