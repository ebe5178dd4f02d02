import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ALERTS_KEPT_DAYS,
  MOST_ALERT_HOMES,
  OTHER_ALERT_WAIT_MS,
  PRICE_ALERT_WAIT_MS,
} from '../../../machines/limits.ts';
import { removeBatch } from '../../../persistence/actors/retention.ts';
import { importListings } from '../../../persistence/listings/listing-import.ts';
import { seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { type Alerts, openAlerts, sweepOnce } from '../../support/worlds/alert-world.ts';
import { setClock } from '../../support/worlds/tour-visits.ts';

/** Alerts about searches and saved homes (docs/contract.md#alerts-about-homes). */
const MINUTE = 60_000;
const DAY = 86_400_000;
const clock = setClock();
const START = clock.at;
const host = useApiHost({ overrides: clock.overrides });
let alerts: Alerts;
let buyer: Person;
let city: string;
beforeEach(async () => {
  clock.at = START;
  for (const table of [
    'saved_searches',
    'alerts',
    'favorites',
    'favorite_matches',
    'alert_settings',
    'mail_hours',
    'alert_events',
  ])
    await host.rows(`delete from ${table}`);
  alerts = await openAlerts(host, clock);
  await alerts.sweep();
  buyer = await host.signedIn({ role: 'customer', name: 'Bea Buyer' });
  // Of each test its own.
  city = `Town ${randomUUID().slice(0, 8)}`;
});
afterEach(() => alerts.close());

const listed = (more: object = {}) =>
  seedProperty(host.pool, {
    city,
    country: 'US',
    stateOrProvince: 'WA',
    standardStatus: 'Active',
    listPrice: '500000.00',
    bedroomsTotal: 3,
    updatedAt: new Date(clock.at),
    ...more,
  });
const placeId = () => `city:us:wa:${city.toLowerCase().replace(' ', '-')}`;
const save = async (input: object = {}, by = buyer): Promise<string> => {
  const given = { filters: { placeId: placeId() }, name: 'My town', cadence: 'INSTANT', channels: ['MAIL'] };
  const answer = await by.mutate('searches.save', { ...given, ...input });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.id;
};
const change = (propertyId: string, columns: Record<string, unknown>) =>
  host.rows(
    `update properties set "updatedAt" = $2, ${Object.keys(columns)
      .map((name, index) => `"${name}" = $${index + 3}`)
      .join(', ')} where id = $1`,
    [propertyId, new Date(clock.at), ...Object.values(columns)],
  );
const reprice = (propertyId: string, price: number) => change(propertyId, { listPrice: price });
const subjects = (person = buyer) => alerts.mailsTo(person).map(({ subject }) => subject);
interface Match {
  propertyId: string;
}
const matches = () => host.rows<Match>('select "propertyId" from search_matches');

describe('a search with instant alerts', () => {
  test('is mailed what is new within five minutes, once, in both forms', async () => {
    const searchId = await save();
    const propertyId = await listed({ address: '9 Elm Street' });
    await alerts.sweep();
    clock.at += OTHER_ALERT_WAIT_MS - 1;
    await alerts.after(0);
    expect(subjects()).toEqual([]);
    clock.at += 1;
    await alerts.after(0);
    expect(clock.at - START).toBeLessThan(5 * MINUTE);
    expect(subjects()).toEqual([`New on the market: 9 Elm Street, ${city}`]);
    const [mail] = alerts.mailsTo(buyer);
    for (const words of [mail?.text, mail?.html]) {
      for (const said of ['My town', '9 Elm Street', '$500,000', '3 beds', 'New on the market'])
        expect(words).toContain(said);
      expect(words).toContain(`https://homes.example/properties/${propertyId}`);
      expect(words).toContain('https://homes.example/unsubscribe?token=');
    }
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const path = /^<https:\/\/homes\.example(\/api\/alert-switches\/\S+)>$/.exec(
      header('list-unsubscribe') ?? '',
    )?.[1];
    for (let time = 0; time < 3; time += 1) await alerts.after(DAY / 2);
    expect(subjects()).toHaveLength(1);
    expect((await host.anonymous().send('POST', path ?? '')).status).toBe(200);
    expect((await buyer.query('searches.list')).data.items).toMatchObject([
      { id: searchId, cadence: 'NONE' },
    ]);
    await listed();
    await alerts.after(5 * MINUTE);
    expect(subjects()).toHaveLength(1);
  });

  test('is in the language of its person', async () => {
    await host.rows(`update "user" set locale = 'es' where id = $1`, [buyer.id]);
    await save();
    await listed({ address: '9 Elm Street' });
    await alerts.after(5 * MINUTE);
    expect(subjects()).toEqual([`Nueva en el mercado: 9 Elm Street, ${city}`]);
    expect(alerts.mailsTo(buyer)[0]?.text).toContain('https://homes.example/es/unsubscribe?token=');
  });

  test('is mailed a cut of the price once for all changes of ten minutes, and none that was taken back', async () => {
    const [cut, back] = [await listed({ address: '1 Cut' }), await listed({ address: '2 Back' })];
    await alerts.sweep();
    await save();
    for (const price of [490_000, 470_000]) {
      await reprice(cut, price);
      await reprice(back, price);
      await alerts.after(3 * MINUTE);
    }
    await reprice(back, 500_000);
    await alerts.after(PRICE_ALERT_WAIT_MS - 6 * MINUTE - 1);
    expect(subjects()).toEqual([]);
    await alerts.after(1);
    expect(clock.at - START).toBeLessThan(15 * MINUTE);
    expect(subjects()).toEqual([`Price cut $30,000: 1 Cut, ${city}`]);
    await alerts.after(DAY);
    expect(subjects()).toHaveLength(1);
  });

  test('is mailed a home that is back, and one with an open house that was not canceled', async () => {
    const [back, open, canceled] = [await listed(), await listed(), await listed()];
    await change(back, { standardStatus: 'Pending' });
    await alerts.sweep();
    await save();
    await change(back, { standardStatus: 'Active' });
    for (const propertyId of [open, canceled])
      await host.rows(
        `insert into open_houses (id, "propertyId", "startsAt", "endsAt", "createdAt", "changedAt", "canceledAt")
         values ($1, $2, $3, $4, $5, $5, $6)`,
        [
          randomUUID(),
          propertyId,
          new Date(clock.at + DAY),
          new Date(clock.at + DAY + 60 * MINUTE),
          new Date(clock.at),
          propertyId === canceled ? new Date(clock.at) : null,
        ],
      );
    await alerts.after(5 * MINUTE);
    expect(subjects()).toEqual(['2 homes with news: My town']);
    expect(alerts.mailsTo(buyer)[0]?.text).toContain('Back on the market');
    expect(alerts.mailsTo(buyer)[0]?.text).toContain('Open house');
    expect(alerts.mailsTo(buyer)[0]?.text).not.toContain(canceled);
  });

  test.each([
    ['has left the market', (id: string) => change(id, { standardStatus: 'Withdrawn' })],
    ['costs more by then', (id: string) => reprice(id, 900_000)],
    ['is deleted', (id: string) => change(id, { standardStatus: 'Delete' })],
    ['was taken down', (id: string) => change(id, { hiddenFor: ['TAKEN_DOWN'] })],
  ])('is not mailed a home that %s', async (_what, happens) => {
    await save({ filters: { placeId: placeId(), price: { max: 600_000 } } });
    const [gone, stays] = [await listed(), await listed()];
    await alerts.sweep();
    expect(await matches()).toHaveLength(2);
    await happens(gone);
    await alerts.after(5 * MINUTE);
    const [mail, ...more] = alerts.mailsTo(buyer);
    expect(more).toEqual([]);
    expect(mail?.text).toContain(stays);
    expect(mail?.text).not.toContain(gone);
    // None is left: no mail.
    const last = await listed();
    await alerts.sweep();
    await happens(last);
    await alerts.after(5 * MINUTE);
    expect(subjects()).toHaveLength(1);
  });

  test('tells agents nothing of their own homes, suspended people nothing, and nothing of other changes', async () => {
    const agent = await host.signedIn();
    const suspended = await host.signedIn({ role: 'customer' });
    for (const person of [agent, suspended, buyer]) await save({}, person);
    await host.rows('update "user" set "suspendedAt" = now() where id = $1', [suspended.id]);
    const own = await listed({ ownerAgentId: agent.id });
    await alerts.after(5 * MINUTE);
    expect([agent, suspended, buyer].map((person) => subjects(person).length)).toEqual([0, 0, 1]);
    // Nor do they have a match, which would be counted among the homes of an alert.
    expect(await matches()).toHaveLength(1);
    await change(own, { bedroomsTotal: 5, publicRemarks: 'A new roof.' });
    await reprice(own, 600_000);
    await alerts.after(15 * MINUTE);
    expect(subjects()).toHaveLength(1);
  });

  test('is not mailed to a person who is suspended after the match', async () => {
    await save();
    await listed();
    await alerts.sweep();
    await host.rows('update "user" set "suspendedAt" = now() where id = $1', [buyer.id]);
    await alerts.after(5 * MINUTE);
    expect(subjects()).toEqual([]);
  });

  test('gets of a home only what happened since', async () => {
    await save();
    const propertyId = await listed();
    await alerts.after(5 * MINUTE);
    await reprice(propertyId, 450_000);
    await alerts.after(15 * MINUTE);
    expect(subjects()).toEqual([
      `New on the market: 1 Test Lane, ${city}`,
      `Price cut $50,000: 1 Test Lane, ${city}`,
    ]);
    const alerted = await host.rows<{ items: { kinds: string[] }[] }>(
      'select items from alerts order by "createdAt"',
    );
    expect(alerted.map(({ items }) => items[0]?.kinds)).toEqual([['NEW'], ['PRICE']]);
  });

  test('gets no alert about homes of the sample', async () => {
    await save();
    await listed({ originatingSystemName: 'Sample', originatingSystemKey: city });
    await alerts.after(2 * DAY);
    expect(subjects()).toEqual([]);
    expect((await buyer.query('searches.list')).data.items[0].newHomes).toBe(0);
  });

  test('gets each home, also when several at once take too long', async () => {
    await save();
    const homes = [await listed(), await listed(), await listed()];
    await host.rows(`
      create function take_long() returns trigger language plpgsql as $$
      begin
        if (select count(*) from added) > 1 then raise exception 'too long' using errcode = '57014'; end if;
        return null;
      end $$;
      create trigger takes_long after insert on search_matches referencing new table as added
      for each statement execute function take_long()`);
    try {
      await expect(alerts.sweep()).rejects.toThrow('an alert could not be made');
    } finally {
      await host.rows('drop trigger takes_long on search_matches; drop function take_long');
    }
    // The problem was reported, and the events were matched.
    expect((await matches()).map(({ propertyId }) => propertyId).toSorted()).toEqual(homes.toSorted());
  });

  test('gets a home when its agent is approved', async () => {
    await save();
    const propertyId = await listed();
    await change(propertyId, { hiddenFor: ['AWAITS_APPROVAL'] });
    await alerts.after(5 * MINUTE);
    expect(subjects()).toEqual([]);
    await change(propertyId, { hiddenFor: [] });
    await alerts.after(5 * MINUTE);
    expect(subjects()).toEqual([`New on the market: 1 Test Lane, ${city}`]);
  });

  test('shows the first true photo of a home, and no staged picture', async () => {
    await save();
    const [propertyId, bare] = [await listed(), await listed()];
    const original = await seedOriginal(host.pool, { propertyId });
    const staged = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
    await alerts.after(5 * MINUTE);
    const html = alerts.mailsTo(buyer)[0]?.html ?? '';
    expect(html).toContain(`https://homes.example/api/images/${original.imageId}?w=`);
    expect(html).not.toContain(staged);
    expect(html).toContain(bare);
  });

  test('is found again by the place whose area an import has changed', async () => {
    const id = `neighborhood:us:wa:x:${city.slice(5)}`;
    const box = (west: number) =>
      host.rows(
        `insert into places (id, kind, name, label, country, west, south, east, north, source, "sourceRank",
           "headText", "searchText") values ($1, 'neighborhood', 'Hill', 'Hill', 'US', $2::float8, 47, $2::float8 + 0.1, 47.1, 'test', 1,
           'hill', 'hill')
         on conflict (id) do update set west = excluded.west, east = excluded.east`,
        [id, west],
      );
    await box(-120);
    await save({ filters: { placeId: id } });
    await box(-110);
    await alerts.after(DAY + MINUTE);
    await listed({ address: '7 Hill', latitude: 47.05, longitude: -109.95 });
    await listed({ latitude: 47.05, longitude: -119.95 });
    await alerts.after(5 * MINUTE);
    expect(subjects()).toEqual([`New on the market: 7 Hill, ${city}`]);
  });

  test('names at most fifty homes and counts the others', async () => {
    await save();
    for (let number = 0; number < MOST_ALERT_HOMES + 7; number += 1) await listed();
    await alerts.sweep();
    expect(await matches()).toHaveLength(MOST_ALERT_HOMES);
    await alerts.after(5 * MINUTE);
    expect(subjects()).toEqual(['57 homes with news: My town']);
    expect(alerts.mailsTo(buyer)[0]?.text).toContain('and 7 more');
    await listed();
    await alerts.after(5 * MINUTE);
    expect(subjects()).toHaveLength(2);
  });

  test('gets an import in one daily mail', async () => {
    await save();
    const owner = await host.signedIn();
    const houses = Array.from({ length: 60 }, (_, index) => ({
      key: `K-${index}-${city}`,
      address: `${index} Import Road`,
      city,
      bedroomsTotal: 2,
      bathroomsTotal: '1',
      livingArea: null,
      lotSizeArea: null,
      stories: null,
      yearBuilt: null,
      yearBuiltEffective: null,
      postalCode: null,
      latitude: null,
      longitude: null,
      features: [],
      sales: [{ soldOn: '2020-01-01', price: '100000' }],
    }));
    const terms = {
      originatingSystemName: 'county',
      ownerAgentId: owner.id,
      standardStatus: 'Active',
      propertyType: 'Residential',
      countyOrParish: 'King',
      stateOrProvince: 'WA',
      country: 'US',
      currency: 'USD',
      propertyTimeZoneName: 'America/Los_Angeles',
      refresh: false,
      at: clock.at,
    } as const;
    await importListings(host.pool, terms, houses);
    await alerts.after(60 * MINUTE);
    expect(subjects()).toEqual([]);
    await alerts.after(DAY);
    expect(subjects()).toEqual(['60 homes with news: My town']);
    await alerts.after(2 * DAY);
    expect(subjects()).toHaveLength(1);
  });

  test('gets a home whose transaction commits after later ones', async () => {
    await save();
    const owner = await host.signedIn();
    const late = await host.pool.connect();
    try {
      await late.query('begin');
      const id = randomUUID();
      await late.query(
        `insert into properties (id, "ownerAgentId", "listPrice", address, city, country, "stateOrProvince",
           "standardStatus") values ($1, $2, 1, '1 Late', $3, 'US', 'WA', 'Active')`,
        [id, owner.id, city],
      );
      const early = await listed();
      await alerts.sweep();
      expect(await matches()).toMatchObject([{ propertyId: early }]);
      await late.query('commit');
      await alerts.sweep();
      expect(new Set((await matches()).map(({ propertyId }) => propertyId))).toEqual(new Set([early, id]));
    } finally {
      late.release();
    }
  });

  test('has one match for each event, whichever workers look at once, and wherever one dies', async () => {
    await save();
    const homes = [await listed(), await listed(), await listed()];
    const died = sweepOnce(host.pool, {
      at: clock.at,
      prolong: () => Promise.reject(new Error('the worker is gone')),
    });
    await expect(died).rejects.toThrow('the worker is gone');
    await Promise.all([alerts.sweep(), alerts.sweep(), alerts.sweep()]);
    expect((await matches()).map(({ propertyId }) => propertyId).toSorted()).toEqual(homes.toSorted());
    clock.at += 5 * MINUTE;
    await Promise.all([alerts.sweep(), alerts.sweep(), alerts.sweep()]);
    await alerts.after(0);
    expect(subjects()).toEqual(['3 homes with news: My town']);
  });

  test('gets what waits at once, when its alerts are daily from now on', async () => {
    const id = await save();
    await listed();
    await alerts.sweep();
    await buyer.mutate('searches.update', { id, cadence: 'DAILY' });
    await alerts.after(5 * MINUTE);
    expect(subjects()).toHaveLength(1);
    await listed();
    await alerts.sweep();
    await buyer.mutate('searches.update', { id, cadence: 'NONE' });
    await alerts.after(2 * DAY);
    expect(subjects()).toHaveLength(1);
  });
});

test('an alert whose sender died after sending is sent again under the same Message-ID', async () => {
  await save();
  await listed();
  await alerts.after(5 * MINUTE);
  await host.rows(`insert into alert_mails select id, 0, "createdAt" from alerts`);
  await alerts.after(MINUTE);
  const ids = alerts.mailsTo(buyer).map(({ messageId }) => messageId);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

test('beyond the mails of an hour alerts wait for the next one, and none is dropped', async () => {
  await host.rows('delete from mail_totals');
  clock.at += 60 * MINUTE - (clock.at % (60 * MINUTE));
  const limited = await openAlerts(host, clock, { perHour: 2 });
  try {
    const people = await Promise.all([1, 2, 3].map(() => host.signedIn({ role: 'customer' })));
    for (const person of people) await save({}, person);
    const [gone, stays] = [await listed(), await listed()];
    const mailed = () => people.flatMap((person) => limited.mailsTo(person)).length;
    await limited.after(5 * MINUTE);
    expect(mailed()).toBe(2);
    await change(gone, { standardStatus: 'Withdrawn' });
    await limited.after(54 * MINUTE);
    expect(mailed()).toBe(2);
    await limited.after(2 * MINUTE);
    expect(mailed()).toBe(3);
    const last = limited.sink.mails.at(-1)?.email.text;
    expect([last?.includes(stays), last?.includes(gone)]).toEqual([true, false]);
    expect(await host.rows('select from alert_mails')).toEqual([]);
  } finally {
    await limited.close();
  }
});

test('beyond the mails of a person in an hour an alert is a line of the digest', async () => {
  const limited = await openAlerts(host, clock, { perRecipientHour: 1 });
  try {
    const [one, two] = [await save(), await save({ filters: {}, name: 'Everything' })];
    expect(one).not.toBe(two);
    await listed();
    await limited.after(5 * MINUTE);
    expect(limited.mailsTo(buyer)).toHaveLength(1);
    const [held] = await host.rows<{ lines: unknown[] }>('select lines from mail_hours where held > 0');
    expect(held?.lines).toHaveLength(1);
  } finally {
    await limited.close();
  }
});

describe('a search of a day or a week', () => {
  test.each([
    ['DAILY', DAY],
    ['WEEKLY', 7 * DAY],
  ])('%s is one mail after its time, of what still holds, and none without news', async (cadence, period) => {
    await save({ cadence });
    const [stays, gone] = [await listed(), await listed()];
    await alerts.after(period - 10 * MINUTE);
    expect(subjects()).toEqual([]);
    await change(gone, { standardStatus: 'Withdrawn' });
    await alerts.after(10 * MINUTE);
    expect(subjects()).toHaveLength(1);
    expect(alerts.mailsTo(buyer)[0]?.text).toContain(stays);
    expect(alerts.mailsTo(buyer)[0]?.text).not.toContain(gone);
    await alerts.after(period);
    expect(subjects()).toHaveLength(1);
    await reprice(stays, 450_000);
    await alerts.after(period);
    expect(subjects()[1]).toBe(`Price cut $50,000: 1 Test Lane, ${city}`);
    expect(await matches()).toEqual([]);
  });

  test('keeps its time of day when a worker comes late, and sends once', async () => {
    await save({ cadence: 'DAILY' });
    await listed();
    await alerts.after(3 * DAY + 7 * MINUTE);
    await Promise.all([alerts.sweep(), alerts.sweep()]);
    await alerts.after(0);
    expect(subjects()).toHaveLength(1);
    const [{ nextRunAt } = { nextRunAt: new Date(0) }] = await host.rows<{ nextRunAt: Date }>(
      'select "nextRunAt" from saved_searches',
    );
    expect(nextRunAt.getTime()).toBe(START + 4 * DAY);
  });
});

describe('saved homes', () => {
  const saved = async (more: object = {}, by = buyer) => {
    const propertyId = await listed(more);
    await alerts.sweep();
    await by.mutate('favorites.add', { propertyId });
    return propertyId;
  };

  test('are mailed at once: prices, under contract, sold', async () => {
    const propertyId = await saved({ address: '5 Oak' });
    await reprice(propertyId, 520_000);
    await alerts.after(PRICE_ALERT_WAIT_MS);
    await change(propertyId, { standardStatus: 'Pending' });
    await alerts.after(OTHER_ALERT_WAIT_MS);
    await change(propertyId, { standardStatus: 'Closed', closePrice: 510_000 });
    await alerts.after(OTHER_ALERT_WAIT_MS);
    expect(subjects()).toEqual([
      `Price raised $20,000: 5 Oak, ${city}`,
      `Under contract: 5 Oak, ${city}`,
      `Sold: 5 Oak, ${city}`,
    ]);
    await alerts.after(DAY);
    expect(subjects()).toHaveLength(3);
  });

  test('go to no one who is not to get them', async () => {
    const agent = await host.signedIn();
    const propertyId = await saved({ ownerAgentId: agent.id });
    await agent.mutate('favorites.add', { propertyId });
    await buyer.mutate('alerts.updateSettings', { cadence: 'NONE' });
    await change(propertyId, { standardStatus: 'Pending' });
    await alerts.after(DAY);
    expect([subjects(agent), subjects()]).toEqual([[], []]);
  });

  test('are daily for those who want that', async () => {
    const propertyId = await saved({ address: '5 Oak' });
    await buyer.mutate('alerts.updateSettings', { cadence: 'DAILY' });
    await change(propertyId, { standardStatus: 'Pending' });
    await alerts.after(DAY - 1);
    expect(subjects()).toEqual([]);
    await alerts.after(1);
    expect(subjects()).toEqual([`Under contract: 5 Oak, ${city}`]);
    await alerts.after(DAY);
    expect(subjects()).toHaveLength(1);
  });
});

test('new homes of a search are counted until it is seen', async () => {
  const id = await save({ cadence: 'NONE' });
  const newHomes = async () => (await buyer.query('searches.list')).data.items[0].newHomes;
  const propertyId = await listed();
  await listed();
  await listed({ city: 'Elsewhere' });
  await alerts.sweep();
  expect(await newHomes()).toBe(2);
  await buyer.mutate('searches.markSeen', { id });
  expect(await newHomes()).toBe(0);
  await reprice(propertyId, 900_000);
  await alerts.sweep();
  expect(await newHomes()).toBe(0);
  await reprice(propertyId, 100_000);
  await alerts.sweep();
  expect(await newHomes()).toBe(1);
});

test('nothing about alerts is kept longer than thirty days', async () => {
  await save();
  const propertyId = await listed();
  await buyer.mutate('favorites.add', { propertyId });
  await change(propertyId, { standardStatus: 'Pending' });
  await alerts.after(5 * MINUTE);
  const before = clock.at + 1 - ALERTS_KEPT_DAYS * DAY;
  const kept = async () =>
    Promise.all(
      ['alerts', 'search_matches', 'favorite_matches', 'alert_events'].map(
        async (table) => (await host.rows(`select from ${table}`)).length > 0,
      ),
    );
  const whats = ['alerts', 'searchMatches', 'favoriteMatches', 'alertEvents'] as const;
  for (const what of whats) await removeBatch(host.pool, { what, before, limit: 1000 });
  expect(await kept()).toEqual([true, true, true, true]);
  for (const what of whats) await removeBatch(host.pool, { what, before: clock.at + 1, limit: 1000 });
  expect(await kept()).toEqual([false, false, false, false]);
});
