import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperations, type Operations } from '../../../src/operations/catalogue.ts';
import { REPEAT_RULES, WITHOUT_REPEATS } from '../../../src/repeats/repeat-rules.ts';
import { createSuspensionSweeper, type SuspensionPorts } from '../../../supervisors/sweepers/suspensions.ts';
import { giveListing } from '../../support/database/given-listings.ts';
import { seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { listingSurfaces } from '../../support/http/listing-surfaces.ts';
import type { Person } from '../../support/http/person.ts';
import { shareList } from '../../support/http/picture-surfaces.ts';
import { noWaiting } from '../../support/manual-time.ts';
import { roomOf } from '../../support/pictures/room-photos.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';
import { actorSystemOf, type SetClock, setClock, visit } from '../../support/worlds/tour-visits.ts';

/** Suspensions and take-downs on a whole API host: every public surface, every mutation, tours, jobs and the trail. */
const ASKING = { by: 'ada', reason: 'copied listings' };
const CITY = 'Abuse Bay';
let host: ApiHost;
let clock: SetClock;
let ports: SuspensionPorts;
let operations: Operations;
beforeAll(async () => {
  clock = setClock();
  host = await startApiHost({ settings: { SITE_ENABLED: 'true' }, overrides: clock.overrides });
  ports = { pool: host.pool, actorSystem: actorSystemOf(host), clock: { now: () => clock.at } };
  operations = createOperations({ ...ports, confirmation: null, outputHosts: [], scrub: (text) => text });
});
afterAll(() => host.stop());

function operation(name: string) {
  const found = operations.find(name);
  if (found === null) throw new Error(`no operation ${name}`);
  return found;
}
const run = (name: string, id: string) => operation(name).run(id, ASKING);
const trailOf = (id: string) =>
  host.rows(
    'select act, by, reason from operator_acts where $1 in ("personId", "propertyId") order by at, act desc',
    [id],
  );

interface Home {
  agent: Person;
  propertyId: string;
  photo: string;
  staged: string;
  avatarId: string;
  visitor: Person;
  customer: Person;
  sharedList: string;
  neighbor: string;
}
async function home(): Promise<Home> {
  const [agent, other, customer] = await Promise.all([
    host.signedIn(),
    host.signedIn(),
    host.signedIn({ role: 'customer' }),
  ]);
  const place = {
    city: CITY,
    address: `${agent.id.slice(0, 6)} Scam Lane`,
    latitude: 47.6,
    longitude: -122.3,
  };
  const propertyId = await seedProperty(host.pool, { ...place, ownerAgentId: agent.id });
  const neighbor = await seedProperty(host.pool, {
    ...place,
    address: '2 Honest Road',
    latitude: 47.61,
    ownerAgentId: other.id,
  });
  const original = await seedOriginal(host.pool, { propertyId, position: 0, isMain: true });
  const staged = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
  await host.putObject(
    `originals/${original.imageId}.jpg`,
    await (await roomOf('BEDROOM', 300, 200)).jpeg().toBuffer(),
  );
  await customer.mutate('favorites.add', { propertyId });
  const sharedList = await shareList(customer);
  const form = new FormData();
  form.set(
    'file',
    new Blob([new Uint8Array(await (await roomOf('KITCHEN', 300, 200)).jpeg().toBuffer())]),
    'a.jpg',
  );
  const { body } = await agent.send('PUT', '/api/users/avatar', { body: form });
  const avatarId =
    String(body.image ?? body.photoUrl)
      .split('/')
      .at(-1) ?? '';
  return {
    agent,
    propertyId,
    photo: original.imageId,
    staged,
    avatarId,
    visitor: host.anonymous(),
    customer,
    sharedList,
    neighbor,
  };
}

/** Every public surface, and whether it shows anything of the home. */
const surfaces = (of: Home): Promise<Record<string, boolean>> =>
  listingSurfaces({
    ...of,
    street: `${of.agent.id.slice(0, 6)} scam`,
    visitor: { query: of.visitor.query, get: (path) => of.visitor.send('GET', path) },
  });

/** Everything of a listing that operators must not change. */
const rowOf = async (propertyId: string) =>
  (
    await host.rows<{ row: unknown }>(
      `select to_jsonb(p) - '{searchVersion,searchDirtyAt,searchIndexedAt}'::text[] as row from properties p where id = $1`,
      [propertyId],
    )
  )[0]?.row;

describe('on every public surface', () => {
  let one: Home;
  let before: { row: unknown; detail: string };
  const detail = async () =>
    (await one.visitor.query('properties.getDetail', { propertyId: one.propertyId })).text;
  const everywhere =
    (shown: boolean, more: Record<string, boolean> = {}) =>
    async () => {
      // Pages and answers may be cached for less than two seconds.
      clock.at += 2_000;
      const seen = await surfaces(one);
      expect(seen).toEqual({
        ...Object.fromEntries(Object.keys(seen).map((name) => [name, shown])),
        ...more,
      });
    };
  beforeAll(async () => {
    one = await home();
    before = { row: await rowOf(one.propertyId), detail: await detail() };
  });

  test('a listing is shown before', everywhere(true));
  test('a suspension hides its listings and the picture of the person', async () => {
    expect(await operation('suspend-account').preview(one.agent.id)).toMatchObject({
      outcome: 'applies',
      kind: 'account',
      version: 0,
      from: { state: 'ACTIVE' },
      to: { state: 'SUSPENDED' },
      effects: [
        '1 listing leave every public surface within two seconds.',
        expect.stringContaining('signed in'),
      ],
    });
    expect(await run('suspend-account', one.agent.id)).toMatchObject({
      outcome: 'applied',
      state: 'SUSPENDED',
    });
    await everywhere(false)();
    const mine = await one.agent.query('properties.getMine', { propertyId: one.propertyId });
    expect(mine.data.hiddenFor).toEqual(['OWNER_SUSPENDED']);
  });
  test('restoring the account shows everything as it was', async () => {
    expect(await run('restore-account', one.agent.id)).toMatchObject({ outcome: 'applied', state: 'ACTIVE' });
    await everywhere(true)();
    expect({ row: await rowOf(one.propertyId), detail: await detail() }).toEqual(before);
  });
  test('a listing that is taken down stays so when its owner is suspended and restored', async () => {
    expect(await run('take-down-listing', one.propertyId)).toMatchObject({
      outcome: 'applied',
      state: 'TAKEN_DOWN',
    });
    await everywhere(false, { '/api/avatars': true })();
    await run('suspend-account', one.agent.id);
    await run('restore-account', one.agent.id);
    await everywhere(false, { '/api/avatars': true })();
    expect(await run('restore-listing', one.propertyId)).toMatchObject({
      outcome: 'applied',
      state: 'SHOWN',
    });
    await everywhere(true)();
    expect({ row: await rowOf(one.propertyId), detail: await detail() }).toEqual(before);
  });
  test('restoring a listing of a suspended owner keeps it hidden', async () => {
    await run('take-down-listing', one.propertyId);
    await run('suspend-account', one.agent.id);
    expect((await operation('restore-listing').preview(one.propertyId)).effects).toEqual([
      'It stays hidden while its owner is suspended.',
    ]);
    await run('restore-listing', one.propertyId);
    await everywhere(false)();
    await run('restore-account', one.agent.id);
    await everywhere(true)();
  });
  test('each act names the operator and the reason, and is not repeated', async () => {
    expect(await run('restore-account', one.agent.id)).toMatchObject({
      outcome: 'ignored',
      why: 'The account is not suspended.',
    });
    const by = { by: 'operator:ada', reason: ASKING.reason };
    const acts = ['suspend-account', 'restore-account'];
    expect(await trailOf(one.agent.id)).toEqual([...acts, ...acts, ...acts].map((act) => ({ act, ...by })));
    await expect(host.pool.query(`update operator_acts set by = 'operator:eve'`)).rejects.toThrow(
      'never changed',
    );
  });
});

test('a suspended person reads, exports and leaves, and changes nothing else', async () => {
  const { agent, propertyId } = await home();
  await run('suspend-account', agent.id);
  for (const operation of Object.keys(REPEAT_RULES)) {
    const [method = '', path = ''] = operation.split(' ');
    const answer = path === '' ? await agent.mutate(operation, {}) : await agent.send(method, path);
    expect([operation, answer.status, answer.errorCode]).toEqual([operation, 403, 'ACCOUNT_SUSPENDED']);
  }
  const refused: string[] = [];
  for (const operation of WITHOUT_REPEATS)
    if ((await agent.mutate(operation, {})).errorCode === 'ACCOUNT_SUSPENDED') refused.push(operation);
  // The others are for reading, exporting and leaving.
  expect(refused).toEqual(['favorites.share', 'webhooks.create', 'webhooks.rotateSecret']);
  expect((await agent.query('properties.listMine', {})).text).toContain(propertyId);
  expect((await agent.send('POST', '/api/auth/sign-out', { body: '{}' })).status).toBe(200);
  expect((await agent.query('users.getMe')).status).toBe(401);
});

test('ending all sessions signs a person out everywhere at once', async () => {
  const agent = await host.signedIn();
  expect(await operation('end-sessions').preview(`${agent.id}@example.com`)).toMatchObject({ id: agent.id });
  expect(await run('end-sessions', agent.id)).toMatchObject({ outcome: 'applied', state: 'ACTIVE' });
  expect((await agent.query('users.getMe')).status).toBe(401);
  expect(await run('end-sessions', agent.id)).toMatchObject({ outcome: 'ignored' });
});

test.each(['suspend-account', 'take-down-listing'])(
  '%s: an unknown id, a wrong one, and a stale page',
  async (name) => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await run(name, unknown)).toMatchObject({ outcome: 'missing', kind: null });
    expect(await operation(name).preview('x')).toMatchObject({ outcome: 'missing' });
    const { agent, propertyId } = await home();
    const id = name === 'suspend-account' ? agent.id : propertyId;
    expect(await operation(name).run(id, { ...ASKING, seenVersion: 99 })).toMatchObject({
      outcome: 'stale',
      version: 0,
    });
    expect(await trailOf(id)).toEqual([]);
  },
);

