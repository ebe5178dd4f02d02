import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MESSAGE_MAIL_MS } from '../../../machines/limits.ts';
import { MAX_SUBSCRIPTIONS_PER_PERSON } from '../../../persistence/push/push-subscriptions.ts';
import { NOTICES_PER_HOUR } from '../../../src/push/push-sender.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { startApiHost, useApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { openPushService, type PushService, VAPID, VAPID_SETTINGS } from '../../support/http/push-service.ts';
import { TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import {
  alertLine,
  deviceOf,
  giveAlert,
  openPushSender,
  personOn,
  subscribed,
} from '../../support/worlds/push-world.ts';
import { setClock, type Visit, visit, wire } from '../../support/worlds/tour-visits.ts';

/** docs/contract.md#push-notices, with a push service that decrypts what it gets. */
const HOUR_MS = 3_600_000;
const clock = setClock();
const host = useApiHost({
  overrides: clock.overrides,
  settings: { ...VAPID_SETTINGS, PUBLIC_BASE_URL: 'http://127.0.0.1:3999' },
});
let service: PushService;
let propertyId: string;
beforeAll(async () => {
  service = await openPushService();
  propertyId = await seedProperty(host.pool);
});
afterAll(() => service.close());
beforeEach(async () => {
  clock.at = AT - (AT % HOUR_MS) + HOUR_MS;
  await host.rows('delete from push_subscriptions');
});
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  expect(service.faults).toEqual([]);
});

const open = (...more: [] | [Parameters<typeof openPushSender>[2]]) => {
  const sender = openPushSender(host, clock, ...more);
  cleanups.push(sender.close);
  return sender;
};
const scene = async (): Promise<Visit> => {
  // The people of the scene sign in as on a host with https.
  const signedIn = async (user = {}) => personOn(host, await host.signedIn(user));
  return visit({ ...host, signedIn }, { city: 'Seattle' });
};
const customer = async () => personOn(host, await host.signedIn({ role: 'customer', name: 'Carl Customer' }));
const waiting = () =>
  host.rows<{ kind: string }>('select kind, seq, attempts from push_notices order by kind');
const endpoints = async () =>
  (await host.rows<{ endpoint: string }>('select endpoint from push_subscriptions')).map(
    ({ endpoint }) => endpoint,
  );
/** @param seq of the search's alerts */
const alert = (person: Person, { searchId = randomUUID(), seq = 1, name = 'Seattle' } = {}) =>
  giveAlert(host.pool, { userId: person.id, searchId, name, propertyId, at: clock.at - 1_000 + seq });

/** The database as a sender has it that dies before it removes what it has sent. */
const withoutCommit = (pool: Pool): Pool =>
  new Proxy(pool, {
    get: (real, name) =>
      name === 'query'
        ? (sql: string, values: unknown[]) =>
            sql.includes('DELETE FROM push_notices')
              ? Promise.reject(new Error('the process is gone'))
              : real.query(sql, values)
        : Reflect.get(real, name),
  });

