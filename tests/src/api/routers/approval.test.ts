import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  approveAgent,
  requireApprovalOfNewAgents,
} from '../../../../persistence/accounts/agent-approvals.ts';
import { publicPagesBetween } from '../../../../persistence/listings/public-pages.ts';
import { giveListing } from '../../../support/database/given-listings.ts';
import { giveVerdicts } from '../../../support/database/photo-verdicts.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { waitForBlocked } from '../../../support/database/store-database.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';

/** AGENT_APPROVAL=manual: nothing of a new agent is public before an operator's approval. */

let host: ApiHost;
beforeAll(async () => {
  host = await startApiHost({ settings: { AGENT_APPROVAL: 'manual' } });
});
afterAll(() => host.stop());

const HOME = {
  listPrice: 777_000,
  address: '9 Buy Pills Road',
  city: 'Kent',
  stateOrProvince: 'WA',
  latitude: 47.4,
  longitude: -122.2,
};
const SLOTS = [{ startsAt: '2099-06-01T17:00:00.000Z', endsAt: '2099-06-01T18:00:00.000Z' }];
const UUIDS = {
  first: '00000000-0000-0000-0000-000000000000',
  last: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  limit: 1_000,
};
const tiny = await noisy(64, 64).jpeg().toBuffer();

async function newAgent(): Promise<Person> {
  const person = await host.signedIn({ role: 'customer' });
  await person.mutate('users.becomeAgent', { licenseNumber: 'x', officeName: 'x' });
  return person;
}
const list = async (agent: Person): Promise<string> =>
  (await agent.mutate('properties.create', HOME)).data.propertyId;
const approve = (agent: Person) =>
  approveAgent(host.pool, { agentId: agent.id, by: 'ada', reason: 'known', at: Date.now() });
const awaits = async (propertyId: string) =>
  (
    await host.rows<{ hiddenFor: string[] }>('select "hiddenFor" from properties where id = $1', [propertyId])
  )[0]?.hiddenFor.includes('AWAITS_APPROVAL');

/** On which of the public surfaces the listing is. */
async function surfaces(propertyId: string, imageId: string): Promise<Record<string, boolean>> {
  const visitor = await host.signedIn({ role: 'customer' });
  const of = async (procedure: string) => (await visitor.query(procedure, { propertyId })).status === 200;
  const names = async (procedure: string, input: unknown, sign = propertyId) =>
    (await visitor.query(procedure, input)).text.includes(sign);
  const map = { bbox: [-123, 47, -122, 48], zoom: 24 };
  const other = await seedProperty(host.pool, {
    ...HOME,
    address: '1 Other Lane',
    latitude: 47.5,
    ownerAgentId: (await host.signedIn()).id,
  });
  const shown = {
    detail: await of('properties.getDetail'),
    prices: await of('properties.getPriceHistory'),
    figures: await of('properties.getNeighborhoodStats'),
    agent: await of('properties.getAgentCard'),
    list: await names('search.list', { filters: {}, sort: 'NEWEST' }),
    map: await names('search.map', map),
    suggestions: await names('search.suggestLocations', { text: '9 Buy Pills' }, 'Buy Pills Road'),
    similar: await names('properties.listSimilar', { propertyId: other }),
    picture: (await visitor.send('GET', `/api/images/${imageId}`)).status === 200,
    sitemap: (await publicPagesBetween(host.pool, UUIDS)).includes(propertyId),
    saving: (await visitor.mutate('favorites.add', { propertyId })).status === 200,
    tour: (await visitor.mutate('tours.request', { propertyId, slots: SLOTS })).status === 200,
  };
  await host.rows('delete from properties where id = $1', [other]);
  return shown;
}
const all = (shown: Record<string, boolean>, value: boolean) =>
  expect(shown).toEqual(Object.fromEntries(Object.keys(shown).map((name) => [name, value])));

test('a license "x" publishes nothing, on any surface, until an operator approves', async () => {
  const agent = await newAgent();
  const propertyId = await list(agent);
  const { imageId } = (await agent.upload(tiny, { propertyId })).body;
  await giveVerdicts(host.pool, imageId);
  all(await surfaces(propertyId, imageId), false);
  expect((await agent.query('properties.getDetail', { propertyId })).status).toBe(200);
  expect((await agent.query('properties.getMine', { propertyId })).status).toBe(200);
  await agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Withdrawn' });
  await agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Active' });
  all(await surfaces(propertyId, imageId), false);

  expect(await approve(agent)).toBe(true);
  all(await surfaces(propertyId, imageId), true);
});

describe('at the same time', () => {
  test('listings and the approval: no listing stays behind', async () => {
    const agent = await newAgent();
    const made = Promise.all(Array.from({ length: 20 }, () => list(agent)));
    const [ids] = await Promise.all([made, approve(agent)]);
    expect(await Promise.all(ids.map(awaits))).toEqual(ids.map(() => false));
  });

  test('a listing that was begun before the approval follows it when both are committed', async () => {
    const agent = await newAgent();
    const client = await host.pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query(
        `insert into properties ("ownerAgentId", "listPrice", address, city) values ($1, 1, 'x', 'y')
         returning id, "hiddenFor"`,
        [agent.id],
      );
      expect(rows[0].hiddenFor).toEqual(['AWAITS_APPROVAL']);
      const approving = approve(agent);
      await waitForBlocked(host.pool, 1);
      await client.query('commit');
      await approving;
      expect(await awaits(rows[0].id)).toBe(false);
    } finally {
      client.release();
    }
  });
});

test('an approval that is taken back hides the listings again', async () => {
  const agent = await newAgent();
  const propertyId = await list(agent);
  await approve(agent);
  expect(await awaits(propertyId)).toBe(false);
  await host.rows(
    `update agent_standings set "approvedAt" = null, "approvedBy" = null, "approvalReason" = null where "agentId" = $1`,
    [agent.id],
  );
  expect(await awaits(propertyId)).toBe(true);
});

test('a listing that passes to another agent follows that agent', async () => {
  const [unknown, known] = [await newAgent(), await newAgent()];
  await approve(known);
  const propertyId = await list(known);
  const give = (agent: Person) => giveListing(host.pool, { propertyId, to: agent.id });
  await give(unknown);
  expect(await awaits(propertyId)).toBe(true);
  await give(known);
  expect(await awaits(propertyId)).toBe(false);
});

test('agents of the time before need an approval when they have nothing public, and keep what they have', async () => {
  const [draft, shown] = [await host.signedIn(), await host.signedIn()];
  for (const { id } of [draft, shown])
    await host.rows('insert into agent_standings ("agentId", "agentSince") values ($1, now())', [id]);
  const hidden = await seedProperty(host.pool, { ownerAgentId: draft.id, standardStatus: 'Incomplete' });
  const open = await seedProperty(host.pool, { ownerAgentId: shown.id });
  await requireApprovalOfNewAgents(host.pool);
  expect([await awaits(hidden), await awaits(open)]).toEqual([true, false]);
});

test('AGENT_APPROVAL=none: a new agent publishes at once', async () => {
  const open = await startApiHost();
  try {
    const person = await open.signedIn({ role: 'customer' });
    await person.mutate('users.becomeAgent', { licenseNumber: 'x', officeName: 'x' });
    const { propertyId } = (await person.mutate('properties.create', HOME)).data;
    expect((await open.anonymous().query('properties.getDetail', { propertyId })).status).toBe(200);
  } finally {
    await open.stop();
  }
});
