import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AGENTS_WITHOUT_CONSENT } from '../../../../../persistence/console/invariant-sql.ts';
import { expireOffers, OFFER_DAYS } from '../../../../../persistence/listings/listing-offers.ts';
import { seedOriginal } from '../../../../support/database/seed.ts';
import { eventually } from '../../../../support/eventually.ts';
import type { ApiHost } from '../../../../support/http/api-host.ts';
import type { Answer, Person } from '../../../../support/http/person.ts';
import { MANUAL_EPOCH } from '../../../../support/manual-time.ts';
import { type AccountWorld, openAccountWorld } from '../../../../support/worlds/account-world.ts';
import { assignTo, handOver, offer, offerOf } from '../../../../support/worlds/listing-offers.ts';
import { setClock, visit } from '../../../../support/worlds/tour-visits.ts';

const clock = setClock();
let world: AccountWorld;
let host: ApiHost;
beforeAll(async () => {
  world = await openAccountWorld({ overrides: clock.overrides });
  host = world.host;
});
afterAll(() => world.close());
beforeEach(() => {
  clock.at = MANUAL_EPOCH;
});

const DAY = 86_400_000;
const seen = ({ status, errorCode }: Answer) => [status, errorCode];
const statusOf = ({ status, data }: Answer) => (status === 200 ? data.status : null);
const answer = (person: Person, offerId: string, accept = true, more: object = {}) =>
  person.mutate('properties.answerOffer', { offerId, accept, ...more });
const withdraw = (person: Person, offerId: string) => person.mutate('properties.withdrawOffer', { offerId });
const offersOf = async (person: Person, input: object = {}) =>
  (await person.query('users.listOffers', input)).data.items;
const agentsOf = async (person: Person, propertyId: string): Promise<string[]> => {
  const { data } = await person.query('properties.listAgents', { propertyId });
  return data.items.map(({ agentId }: { agentId: string }) => agentId);
};

async function scene() {
  const [owner, to, other] = [
    await host.signedIn({ name: 'Olga', officeName: 'North' }),
    await host.signedIn({ name: 'Tom' }),
    await host.signedIn(),
  ];
  return { owner, to, other, ...(await host.listing(owner)) };
}