describe('subscribing', () => {
  test('only a person who is signed in has the key and can subscribe; the session learns its address', async () => {
    const browser = service.browser();
    for (const call of ['push.subscribe', 'push.unsubscribe'])
      expect((await host.anonymous().mutate(call, browser.subscription)).status).toBe(401);
    expect((await host.anonymous().query('push.getKey')).status).toBe(401);
    const person = await customer();
    expect((await person.query('push.getKey')).data).toEqual({ publicKey: VAPID.publicKey, endpoint: null });
    for (let time = 0; time < 2; time += 1)
      expect((await person.mutate('push.subscribe', browser.subscription)).status).toBe(200);
    const { endpoint } = browser.subscription;
    expect((await person.query('push.getKey')).data.endpoint).toBe(endpoint);
    const phone = await deviceOf(host, person);
    expect((await phone.query('push.getKey')).data.endpoint).toBeNull();
    // Another person cannot end it; the person can, from any device.
    await (await customer()).mutate('push.unsubscribe', { endpoint });
    expect(await endpoints()).toEqual([endpoint]);
    await phone.mutate('push.unsubscribe', { endpoint });
    expect(await endpoints()).toEqual([]);
  });

  test.each([
    ['http://push.example.com/1', 'PUSH_ADDRESS_REFUSED'],
    ['https://10.1.2.3/1', 'PUSH_ADDRESS_REFUSED'],
    ['https://[fd00::1]/1', 'PUSH_ADDRESS_REFUSED'],
    ['https://[::ffff:169.254.169.254]/1', 'PUSH_ADDRESS_REFUSED'],
    ['https://2130706433/1', null],
    ['https://printer.local/1', 'PUSH_ADDRESS_REFUSED'],
    ['https://redis/1', 'PUSH_ADDRESS_REFUSED'],
    ['https://name:word@push.example.com/1', 'PUSH_ADDRESS_REFUSED'],
    ['file:///etc/passwd', 'PUSH_ADDRESS_REFUSED'],
    ['push', 'INVALID_INPUT'],
    [`https://push.example.com/${'a'.repeat(1000)}`, 'INVALID_INPUT'],
  ])('an endpoint %.60s is answered with %s', async (endpoint, expected) => {
    const person = await customer();
    const { subscription } = service.browser();
    const { status, errorCode } = await person.mutate('push.subscribe', { ...subscription, endpoint });
    // 127.0.0.1, which is allowed while the site itself is there.
    if (expected === null) return expect(status).toBe(200);
    expect([errorCode, await endpoints()]).toEqual([expected, []]);
  });

  test('keys that nothing can be encrypted for are refused', async () => {
    const person = await customer();
    const { subscription } = service.browser();
    const notOnTheCurve = Buffer.alloc(65, 1);
    notOnTheCurve[0] = 4;
    for (const wrong of [
      { p256dh: notOnTheCurve.toString('base64url') },
      { p256dh: 'BAAA' },
      { auth: 'short' },
    ])
      expect((await person.mutate('push.subscribe', { ...subscription, ...wrong })).errorCode).toBe(
        'INVALID_INPUT',
      );
  });

  test('a person has ten browsers, of which the eleventh ends the oldest', async () => {
    const person = await customer();
    const browsers: string[] = [];
    for (let index = 0; index <= MAX_SUBSCRIPTIONS_PER_PERSON; index += 1) {
      clock.at += 1_000;
      const { subscription } = await subscribed(await deviceOf(host, person), service);
      browsers.push(subscription.endpoint);
    }
    expect((await endpoints()).toSorted()).toEqual(browsers.slice(1).toSorted());
  });

  test('a browser has the notices of the person who is signed in, and none after signing out', async () => {
    const { send } = open();
    const [first, second] = [await customer(), await customer()];
    const browser = await subscribed(first, service);
    await second.mutate('push.subscribe', browser.subscription);
    await alert(first, { name: 'For the first' });
    await alert(second, { name: 'For the second' });
    await send();
    expect(browser.taken.map(({ line }) => line)).toEqual([alertLine('For the second')]);
    await alert(second);
    const out = await second.send('POST', '/api/auth/sign-out', { body: '{}' });
    expect([out.status, await endpoints(), await waiting()]).toEqual([200, [], []]);
    await alert(second);
    await send();
    expect(browser.requests).toBe(1);
  });

  test('of people who subscribe one browser at the same moment, one has it', async () => {
    const { subscription } = service.browser();
    const people = await Promise.all(Array.from({ length: 4 }, customer));
    const answers = await Promise.all(people.map((one) => one.mutate('push.subscribe', subscription)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await endpoints()).toEqual([subscription.endpoint]);
  });

  test('a session that has expired gets nothing, and neither does a browser with an older key', async () => {
    const { send } = open();
    const [expired, older] = [await customer(), await customer()];
    const browsers = [await subscribed(expired, service), await subscribed(older, service)];
    await host.rows(`update session set "expiresAt" = now() - interval '1 second' where "userId" = $1`, [
      expired.id,
    ]);
    await host.rows(`update push_subscriptions set "serverKey" = 'older' where "userId" = $1`, [older.id]);
    expect((await older.query('push.getKey')).data.endpoint).toBeNull();
    for (const person of [expired, older]) await alert(person);
    await send();
    expect([browsers.map(({ requests }) => requests), await waiting()]).toEqual([[0, 0], []]);
  });
});

describe('notices', () => {
  test('a tour tells the other side in its language, encrypted and signed, without names', async () => {
    const { send, problems } = open();
    const { agent, colleague, customer: buyer, propertyId, request } = await scene();
    await agent.mutate('users.updateProfile', { locale: 'es' });
    const [desk, other, phone] = [
      await subscribed(agent, service),
      await subscribed(colleague, service),
      await subscribed(buyer, service),
    ];
    const { tourId } = (await request([TOUR_SLOTS.first], { note: 'With two dogs.' })).data;
    await send();
    const [notice, ...more] = desk.taken;
    expect(more).toEqual([]);
    expect(notice).toMatchObject({
      line: 'Visita solicitada: 1 Test Lane, Seattle',
      url: `https://homes.example/es/inbox/${propertyId}/${buyer.id}`,
      headers: { ttl: '86400', 'content-encoding': 'aes128gcm', topic: notice?.tag },
    });
    expect(notice?.tag).toMatch(/^t[\w-]{22}$/);
    expect(notice?.bytes).toBeLessThan(600);
    await agent.mutate('tours.confirm', {
      tourId,
      expectedVersion: 1,
      startsAt: wire(TOUR_SLOTS.first).startsAt,
    });
    await send();
    expect(phone.taken.map(({ line, tag }) => [line, tag])).toEqual([
      ['Tour confirmed: 1 Test Lane, Seattle', notice?.tag],
    ]);
    await buyer.mutate('tours.cancel', { tourId, expectedVersion: 2 });
    await send();
    expect(desk.taken.map(({ line }) => line.split(':')[0])).toEqual([
      'Visita solicitada',
      'Visita cancelada',
    ]);
    expect([other.requests, problems, await waiting()]).toEqual([0, [], []]);
    for (const { line } of [...desk.taken, ...phone.taken]) expect(line).not.toMatch(/Carl|dogs/);
  });

  test('a browser that signs out while a tour is requested fails nothing', async () => {
    const { agent, request } = await scene();
    await subscribed(agent, service);
    const client = await host.pool.connect();
    try {
      await client.query('begin');
      await client.query('delete from session where "userId" = $1', [agent.id]);
      const requested = request([TOUR_SLOTS.first]);
      const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => (await host.rows(blocked)).length === 1, { what: 'the request to wait' });
      await client.query('commit');
      expect((await requested).status).toBe(200);
    } finally {
      client.release();
    }
    expect(await waiting()).toEqual([]);
  });

  test('of several changes before a send, the last one is sent', async () => {
    const { send } = open();
    const { agent, customer: buyer, request } = await scene();
    const desk = await subscribed(agent, service);
    const { tourId } = (await request([TOUR_SLOTS.first])).data;
    await buyer.mutate('tours.cancel', { tourId, expectedVersion: 1 });
    await send();
    expect(desk.taken.map(({ line }) => line)).toEqual(['Tour canceled: 1 Test Lane, Seattle']);
  });

  test('messages are noticed when they are unread for two minutes, once, and not when they were read or are blocked', async () => {
    const { send } = open();
    const { agent, colleague, customer: buyer, propertyId } = await scene();
    const [desk, other, phone] = [
      await subscribed(agent, service),
      await subscribed(colleague, service),
      await subscribed(buyer, service),
    ];
    const ask = (text: string) =>
      buyer.mutate('messages.open', { propertyId, messageId: randomUUID(), text });
    const { threadId } = (await ask('Is the roof new?')).data;
    clock.at += MESSAGE_MAIL_MS - 1;
    await ask('My door code is 1234.');
    await send();
    expect(desk.requests).toBe(0);
    clock.at += 1;
    await colleague.mutate('messages.markRead', { threadId, seq: 2 });
    await send();
    expect(desk.taken.map(({ line, url }) => [line, url])).toEqual([
      ['New message about 1 Test Lane, Seattle', `https://homes.example/inbox/${propertyId}/${buyer.id}`],
    ]);
    expect([other.requests, phone.requests, await waiting()]).toEqual([0, 0, []]);
    await agent.mutate('messages.send', { threadId, messageId: randomUUID(), text: 'From 2019.' });
    await buyer.mutate('messages.block', { threadId, isBlocked: true });
    clock.at += MESSAGE_MAIL_MS;
    await send();
    expect([phone.requests, await waiting()]).toEqual([0, []]);
  });

  test('an alert goes to each browser of its person, and a later one takes the place of one that waits', async () => {
    const { send } = open();
    const person = await customer();
    const [one, two] = [
      await subscribed(person, service),
      await subscribed(await deviceOf(host, person), service),
    ];
    await alert(await customer());
    expect(await waiting()).toEqual([]);
    const searchId = randomUUID();
    await alert(person, { searchId, seq: 1, name: 'Before' });
    await alert(person, { searchId, seq: 2, name: 'After' });
    await alert(person, { name: 'Tacoma' });
    await send();
    for (const { taken } of [one, two]) {
      expect(taken.map(({ line }) => line).toSorted()).toEqual([alertLine('After'), alertLine('Tacoma')]);
      expect(taken[0]?.url).toBe('https://homes.example/searches');
    }
  });

  test('an alert that holds no more, or comes by mail only now, is not sent', async () => {
    const { send } = open();
    const person = await customer();
    const browser = await subscribed(person, service);
    const searchId = randomUUID();
    await alert(person, { searchId });
    await host.rows(`update saved_searches set channels = '{MAIL}' where id = $1`, [searchId]);
    await send();
    await alert(person);
    await host.rows(`update properties set "standardStatus" = 'Hold' where id = $1`, [propertyId]);
    await send();
    expect([browser.taken, await waiting()]).toEqual([[], []]);
    await host.rows(`update properties set "standardStatus" = 'Active' where id = $1`, [propertyId]);
    await alert(person);
    await send();
    expect(browser.taken.length).toBe(1);
  });

  test('a notice that comes while an earlier one is sent follows it', async () => {
    const { send } = open();
    const person = await customer();
    const browser = await subscribed(person, service);
    const searchId = randomUUID();
    browser.beforeAnswer = async () => {
      browser.beforeAnswer = () => {};
      await alert(person, { searchId, seq: 2, name: 'Later' });
    };
    await alert(person, { searchId, seq: 1, name: 'Earlier' });
    await send(async () => browser.taken.length === 2 && (await waiting()).length === 0);
    expect(browser.taken.map(({ line }) => line)).toEqual(['Earlier', 'Later'].map(alertLine));
  });

  test('a browser gets thirty in an hour, and a notice of yesterday is not sent', async () => {
    const { send } = open();
    const person = await customer();
    const browser = await subscribed(person, service);
    for (let index = 0; index < NOTICES_PER_HOUR + 5; index += 1) await alert(person);
    await send();
    expect([browser.taken.length, await waiting()]).toEqual([NOTICES_PER_HOUR, []]);
    clock.at += HOUR_MS;
    await alert(person);
    await send();
    expect(browser.taken).toHaveLength(NOTICES_PER_HOUR + 1);
    await alert(person);
    clock.at += 25 * HOUR_MS;
    await send();
    expect([browser.taken.length, await waiting()]).toEqual([NOTICES_PER_HOUR + 1, []]);
  });

  test('without keys nothing is sent, and nothing is kept', async () => {
    const { send } = open({ push: null });
    const person = await customer();
    const browser = await subscribed(person, service);
    await alert(person);
    await send();
    expect([browser.requests, await waiting()]).toEqual([0, []]);
  });
});

