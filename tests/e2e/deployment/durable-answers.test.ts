import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operate } from '../../../ops/cli/operate.ts';
import { readProcedures } from '../../../ops/codegen/api/procedures.ts';
import { NOT_YET_DURABLE } from '../../../src/operations/operation.ts';
import { seedApproval, seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { seedThread } from '../../support/database/seed-messages.ts';
import { seedCompletedTour, seedReport } from '../../support/database/seed-report.ts';
import { type SynchronousPair, startSynchronousPair } from '../../support/database/standby.ts';
import { eventually } from '../../support/eventually.ts';
import type { ApiHost } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';
import { kvUrl } from '../../support/platform/stack.ts';
import { type AccountWorld, openAccountWorld } from '../../support/worlds/account-world.ts';
import { assignTo, offerOf } from '../../support/worlds/listing-offers.ts';

/** An API host whose primary has one synchronous standby, behind a gate (CLAIM_DURABILITY=standby). */
let pair: SynchronousPair;
let replica: pg.Pool;
let world: AccountWorld;
let host: ApiHost;
let agent: Person;

beforeAll(async () => {
  pair = await startSynchronousPair();
  replica = new pg.Pool({ connectionString: pair.standby.url, max: 2 });
  replica.on('error', () => {});
  const database = { url: pair.primary.url, drop: async () => {} };
  world = await openAccountWorld({ database, settings: { CLAIM_DURABILITY: 'standby' } });
  host = world.host;
  agent = await host.signedIn();
}, 90_000);
afterAll(async () => {
  await world?.close();
  await replica?.end();
  await pair?.stop();
}, 60_000);

/** An approved picture of a listing of the agent's. */
async function approvedPicture() {
  const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
  const { imageId: originalImageId } = await seedOriginal(host.pool, { propertyId });
  const imageId = await seedVariant(host.pool, { propertyId, imageId: originalImageId });
  return { propertyId, originalImageId, imageId };
}

/** One that a visitor has reported. */
async function reportedPicture() {
  const { propertyId, imageId } = await approvedPicture();
  await seedApproval(host.pool, imageId);
  const customer = await host.signedIn({ role: 'customer' });
  const reportId = randomUUID();
  await seedReport(host.pool, { reportId, imageId, propertyId, customerId: customer.id });
  return { propertyId, imageId, reportId };
}

interface Decision {
  name: string;
  /** Makes what the decision is about, and returns the call that decides. */
  prepare(): Promise<{ call(): Promise<Answer>; made: string; values: unknown[] }>;
  /** Statuses of the same call once more. */
  again: number[];
}

/** `made`: a query that finds a row when the decision is there. */
const DECISIONS: Decision[] = [
  {
    name: 'withdrawing a picture',
    again: [200],
    async prepare() {
      const { imageId } = await approvedPicture();
      await seedApproval(host.pool, imageId);
      return {
        call: () => agent.mutate('ai.withdrawStagedVariant', { imageId }),
        made: 'select from property_images where id = $1 and "withdrawnAt" is not null',
        values: [imageId],
      };
    },
  },
  {
    name: 'withdrawing a picture as the answer to a report',
    again: [200],
    async prepare() {
      const { imageId, reportId } = await reportedPicture();
      return {
        call: () => agent.mutate('tours.answerMismatch', { reportId, answer: 'withdraw' }),
        made: 'select from property_images where id = $1 and "withdrawnAt" is not null',
        values: [imageId],
      };
    },
  },
  {
    name: 'the third report of a picture',
    again: [200],
    async prepare() {
      const { propertyId, imageId } = await reportedPicture();
      const second = await host.signedIn({ role: 'customer' });
      await seedReport(host.pool, { reportId: randomUUID(), imageId, propertyId, customerId: second.id });
      const third = await host.signedIn({ role: 'customer' });
      const tourId = await seedCompletedTour(host.pool, { propertyId, customerId: third.id, at: Date.now() });
      return {
        call: () => third.mutate('tours.reportMismatch', { tourId, imageIds: [imageId] }),
        made: `select from property_images where id = $1 and "withdrawnBy" = 'REPORTS'`,
        values: [imageId],
      };
    },
  },
  {
    name: 'rejecting a picture',
    again: [404, 409, 412],
    async prepare() {
      const { imageId } = await approvedPicture();
      return {
        call: () => agent.mutate('ai.rejectStagedVariant', { imageId }),
        made: `select where not exists (select from property_images where id = $1 and "reviewStatus" = 'PENDING_REVIEW')`,
        values: [imageId],
      };
    },
  },
  {
    name: 'deleting a photo',
    again: [200, 204, 404],
    async prepare() {
      const { originalImageId } = await approvedPicture();
      return {
        call: () => agent.send('DELETE', `/api/property-images/${originalImageId}`),
        made: 'select where not exists (select from property_images where id = $1)',
        values: [originalImageId],
      };
    },
  },
  {
    name: 'hiding a listing',
    again: [200],
    async prepare() {
      const { propertyId } = await approvedPicture();
      return {
        call: () => agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Withdrawn' }),
        made: `select from properties where id = $1 and "standardStatus" = 'Withdrawn'`,
        values: [propertyId],
      };
    },
  },
  {
    name: 'unassigning an agent',
    again: [200],
    async prepare() {
      const { propertyId } = await approvedPicture();
      const other = await host.signedIn();
      expect((await assignTo(agent, propertyId, other)).status).toBe(200);
      return {
        call: () => agent.mutate('properties.unassignAgent', { propertyId, agentId: other.id }),
        made: 'select where not exists (select from property_agents where "propertyId" = $1 and "agentId" = $2)',
        values: [propertyId, other.id],
      };
    },
  },
  {
    name: 'leaving a listing',
    again: [404],
    async prepare() {
      const { propertyId } = await approvedPicture();
      const other = await host.signedIn();
      expect((await assignTo(agent, propertyId, other)).status).toBe(200);
      return {
        call: () => other.mutate('properties.leave', { propertyId }),
        made: 'select where not exists (select from property_agents where "propertyId" = $1 and "agentId" = $2)',
        values: [propertyId, other.id],
      };
    },
  },
  {
    name: 'withdrawing an offer',
    again: [200],
    async prepare() {
      const { propertyId } = await approvedPicture();
      const to = await host.signedIn();
      const offerId = await offerOf(agent, { kind: 'Ownership', propertyId, to });
      return {
        call: () => agent.mutate('properties.withdrawOffer', { offerId }),
        made: `select from listing_offers where id = $1 and status = 'WITHDRAWN'`,
        values: [offerId],
      };
    },
  },
  {
    name: 'sharing the saved homes again',
    again: [200],
    async prepare() {
      const share = (person: Person, withNotes: boolean) =>
        person.mutate('favorites.share', { name: 'Ada', withNotes });
      const person = await host.signedIn();
      expect((await share(person, true)).status).toBe(200);
      return {
        call: () => share(person, false),
        made: 'select from shared_lists where "userId" = $1 and not "withNotes"',
        values: [person.id],
      };
    },
  },
  {
    name: 'blocking a thread',
    again: [200],
    async prepare() {
      const { propertyId } = await approvedPicture();
      const customer = await host.signedIn({ role: 'customer' });
      const threadId = await seedThread(host.pool, { propertyId, customerId: customer.id });
      return {
        call: () => agent.mutate('messages.block', { threadId, isBlocked: true }),
        made: 'select from message_threads where id = $1 and "agentBlockedAt" is not null',
        values: [threadId],
      };
    },
  },
  {
    name: 'deleting an account',
    again: [401],
    async prepare() {
      const person = await host.signedIn();
      const code = await world.code(person, 'Deletion');
      return {
        call: () => person.mutate('users.confirmDeletion', { code }),
        made: 'select from "user" where id = $1 and email is null',
        values: [person.id],
      };
    },
  },
  {
    name: 'ending a session',
    again: [404],
    async prepare() {
      const person = await host.signedIn();
      const { rows } = await host.pool.query<{ id: string }>(
        `insert into session (id, "userId", token, "expiresAt", "createdAt", "updatedAt")
         select gen_random_uuid(), "userId", gen_random_uuid(), "expiresAt", "createdAt", "updatedAt"
         from session where "userId" = $1 returning id`,
        [person.id],
      );
      const sessionId = rows[0]?.id;
      return {
        call: () => person.mutate('users.revokeSession', { sessionId }),
        made: 'select where not exists (select from session where id = $1)',
        values: [sessionId],
      };
    },
  },
  {
    name: 'signing out',
    again: [200],
    async prepare() {
      const person = await host.signedIn();
      return {
        call: () =>
          person.send('POST', '/api/auth/sign-out', {
            body: '{}',
            headers: { 'content-type': 'application/json' },
          }),
        made: 'select where not exists (select from session where "userId" = $1)',
        values: [person.id],
      };
    },
  },
];

test('the procedures that wait for the standby are these', () => {
  const waiting = readProcedures().filter(({ errors }) => errors.includes('NOT_YET_DURABLE'));
  expect(waiting.map(({ path }) => path)).toEqual([
    'ai.rejectStagedVariant',
    'ai.withdrawStagedVariant',
    'favorites.share',
    'favorites.unshare',
    'messages.block',
    'properties.answerOffer',
    'properties.declareAltered',
    'properties.leave',
    'properties.setStatus',
    'properties.unassignAgent',
    'properties.update',
    'properties.withdrawOffer',
    'tours.answerMismatch',
    'tours.reportMismatch',
    'users.confirmDeletion',
    'users.revokeOtherSessions',
    'users.revokeSession',
  ]);
});

describe.each(DECISIONS)('$name', ({ prepare, again }) => {
  test('is answered when the standby has it', async () => {
    await pair.streams();
    const { call, made, values } = await prepare();
    const answer = await call();
    expect(answer.status, answer.text).toBeLessThan(300);
    await eventually(async () => (await replica.query(made, values)).rowCount === 1, {
      what: 'the decision on the standby',
    });
  });

  test('stands without the standby, says so, and is confirmed by the same call', async () => {
    await pair.streams();
    const { call, made, values } = await prepare();
    pair.link.shut();
    try {
      const answer = await call();
      expect(answer.status, answer.text).toBe(503);
      expect(answer.text).toContain('NOT_YET_DURABLE');
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await host.rows(made, values)).toHaveLength(1);
    } finally {
      pair.link.open();
    }
    await pair.streams();
    const answer = await call();
    expect(again, answer.text).toContain(answer.status);
    expect((await replica.query(made, values)).rowCount).toBe(1);
  });
});