describe('open tours', () => {
  const statusOf = async (person: Person, tourId: string) => {
    const { data } = await person.query('tours.get', { tourId });
    return { status: data.status, reason: data.reason, closedBy: data.closedBy };
  };
  const suspended = { status: 'CANCELLED', reason: 'ACCOUNT_SUSPENDED', closedBy: 'system' };
  test.each(['agent', 'customer'] as const)('are canceled when their %s is suspended', async (side) => {
    const one = await visit(host);
    const { data } = await one.request();
    await run('suspend-account', one[side].id);
    expect(await statusOf(one.customer, data.tourId)).toEqual(suspended);
    expect(await statusOf(one.agent, data.tourId)).toEqual(suspended);
    const [journal] = await host.rows<{ actedBy: string }>(
      `select "actedBy" from actor_transitions where "actorId" = $1 and "eventType" = 'PARTY_SUSPENDED'`,
      [data.tourId],
    );
    expect(journal?.actedBy).toBe('operator:ada');
    await run('restore-account', one[side].id);
    expect((await one.agent.query('tours.get', { tourId: data.tourId })).data.availableActions).toEqual([]);
  });
  test('of a listing that is taken down are canceled, and no other can be requested', async () => {
    const one = await visit(host);
    const { data } = await one.request();
    await run('take-down-listing', one.propertyId);
    expect(await statusOf(one.customer, data.tourId)).toMatchObject({ reason: 'LISTING_LEFT_MARKET' });
    expect((await one.request()).errorCode).toBe('NOT_FOUND');
  });
  test('that an interrupted suspension left open are canceled by the sweep', async () => {
    const one = await visit(host);
    const { data } = await one.request();
    await host.pool.query('update "user" set "suspendedAt" = now() where id = $1', [one.agent.id]);
    const sweeper = createSuspensionSweeper({
      ...ports,
      timers: noWaiting,
      reporter: createRecordingReporter(),
      intervalMs: 1_000,
      node: 'a',
      inTurn: async (_turn, work) => void (await work({} as never)),
    });
    await sweeper.start();
    await eventually(async () => (await statusOf(one.customer, data.tourId)).status === 'CANCELLED', {
      what: 'the sweep',
    });
    await sweeper.stop(AbortSignal.timeout(1_000));
  });
});

