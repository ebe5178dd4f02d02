import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOMBSTONES_REFERRED_TO } from '../../../../persistence/console/invariant-sql.ts';
import { seedOriginal, seedProperty, seedStagingJob } from '../../../support/database/seed.ts';
import { eventually } from '../../../support/eventually.ts';
import type { ApiHost } from '../../../support/http/api-host.ts';
import { createPerson, type Person } from '../../../support/http/person.ts';
import { TOUR_SLOTS } from '../../../support/machines/event-catalogues.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import { drainEverything } from '../../../support/pictures/stored-pictures.ts';
import { type AccountWorld, openAccountWorld } from '../../../support/worlds/account-world.ts';
import { offerOf } from '../../../support/worlds/listing-offers.ts';
import { setClock, visit, wire } from '../../../support/worlds/tour-visits.ts';

const clock = setClock();
let world: AccountWorld;
let host: ApiHost;
beforeAll(async () => {
  world = await openAccountWorld({ overrides: clock.overrides });
  host = world.host;
});
afterAll(() => world.close());

const deleted = async (person: Person) =>
  person.mutate('users.confirmDeletion', { code: await world.code(person, 'Deletion') });
const rowOf = async ({ id }: Person) => (await host.rows('select * from "user" where id = $1', [id]))[0];
const tombstone = (id: string) => ({
  id,
  name: '',
  email: null,
  emailVerified: false,
  image: null,
  role: 'customer',
  phone: null,
  locale: 'en',
  licenseNumber: null,
  officeName: null,
  emailPublic: false,
  feedUser: false,
  mutedMails: [],
  mutesMessages: false,
  suspendedAt: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
});
const referring = async ({ id }: Person) => {
  const [row] = await host.rows<{ count: number }>(
    `select ((select count(*) from session where "userId" = $1) + (select count(*) from account where "userId" = $1)
       + (select count(*) from favorites where "userId" = $1) + (select count(*) from avatars where "userId" = $1)
       + (select count(*) from tour_reads where "userId" = $1)
       + (select count(*) from message_reads where "userId" = $1)
       + (select count(*) from message_mails where "userId" = $1)
       + (select count(*) from push_subscriptions where "userId" = $1)
       + (select count(*) from webhook_endpoints where "userId" = $1)
       + (select count(*) from message_reports where "reporterId" = $1 and note is not null)
       + (select count(*) from account_codes where "userId" = $1)
       + (select count(*) from saved_searches where "userId" = $1) + (select count(*) from alerts where "userId" = $1)
       + (select count(*) from alert_settings where "userId" = $1) + (select count(*) from favorite_matches where "userId" = $1)
       + (select count(*) from shared_lists where "userId" = $1)
       + (select count(*) from seen_homes where "userId" = $1) + (select count(*) from hidden_homes where "userId" = $1)
       + (select count(*) from property_agents where "agentId" = $1)
       + (select count(*) from properties where "ownerAgentId" = $1
          and "standardStatus" not in ('Withdrawn', 'Closed', 'Delete'))
       + (select count(*) from tours where $1 in ("customerId", "agentId", "proposedById")
          and status in ('REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED')))::int as count`,
    [id],
  );
  return row?.count;
};

