import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedStagingJob, seedVariant } from '../../persistence/seed.ts';
import { corners } from '../images/photo-fixtures.ts';
import { type ApiHost, startApiHost } from './api-host.ts';
import type { Answer, Person } from './person.ts';

/** Decisions.md section 1: for everyone else the answer is, byte by byte, that for an id that does not exist. */
let host: ApiHost;
let stranger: Person;
let customer: Person;
let jobId: string;
let imageId: string;
let variantId: string;
let propertyId: string;
let photo: Buffer;
beforeAll(async () => {
  host = await startApiHost();
  const owner = await host.signedIn();
  stranger = await host.signedIn();
  customer = await host.signedIn({ role: 'customer' });
  ({ propertyId, imageId } = await host.listing(owner));
  variantId = await seedVariant(host.pool, { propertyId, imageId });
  const original = { propertyId, imageId, objectKey: '', providerInputKey: '' };
  ({ jobId } = await seedStagingJob(host.pool, { original }));
  photo = await corners().jpeg().toBuffer();
});
afterAll(() => host.stop());

const idOf = (missing: boolean) => (missing ? randomUUID() : propertyId);
/** Each call with an id to fill in: one that exists and belongs to another, or one that does not exist. */
const calls: [string, (person: Person, missing: boolean) => Promise<Answer>][] = [
  ['ai.getStagingJob', (p, m) => p.query('ai.getStagingJob', { aiJobId: m ? randomUUID() : jobId })],
  ['ai.cancelStagingJob', (p, m) => p.mutate('ai.cancelStagingJob', { aiJobId: m ? randomUUID() : jobId })],
  [
    'ai.listStagingJobs',
    (p, m) => p.query('ai.listStagingJobs', { propertyId: m ? randomUUID() : propertyId }),
  ],
  [
    'ai.listStagedVariants of a property',
    (p, m) => p.query('ai.listStagedVariants', { propertyId: m ? randomUUID() : propertyId }),
  ],
  [
    'ai.listStagedVariants of an original',
    (p, m) => p.query('ai.listStagedVariants', { originalImageId: m ? randomUUID() : imageId }),
  ],
  [
    'ai.approveStagedVariant',
    (p, m) => p.mutate('ai.approveStagedVariant', { imageId: m ? randomUUID() : variantId }),
  ],
  [
    'ai.rejectStagedVariant',
    (p, m) => p.mutate('ai.rejectStagedVariant', { imageId: m ? randomUUID() : variantId }),
  ],
  [
    'ai.submitRoomStaging',
    (p, m) =>
      p.mutate('ai.submitRoomStaging', {
        assignments: [{ originalImageId: m ? randomUUID() : imageId, roomType: 'OFFICE', style: 'MODERN' }],
      }),
  ],
  [
    'ai.submitRoomStaging of a staged image',
    (p, m) =>
      p.mutate('ai.submitRoomStaging', {
        assignments: [{ originalImageId: m ? randomUUID() : variantId, roomType: 'OFFICE', style: 'MODERN' }],
      }),
  ],
  [
    'properties.update',
    (p, m) => p.mutate('properties.update', { propertyId: m ? randomUUID() : propertyId, city: 'X' }),
  ],
  ['properties.listAgents', (p, m) => p.query('properties.listAgents', { propertyId: idOf(m) })],
  ...['assignAgent', 'unassignAgent', 'transferOwnership'].map(
    (name): [string, (p: Person, m: boolean) => Promise<Answer>] => [
      `properties.${name}`,
      (p, m) => p.mutate(`properties.${name}`, { propertyId: idOf(m), agentId: stranger.id }),
    ],
  ),
  [
    'properties.setStatus',
    (p, m) =>
      p.mutate('properties.setStatus', {
        propertyId: m ? randomUUID() : propertyId,
        standardStatus: 'Closed',
        closePrice: 250_000,
        closeDate: '2026-01-15',
      }),
  ],
];
const patch = (id: string, isMain: boolean) => ({
  method: 'PATCH',
  path: `/api/property-images/${id}`,
  init: { body: JSON.stringify({ isMain }) },
});
const routes: [string, (person: Person, missing: boolean) => Promise<Answer>][] = [
  ['POST', (p, m) => p.upload(photo, { propertyId: m ? randomUUID() : propertyId })],
  ...[true, false].flatMap((isMain): [string, (p: Person, m: boolean) => Promise<Answer>][] => [
    [
      `PATCH ${isMain} of an original`,
      (p, m) => {
        const { method, path, init } = patch(m ? randomUUID() : imageId, isMain);
        return p.send(method, path, init);
      },
    ],
    [
      `PATCH ${isMain} of a staged image`,
      (p, m) => {
        const { method, path, init } = patch(m ? randomUUID() : variantId, isMain);
        return p.send(method, path, init);
      },
    ],
  ]),
  ['DELETE of an original', (p, m) => p.send('DELETE', `/api/property-images/${m ? randomUUID() : imageId}`)],
  [
    'DELETE of a staged image',
    (p, m) => p.send('DELETE', `/api/property-images/${m ? randomUUID() : variantId}`),
  ],
];

const seen = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
});

describe.each(calls)('%s', (_, call) => {
  test('a stranger learns nothing', async () => {
    const theirs = await call(stranger, false);
    expect([theirs.status, theirs.errorCode]).toEqual([404, 'NOT_FOUND']);
    expect(seen(theirs)).toEqual(seen(await call(stranger, true)));
  });
  test('a customer is told to become an agent, whatever the id', async () => {
    const theirs = await call(customer, false);
    expect([theirs.status, theirs.errorCode]).toEqual([403, 'AGENT_REQUIRED']);
    expect(seen(theirs)).toEqual(seen(await call(customer, true)));
  });
  test('nobody is signed in', async () => {
    const theirs = await call(host.anonymous(), false);
    expect([theirs.status, theirs.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    expect(seen(theirs)).toEqual(seen(await call(host.anonymous(), true)));
  });
});

describe.each(routes)('/api/property-images %s', (_, call) => {
  test.each(['a stranger', 'a customer'])('%s learns nothing', async (who) => {
    const person = who === 'a stranger' ? stranger : customer;
    const theirs = await call(person, false);
    expect([theirs.status, theirs.errorCode]).toEqual([404, 'NOT_FOUND']);
    expect(seen(theirs)).toEqual(seen(await call(person, true)));
  });
  test('nobody is signed in', async () => {
    const theirs = await call(host.anonymous(), false);
    expect([theirs.status, theirs.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    expect(seen(theirs)).toEqual(seen(await call(host.anonymous(), true)));
  });
});

test('none of this has changed anything', async () => {
  expect(await host.rows('select status from ai_jobs')).toEqual([{ status: 'PENDING' }]);
  expect(await host.rows('select 1 from property_images')).toHaveLength(2);
  expect(await host.rows('select city, "standardStatus" from properties')).toEqual([
    { city: 'Springfield', standardStatus: 'Active' },
  ]);
  expect(await host.rows('select 1 from property_agents')).toEqual([]);
  expect(await host.rows('select 1 from actor_transitions')).toEqual([]);
  expect(await host.objectKeys()).toEqual([]);
  expect(host.searched).toEqual([]);
});