describe('a call that was admitted before the suspension and commits after it', () => {
  /** The account's row is locked as a suspension locks it, until the call waits for it. */
  async function during(
    personId: string,
    call: () => Promise<{ status: number; errorCode: string | undefined }>,
  ) {
    const client = await host.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from "user" where id = $1 for update', [personId]);
      const answer = call();
      await eventually(
        async () =>
          (
            await host.rows(
              `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
            )
          ).length > 0,
        { what: 'the call to wait' },
      );
      await client.query('update "user" set "suspendedAt" = now() where id = $1', [personId]);
      await client.query('commit');
      return await answer;
    } finally {
      client.release();
    }
  }
  const refused = { status: 403, errorCode: 'ACCOUNT_SUSPENDED' };

  test('approves nothing', async () => {
    const agent = await host.signedIn();
    const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
    const imageId = await seedVariant(host.pool, await seedOriginal(host.pool, { propertyId }));
    expect(await during(agent.id, () => agent.mutate('ai.approveStagedVariant', { imageId }))).toMatchObject(
      refused,
    );
    expect(await host.rows('select "reviewStatus" from property_images where id = $1', [imageId])).toEqual([
      { reviewStatus: 'PENDING_REVIEW' },
    ]);
  });
  test('creates a listing that no one sees', async () => {
    const agent = await host.signedIn();
    const listing = { listPrice: 1, address: '9 Late Lane', city: 'Lateness' };
    expect((await during(agent.id, () => agent.mutate('properties.create', listing))).status).toBe(200);
    expect(
      (await host.anonymous().query('search.list', { filters: { city: 'Lateness' } })).text,
    ).not.toContain('Late');
  });
  test('requests no tour', async () => {
    const one = await visit(host);
    expect(await during(one.customer.id, () => one.request())).toMatchObject(refused);
  });
  test('submits no staging job', async () => {
    const agent = await host.signedIn();
    const { imageId: originalImageId } = await host.listing(agent);
    const input = { assignments: [{ originalImageId, roomType: 'BEDROOM', style: 'MODERN' }] };
    expect(await during(agent.id, () => agent.mutate('ai.submitRoomStaging', input))).toMatchObject(refused);
    expect(await host.rows('select from ai_jobs where "requestedByUserId" = $1', [agent.id])).toEqual([]);
  });
  test('takes over a listing, which is hidden then', async () => {
    const [owner, next] = [await host.signedIn(), await host.signedIn()];
    const { propertyId } = await host.listing(owner);
    await run('suspend-account', next.id);
    await giveListing(host.pool, { propertyId, to: next.id });
    expect((await host.anonymous().query('properties.getDetail', { propertyId })).errorCode).toBe(
      'NOT_FOUND',
    );
    await giveListing(host.pool, { propertyId, to: owner.id });
    expect((await host.anonymous().query('properties.getDetail', { propertyId })).status).toBe(200);
  });
  test('the suspension waits for a creation under way, and hides it', async () => {
    const agent = await host.signedIn();
    const client = await host.pool.connect();
    await client.query('begin');
    const { rows } = await client.query<{ id: string }>(
      `insert into properties ("ownerAgentId", "listPrice", address, city) values ($1, 1, 'a', 'b') returning id`,
      [agent.id],
    );
    const suspension = run('suspend-account', agent.id);
    await client.query('commit');
    client.release();
    expect(await suspension).toMatchObject({ outcome: 'applied' });
    expect(
      (await host.anonymous().query('properties.getDetail', { propertyId: rows[0]?.id })).errorCode,
    ).toBe('NOT_FOUND');
  });
});