test('a command warns when no standby has its withdrawal, and repeating it confirms the withdrawal', async () => {
  await pair.streams();
  const { imageId } = await approvedPicture();
  await seedApproval(host.pool, imageId);
  const withdraw = async () => {
    const said: string[] = [];
    const code = await operate({
      args: ['withdraw-picture', '--id', imageId, '--reason', 'not the room', '--by', 'ada'],
      environment: { DATABASE_URL: pair.primary.url, KV_URL: kvUrl(), CLAIM_DURABILITY: 'standby' },
      screen: { out: (text) => said.push(text), err: (text) => said.push(text) },
      signal: AbortSignal.timeout(30_000),
    });
    return { code, text: said.join('\n') };
  };
  pair.link.shut();
  try {
    expect(await withdraw()).toEqual({ code: 1, text: expect.stringContaining(NOT_YET_DURABLE) });
  } finally {
    pair.link.open();
  }
  await pair.streams();
  expect((await withdraw()).text).not.toContain(NOT_YET_DURABLE);
  const withdrawn = 'select from property_images where id = $1 and "withdrawnAt" is not null';
  expect((await replica.query(withdrawn, [imageId])).rowCount).toBe(1);
});

test('each scrape asks the standby, so that the alarm does not wait for a decision', async () => {
  const unconfirmed = async () => {
    const metrics = await (await fetch(`${host.opsUrl}/metrics`)).text();
    return Number(/^proscenium_standby_unconfirmed_seconds\S* (\S+)$/m.exec(metrics)?.[1]);
  };
  await pair.streams();
  expect(await unconfirmed()).toBe(0);
  pair.link.shut();
  try {
    await unconfirmed();
    expect(await unconfirmed()).toBeGreaterThan(0);
  } finally {
    pair.link.open();
  }
  await pair.streams();
  expect(await unconfirmed()).toBe(0);
});

test('what makes nothing less public waits for no standby', async () => {
  const { propertyId } = await approvedPicture();
  pair.link.shut();
  try {
    expect((await agent.mutate('favorites.add', { propertyId })).status).toBe(200);
    expect((await agent.query('properties.getMine', { propertyId })).status).toBe(200);
  } finally {
    pair.link.open();
  }
});
