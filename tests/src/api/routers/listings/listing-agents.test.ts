import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AGENTS_WITHOUT_CONSENT } from '../../../../../persistence/console/invariant-sql.ts';
import { seedVariant } from '../../../../support/database/seed.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Answer, Person } from '../../../../support/http/person.ts';
import { assignTo, offer, offerOf } from '../../../../support/worlds/listing-offers.ts';

const host = useApiHost();

const seen = ({ status, errorCode }: Answer) => [status, errorCode];
const fieldsOf = (answer: Answer) => answer.body.error.json.data.fields;

async function world() {
  const [owner, colleague, other] = await Promise.all(
    ['Olga', 'Carl', 'Oscar'].map((name) => host.signedIn({ name, officeName: `${name}'s` })),
  );
  if (!owner || !colleague || !other) throw new Error('three people were signed in');
  return { owner, colleague, other, ...(await host.listing(owner)) };
}
const offering =
  (kind: 'Assignment' | 'Ownership') =>
  (person: Person, propertyId: string, to: { id: string }): Promise<Answer> =>
    offer(person, { kind, propertyId, to });
const [offerAssignment, offerOwnership] = [offering('Assignment'), offering('Ownership')];
const unassign = (person: Person, propertyId: string, { id }: { id: string }) =>
  person.mutate('properties.unassignAgent', { propertyId, agentId: id });
const leave = (person: Person, propertyId: string) => person.mutate('properties.leave', { propertyId });
const answer = (person: Person, offerId: string, more: object = {}) =>
  person.mutate('properties.answerOffer', { offerId, accept: true, ...more });
const agentsOf = async (person: Person, propertyId: string) => {
  const { data } = await person.query('properties.listAgents', { propertyId });
  return data.items.map(({ agentId, isOwner }: { agentId: string; isOwner: boolean }) => [agentId, isOwner]);
};