describe('an offer', () => {
  test('changes nothing until it is accepted, however many are made', async () => {
    const attacker = await host.signedIn();
    const victim = await host.signedIn({ name: 'Victoria Victim' });
    for (let home = 0; home < 8; home += 1) {
      const { propertyId } = await host.listing(attacker);
      await offerOf(attacker, { kind: 'Ownership', propertyId, to: victim });
      await offerOf(attacker, { kind: 'Assignment', propertyId, to: victim });
      const card = await host.anonymous().query('properties.getAgentCard', { propertyId });
      expect(card.data.agentId).toBe(attacker.id);
    }
    expect((await victim.query('properties.listMine', {})).data.items).toEqual([]);
    expect(await offersOf(victim, { status: 'OPEN' })).toHaveLength(16);
  });

  test('shows its agent what there is to take on, until it has ended', async () => {
    const { owner, to, other, propertyId } = await scene();
    await seedOriginal(host.pool, { propertyId, position: 1 });
    const made = (await offer(owner, { kind: 'Ownership', propertyId, to })).data;
    expect(made).toEqual({
      offerId: expect.any(String),
      propertyId,
      kind: 'OWNERSHIP',
      status: 'OPEN',
      from: { agentId: owner.id, fullName: 'Olga', photoUrl: null, officeName: 'North' },
      to: { agentId: to.id, fullName: 'Tom', photoUrl: null, officeName: null },
      listing: expect.objectContaining({ city: 'Springfield', photoCount: 2, openTourCount: 0 }),
      createdAt: new Date(clock.at).toISOString(),
      expiresAt: new Date(clock.at + OFFER_DAYS * DAY).toISOString(),
      endedAt: null,
    });
    for (const person of [owner, to]) expect(await offersOf(person)).toEqual([made]);
    expect(await offersOf(other)).toEqual([]);
    const { offerId } = made;
    expect((await answer(to, offerId, false)).data).toMatchObject({ status: 'DECLINED', listing: null });
    const [ended] = await offersOf(owner, { propertyId });
    expect(ended).toMatchObject({ status: 'DECLINED', listing: { photoCount: 2 } });
  });

  test('is made once: a repeat finds it, also at the same moment', async () => {
    const { owner, to, propertyId } = await scene();
    const offered = { kind: 'Assignment', propertyId, to } as const;
    const ids = await Promise.all([1, 2, 3, 4].map(() => offerOf(owner, offered)));
    expect(new Set(ids).size).toBe(1);
    // The two kinds are two offers.
    expect(await offerOf(owner, { ...offered, kind: 'Ownership' })).not.toBe(ids[0]);
    await answer(to, ids[0] ?? '', false);
    expect(await offerOf(owner, offered)).not.toBe(ids[0]);
  });

  test('is answered by its agent only, and withdrawn by its maker only', async () => {
    const { owner, to, other, propertyId } = await scene();
    const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to });
    expect(seen(await answer(owner, offerId))).toEqual([403, 'FORBIDDEN']);
    expect(seen(await withdraw(to, offerId))).toEqual([403, 'FORBIDDEN']);
    for (const id of [offerId, randomUUID()]) {
      expect(seen(await answer(other, id))).toEqual([404, 'NOT_FOUND']);
      expect(seen(await withdraw(other, id))).toEqual([404, 'NOT_FOUND']);
    }
    for (let time = 0; time < 2; time += 1)
      expect(statusOf(await withdraw(owner, offerId))).toBe('WITHDRAWN');
    for (const accept of [true, false])
      expect(seen(await answer(to, offerId, accept))).toEqual([409, 'OFFER_ENDED']);
  });

  test('to an assigned agent is only of the ownership', async () => {
    const { owner, to, propertyId } = await scene();
    await assignTo(owner, propertyId, to);
    expect(seen(await offer(owner, { kind: 'Assignment', propertyId, to }))).toEqual([400, 'INVALID_INPUT']);
    expect(statusOf(await handOver(owner, { kind: 'Ownership', propertyId, to }))).toBe('ACCEPTED');
  });

  test('is in the exports of both agents, without the other one', async () => {
    const { owner, to, propertyId } = await scene();
    const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to });
    for (const [person, side, stranger] of [
      [owner, 'from', to],
      [to, 'to', owner],
    ] as const) {
      const exported = await person.mutate('users.exportMyData', {
        code: await world.code(person, 'Export'),
      });
      expect(exported.data.offers).toMatchObject([
        { offerId, propertyId, kind: 'OWNERSHIP', side, status: 'OPEN' },
      ]);
      expect(exported.text).not.toContain(stranger.id);
    }
  });

  test('a page of offers ends with a cursor for the next', async () => {
    const { owner, to } = await scene();
    const made: string[] = [];
    for (let home = 0; home < 5; home += 1) {
      const { propertyId } = await host.listing(owner);
      made.unshift(await offerOf(owner, { kind: 'Ownership', propertyId, to }));
      if (home % 2 === 0) clock.at += 1;
    }
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const { data }: Answer = await to.query('users.listOffers', { limit: 2, cursor });
      read.push(...data.items.map(({ offerId }: { offerId: string }) => offerId));
      cursor = data.nextCursor;
    } while (cursor !== null);
    expect(read.toSorted()).toEqual(made.toSorted());
    // Two at the same instant.
    expect(made.slice(0, 2)).toContain(read[0]);
  });
});

