import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmLicense } from '../../../persistence/accounts/agent-approvals.ts';
import { followFeedAges } from '../../../persistence/feeds/stale-feeds.ts';
import { createFeedAges } from '../../../src/worker/feed-ages.ts';
import { seedOpenHouse, seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { listingSurfaces } from '../../support/http/listing-surfaces.ts';
import type { Person } from '../../support/http/person.ts';
import { TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { roomOf } from '../../support/pictures/room-photos.ts';
import { type Alerts, openAlerts } from '../../support/worlds/alert-world.ts';
import { FIRM, seedFeed, seedFeedListing } from '../../support/worlds/feed-listing.ts';
import { createRecordingReporter, everyTurn } from '../../support/worlds/recording-ports.ts';
import { type SetClock, setClock, wire } from '../../support/worlds/tour-visits.ts';

/** Each display rule of a feed on every surface (docs/contract.md#display-rules), on a whole API host with its pages. */
const STREET = '93827164 Secretive Quay';
const UNIT = '77B Loft';
const LATITUDE = 47.612345;
const LONGITUDE = -122.312345;
const CITY = 'Feedport';
const BOX = { west: -122.4, south: 47.5, east: -122.2, north: 47.7 };
/** What would name the home or its place; long enough to be in no random id. */
const SECRETS = ['Secretive', 'secretive', '93827164', UNIT, '47.612', '-122.312'];

let clock: SetClock;
let host: ApiHost;
let alerts: Alerts;
let agent: Person;
let customer: Person;
let visitor: Person;
let feed: { feedId: string; userId: string };
let propertyId: string;
let neighbor: string;
let photo: string;
let staged: string;
let openHouseId: string;
let sharedList: string;
let tourId: string;
beforeAll(async () => {
  clock = setClock();
  host = await startApiHost({ settings: { SITE_ENABLED: 'true' }, overrides: clock.overrides });
  alerts = await openAlerts(host, clock);
  [agent, customer] = await Promise.all([
    host.signedIn({ name: 'Ada Agent', licenseNumber: 'wa 0815' }),
    host.signedIn({ role: 'customer', name: 'Carl Customer' }),
  ]);
  visitor = host.anonymous();
  feed = await seedFeed(host.pool, { seenAt: clock.at, contactAgents: [agent.id] });
  const place = { city: CITY, stateOrProvince: 'WA', postalCode: '98199' };
  propertyId = await seedFeedListing(host.pool, feed, {
    ...place,
    address: STREET,
    unitNumber: UNIT,
    latitude: LATITUDE,
    longitude: LONGITUDE,
    listedAt: new Date(clock.at),
  });
  neighbor = await seedProperty(host.pool, {
    ...place,
    address: '2 Open Road',
    latitude: 47.61,
    longitude: -122.3,
  });
  const original = await seedOriginal(host.pool, { propertyId, position: 0, isMain: true });
  photo = original.imageId;
  staged = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
  await host.putObject(`originals/${photo}.jpg`, await (await roomOf('BEDROOM', 300, 200)).jpeg().toBuffer());
  openHouseId = await seedOpenHouse(host.pool, { propertyId });
  await customer.mutate('favorites.add', { propertyId });
  await customer.mutate('favorites.setNote', { propertyId, note: 'Overpriced ruin' });
  sharedList = String((await customer.mutate('favorites.share', { name: 'Ours', withNotes: true })).data.url)
    .split('/')
    .at(-1) as string;
  tourId = (await customer.mutate('tours.request', { propertyId, slots: [wire(TOUR_SLOTS.first)] })).data
    .tourId;
  await customer.mutate('messages.open', {
    propertyId,
    messageId: crypto.randomUUID(),
    text: 'Is the roof new?',
  });
});
afterAll(async () => {
  await alerts?.close();
  await host?.stop();
});

/** As the reader of the feed writes a change of the record. */
const record = (change: Record<string, unknown>) =>
  host.rows(
    `update properties set ${Object.keys(change)
      .map((name, at) => `"${name}" = $${at + 2}`)
      .join(', ')}, "updatedAt" = now() where id = $1`,
    [propertyId, ...Object.values(change)],
  );
const ADDRESS = { address: STREET, unitNumber: UNIT, latitude: LATITUDE, longitude: LONGITUDE };

/** Every answer in which a home may be named, as text. */
const ANSWERS: Record<string, () => Promise<string>> = {
  'properties.getDetail': () => asked('properties.getDetail', { propertyId }),
  'properties.listSimilar': () => asked('properties.listSimilar', { propertyId: neighbor }),
  'search.list': () => asked('search.list', { filters: {} }),
  'search.map': () => asked('search.map', { bbox: [-122.4, 47.5, -122.2, 47.7], zoom: 18 }),
  'search.suggestLocations': () => asked('search.suggestLocations', { text: 'Secretive' }),
  'addresses.suggest': () => asked('addresses.suggest', { text: '93827164 Secretive', country: 'US' }, agent),
  'home.getFeatured': () => asked('home.getFeatured', {}),
  'home.getNearby': () => asked('home.getNearby', { latitude: LATITUDE, longitude: LONGITUDE }),
  'homes.listCards': () => asked('homes.listCards', { propertyIds: [propertyId] }),
  'favorites.list': () => asked('favorites.list', {}, customer),
  'favorites.getShared': () => asked('favorites.getShared', { secret: sharedList }),
  'tours.get': () => asked('tours.get', { tourId }, customer),
  'tours.get of the agent': () => asked('tours.get', { tourId }, agent),
  'messages.list': () => asked('messages.list', { propertyId, customerId: customer.id }, customer),
  'properties.listMine': () => asked('properties.listMine', {}, agent),
  'the page': () => page(`/properties/${propertyId}`),
  'the page of photos': () => page(`/properties/${propertyId}/photos`),
  'the page in Spanish': () => page(`/es/properties/${propertyId}`),
  'the page of search': () => page('/search'),
  'the first page': () => page('/'),
  'the shared list': () => page(`/shared/${sharedList}`),
  'the compared homes': () => page(`/compare?home=${propertyId}&home=${neighbor}`),
  'the sitemap': () => page(`/sitemaps/${propertyId.slice(0, 2)}.xml`),
  'the calendar file of an open house': () => asked('openHouses.get', { openHouseId }),
  'an alert': mailedAlert,
};
async function asked(procedure: string, input: unknown, by: Person = visitor): Promise<string> {
  const { status, text } = await by.query(procedure, input);
  expect(status, procedure).toBe(200);
  return text;
}
const page = async (path: string): Promise<string> => (await visitor.send('GET', path)).text;
async function mailedAlert(): Promise<string> {
  const before = alerts.mailsTo(customer).length;
  const price = 200_000 + before;
  await record({ listPrice: price });
  await host.rows(
    `insert into property_price_events ("propertyId", event, at, price, "previousPrice", "changePct", currency, source, "recordedAt")
     values ($1, 'PRICE_CHANGED', $2, $3, 250000, -10, 'USD', 'listing', $2)`,
    [propertyId, new Date(clock.at), price],
  );
  await alerts.after(3_600_000);
  const mails = alerts.mailsTo(customer).slice(before);
  expect(mails).toHaveLength(1);
  return JSON.stringify(mails);
}
const secretsIn = (text: string): string[] => SECRETS.filter((secret) => text.includes(secret));

describe('a listing whose address may not be shown', () => {
  const shown: Record<string, string[]> = {};
  beforeAll(async () => {
    for (const [name, ask] of Object.entries(ANSWERS)) shown[name] = secretsIn(await ask());
    await record({ showAddress: false, ...ADDRESS });
  });

  test('was named by what this test asks', () => {
    const silent = Object.entries(shown).flatMap(([name, found]) => (found.length === 0 ? [name] : []));
    // The sitemap has ids alone, and the mail of an alert no position.
    expect(silent).toEqual(['the sitemap']);
  });

  test.each(Object.keys(ANSWERS))('is not named or placed by %s', async (name) => {
    clock.at += 2_000;
    const text = await ANSWERS[name]?.();
    expect(secretsIn(text ?? '')).toEqual([]);
  });

  test('has neither in its row, whatever is written', async () => {
    await record(ADDRESS);
    expect(
      await host.rows('select address, "unitNumber", latitude, longitude from properties where id = $1', [
        propertyId,
      ]),
    ).toEqual([{ address: '', unitNumber: null, latitude: null, longitude: null }]);
  });

  test('is found by its city and postal code, and not by its place', async () => {
    const ids = async (filters: object) =>
      (await visitor.query('search.list', { filters })).data.items.map(
        (card: { propertyId: string }) => card.propertyId,
      );
    expect(await ids({ location: { box: BOX } })).toEqual([neighbor]);
    expect(await ids({})).toContain(propertyId);
    expect(await ids({ words: CITY })).toContain(propertyId);
    const { data } = await visitor.query('properties.getDetail', { propertyId });
    expect(data).toMatchObject({
      city: CITY,
      postalCode: '98199',
      address: '',
      attribution: { showsAddress: false },
    });
    expect(await page(`/properties/${propertyId}`)).toContain('<h1>Feedport, WA 98199</h1>');
  });

  test('is named again when its record says so', async () => {
    await record({ showAddress: true, ...ADDRESS });
    clock.at += 2_000;
    const { data } = await visitor.query('properties.getDetail', { propertyId });
    expect(data).toMatchObject({ ...ADDRESS, attribution: { showsAddress: true } });
  });
});

const surfaces = () =>
  listingSurfaces({
    propertyId,
    neighbor,
    photo,
    staged,
    sharedList,
    avatarId: '-',
    street: STREET,
    customer,
    visitor: { query: visitor.query, get: (path) => visitor.send('GET', path) },
  });

describe('a listing that may not be shown', () => {
  const HIDDEN = [['FEED_RULE'], ['FEED_TOO_OLD'], ['FEED_RULE', 'FEED_TOO_OLD']];

  test('is shown on all surfaces before and after', async () => {
    clock.at += 2_000;
    const shown = Object.entries(await surfaces()).flatMap(([name, isShown]) => (isShown ? [] : [name]));
    expect(shown).toEqual(['/api/avatars']);
  });

  test.each(HIDDEN)('is on none with %s', async (...reasons) => {
    await record({ hiddenFor: reasons });
    clock.at += 2_000;
    const shown = Object.entries(await surfaces()).flatMap(([name, isShown]) => (isShown ? [name] : []));
    expect(shown).toEqual([]);
    expect((await visitor.send('GET', `/properties/${propertyId}`)).status).toBe(404);
    expect((await visitor.query('openHouses.get', { openHouseId })).errorCode).toBe('NOT_FOUND');
    for (const [procedure, input] of [
      ['tours.request', { propertyId, slots: [wire(TOUR_SLOTS.second)] }],
      ['messages.open', { propertyId, messageId: crypto.randomUUID(), text: 'Hello?' }],
      ['properties.reportData', { propertyId, subject: 'PRICE', note: 'Sold.' }],
    ] as const)
      expect((await customer.mutate(procedure, input)).errorCode, procedure).toBe('NOT_FOUND');
    await record({ hiddenFor: [] });
  });

  test('is hidden when its feed was not seen for too long, and is shown when it was', async () => {
    const hidden = async () =>
      (
        await host.rows<{ hiddenFor: string[] }>('select "hiddenFor" from properties where id = $1', [
          propertyId,
        ])
      )[0]?.hiddenFor;
    const follow = (before: number) =>
      followFeedAges(host.pool, { ages: [{ profile: 'mls-grid', before }], limit: 100 });
    await record({ hiddenFor: ['FEED_RULE'] });
    const { lastSeenAt } = (await host.rows<{ lastSeenAt: Date }>('select "lastSeenAt" from feeds'))[0] ?? {};
    const seenAt = lastSeenAt?.getTime() ?? 0;
    expect([await follow(seenAt), await hidden()]).toEqual([0, ['FEED_RULE']]);
    expect([await follow(seenAt + 1), await hidden()]).toEqual([1, ['FEED_RULE', 'FEED_TOO_OLD']]);
    expect(await follow(seenAt + 1)).toBe(0);
    expect([await follow(seenAt), await hidden()]).toEqual([1, ['FEED_RULE']]);
    await record({ hiddenFor: [] });
  });

  test('is hidden before its feed is too old, early enough for all listings of a large feed', async () => {
    const DAY = 86_400_000;
    const seenAt = clock.at;
    await host.rows('update feeds set "lastSeenAt" = $1', [new Date(seenAt)]);
    const hiddenAfter = async (ms: number) => {
      const swept = Promise.withResolvers<void>();
      const ages = createFeedAges({
        clock: { now: () => seenAt + ms },
        // The sweep is over when it waits for the next one, which does not come.
        timers: {
          sleep: () => {
            swept.resolve();
            return new Promise(() => {});
          },
        },
        reporter: createRecordingReporter(),
        database: { pool: host.pool },
        timings: { offersMs: 60_000 },
        inTurn: everyTurn,
      });
      await ages.start();
      await swept.promise;
      const [row] = await host.rows<{ hiddenFor: string[] }>(
        'select "hiddenFor" from properties where id = $1',
        [propertyId],
      );
      return row?.hiddenFor;
    };
    expect(await hiddenAfter(DAY - 900_000 - 1)).toEqual([]);
    expect(await hiddenAfter(DAY - 900_000 + 1)).toEqual(['FEED_TOO_OLD']);
    expect(await hiddenAfter(0)).toEqual([]);
  });
});

describe('the seller’s other rules', () => {
  test('without values: the figures of prices are left out', async () => {
    for (const index of [1, 2, 3, 4, 5, 6])
      await seedProperty(host.pool, {
        city: CITY,
        stateOrProvince: 'WA',
        postalCode: '98199',
        address: `${index} Plain Street`,
        listPrice: 300_000 + index,
      });
    const values = async () => {
      const { figures } = (await visitor.query('properties.getNeighborhoodStats', { propertyId })).data;
      return [
        figures.medianListPrice.value !== null,
        figures.shareWithPriceCut.value !== null,
        figures.activeInventory.n > 0,
      ];
    };
    expect(await values()).toEqual([true, true, true]);
    await record({ showValuation: false });
    expect(await values()).toEqual([false, false, true]);
    await record({ showValuation: true });
  });

  test('without comments: notes about the home are in no shared list, and stay with their author', async () => {
    const note = async (by: Person, procedure: string, input: object) =>
      (await by.query(procedure, input)).data.items[0].note;
    expect(await note(visitor, 'favorites.getShared', { secret: sharedList })).toBe('Overpriced ruin');
    await record({ showComments: false });
    expect(await note(visitor, 'favorites.getShared', { secret: sharedList })).toBeNull();
    expect(await note(customer, 'favorites.list', {})).toBe('Overpriced ruin');
    await record({ showComments: true });
  });
});

test('a picture that the feed calls altered is labelled, names the feed, and is no real photo', async () => {
  const { imageId } = await seedOriginal(host.pool, {
    propertyId,
    position: 1,
    alteration: 'Virtual Staging - Item Addition',
    alterationBy: 'FEED',
  });
  const shown = async (pictures: string) =>
    (await visitor.query('properties.getDetail', { propertyId, pictures })).data.images.find(
      (image: { imageId: string }) => image.imageId === imageId,
    );
  expect(await shown('any')).toMatchObject({ disclosureLabel: 'Virtually staged', alterationBy: 'FEED' });
  expect(await shown('realOnly')).toBeUndefined();
  await host.rows('delete from property_images where id = $1', [imageId]);
});

describe('attribution', () => {
  test('is on the page, the cards and in mails', async () => {
    const { data } = await visitor.query('properties.getDetail', { propertyId });
    expect(data.attribution).toMatchObject({
      officeName: FIRM.listOfficeName,
      contact: FIRM.attributionContact,
      agentName: FIRM.listAgentName,
      agentLicense: FIRM.listAgentLicense,
      source: 'Listing data provided through MLS Grid.',
      updatedAt: expect.stringMatching(/Z$/),
    });
    clock.at += 2_000;
    const html = await page(`/properties/${propertyId}`);
    for (const words of [
      'Listed by Harbor Realty',
      'tel:+12065550188',
      'Lena Lister',
      'not guaranteed',
      'Updated',
    ])
      expect(html).toContain(words);
    expect(await page('/search')).toContain('Listed by Harbor Realty');
    const mail = await mailedAlert();
    for (const words of ['Harbor Realty', 'not guaranteed']) expect(mail).toContain(words);
  });

  test('every page says where listings of feeds come from', async () => {
    await page('/about');
    clock.at += 10_000;
    await page('/search');
    clock.at += 10_000;
    expect(await page('/search')).toContain('MLS Grid');
  });

  test('a report of wrong data is kept for the operator, so many a day', async () => {
    const report = (subject = 'PRICE') =>
      visitor.mutate('properties.reportData', { propertyId, subject, note: 'It was sold in May.' });
    const answers = [];
    for (let index = 0; index < 21; index += 1) answers.push((await report()).data.isKept);
    expect(answers).toEqual([...Array<boolean>(20).fill(true), false]);
    expect(await host.rows('select subject, note from data_reports limit 1')).toEqual([
      { subject: 'PRICE', note: 'It was sold in May.' },
    ]);
    expect((await report('RUMOR')).errorCode).toBe('INVALID_INPUT');
  });
});

describe('the agent of a feed’s listing', () => {
  const card = () => visitor.query('properties.getAgentCard', { propertyId });
  const license = (person: Person, licenseNumber: string | null) =>
    host.rows('update "user" set "licenseNumber" = $2 where id = $1', [person.id, licenseNumber]);

  const confirm = (person: Person, number: string, state: string) =>
    confirmLicense(host.pool, { agentId: person.id, license: { number, state }, by: 'operator:ann' });

  test('is the feed’s contact, else the one whose license the record names, where an operator confirmed it with the state', async () => {
    expect((await card()).data.agentId).toBe(agent.id);
    const [licensed, other] = await Promise.all([host.signedIn(), host.signedIn()]);
    // Anyone may write the number into their own profile: it takes nothing.
    await license(licensed, 'wa 4711');
    expect((await card()).data.agentId).toBe(agent.id);
    expect(await confirm(licensed, 'WA-1', 'WA')).toBe(false);
    expect(await confirm(licensed, 'wa 4711', 'OR')).toBe(true);
    expect((await card()).data.agentId).toBe(agent.id);
    expect(await confirm(licensed, 'wa 4711', 'WA')).toBe(true);
    expect(await confirm(licensed, 'wa 4711', 'WA')).toBe(false);
    expect((await card()).data.agentId).toBe(licensed.id);
    expect((await visitor.query('properties.getDetail', { propertyId })).data.agent.agentId).toBe(
      licensed.id,
    );
    await license(other, 'WA4711');
    expect((await card()).data.agentId).toBe(licensed.id);
    await confirm(other, 'WA4711', 'WA');
    expect((await card()).data.agentId).toBe(agent.id);
    await license(other, null);
    // What was confirmed is the number, not the person.
    await license(licensed, 'WA-4712');
    expect((await card()).data.agentId).toBe(agent.id);
    await license(licensed, 'WA-4711');
    const buyer = await host.signedIn({ role: 'customer', name: 'Bea Buyer' });
    const { data } = await buyer.mutate('tours.request', { propertyId, slots: [wire(TOUR_SLOTS.second)] });
    expect(data.agent.userId ?? data.agent.agentId).toBe(licensed.id);
    expect((await licensed.query('tours.get', { tourId: data.tourId })).status).toBe(200);
    expect((await agent.query('tours.get', { tourId: data.tourId })).errorCode).toBe('NOT_FOUND');
    await host.rows('update "user" set "suspendedAt" = now() where id = $1', [licensed.id]);
    expect((await card()).data.agentId).toBe(agent.id);
  });

  test('gets the leads of the listing, and can change nothing of it: only its record does', async () => {
    const at = { propertyId };
    const other = await host.signedIn({ name: 'Olga Other' });
    const before = await host.rows('select * from properties where id = $1', [propertyId]);
    const tries = [
      agent.mutate('properties.update', { ...at, listPrice: 5 }),
      agent.mutate('properties.setStatus', { ...at, standardStatus: 'Withdrawn' }),
      agent.mutate('properties.offerOwnership', { ...at, agentId: other.id }),
      agent.mutate('properties.leave', at),
      agent.mutate('properties.declareAltered', { imageId: photo, kind: 'Twilight Conversion' }),
      agent.mutate('ai.submitRoomStaging', {
        assignments: [{ originalImageId: photo, style: 'MODERN', roomType: 'BEDROOM' }],
      }),
      agent.mutate('openHouses.create', {
        ...at,
        startsAt: wire(TOUR_SLOTS.first).startsAt,
        endsAt: wire(TOUR_SLOTS.first).endsAt,
      }),
      agent.mutate('openHouses.cancel', { openHouseId }),
      agent.send('DELETE', `/api/property-images/${photo}`),
      agent.upload(new Uint8Array([1]), { propertyId }),
    ];
    for (const { status, text } of await Promise.all(tries)) expect(status, text).toBe(404);
    expect(await host.rows('select * from properties where id = $1', [propertyId])).toEqual(before);
    expect(await host.rows('select from property_images where id = $1', [photo])).toHaveLength(1);
    expect(
      await host.rows('select from open_houses where id = $1 and "canceledAt" is null', [openHouseId]),
    ).toHaveLength(1);
    const mine = (await agent.query('properties.getMine', at)).data;
    expect(mine.isOfFeed ?? mine.listing?.isOfFeed).toBe(true);
  });

  test('is missing without either: tours and questions are refused, and the page names the firm alone', async () => {
    await host.rows(`update feeds set "contactAgents" = '{}'`);
    expect((await card()).errorCode).toBe('NO_AGENT_HERE');
    const buyer = await host.signedIn({ role: 'customer', name: 'Bo Buyer' });
    expect(
      (await buyer.mutate('tours.request', { propertyId, slots: [wire(TOUR_SLOTS.first)] })).errorCode,
    ).toBe('NO_AGENT_HERE');
    const question = { propertyId, messageId: crypto.randomUUID(), text: 'Hello?' };
    expect((await buyer.mutate('messages.open', question)).errorCode).toBe('NO_AGENT_HERE');
    clock.at += 2_000;
    const html = await page(`/properties/${propertyId}`);
    expect(html).toContain('Listed by Harbor Realty');
    expect(html).not.toContain('Request a tour');
    expect((await visitor.query('properties.getDetail', { propertyId })).data.agent).toBeNull();
  });
});