describe('a deleted account', () => {
  test('keeps only its id, is signed out everywhere, and its address can be used again', async () => {
    const phone = { role: 'customer', name: 'Carla', phone: '+1 206 555 0100', locale: 'es' };
    const person = await host.signedIn(phone);
    const email = `${person.id}@example.com`;
    const other = createPerson(host.url, { id: person.id, cookie: await world.signIn(email) });
    const propertyId = await seedProperty(host.pool);
    await person.mutate('favorites.add', { propertyId });
    await person.mutate('homes.merge', { seen: [propertyId], hidden: [propertyId] });
    await person.mutate('searches.save', { filters: {}, cadence: 'INSTANT', channels: ['MAIL'] });
    await person.mutate('alerts.updateSettings', { cadence: 'DAILY' });
    await host.rows(`insert into favorite_matches values ($1, $2, 1, 'SOLD', now(), now())`, [
      person.id,
      propertyId,
    ]);
    await host.rows(
      `insert into alerts (id, "userId", items, more, "createdAt") values (gen_random_uuid(), $1, '[{}]', 0, now())`,
      [person.id],
    );
    const { data: shared } = await person.mutate('favorites.share', { name: 'Carla', withNotes: true });
    const form = new FormData();
    const picture = await noisy(300, 300).jpeg().toBuffer();
    form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'me.jpg');
    const { body } = await person.send('PUT', '/api/users/avatar', { body: form });
    const avatar = new URL(body.image).pathname;
    await host.rows(
      `insert into account ("accountId", "providerId", "userId") values ('g-1', 'google', $1)`,
      [person.id],
    );
    await host.rows(
      `insert into push_subscriptions ("sessionId", "userId", endpoint, p256dh, auth, "serverKey", "createdAt")
       select id, "userId", id::text, 'key', 'secret', 'key', now() from session where "userId" = $1`,
      [person.id],
    );
    const hook = { url: 'https://hooks.example.com/1', events: ['tour.requested'] };
    await person.mutate('webhooks.create', hook);
    await host.rows(`select write_push_notices(array[$1::uuid], 'TOUR', $1, 1, now(), now())`, [person.id]);
    const stored = await host.objectKeys();
    expect(stored).toHaveLength(1);
    await world.aboutToSignIn(email);
    expect(await host.rows('select * from sign_in_codes where email = $1', [email])).toHaveLength(1);

    const answer = await deleted(other);
    expect([answer.status, answer.data]).toEqual([200, { deleted: true }]);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/session_token=; Max-Age=0/)]);
    expect(await rowOf(person)).toEqual(tombstone(person.id));
    expect(await referring(person)).toBe(0);
    expect(await host.rows('select from push_notices')).toEqual([]);
    const secret = shared.url.split('/').at(-1);
    expect((await host.anonymous().query('favorites.getShared', { secret })).status).toBe(404);
    expect(await host.rows('select * from sign_in_codes where email = $1', [email])).toEqual([]);
    for (const device of [person, other]) expect((await device.query('users.getMe')).status).toBe(401);
    expect((await host.anonymous().send('GET', avatar)).status).toBe(404);
    await drainEverything(host);
    expect(await host.objectKeys()).toEqual([]);

    const cookie = await world.signIn(email);
    const me = await createPerson(host.url, { id: '', cookie }).query('users.getMe');
    expect(me.data).toMatchObject({ email, name: '', phone: null, role: 'customer' });
    expect(me.data.id).not.toBe(person.id);
    const logged = JSON.stringify(host.lines);
    expect(logged).not.toContain(email);
  });

  test('of a customer cancels open tours and keeps finished ones; none of them can be reopened', async () => {
    const scene = await visit(host);
    const tourId = (await scene.request([TOUR_SLOTS.first], { note: 'With two dogs.' })).data.tourId;
    const declined = (
      await scene.agent.mutate('tours.decline', {
        tourId,
        expectedVersion: 1,
        reason: 'Away.',
      })
    ).data;
    const again = (await scene.request()).data.tourId;
    const seen = { tourId: again, expectedVersion: 1, startsAt: wire(TOUR_SLOTS.first).startsAt };
    await scene.agent.mutate('tours.confirm', seen);
    expect((await deleted(scene.customer)).status).toBe(200);
    const { data: open } = await scene.agent.query('tours.get', { tourId: again });
    expect(open).toMatchObject({
      status: 'CANCELLED',
      closedBy: 'customer',
      reason: 'ACCOUNT_DELETED',
      availableActions: [],
      customer: { userId: scene.customer.id, name: '' },
    });
    const { data: past } = await scene.agent.query('tours.get', { tourId });
    // All but the name of the person who is gone.
    const [asked, refused] = declined.history;
    expect(past.history).toEqual([{ ...asked, by: { ...asked.by, name: '' } }, refused]);
    const undo = await scene.agent.mutate('tours.undo', { tourId, expectedVersion: 2 });
    expect([undo.status, undo.errorCode]).toEqual([409, 'TOUR_WRONG_STATE']);
  });

  test('leaves messages to the other side, without a name, and nothing more can be sent to it', async () => {
    const { agent, customer, propertyId } = await visit(host);
    const text = 'Is the roof new?';
    const { threadId } = (
      await customer.mutate('messages.open', { propertyId, messageId: randomUUID(), text })
    ).data;
    const send = (by: Person) =>
      by.mutate('messages.send', { threadId, messageId: randomUUID(), text: 'From 2019.' });
    await send(agent);
    await customer.mutate('messages.markRead', { threadId, seq: 2 });
    await customer.mutate('messages.report', { threadId, note: 'Wrong.' });
    expect((await deleted(customer)).status).toBe(200);
    expect(await referring(customer)).toBe(0);
    const list = await agent.query('messages.list', { propertyId, customerId: customer.id });
    expect(list.data.items).toMatchObject([{ text, author: { name: '' } }, { text: 'From 2019.' }]);
    expect(list.data.thread).toMatchObject({ isClosed: true, customer: { name: '' } });
    expect((await send(agent)).errorCode).toBe('THREAD_CLOSED');
    expect(JSON.stringify(list.data)).not.toContain('Carl');
  });

  test('of an agent leaves messages to the customer, who can send none', async () => {
    const { agent, customer, propertyId } = await visit(host);
    const { threadId } = (
      await customer.mutate('messages.open', { propertyId, messageId: randomUUID(), text: 'New roof?' })
    ).data;
    const send = (by: Person) =>
      by.mutate('messages.send', { threadId, messageId: randomUUID(), text: 'Yes.' });
    await send(agent);
    expect((await deleted(agent)).status).toBe(200);
    const list = await customer.query('messages.list', { propertyId, customerId: customer.id });
    expect(list.data.items).toMatchObject([{ text: 'New roof?' }, { text: 'Yes.', author: { name: '' } }]);
    expect((await send(customer)).errorCode).toBe('THREAD_CLOSED');
  });

  test('of an agent leaves listings, jobs and reviews to the other agents, and cancels the agent’s tours', async () => {
    const scene = await visit(host);
    const { propertyId, colleague, customer } = scene;
    const original = await seedOriginal(host.pool, { propertyId });
    const { jobId } = await seedStagingJob(host.pool, {
      original,
      job: { requestedByUserId: colleague.id },
    });
    const tourId = (await scene.request()).data.tourId;
    const seen = { tourId, expectedVersion: 1, slots: [wire(TOUR_SLOTS.second)] };
    await colleague.mutate('tours.proposeReschedule', seen);
    expect((await deleted(colleague)).status).toBe(200);
    expect(await referring(colleague)).toBe(0);
    const { data } = await customer.query('tours.get', { tourId });
    expect(data).toMatchObject({ status: 'CANCELLED', closedBy: 'agent', reason: 'ACCOUNT_DELETED' });
    const job = await scene.agent.query('ai.getStagingJob', { aiJobId: jobId });
    expect(job.data).toMatchObject({ status: 'PENDING' });
    const agents = await scene.agent.query('properties.listAgents', { propertyId });
    expect(agents.text).not.toContain(colleague.id);
  });

  test('of an agent who owns listings leaves those that others took, and withdraws the rest without photos', async () => {
    const scene = await visit(host);
    const { agent, colleague, propertyId } = scene;
    const left = await visit(host, {}, agent);
    const [draft, sold] = [
      await seedProperty(host.pool, { ownerAgentId: agent.id, standardStatus: 'Incomplete' }),
      await seedProperty(host.pool, {
        ownerAgentId: agent.id,
        standardStatus: 'Closed',
        closeDate: '2026-01-01',
        closePrice: 1,
      }),
    ];
    const tourId = (await left.request()).data.tourId;
    const originals = await Promise.all(
      [left.propertyId, draft, sold].map((of) => seedOriginal(host.pool, { propertyId: of })),
    );
    const { jobId } = await seedStagingJob(host.pool, { original: originals[0] });
    const kept = await seedOriginal(host.pool, { propertyId });
    const open = await offerOf(agent, { kind: 'Ownership', propertyId: left.propertyId, to: colleague });
    const taken = await offerOf(agent, { kind: 'Ownership', propertyId, to: colleague });
    expect((await colleague.mutate('properties.answerOffer', { offerId: taken, accept: true })).status).toBe(
      200,
    );

    expect((await deleted(agent)).status).toBe(200);
    expect((await host.anonymous().query('properties.getDetail', { propertyId })).data.standardStatus).toBe(
      'Active',
    );
    const statuses = await host.rows<{ id: string; status: string }>(
      'select id, "standardStatus" as status from properties where "ownerAgentId" = $1',
      [agent.id],
    );
    expect(new Map(statuses.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [left.propertyId, 'Withdrawn'],
        // Neither becomes a public page that it was not, nor a sale that never was.
        [draft, 'Delete'],
        [sold, 'Closed'],
      ]),
    );
    const photos = await host.rows('select id from property_images where id = any($1)', [
      [kept, ...originals].map(({ imageId }) => imageId),
    ]);
    expect(photos).toEqual([{ id: kept.imageId }]);
    const queued = await host.rows('select from storage_deletion_outbox where "objectKey" = any($1)', [
      originals.map(({ objectKey }) => objectKey),
    ]);
    expect(queued).toHaveLength(originals.length);
    expect(await host.rows('select status from ai_jobs where id = $1', [jobId])).toEqual([
      { status: 'CANCELED' },
    ]);
    expect((await left.customer.query('tours.get', { tourId })).data.status).toBe('DECLINED');
    expect((await left.colleague.query('properties.getMine', { propertyId: left.propertyId })).status).toBe(
      404,
    );
    const late = await colleague.mutate('properties.answerOffer', { offerId: open, accept: true });
    expect([late.status, late.errorCode]).toEqual([409, 'OFFER_ENDED']);
    const again = `update properties set "standardStatus" = 'Active' where id = $1`;
    await expect(host.rows(again, [left.propertyId])).rejects.toThrow(/was deleted/);
    const back = await colleague.mutate('properties.offerOwnership', { propertyId, agentId: agent.id });
    expect([back.status, back.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(await host.rows(TOMBSTONES_REFERRED_TO)).toEqual([]);
  });

  test('declines the offers that the agent got', async () => {
    const { agent, propertyId } = await visit(host);
    const to = await host.signedIn();
    const offerId = await offerOf(agent, { kind: 'Assignment', propertyId, to });
    expect((await deleted(to)).status).toBe(200);
    const { data } = await agent.query('users.listOffers', { propertyId });
    expect(data.items).toMatchObject([{ offerId, status: 'DECLINED', to: { agentId: to.id, fullName: '' } }]);
  });

  test('keeps the listings that were deleted before, permanently', async () => {
    const scene = await visit(host, { standardStatus: 'Delete' });
    expect((await deleted(scene.agent)).status).toBe(200);
    const kept = await host.rows('select "ownerAgentId" as owner from properties where id = $1', [
      scene.propertyId,
    ]);
    expect(kept).toEqual([{ owner: scene.agent.id }]);
    const status = { propertyId: scene.propertyId, standardStatus: 'Incomplete' };
    expect((await scene.colleague.mutate('properties.setStatus', status)).status).toBe(404);
  });
});