describe('an offer that no one answers', () => {
  test('is over after 14 days, before any turn of a worker', async () => {
    const { owner, to, propertyId } = await scene();
    const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to });
    clock.at += OFFER_DAYS * DAY;
    expect(await offersOf(to, { status: 'EXPIRED' })).toMatchObject([
      { offerId, status: 'EXPIRED', listing: null },
    ]);
    for (const decision of [answer(to, offerId), answer(to, offerId, false), withdraw(owner, offerId)])
      expect(seen(await decision)).toEqual([409, 'OFFER_ENDED']);
    expect(await agentsOf(owner, propertyId)).toEqual([owner.id]);
    // It does not stand in the way of another one.
    expect(await offerOf(owner, { kind: 'Ownership', propertyId, to })).not.toBe(offerId);
  });

  test('is ended by a turn in batches, with the instant at which it was over', async () => {
    const { owner, to, propertyId } = await scene();
    await host.rows(
      `update listing_offers set status = 'WITHDRAWN', "endedAt" = now() where status = 'OPEN'`,
    );
    const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to });
    await offerOf(owner, { kind: 'Assignment', propertyId, to });
    const end = clock.at + OFFER_DAYS * DAY;
    expect(await expireOffers(host.pool, { at: end - 1, limit: 10 })).toBe(0);
    for (const left of [1, 1, 0]) expect(await expireOffers(host.pool, { at: end, limit: 1 })).toBe(left);
    const [row] = await host.rows('select status, "endedAt" from listing_offers where id = $1', [offerId]);
    expect(row).toEqual({ status: 'EXPIRED', endedAt: new Date(end) });
  });

  test('cannot be accepted late by any writer', async () => {
    const { owner, to, propertyId } = await scene();
    const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to });
    const late = host.rows(
      `update listing_offers set status = 'ACCEPTED', "endedAt" = "expiresAt" where id = $1`,
      [offerId],
    );
    await expect(late).rejects.toThrow(/listing_offers_answer_check/);
  });
});