describe('push services', () => {
  test.each([404, 410])('%i removes the subscription and what waits for it', async (status) => {
    const { send, problems } = open();
    const person = await customer();
    const [gone, other] = [
      await subscribed(person, service),
      await subscribed(await deviceOf(host, person), service),
    ];
    gone.answer = { status };
    await alert(person);
    await alert(person);
    await send(async () => (await waiting()).length === 0);
    expect(await endpoints()).toEqual([other.subscription.endpoint]);
    expect([other.taken.length, problems]).toEqual([2, []]);
  });

  test('429 and 5xx are tried again when the service asks for it, within an hour, and at most six times', async () => {
    const { send, problems } = open();
    const person = await customer();
    const busy = await subscribed(person, service);
    const next = async () => {
      const [row] = await host.rows<{ nextAttemptAt: Date }>('select "nextAttemptAt" from push_notices');
      return row === undefined ? null : row.nextAttemptAt.getTime() - clock.at;
    };
    await alert(person);
    busy.answer = { status: 429, headers: { 'retry-after': '120' } };
    await send();
    expect(await next()).toBe(120_000);
    clock.at += 119_999;
    await send();
    expect(busy.requests).toBe(1);
    clock.at += 1;
    busy.answer = { status: 503, headers: { 'retry-after': '999999' } };
    await send();
    expect([busy.requests, await next()]).toEqual([2, HOUR_MS]);
    clock.at += HOUR_MS;
    busy.answer = { status: 500 };
    await send();
    expect([busy.requests, await next()]).toEqual([3, 240_000]);
    for (const wait of [240_000, 480_000, 960_000]) {
      clock.at += wait;
      await send();
    }
    expect([busy.requests, await next()]).toEqual([6, null]);
    expect(problems.slice(-2)).toEqual([
      'a push notice was not sent yet: status 500',
      'a push notice is given up: status 500',
    ]);
    busy.answer = null;
    await alert(person);
    await send();
    expect(busy.taken).toHaveLength(1);
  });

  test('redirects are not followed, and other refusals are given up at once', async () => {
    const { send, problems } = open();
    const person = await customer();
    const [from, to] = [await subscribed(person, service), service.browser()];
    for (const answer of [
      { status: 307, headers: { location: to.subscription.endpoint } },
      { status: 413 },
    ]) {
      from.answer = answer;
      await alert(person);
      await send();
    }
    expect([from.requests, to.requests, await waiting()]).toEqual([2, 0, []]);
    expect(problems).toEqual([
      'a push notice is refused: status 307',
      'a push notice is refused: status 413',
    ]);
    expect(await endpoints()).toHaveLength(1);
  });

  test('a name that leads into the network behind the site is refused, and no problem names an address', async () => {
    const { send, problems } = open();
    const person = await customer();
    await subscribed(person, service);
    for (const endpoint of [
      'https://localtest.example.internal/1',
      'https://10.0.0.1/1',
      'http://192.168.0.1/1',
    ]) {
      await host.rows('update push_subscriptions set endpoint = $1', [endpoint]);
      await alert(person);
      await send();
    }
    expect(problems).toEqual(Array(3).fill('a push notice is refused: ADDRESS_REFUSED'));
  });

  test('one that does not answer costs its time limit, and the others get theirs', async () => {
    const { send, problems } = open();
    const person = await customer();
    const [silent, other] = [
      await subscribed(person, service),
      await subscribed(await deviceOf(host, person), service),
    ];
    silent.beforeAnswer = () => new Promise(() => {});
    await alert(person);
    await send(() => problems.length === 1);
    expect([problems, other.taken.length]).toEqual([['a push notice was not sent yet: TIMEOUT'], 1]);
    expect(await waiting()).toEqual([{ kind: 'ALERT', seq: expect.any(String), attempts: 1 }]);
  });

  test('a sender that dies after the send and before the commit sends again, under the same topic', async () => {
    const { send } = open();
    const person = await customer();
    const browser = await subscribed(person, service);
    await alert(person);
    const dying = open({ pool: withoutCommit(host.pool) });
    await dying.send(() => dying.problems.length === 1);
    expect(dying.problems).toEqual(['a push notice was not sent yet: the process is gone']);
    await send();
    expect(browser.taken).toHaveLength(1);
    clock.at += 60_000;
    await send();
    expect(browser.taken).toHaveLength(2);
    expect(new Set(browser.taken.map(({ headers }) => headers.topic)).size).toBe(1);
    clock.at += HOUR_MS;
    await send();
    expect([browser.taken.length, await waiting()]).toEqual([2, []]);
  });
});

test('a host without keys has none to give, and takes no browser', async () => {
  const other = await startApiHost({ settings: { PUBLIC_BASE_URL: 'http://127.0.0.1:3999' } });
  try {
    const person = personOn(other, await other.signedIn());
    expect((await person.query('push.getKey')).data).toEqual({ publicKey: null, endpoint: null });
    const refused = await person.mutate('push.subscribe', service.browser().subscription);
    expect(refused.errorCode).toBe('PUSH_UNAVAILABLE');
  } finally {
    await other.stop();
  }
});
