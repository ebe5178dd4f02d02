import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPORT_LISTS, EXPORT_PAGE } from '../../../../src/wire/data-export.ts';
import {
  seedOpenHouse,
  seedOriginal,
  seedProperty,
  seedRoomGroup,
  seedStagingJob,
  seedVariant,
} from '../../../support/database/seed.ts';
import { seedReport } from '../../../support/database/seed-report.ts';
import type { ApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { TOUR_SLOTS } from '../../../support/machines/event-catalogues.ts';
import { type AccountWorld, openAccountWorld } from '../../../support/worlds/account-world.ts';
import { setClock, visit, wire } from '../../../support/worlds/tour-visits.ts';

const clock = setClock();
let world: AccountWorld;
let host: ApiHost;
beforeAll(async () => {
  world = await openAccountWorld({ overrides: clock.overrides });
  host = world.host;
});
afterAll(() => world.close());

const exported = async (person: Person) => {
  const code = await world.code(person, 'Export');
  const answer = await person.mutate('users.exportMyData', { code });
  expect(answer.status).toBe(200);
  return answer;
};

describe('users.exportMyData', () => {
  test('returns everything about an agent, and nothing private of others', async () => {
    const scene = await visit(host, { publicRemarks: 'Mine.' });
    const { agent, customer, propertyId } = scene;
    const { tourId } = (await scene.request([TOUR_SLOTS.first], { note: 'My alarm code is 4711.' })).data;
    const seen = { tourId, expectedVersion: 1 };
    await agent.mutate('tours.confirm', {
      ...seen,
      startsAt: wire(TOUR_SLOTS.first).startsAt,
      note: 'Gladly.',
    });
    const original = await seedOriginal(host.pool, { propertyId });
    const groupId = await seedRoomGroup(host.pool, { propertyId, imageIds: [original.imageId] });
    const openHouseId = await seedOpenHouse(host.pool, { propertyId, remarks: 'Ring twice.' });
    const { jobId } = await seedStagingJob(host.pool, { original, job: { requestedByUserId: agent.id } });
    const imageId = await seedVariant(host.pool, original);
    await agent.mutate('ai.rejectStagedVariant', { imageId, reason: 'Too dark.' });
    const { imageId: altered } = await seedOriginal(host.pool, { propertyId: scene.propertyId, position: 1 });
    await agent.mutate('properties.declareAltered', { imageId: altered, kind: 'Model Home' });
    const elsewhere = await seedProperty(host.pool);
    await agent.mutate('favorites.add', { propertyId: elsewhere });
    await agent.mutate('favorites.setNote', { propertyId: elsewhere, note: 'Near the lake.' });
    await agent.mutate('favorites.share', { name: 'Ada', withNotes: false });
    await agent.mutate('homes.merge', { seen: [elsewhere], hidden: [elsewhere] });

    await agent.mutate('tours.markRead', { tourId, version: 1 });
    const asked = { propertyId, messageId: randomUUID(), text: 'My door code is 1234.' };
    const { threadId } = (await customer.mutate('messages.open', asked)).data;
    const answer = { threadId, messageId: randomUUID(), text: 'From 2019.' };
    await agent.mutate('messages.send', answer);
    await agent.mutate('messages.markRead', { threadId, seq: 1 });
    await agent.mutate('messages.report', { threadId, note: 'Rude.' });

    const search = { filters: { beds: { min: 2 } }, name: 'Two rooms', cadence: 'DAILY', channels: ['MAIL'] };
    const { id: searchId } = (await agent.mutate('searches.save', search)).data;
    await agent.mutate('alerts.updateSettings', { cadence: 'WEEKLY' });
    const items = JSON.stringify([{ propertyId: elsewhere, kinds: ['NEW'], eventId: 1, openHouseIds: [] }]);
    await host.rows(
      `insert into alerts (id, "userId", "searchId", items, more, "createdAt") values ($1, $2, $3, $4, 2, now())`,
      [randomUUID(), agent.id, searchId, items],
    );
    await host.rows(
      `insert into push_subscriptions ("sessionId", "userId", endpoint, p256dh, auth, "serverKey", "createdAt")
       select id, "userId", 'https://push.example.com/1', 'browser-key', 'browser-secret', 'key', now()
       from session where "userId" = $1`,
      [agent.id],
    );
    const hook = { url: 'https://hooks.example.com/1', events: ['tour.requested'] };
    const { secret } = (await agent.mutate('webhooks.create', hook)).data;

    const { data, text, headers } = await exported(agent);
    expect(text).not.toContain(secret);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(data).toMatchObject({
      profile: { id: agent.id, email: `${agent.id}@example.com`, role: 'agent' },
      sessions: [{ sessionId: expect.any(String), lastUsedAt: expect.any(String) }],
      signInAccounts: [],
      tourReads: [{ tourId, version: 1 }],
      messages: [{ ...answer, propertyId, seq: 2 }],
      messageReports: [{ threadId, note: 'Rude.' }],
      messageReads: [{ threadId, seq: 1 }],
      savedSearches: [{ searchId, ...search, sort: 'RELEVANCE' }],
      alertSettings: [{ cadence: 'WEEKLY', channels: ['MAIL', 'PUSH'] }],
      alerts: [{ searchId, propertyIds: [elsewhere], more: 2 }],
      pushSubscriptions: [{ endpoint: 'https://push.example.com/1', createdAt: expect.any(String) }],
      webhooks: [{ ...hook, state: 'ACTIVE', offReason: null }],
      favorites: [{ propertyId: elsewhere, priceWhenSaved: 250_000, note: 'Near the lake.' }],
      sharedLists: [{ name: 'Ada', withNotes: false, createdAt: expect.any(String) }],
      seenHomes: [{ propertyId: elsewhere, at: expect.any(String) }],
      hiddenHomes: [{ propertyId: elsewhere, at: expect.any(String) }],
      tours: [
        {
          tourId,
          side: 'agent',
          status: 'CONFIRMED',
          history: [
            { seq: 1, actor: 'customer', to: 'REQUESTED', note: null, slots: [wire(TOUR_SLOTS.first)] },
            { seq: 2, actor: 'agent', to: 'CONFIRMED', note: 'Gladly.' },
          ],
        },
      ],
      listings: [{ propertyId, publicRemarks: 'Mine.' }],
      uploads: expect.arrayContaining([
        expect.objectContaining({
          imageId: original.imageId,
          url: expect.stringContaining(original.imageId),
          roomType: 'LIVING_ROOM',
          imageOf: 'Living Room',
        }),
      ]),
      roomGroups: [
        { groupId, propertyId, brief: { pieces: ['sofa', 'rug'] }, originalImageIds: [original.imageId] },
      ],
      openHouses: [{ openHouseId, propertyId, remarks: 'Ring twice.', status: 'Active' }],
      stagingJobs: [{ aiJobId: jobId, status: 'PENDING', style: 'MODERN' }],
      descriptions: [],
      reviews: [{ kind: 'REJECTED', imageId, reason: 'Too dark.' }],
      alterations: [
        { imageId: altered, propertyId, before: null, after: 'Model Home', originalImageId: null },
      ],
      nextCursor: null,
    });
    for (const foreign of [customer.id, 'Carl Customer', '4711', scene.colleague.id])
      expect(text).not.toContain(foreign);
    const tokens = await host.rows<{ token: string }>('select token from session');
    for (const { token } of tokens) expect(text).not.toContain(token);

    const theirs = await exported(customer);
    expect(theirs.data.tours[0].history[0].note).toBe('My alarm code is 4711.');
    expect(theirs.data.tours[0].history[1].note).toBeNull();
    for (const list of [
      'listings',
      'uploads',
      'roomGroups',
      'openHouses',
      'stagingJobs',
      'reviews',
      'alterations',
    ])
      expect(theirs.data[list]).toEqual([]);
    expect(theirs.text).not.toContain(agent.id);
  });

  test('holds the reports of a customer after a visit, and no one else’s', async () => {
    const original = await seedOriginal(host.pool);
    const imageId = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
    const [customer, other] = [await host.signedIn(), await host.signedIn()];
    const reportId = randomUUID();
    await seedReport(host.pool, {
      reportId,
      imageId,
      propertyId: original.propertyId,
      customerId: customer.id,
    });
    const { data } = await exported(customer);
    expect(data.mismatchReports).toEqual([
      expect.objectContaining({ reportId, imageId, status: 'OPEN', note: null }),
    ]);
    expect((await exported(other)).data.mismatchReports).toEqual([]);
  });

  test('holds what operators did to the account, without their names', async () => {
    const person = await host.signedIn();
    await host.rows(
      `insert into operator_acts (act, "personId", by, reason, at)
       values ('end-sessions', $1, 'operator:ursula', 'stolen', '2026-01-02T00:00:00Z')`,
      [person.id],
    );
    const { data, text } = await exported(person);
    expect(data.operatorActs).toEqual([
      { act: 'end-sessions', reason: 'stolen', at: '2026-01-02T00:00:00.000Z' },
    ]);
    expect(text).not.toContain('ursula');
    expect((await exported(await host.signedIn())).data.operatorActs).toEqual([]);
  });

  test('hides the owner’s part of a listing from an assigned agent', async () => {
    const scene = await visit(host);
    await seedOriginal(host.pool, { propertyId: scene.propertyId });
    const { data } = await exported(scene.colleague);
    expect([data.listings, data.uploads]).toEqual([[], []]);
  });

  test('continues with the same code, page by page, until every list is complete', async () => {
    const agent = await host.signedIn();
    const count = 2 * EXPORT_PAGE + 1;
    await host.rows(
      `insert into properties (id, "ownerAgentId", "listPrice", address, city)
       select gen_random_uuid(), $1, 100000, n || ' Long Road', 'Springfield' from generate_series(1, $2) n`,
      [agent.id, count],
    );
    await host.rows(
      `insert into favorites ("userId", "propertyId", "savedAt", "priceWhenSaved", "statusWhenSaved")
       select $1, id, now(), 1, 'Active' from properties where "ownerAgentId" = $1 limit $2`,
      [agent.id, EXPORT_PAGE],
    );
    const code = await world.code(agent, 'Export');
    const listings = new Set<string>();
    let [favorites, pages] = [0, 0];
    for (let cursor: string | null = null; pages === 0 || cursor !== null; pages += 1) {
      const { status, data } = await agent.mutate('users.exportMyData', { code, cursor });
      expect(status).toBe(200);
      for (const list of EXPORT_LISTS) expect(data[list].length).toBeLessThanOrEqual(EXPORT_PAGE);
      for (const { propertyId } of data.listings) listings.add(propertyId);
      favorites += data.favorites.length;
      cursor = data.nextCursor;
    }
    expect([listings.size, favorites, pages]).toEqual([count, EXPORT_PAGE, 3]);
  });

  test.each([
    ['no cursor', 'hello'],
    ['nothing to go on with', Buffer.from('{}').toString('base64url')],
    ['another list', Buffer.from(JSON.stringify({ secrets: randomUUID() })).toString('base64url')],
    ['no id', Buffer.from(JSON.stringify({ tours: "' or true" })).toString('base64url')],
  ])('rejects a cursor that is %s', async (_, cursor) => {
    const person = await host.signedIn({ role: 'customer' });
    const answer = await person.mutate('users.exportMyData', { code: '123456', cursor });
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(Object.keys(answer.body.error.json.data.fields)).toEqual(['cursor']);
  });
});