describe('the listing of an open offer', () => {
  test('that goes to another agent takes the other offers back', async () => {
    const { owner, to, other, propertyId } = await scene();
    const assignment = await offerOf(owner, { kind: 'Assignment', propertyId, to: other });
    await handOver(owner, { kind: 'Ownership', propertyId, to });
    expect(seen(await answer(other, assignment))).toEqual([409, 'OFFER_ENDED']);
    expect(await offersOf(other)).toMatchObject([{ offerId: assignment, status: 'WITHDRAWN' }]);
    // The former owner, who stays assigned, offers nothing any more.
    expect(seen(await offer(owner, { kind: 'Assignment', propertyId, to: other }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });

  test('that is deleted takes its offers back', async () => {
    const { owner, to, propertyId } = await scene();
    const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to });
    await owner.mutate('properties.setStatus', { propertyId, standardStatus: 'Delete' });
    expect(seen(await answer(to, offerId))).toEqual([409, 'OFFER_ENDED']);
  });

  test('that has twenty agents takes no further one', async () => {
    const { owner, to, propertyId } = await scene();
    const offerId = await offerOf(owner, { kind: 'Assignment', propertyId, to });
    await host.rows(
      `with more as (insert into "user" (id, name, email, "emailVerified", role, "createdAt", "updatedAt")
         select id, 'More', id || '@example.com', true, 'agent', now(), now()
         from (select gen_random_uuid() as id from generate_series(1, 20)) ids returning id)
       insert into property_agents select $1, id, null from more`,
      [propertyId],
    );
    expect(seen(await answer(to, offerId))).toEqual([400, 'INVALID_INPUT']);
    expect(await offersOf(to)).toMatchObject([{ offerId, status: 'OPEN' }]);
  });

  test('keeps its tours, jobs and pictures when its owner changes', async () => {
    const home = await visit(host);
    const { agent, colleague, propertyId } = home;
    const { tourId } = (await home.request()).data;
    const { imageId } = await seedOriginal(host.pool, { propertyId });
    await handOver(agent, { kind: 'Ownership', propertyId, to: colleague, keepFormerOwner: false });
    expect((await colleague.query('tours.get', { tourId })).data.status).toBe('REQUESTED');
    expect(seen(await agent.query('tours.get', { tourId }))).toEqual([404, 'NOT_FOUND']);
    expect((await colleague.query('properties.getMine', { propertyId })).data.photos).toMatchObject([
      { imageId },
    ]);
  });
});

describe('of two decisions at once', () => {
  const ROUNDS = 6;

  test('the answers yes and no: one is taken, the other finds the offer ended', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { owner, to, propertyId } = await scene();
      const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to });
      const answers = await Promise.all([answer(to, offerId, true), answer(to, offerId, false)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const isHis = answers[0]?.status === 200;
      const agents = await agentsOf(isHis ? to : owner, propertyId);
      expect(agents).toEqual([isHis ? to.id : owner.id]);
    }
  });

  test('accepting and withdrawing: never both', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { owner, to, propertyId } = await scene();
      const offerId = await offerOf(owner, { kind: 'Assignment', propertyId, to });
      const answers = await Promise.all([answer(to, offerId), withdraw(owner, offerId)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect((await agentsOf(owner, propertyId)).includes(to.id)).toBe(answers[0]?.status === 200);
    }
  });

  test('two agents who accept the ownership: one gets it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { owner, to, other, propertyId } = await scene();
      const offers = await Promise.all(
        [to, other].map(async (person) => ({
          person,
          offerId: await offerOf(owner, { kind: 'Ownership', propertyId, to: person }),
        })),
      );
      const answers = await Promise.all(offers.map(({ person, offerId }) => answer(person, offerId)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });

  test('accepting waits for an account that is being deleted, and finds the offer or the listing gone', async () => {
    for (const [deleting, refusal] of [
      ['owner', [409, 'OFFER_ENDED']],
      ['to', [404, 'NOT_FOUND']],
    ] as const) {
      const { owner, to, propertyId } = await scene();
      const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to });
      const client = await host.pool.connect();
      try {
        await client.query('begin');
        if (deleting === 'owner')
          await client.query('select from properties where id = $1 for no key update', [propertyId]);
        const person = deleting === 'owner' ? owner : to;
        await client.query('select from "user" where id = $1 for update', [person.id]);
        const accepted = answer(to, offerId);
        await eventually(
          async () =>
            (
              await host.rows(`select from pg_stat_activity where datname = current_database()
               and wait_event_type = 'Lock'`)
            ).length > 0,
          { what: 'the answer to wait' },
        );
        if (deleting === 'owner')
          await client.query(
            `update listing_offers set status = 'WITHDRAWN', "endedAt" = now() where id = $1`,
            [offerId],
          );
        else await client.query(`update "user" set role = 'customer' where id = $1`, [to.id]);
        await client.query('commit');
        expect(seen(await accepted)).toEqual(refusal);
      } finally {
        await client.query('rollback');
        client.release();
      }
      expect(await agentsOf(owner, propertyId)).toEqual([owner.id]);
    }
  });

  test('accepting and the deletion of either account: no deleted account owns a listing on the market', async () => {
    for (const who of ['owner', 'to', 'owner', 'to'] as const) {
      const { owner, to, propertyId } = await scene();
      const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to });
      const person = who === 'owner' ? owner : to;
      const code = await world.code(person, 'Deletion');
      const [accepted, deleted] = await Promise.all([
        answer(to, offerId),
        person.mutate('users.confirmDeletion', { code }),
      ]);
      expect(deleted.status, deleted.text).toBe(200);
      expect([200, 401, 404, 409]).toContain(accepted.status);
      const [listing] = await host.rows<{ status: string; owner: string }>(
        'select "standardStatus" as status, "ownerAgentId" as owner from properties where id = $1',
        [propertyId],
      );
      if (listing?.owner === person.id) expect(listing.status).toBe('Withdrawn');
      else expect(listing?.status).toBe('Active');
      expect(
        await host.rows(`select from listing_offers where status = 'OPEN' and id = $1`, [offerId]),
      ).toEqual([]);
    }
  });
});

test('the database refuses an owner who accepted nothing, and any change of an ended offer', async () => {
  const { owner, to, other, propertyId } = await scene();
  const taken = (ownerAgentId: string) =>
    host.rows('update properties set "ownerAgentId" = $2 where id = $1', [propertyId, ownerAgentId]);
  await expect(taken(to.id)).rejects.toThrow(/was not accepted/);
  await handOver(owner, { kind: 'Ownership', propertyId, to });
  await expect(taken(other.id)).rejects.toThrow(/was not accepted/);
  const ended = host.rows(`update listing_offers set "toAgentId" = $2 where "propertyId" = $1`, [
    propertyId,
    other.id,
  ]);
  await expect(ended).rejects.toThrow(/has ended/);
  expect(
    (await host.rows<{ format: string }>(AGENTS_WITHOUT_CONSENT)).filter(({ format }) =>
      format.includes(propertyId),
    ),
  ).toEqual([]);
});