describe('concurrent calls', () => {
  test('two simultaneous confirmations delete the account once', async () => {
    const person = await host.signedIn({ role: 'customer' });
    const code = await world.code(person, 'Deletion');
    const answers = await Promise.all([1, 2, 3].map(() => person.mutate('users.confirmDeletion', { code })));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    expect(statuses.slice(1).every((status) => status === 401 || status === 400)).toBe(true);
    expect(await rowOf(person)).toEqual(tombstone(person.id));
  });

  test('a code that was asked for while the account is deleted is not stored', async () => {
    const person = await host.signedIn({ role: 'customer' });
    const deletion = await host.pool.connect();
    try {
      await deletion.query('begin');
      await deletion.query('select from "user" where id = $1 for update', [person.id]);
      const asked = person.mutate('users.requestExport', {});
      const isWaiting = async () => {
        const waiting = await host.rows(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%account_codes%'`,
        );
        return waiting.length > 0;
      };
      await eventually(isWaiting, { what: 'the code to wait for the deletion' });
      await deletion.query(
        `update "user" set email = null, name = '', "emailVerified" = false, "createdAt" = 'epoch',
           "updatedAt" = 'epoch' where id = $1`,
        [person.id],
      );
      await deletion.query('commit');
      await asked;
      expect(await referring(person)).toBe(1);
      expect(await host.rows('select from account_codes where "userId" = $1', [person.id])).toEqual([]);
    } finally {
      deletion.release();
    }
  });

  test('a session in use during the deletion leaves no row behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await host.signedIn({ role: 'agent' });
      const propertyId = await seedProperty(host.pool);
      const code = await world.code(person, 'Deletion');
      const uses = () => [
        person.mutate('favorites.add', { propertyId }),
        person.mutate('users.updateProfile', { name: 'Still here', phone: '1' }),
        person.mutate('users.becomeAgent', { licenseNumber: 'L-9', officeName: 'Office' }),
        person.mutate('tours.request', { propertyId, slots: [wire(TOUR_SLOTS.first)] }),
        person.mutate('users.requestExport', {}),
      ];
      const before = uses();
      const answers = await Promise.all([
        ...before,
        person.mutate('users.confirmDeletion', { code }),
        ...uses(),
      ]);
      expect(answers[before.length]?.status).toBe(200);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect(await rowOf(person)).toEqual(tombstone(person.id));
      expect(await referring(person)).toBe(0);
    }
  });

  test('a sign-in during the deletion ends with the old account or creates a new one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await host.signedIn({ role: 'customer' });
      const signIn = await world.aboutToSignIn(`${person.id}@example.com`);
      const code = await world.code(person, 'Deletion');
      const [ended, begun] = await Promise.all([person.mutate('users.confirmDeletion', { code }), signIn()]);
      expect(ended?.status).toBe(200);
      // 400: its code was deleted with the account. 503: it ran into the deletion.
      expect([200, 400, 503]).toContain(begun?.status);
      expect(await referring(person)).toBe(0);
    }
  });

  test('a sign-in that found the account just before its deletion is answered 503, and succeeds when repeated', async () => {
    const person = await host.signedIn({ role: 'customer' });
    const email = `${person.id}@example.com`;
    const signIn = await world.aboutToSignIn(email);
    const client = await host.pool.connect();
    await client.query('begin');
    await client.query('select from "user" where id = $1 for update', [person.id]);
    const begun = signIn();
    await eventually(
      async () =>
        (
          await host.rows(`select 1 from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query ilike 'insert into "session"%'`)
        ).length > 0,
      { what: 'the sign-in to wait for the account' },
    );
    await client.query('delete from session where "userId" = $1', [person.id]);
    await client.query(
      `update "user" set email = null, name = '', "emailVerified" = false, "createdAt" = 'epoch',
         "updatedAt" = 'epoch' where id = $1`,
      [person.id],
    );
    await client.query('commit');
    client.release();
    expect((await begun).status).toBe(503);
    expect(await referring(person)).toBe(0);
    expect(await world.signIn(email)).not.toBe('');
  });

  test.each([
    ['a session', 'insert into session ("userId", token, "expiresAt") values ($1, gen_random_uuid(), now())'],
    ['an account', `insert into account ("userId", "accountId", "providerId") values ($1, 'x', 'apple')`],
    [
      'a listing',
      `insert into properties ("ownerAgentId", "listPrice", address, city) values ($1, 1, 'a', 'b')`,
    ],
    ['a name', `update "user" set name = 'Back' where id = $1`],
  ])('the database rejects %s of a tombstone', async (_, sql) => {
    const person = await host.signedIn({ role: 'customer' });
    expect((await deleted(person)).status).toBe(200);
    await expect(host.rows(sql, [person.id])).rejects.toThrow(/was deleted|user_tombstone_check/);
  });
});
