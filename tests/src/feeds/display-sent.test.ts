import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MESSAGE_MAIL_MS } from '../../../machines/limits.ts';
import type { ServiceSimulator } from '../../../ops/simulator/outside/server.ts';
import { startRouterSimulator } from '../../../ops/simulator/router/server.ts';
import { createMailSwitches } from '../../../src/mail/mail-switches.ts';
import { createMessageMailSender } from '../../../src/mail/message-mail-sender.ts';
import { createTourMailSender } from '../../../src/mail/tour-mail-sender.ts';
import type { Sweeper } from '../../../supervisors/sweepers/sweeper.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import type { ApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { openPushService, type PushService, VAPID_SETTINGS } from '../../support/http/push-service.ts';
import { TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { type AccountWorld, openAccountWorld } from '../../support/worlds/account-world.ts';
import { type Alerts, openAlerts } from '../../support/worlds/alert-world.ts';
import { seedFeed, seedFeedListing } from '../../support/worlds/feed-listing.ts';
import { openMailPorts } from '../../support/worlds/mail-ports.ts';
import { giveAlert, openPushSender, personOn, subscribed } from '../../support/worlds/push-world.ts';
import { setClock, wire } from '../../support/worlds/tour-visits.ts';

/** The display rules of a feed in what is sent, and in what agents and devices ask (docs/contract.md#display-rules). */
const STREET = '93827164 Secretive Quay';
const LATITUDE = 47.612345;
const LONGITUDE = -122.312345;
const HOME = { city: 'Feedport', stateOrProvince: 'WA', country: 'US' };
const SECRETS = ['Secretive', '93827164', '47.612', '-122.312'];
const SHOWN = { showAddress: true, address: STREET, latitude: LATITUDE, longitude: LONGITUDE };
const clock = setClock();
let router: ServiceSimulator;
let world: AccountWorld;
let host: ApiHost;
let alerts: Alerts;
let mails: Awaited<ReturnType<typeof openMailPorts>>;
let service: PushService;
let push: ReturnType<typeof openPushSender>;
let agent: Person;
let propertyId: string;
beforeAll(async () => {
  router = await startRouterSimulator();
  world = await openAccountWorld({
    overrides: clock.overrides,
    settings: {
      ...VAPID_SETTINGS,
      PUBLIC_BASE_URL: 'http://127.0.0.1:3999',
      ROUTER_URL: router.url,
      ROUTER_KIND: 'valhalla',
    },
  });
  host = world.host;
  alerts = await openAlerts(host, clock);
  mails = await openMailPorts(host, { clock });
  service = await openPushService();
  push = openPushSender(host, clock);
  agent = personOn(host, await host.signedIn({ name: 'Ada Agent' }));
  const feed = await seedFeed(host.pool, { seenAt: clock.at, contactAgents: [agent.id] });
  propertyId = await seedFeedListing(host.pool, feed, {
    ...HOME,
    ...SHOWN,
    postalCode: '98177',
    listedAt: new Date(clock.at),
  });
  await seedProperty(host.pool, { ...HOME, address: '2 Open Road', latitude: 47.7, longitude: -122.4 });
});
afterAll(async () => {
  await push?.close();
  await service?.close();
  await mails?.close();
  await alerts?.close();
  await world?.close();
  await router?.close();
});

/** As the reader of the feed writes a change of the record; two seconds later every surface has it. */
async function record(change: Record<string, unknown>): Promise<void> {
  await host.rows(
    `update properties set ${Object.keys(change)
      .map((name, at) => `"${name}" = $${at + 2}`)
      .join(', ')}, "updatedAt" = now() where id = $1`,
    [propertyId, ...Object.values(change)],
  );
  clock.at += 2_000;
}
const buyer = async (): Promise<Person> =>
  personOn(host, await host.signedIn({ role: 'customer', name: 'Bea Buyer' }));
/** Each as text, with its calendar file. */
const mailsTo = ({ id }: Person): string[] =>
  mails.sink.mails
    .filter(({ to }) => to === `${id}@example.com`)
    .map(({ email: { attachments, ...mail } }) => {
      const files = attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString());
      return JSON.stringify([mail, files]);
    });
async function sendAll(sender: Sweeper, table: string): Promise<void> {
  await sender.start();
  await eventually(
    async () =>
      (
        await host.rows(`select from ${table} where "nextAttemptAt" <= $1 or attempts > 0`, [
          new Date(clock.at),
        ])
      ).length === 0,
    { what: `${table} to be sent` },
  );
  await sender.stop(AbortSignal.timeout(5_000));
}