describe('the agents of a listing', () => {
  test('a colleague who accepted the owner’s offer can act for the listing; a repeat changes nothing', async () => {
    const { owner, colleague, propertyId } = await world();
    const offerId = await offerOf(owner, { kind: 'Assignment', propertyId, to: colleague });
    expect(seen(await colleague.query('properties.listAgents', { propertyId }))).toEqual([404, 'NOT_FOUND']);
    for (let time = 0; time < 2; time += 1)
      expect((await answer(colleague, offerId)).data).toMatchObject({ offerId, status: 'ACCEPTED' });
    const { data } = await colleague.query('properties.listAgents', { propertyId });
    expect(data.items).toEqual([
      { agentId: owner.id, fullName: 'Olga', photoUrl: null, officeName: "Olga's", isOwner: true },
      { agentId: colleague.id, fullName: 'Carl', photoUrl: null, officeName: "Carl's", isOwner: false },
    ]);
    expect((await colleague.mutate('properties.update', { propertyId, city: 'Tacoma' })).status).toBe(200);
  });

  test('an unassigned agent gets NOT_FOUND with the very next call', async () => {
    const { owner, colleague, propertyId, imageId } = await world();
    const variantId = await seedVariant(host.pool, { propertyId, imageId });
    await assignTo(owner, propertyId, colleague);
    expect((await colleague.query('ai.listStagedVariants', { propertyId })).status).toBe(200);
    for (let time = 0; time < 2; time += 1)
      expect((await unassign(owner, propertyId, colleague)).data).toEqual({
        propertyId,
        agentId: colleague.id,
        assigned: false,
      });
    const calls = [
      colleague.query('properties.listAgents', { propertyId }),
      colleague.query('ai.listStagedVariants', { propertyId }),
      colleague.query('ai.listStagingJobs', { propertyId }),
      colleague.mutate('ai.approveStagedVariant', { imageId: variantId }),
      colleague.mutate('properties.update', { propertyId, city: 'X' }),
    ];
    for (const answer of await Promise.all(calls)) expect(seen(answer)).toEqual([404, 'NOT_FOUND']);
    expect(await agentsOf(owner, propertyId)).toEqual([[owner.id, true]]);
  });

  test('only the owner changes the agents: an assigned agent gets FORBIDDEN, others NOT_FOUND', async () => {
    const { owner, colleague, other, propertyId } = await world();
    await assignTo(owner, propertyId, colleague);
    for (const change of [offerAssignment, unassign, offerOwnership])
      for (const agent of [colleague, other, owner]) {
        expect(seen(await change(colleague, propertyId, agent))).toEqual([403, 'FORBIDDEN']);
        expect(seen(await change(other, propertyId, agent))).toEqual([404, 'NOT_FOUND']);
      }
    expect(await agentsOf(owner, propertyId)).toEqual([
      [owner.id, true],
      [colleague.id, false],
    ]);
  });

  test.each(['a customer', 'an unknown id'])('%s cannot be assigned', async (who) => {
    const { owner, propertyId } = await world();
    const customer = await host.signedIn({ role: 'customer' });
    const agent = who === 'a customer' ? customer : { id: randomUUID() };
    for (const change of [offerAssignment, offerOwnership]) {
      const answer = await change(owner, propertyId, agent);
      expect(seen(answer)).toEqual([400, 'INVALID_INPUT']);
      expect(fieldsOf(answer)).toEqual({ agentId: ['This is not an agent.'] });
    }
  });

  test('the owner stays an agent of the listing: an offer to oneself is rejected, and leaving too', async () => {
    const { owner, propertyId } = await world();
    for (const change of [offerAssignment, offerOwnership])
      expect(fieldsOf(await change(owner, propertyId, owner))).toEqual({
        agentId: ['This is an agent of the listing already.'],
      });
    await unassign(owner, propertyId, owner);
    expect(seen(await leave(owner, propertyId))).toEqual([403, 'FORBIDDEN']);
    expect(await agentsOf(owner, propertyId)).toEqual([[owner.id, true]]);
  });

  test('a listing has at most twenty agents besides the owner', async () => {
    const { owner, colleague, propertyId } = await world();
    await host.rows(
      `with more as (insert into "user" (id, name, email, "emailVerified", role, "createdAt", "updatedAt")
         select id, 'More', id || '@example.com', true, 'agent', now(), now()
         from (select gen_random_uuid() as id from generate_series(1, 20)) ids returning id)
       insert into property_agents select $1, id, null from more`,
      [propertyId],
    );
    for (const change of [offerAssignment, offerOwnership]) {
      const answer = await change(owner, propertyId, colleague);
      expect(seen(answer)).toEqual([400, 'INVALID_INPUT']);
      expect(Object.keys(fieldsOf(answer))).toEqual(['agentId']);
    }
  });
});

test('an assigned agent leaves, and gets NOT_FOUND with the very next call', async () => {
  const { owner, colleague, other, propertyId } = await world();
  await assignTo(owner, propertyId, colleague);
  expect(seen(await leave(other, propertyId))).toEqual([404, 'NOT_FOUND']);
  expect((await leave(colleague, propertyId)).data).toEqual({ propertyId, left: true });
  expect(seen(await leave(colleague, propertyId))).toEqual([404, 'NOT_FOUND']);
  expect(await agentsOf(owner, propertyId)).toEqual([[owner.id, true]]);
});

