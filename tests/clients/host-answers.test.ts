import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PLAIN_ROUTES } from '../../ops/codegen/api/plain-routes.ts';
import { readProcedures } from '../../ops/codegen/api/procedures.ts';
import { nameIn, readResponseModels, type Schema } from '../../ops/codegen/api/response-schemas.ts';
import { seedStagingJob, seedVariant } from '../support/database/seed.ts';
import { useApiHost } from '../support/http/api-host.ts';
import type { Answer, Person } from '../support/http/person.ts';
import { corners } from '../support/pictures/photo-fixtures.ts';

/**
 * Answers of the API host fit the models of native clients. They are checked against the definitions from which the
 * Swift and Kotlin models are made; unknown fields are not allowed.
 */
const { models, byProcedure } = readResponseModels(readProcedures());
const definitions = new Map(models.map(({ name, schema }) => [name, schema]));

let agent: Person;
let listing: { propertyId: string; imageId: string };
const host = useApiHost();
// Each call has an agent and a listing of its own: a photo has one picture of a style.
beforeEach(async () => {
  agent = await host.signedIn();
  listing = await host.listing(agent);
});

/** The definition with every reference replaced by its target: models do not contain themselves. */
function resolved(schema: Schema): Schema {
  const name = nameIn(schema);
  if (name !== null) return resolved(definitions.get(name) ?? {});
  const inner = Object.entries(schema).map(([key, value]) => [
    key,
    isSchemas(value) ? resolvedAll(value) : value,
  ]);
  return Object.fromEntries(inner);
}
const isSchemas = (value: unknown): value is object => typeof value === 'object' && value !== null;
const resolvedAll = (value: object): unknown =>
  Array.isArray(value)
    ? value.map((one) => (isSchemas(one) ? resolved(one as Schema) : one))
    : resolved(value as Schema);