const DAY_MS = 86_400_000;
let tours = 0;
/** Asks for a tour of the home, if it can be had, and confirms it. */
async function tourBy(person: Person): Promise<string> {
  tours += 1;
  const { startsAt, endsAt } = TOUR_SLOTS.first;
  // Another day for each, so that the agent is free.
  const slots = [wire({ startsAt: startsAt + tours * DAY_MS, endsAt: endsAt + tours * DAY_MS })];
  const { data } = await person.mutate('tours.request', { propertyId, slots });
  const confirmed = await agent.mutate('tours.confirm', {
    tourId: data.tourId,
    expectedVersion: 1,
    startsAt: slots[0]?.startsAt,
  });
  expect(confirmed.status, confirmed.text).toBe(200);
  return data.tourId;
}
async function tourMails(): Promise<string> {
  const person = await buyer();
  await tourBy(person);
  await sendAll(createTourMailSender(mails.ports), 'tour_mails');
  const sent = mailsTo(person);
  expect(JSON.stringify(sent)).toContain('BEGIN:VCALENDAR');
  return JSON.stringify([sent, mailsTo(agent)]);
}
async function messageMails(): Promise<string> {
  const person = await buyer();
  await person.mutate('messages.open', { propertyId, messageId: randomUUID(), text: 'Is the roof new?' });
  clock.at += MESSAGE_MAIL_MS;
  const before = mailsTo(agent).length;
  const switches = createMailSwitches(sharedStack().secrets.authSecret);
  await sendAll(createMessageMailSender({ ...mails.ports, switches }), 'message_mails');
  const sent = mailsTo(agent).slice(before);
  expect(sent).toHaveLength(1);
  return JSON.stringify(sent);
}
async function pushNotices(): Promise<string> {
  const person = await buyer();
  const browser = await subscribed(person, service);
  await tourBy(person);
  await push.send();
  expect(browser.taken).toHaveLength(1);
  return JSON.stringify(browser.taken.map(({ line, url }) => [line, url]));
}
async function accountExport(): Promise<string> {
  const person = await buyer();
  await person.mutate('favorites.add', { propertyId });
  await tourBy(person);
  const { status, text } = await person.mutate('users.exportMyData', {
    code: await world.code(person, 'Export'),
  });
  expect(status).toBe(200);
  return text;
}
async function asked(procedure: string, input: unknown): Promise<string> {
  const { status, text } = await agent.query(procedure, input);
  expect(status, text).toBe(200);
  return text;
}
const sameHome = { ...HOME, address: STREET };
const TRAVEL = { to: { latitude: 47.6, longitude: -122.33 }, mode: 'CAR' };

/** Every surface, what it says of the home, and how one sees that it names or places it. */
const SURFACES: Record<string, { ask(): Promise<string>; tells: RegExp }> = {
  'mails and calendar files of a tour': { ask: tourMails, tells: /Secretive/ },
  'mails about a message': { ask: messageMails, tells: /Secretive/ },
  'push notices of a tour': { ask: pushNotices, tells: /Secretive/ },
  'addresses.suggest': {
    ask: () => asked('addresses.suggest', { text: STREET, country: 'US' }),
    tells: /Secretive/,
  },
  'addresses.locate': {
    ask: () => asked('addresses.locate', { ...HOME, postalCode: '98177' }),
    tells: /47\.612/,
  },
  'addresses.findSame': { ask: () => asked('addresses.findSame', sameHome), tells: /PUBLIC|PRIVATE|MINE/ },
  'commute.times': {
    ask: () => asked('commute.times', { ...TRAVEL, propertyIds: [propertyId] }),
    tells: /"minutes":\[\d/,
  },
};
const secretsIn = (text: string) => SECRETS.filter((secret) => text.includes(secret));

describe('a listing whose address may not be shown', () => {
  const names = Object.keys(SURFACES);
  test.each(names)('%s: named while it may be, and not afterwards', async (name) => {
    const surface = SURFACES[name];
    await record(SHOWN);
    expect(await surface?.ask()).toMatch(surface?.tells ?? /^$/);
    await record({ showAddress: false });
    // What was sent before stays with those who have it.
    mails.sink.mails.length = 0;
    const text = (await surface?.ask()) ?? '';
    expect(text).not.toMatch(surface?.tells ?? /^/);
    expect(secretsIn(text)).toEqual([]);
    await record(SHOWN);
  });

  test('the export of an account that has saved and visited it does not name it', async () => {
    await record({ showAddress: false });
    expect(secretsIn(await accountExport())).toEqual([]);
    await record(SHOWN);
  });
});

describe.each(['FEED_RULE', 'FEED_TOO_OLD'])('a listing that may not be shown, with %s', (reason) => {
  test('no alert about it is mailed or sent to a browser, though it was found before', async () => {
    const person = await buyer();
    const browser = await subscribed(person, service);
    await person.mutate('favorites.add', { propertyId });
    const cut = async (price: number) => {
      await record({ listPrice: price });
      await host.rows(
        `insert into property_price_events ("propertyId", event, at, price, "previousPrice", "changePct", currency, source, "recordedAt")
         values ($1, 'PRICE_CHANGED', $2, $3, 250000, -10, 'USD', 'listing', $2)`,
        [propertyId, new Date(clock.at), price],
      );
    };
    const found = () =>
      giveAlert(host.pool, {
        userId: person.id,
        searchId: randomUUID(),
        name: 'Feedport',
        propertyId,
        at: clock.at,
      });
    await cut(200_000);
    await alerts.sweep();
    await found();
    await record({ hiddenFor: [reason] });
    await alerts.after(3_600_000);
    await push.send();
    expect([alerts.mailsTo(person), browser.taken]).toEqual([[], []]);
    await record({ hiddenFor: [] });
    await cut(190_000);
    await found();
    await alerts.after(3_600_000);
    await push.send();
    expect(alerts.mailsTo(person)).toHaveLength(1);
    expect(browser.taken).not.toEqual([]);
  });

  test.each(['addresses.suggest', 'addresses.locate', 'addresses.findSame', 'commute.times'])(
    '%s does not know it',
    async (name) => {
      const surface = SURFACES[name];
      expect(await surface?.ask()).toMatch(surface?.tells ?? /^$/);
      await record({ hiddenFor: [reason] });
      expect(await surface?.ask()).not.toMatch(surface?.tells ?? /^/);
      await record({ hiddenFor: [] });
    },
  );
});