describe('the ownership of a listing', () => {
  test('passes to the agent who accepts it; the previous owner stays assigned if the new one says so', async () => {
    const { owner, colleague, propertyId } = await world();
    await assignTo(owner, propertyId, colleague);
    const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to: colleague });
    expect(await agentsOf(owner, propertyId)).toEqual([
      [owner.id, true],
      [colleague.id, false],
    ]);
    const accepted = await answer(colleague, offerId, { keepFormerOwner: true });
    expect(accepted.data).toMatchObject({ propertyId, kind: 'OWNERSHIP', status: 'ACCEPTED' });
    expect(await agentsOf(owner, propertyId)).toEqual([
      [colleague.id, true],
      [owner.id, false],
    ]);
    expect((await host.anonymous().query('properties.getAgentCard', { propertyId })).data.agentId).toBe(
      colleague.id,
    );
    expect(seen(await offerOwnership(owner, propertyId, colleague))).toEqual([403, 'FORBIDDEN']);
    expect((await unassign(colleague, propertyId, owner)).status).toBe(200);
    expect(await agentsOf(colleague, propertyId)).toEqual([[colleague.id, true]]);
  });

  test('leaves nothing to the previous owner by default', async () => {
    const { owner, colleague, propertyId } = await world();
    const offerId = await offerOf(owner, { kind: 'Ownership', propertyId, to: colleague });
    expect((await answer(colleague, offerId)).status).toBe(200);
    expect(await agentsOf(colleague, propertyId)).toEqual([[colleague.id, true]]);
    expect(seen(await owner.mutate('properties.update', { propertyId, city: 'X' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  test('concurrent changes leave one owner and no duplicate agent', async () => {
    const { owner, colleague, other, propertyId } = await world();
    const offers = await Promise.all(
      [colleague, other].flatMap((to) =>
        (['Ownership', 'Assignment'] as const).map(async (kind) => ({
          kind,
          to,
          offerId: await offerOf(owner, { kind, propertyId, to }),
        })),
      ),
    );
    const answers = await Promise.all([
      ...offers.map(async ({ kind, to, offerId }) => ({
        kind,
        ...(await answer(to, offerId, { keepFormerOwner: true })),
      })),
      ...[other, colleague].map(async (agent) => ({
        kind: null,
        ...(await unassign(owner, propertyId, agent)),
      })),
    ]);
    for (const { status } of answers) expect([200, 403, 404, 409]).toContain(status);
    expect(answers.filter(({ kind, status }) => kind === 'Ownership' && status === 200)).toHaveLength(1);
    const [row] = await host.rows<{ owner: string; twice: boolean }>(
      `select "ownerAgentId" as owner, exists (select from property_agents a
         where a."propertyId" = p.id and a."agentId" = p."ownerAgentId") as twice
       from properties p where id = $1`,
      [propertyId],
    );
    expect([colleague.id, other.id]).toContain(row?.owner);
    expect(row?.twice).toBe(false);
    expect(await host.rows(AGENTS_WITHOUT_CONSENT)).toEqual([]);
  });
});

describe('users.findAgent', () => {
  test('finds an agent by the exact address, in upper or lower case', async () => {
    const [person, agent] = [await host.signedIn(), await host.signedIn({ name: 'Zoë', officeName: 'Z' })];
    const email = ` ${agent.id.toUpperCase()}@Example.com `;
    expect((await person.query('users.findAgent', { email })).data).toEqual({
      agentId: agent.id,
      fullName: 'Zoë',
      photoUrl: null,
      officeName: 'Z',
    });
    const part = await person.query('users.findAgent', { email: `${agent.id.slice(1)}@example.com` });
    expect(seen(part)).toEqual([404, 'NOT_FOUND']);
  });

  test("answers a customer's address like an unknown one", async () => {
    const [person, customer] = [await host.signedIn(), await host.signedIn({ role: 'customer' })];
    const [theirs, unknown] = [
      await person.query('users.findAgent', { email: `${customer.id}@example.com` }),
      await person.query('users.findAgent', { email: 'nobody@example.com' }),
    ];
    expect([theirs.status, theirs.text]).toEqual([404, unknown.text]);
    expect(seen(await customer.query('users.findAgent', { email: 'nobody@example.com' }))).toEqual([
      403,
      'AGENT_REQUIRED',
    ]);
  });

  test('is rejected after ten calls in a minute, per account and per network', async () => {
    const person = await host.signedIn();
    const ask = (headers: Record<string, string> = {}) =>
      person.send(
        'GET',
        `/api/trpc/users.findAgent?input=${encodeURIComponent('{"json":{"email":"a@b.c"}}')}`,
        {
          headers,
        },
      );
    for (let time = 0; time < 10; time += 1) expect((await ask()).status).toBe(404);
    const refused = await ask();
    expect(seen(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(429);
  });
});