/** What does not fit; empty when a client can decode the value. */
function misfits(model: string, value: unknown): string[] {
  const schema = z.fromJSONSchema(
    resolved(definitions.get(model) ?? {}) as Parameters<typeof z.fromJSONSchema>[0],
  );
  const parsed = schema.safeParse(value);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('what a model accepts', () => {
  test('unknown values of an enumeration are accepted; missing, unknown and mistyped fields are not', async () => {
    const me = (await agent.query('users.getMe')).data;
    expect(misfits('Me', me)).toEqual([]);
    expect(misfits('Me', { ...me, role: 'BROKER', agent: null })).toEqual([]);
    const { id: _id, ...withoutId } = me;
    expect(misfits('Me', withoutId)).not.toEqual([]);
    expect(misfits('Me', { ...me, age: 4 })).not.toEqual([]);
    expect(misfits('Me', { ...me, name: null })).not.toEqual([]);
    expect(misfits('Me', { ...me, agent: { ...me.agent, phone: 5 } })).not.toEqual([]);
  });
});

describe('what the API host answers', () => {
  const calls: Array<[path: string, call: (path: string) => Promise<Answer>]> = [
    ['users.getMe', (path) => agent.query(path)],
    ['users.updateProfile', (path) => agent.mutate(path, { phone: '1' })],
    [
      'users.becomeAgent',
      async (path) =>
        (await host.signedIn({ role: 'customer' })).mutate(path, { licenseNumber: 'L', officeName: 'O' }),
    ],
    [
      'properties.create',
      (path) =>
        agent.mutate(path, { listPrice: 1.25, address: 'A', city: 'B', latitude: 1.5, longitude: -2 }),
    ],
    [
      'properties.update',
      (path) => agent.mutate(path, { propertyId: listing.propertyId, bathroomsTotal: 1.5 }),
    ],
    [
      'properties.setStatus',
      (path) => agent.mutate(path, { propertyId: listing.propertyId, standardStatus: 'Active' }),
    ],
    ['properties.listMine', (path) => agent.query(path, { limit: 1 })],
    ['ai.getStagingCatalog', (path) => host.anonymous().query(path)],
    [
      'ai.submitRoomStaging',
      (path) =>
        agent.mutate(path, {
          assignments: [{ originalImageId: listing.imageId, roomType: 'OFFICE', style: 'LUXURY' }],
        }),
    ],
    ['ai.listStagingJobs', (path) => agent.query(path, { propertyId: listing.propertyId })],
    ['ai.getStagingJob', async (path) => agent.query(path, { aiJobId: await someJob() })],
    ['ai.cancelStagingJob', async (path) => agent.mutate(path, { aiJobId: await someJob() })],
    [
      'ai.listStagedVariants',
      async (path) => {
        await seedVariant(host.pool, listing, { canonicalStyle: 'INDUSTRIAL', style: 'INDUSTRIAL' });
        return agent.query(path, { propertyId: listing.propertyId });
      },
    ],
    [
      'ai.approveStagedVariant',
      async (path) => agent.mutate(path, { imageId: await seedVariant(host.pool, listing) }),
    ],
    [
      'ai.rejectStagedVariant',
      async (path) =>
        agent.mutate(path, {
          imageId: await seedVariant(host.pool, listing, { canonicalStyle: 'FARMHOUSE', style: 'FARMHOUSE' }),
        }),
    ],
  ];

  const near = { latitude: 47.6, longitude: -122.3 };
  const ofListing = (path: string) => host.anonymous().query(path, { propertyId: listing.propertyId });
  const browsing: typeof calls = [
    ['home.getFeatured', (path) => host.anonymous().query(path, {})],
    ['home.getNearby', (path) => host.anonymous().query(path, near)],
    ['home.getPlaces', (path) => host.anonymous().query(path)],
    ['search.list', (path) => host.anonymous().query(path, { filters: {}, sort: 'NEWEST' })],
    [
      'search.map',
      (path) => host.anonymous().query(path, { filters: {}, bbox: [-123, 47, -122, 48], zoom: 9 }),
    ],
    ['search.suggestLocations', (path) => host.anonymous().query(path, { text: 'Spring' })],
    ['search.featureCounts', (path) => host.anonymous().query(path, {})],
    ['search.placeNames', (path) => host.anonymous().query(path, { bbox: [-123, 47, -122, 48], zoom: 9 })],
    ['search.getFilterCatalog', (path) => host.anonymous().query(path)],
    ['properties.getDetail', ofListing],
    ['properties.getPriceHistory', ofListing],
    ['properties.getNeighborhoodStats', ofListing],
    ['properties.getAgentCard', ofListing],
    ['properties.listSimilar', ofListing],
    ['favorites.add', (path) => agent.mutate(path, { propertyId: listing.propertyId })],
    ['favorites.list', (path) => agent.query(path, {})],
    ['favorites.listIds', (path) => agent.query(path)],
    ['favorites.remove', (path) => agent.mutate(path, { propertyId: listing.propertyId })],
    ['tours.listMine', (path) => agent.query(path, {})],
    ['tours.listForAgent', (path) => agent.query(path, {})],
    ['tours.request', async (path) => (await host.signedIn({ role: 'customer' })).mutate(path, aTour())],
    [
      'tours.get',
      async (path) => {
        const customer = await host.signedIn({ role: 'customer' });
        const { tourId } = (await customer.mutate('tours.request', aTour())).data;
        return customer.query(path, { tourId });
      },
    ],
    ['ai.requestDescription', (path) => agent.mutate(path, { propertyId: listing.propertyId, locale: 'en' })],
  ];
  calls.push(...browsing);

  /** Two days ahead at noon, a time at which the homes of tests can be shown. */
  function aTour(): object {
    const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    return {
      propertyId: listing.propertyId,
      slots: [{ startsAt: `${day}T18:00:00Z`, endsAt: `${day}T18:30:00Z` }],
    };
  }

  async function someJob(): Promise<string> {
    const original = { ...listing, objectKey: 'o', providerInputKey: 'i' };
    const { jobId } = await seedStagingJob(host.pool, {
      original,
      canonicalStyle: 'SCANDINAVIAN',
      job: { dedupeKey: crypto.randomUUID() },
    });
    return jobId;
  }

  test.each(calls)('%s', async (path, call) => {
    const answer = await call(path);
    expect(answer.status, answer.text).toBe(200);
    expect(misfits(byProcedure.get(path) ?? '', answer.data)).toEqual([]);
  });

  test('uploads and changes of images', async () => {
    const uploaded = await agent.upload(await corners().jpeg().toBuffer(), {
      propertyId: listing.propertyId,
    });
    expect([uploaded.status, misfits('PropertyImage', uploaded.body)]).toEqual([201, []]);
    const staged = await seedVariant(host.pool, listing, {
      canonicalStyle: 'TRADITIONAL',
      style: 'TRADITIONAL',
    });
    const patched = await agent.send('PATCH', `/api/property-images/${staged}`, { body: '{"isMain":true}' });
    expect([patched.status, misfits('RouteRefusal', patched.body)]).toEqual([400, []]);
  });

  test.each([
    ['nobody’s', () => host.anonymous().query('users.getMe')],
    ['about input', () => agent.mutate('properties.create', { listPrice: -1 })],
    ['an unknown procedure’s', () => agent.query('no.where')],
    ['a batch’s', () => agent.send('GET', '/api/trpc/users.getMe,users.getMe?batch=1')],
  ])('an error that is %s', async (_what, call) => {
    const { body } = await call();
    expect(misfits('ProcedureRefusal', body.error.json)).toEqual([]);
  });

  test('an error under /api/auth', async () => {
    const given = JSON.stringify({ email: 'a@example.com', otp: '000000' });
    const { body } = await host.anonymous().send('POST', '/api/auth/sign-in/email-otp', { body: given });
    expect(misfits('SignInRefusal', body)).toEqual([]);
  });
});

test.each(PLAIN_ROUTES.map(({ method, path }) => [method, path] as const))(
  'the route %s %s exists',
  async (method, path) => {
    const there = path.replace(/\{\w+\}/, crypto.randomUUID());
    // An existing path answers a wrong method with 405 and its allowed methods; no route has `OPTIONS`.
    const answer = await host.anonymous().send('OPTIONS', there);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')?.split(', ')).toContain(method);
  },
);
