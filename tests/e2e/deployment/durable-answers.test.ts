import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { seedApproval, seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { startStandby } from '../../support/database/standby.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';
import { type Gate, openGate } from '../../support/platform/gates.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/** An API host whose primary has one synchronous standby, behind a gate (CLAIM_DURABILITY=standby). */
let primary: PostgresServer;
let standby: PostgresServer;
let link: Gate;
let replica: pg.Pool;
let host: ApiHost;
let agent: Person;

beforeAll(async () => {
  const primaryDir = temporaryDirectory();
  primary = await startPostgres({ dataDir: primaryDir });
  await migrate(primary.url);
  link = await openGate(primary.url);
  standby = await startStandby(
    { primary, primaryDir, follows: link.through(primary.url) },
    { dataDir: temporaryDirectory() },
  );
  replica = new pg.Pool({ connectionString: standby.url, max: 2 });
  replica.on('error', () => {});
  const operator = new pg.Client({ connectionString: primary.url });
  await operator.connect();
  await operator.query('alter role proscenium set synchronous_commit = local');
  await operator.query(`alter system set synchronous_standby_names = '*'`);
  await operator.query('select pg_reload_conf()');
  await operator.end();
  const database = { url: primary.url, drop: async () => {} };
  host = await startApiHost({ database, settings: { CLAIM_DURABILITY: 'standby' } });
  agent = await host.signedIn();
}, 90_000);
afterAll(async () => {
  await host?.stop();
  await replica?.end();
  await link?.close();
  await standby?.stop();
  await primary?.stop();
}, 60_000);

const streams = () =>
  eventually(
    async () =>
      (await host.rows(`select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`))
        .length === 1,
    { what: 'a streaming standby', timeoutMs: 20_000 },
  );

/** An approved picture of a listing of the agent's. */
async function approvedPicture() {
  const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
  const { imageId: originalImageId } = await seedOriginal(host.pool, { propertyId });
  const imageId = await seedVariant(host.pool, { propertyId, imageId: originalImageId });
  return { propertyId, originalImageId, imageId };
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
      expect((await agent.mutate('properties.assignAgent', { propertyId, agentId: other.id })).status).toBe(
        200,
      );
      return {
        call: () => agent.mutate('properties.unassignAgent', { propertyId, agentId: other.id }),
        made: 'select where not exists (select from property_agents where "propertyId" = $1 and "agentId" = $2)',
        values: [propertyId, other.id],
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

describe.each(DECISIONS)('$name', ({ prepare, again }) => {
  test('is answered when the standby has it', async () => {
    await streams();
    const { call, made, values } = await prepare();
    const answer = await call();
    expect(answer.status, answer.text).toBeLessThan(300);
    await eventually(async () => (await replica.query(made, values)).rowCount === 1, {
      what: 'the decision on the standby',
    });
  });

  test('stands without the standby, says so, and is confirmed by the same call', async () => {
    await streams();
    const { call, made, values } = await prepare();
    link.shut();
    try {
      const answer = await call();
      expect(answer.status, answer.text).toBe(503);
      expect(answer.text).toContain('NOT_YET_DURABLE');
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await host.rows(made, values)).toHaveLength(1);
    } finally {
      link.open();
    }
    await streams();
    const answer = await call();
    expect(again, answer.text).toContain(answer.status);
    expect((await replica.query(made, values)).rowCount).toBe(1);
  });
});

test('what makes nothing less public waits for no standby', async () => {
  const { propertyId } = await approvedPicture();
  link.shut();
  try {
    expect((await agent.mutate('favorites.add', { propertyId })).status).toBe(200);
    expect((await agent.query('properties.getMine', { propertyId })).status).toBe(200);
  } finally {
    link.open();
  }
});
