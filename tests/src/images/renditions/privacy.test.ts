import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedProperty } from '../../../support/database/seed.ts';
import { eventually } from '../../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import {
  ask,
  drainEverything,
  looks,
  storedOriginal,
  storedVariant,
  told,
} from '../../../support/pictures/stored-pictures.ts';

/** docs/contract.md#permission: a private picture is answered like an unknown one to callers without access. */
let host: ApiHost;
let owner: Person;
let assigned: Person;
let outsiders: [string, Person | undefined][];
let photo: Buffer;
let propertyId: string;
let original: { imageId: string; propertyId: string; objectKey: string };
let variantId: string;
beforeAll(async () => {
  host = await startApiHost();
  [owner, assigned] = [await host.signedIn(), await host.signedIn()];
  outsiders = [
    ['nobody', undefined],
    ['a customer', await host.signedIn({ role: 'customer' })],
    ['another agent', await host.signedIn()],
  ];
  photo = await noisy(600, 600).jpeg().toBuffer();
});
beforeEach(async () => {
  propertyId = await seedProperty(host.pool, { ownerAgentId: owner.id });
  await host.rows('insert into property_agents values ($1, $2)', [propertyId, assigned.id]);
  original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
  variantId = await storedVariant(host, original, {
    bytes: photo,
    format: 'jpeg',
    reviewStatus: 'PENDING_REVIEW',
  });
});
afterAll(() => host.stop());

const QUERIES = ['', '?w=128', '?w=128&format=webp', '?format=avif&q=40&w=64'];
const setStatus = (status: string) =>
  host.rows('update properties set "standardStatus" = $2 where id = $1', [propertyId, status]);
const renditionsOf = async (imageId: string) =>
  (await host.objectKeys()).filter((key) => key.startsWith(`renditions/${imageId}/`));

/** All combinations would be hundreds of requests; each of these differs from the first in one respect. */
async function expectHidden(imageId: string, { tags = [] }: { tags?: string[] } = {}): Promise<void> {
  const ways: { query: string; method?: 'GET' | 'HEAD'; tag?: string }[] = [
    ...QUERIES.map((query) => ({ query })),
    { query: '', method: 'HEAD' },
    ...['*', ...tags].map((tag) => ({ query: '', tag })),
  ];
  for (const [, person] of outsiders) {
    for (const { query, method = 'GET' as const, tag } of ways) {
      const headers: Record<string, string> = tag === undefined ? {} : { 'if-none-match': tag };
      const asking = { as: person, method, headers };
      const hidden = await ask(host, `/api/images/${imageId}${query}`, asking);
      const unknown = await ask(host, `/api/images/${randomUUID()}${query}`, asking);
      expect(hidden.status).toBe(404);
      expect(hidden.headers['cache-control']).toBe('no-store');
      expect(hidden.headers).not.toHaveProperty('etag');
      expect(told(hidden)).toEqual(told(unknown));
    }
  }
}

async function expectForAgentsOnly(imageId: string, tags: string[] = []): Promise<void> {
  for (const person of [owner, assigned]) {
    const whole = await ask(host, `/api/images/${imageId}`, { as: person });
    // A staged picture is answered with its marks, so not as it is stored.
    expect([whole.status, whole.bytes.equals(photo)]).toEqual([200, imageId === original.imageId]);
    expect(await looks(whole.bytes)).toBe('jpeg 600x600');
    const small = await ask(host, `/api/images/${imageId}?w=128&format=webp`, { as: person });
    expect(await looks(small.bytes)).toBe('webp 128x128');
    const again = await ask(host, `/api/images/${imageId}?w=128`, {
      as: person,
      headers: { 'if-none-match': '*' },
    });
    expect(again.status).toBe(200);
    const head = await ask(host, `/api/images/${imageId}`, { as: person, method: 'HEAD' });
    for (const { headers } of [whole, small, again, head]) {
      expect(headers['cache-control']).toBe('private, no-store');
      expect(headers).not.toHaveProperty('etag');
    }
  }
  await expectHidden(imageId, { tags });
}

const expectStored = (imageId: string, count: number) =>
  eventually(async () => (await renditionsOf(imageId)).length === count, { what: `${count} stored copies` });

async function expectPublic(imageId: string): Promise<string> {
  for (const person of [undefined, owner, ...outsiders.map(([, one]) => one)]) {
    for (const query of ['', '?w=128&format=webp']) {
      const answer = await ask(host, `/api/images/${imageId}${query}`, { as: person });
      expect([answer.status, answer.headers['cache-control']]).toEqual([
        200,
        'public, max-age=86400, immutable',
      ]);
    }
  }
  return (await ask(host, `/api/images/${imageId}`)).headers.etag ?? '';
}

describe('a staged image', () => {
  test('waiting for review is shown only to the agents of its listing, and no copy is stored', async () => {
    await expectForAgentsOnly(variantId);
    expect(await renditionsOf(variantId)).toEqual([]);
    expect(await host.rows('select 1 from image_renditions')).toEqual([]);
    // Not even temporarily: a guard would have stayed.
    const guarded = 'select 1 from storage_deletion_outbox where "objectKey" like $1';
    expect(await host.rows(guarded, [`renditions/${variantId}/%`])).toEqual([]);
  });

  test('approved is public, at the same URL', async () => {
    const approved = await owner.mutate('ai.approveStagedVariant', { imageId: variantId });
    expect(approved.status).toBe(200);
    await expectPublic(variantId);
    await expectStored(variantId, 2);
  });

  test('rejected is not found, even for its agents', async () => {
    await expectForAgentsOnly(variantId);
    const rejected = await owner.mutate('ai.rejectStagedVariant', { imageId: variantId });
    expect(rejected.status).toBe(200);
    await expectHidden(variantId);
    for (const person of [owner, assigned]) {
      const old = await ask(host, `/api/images/${variantId}`, { as: person });
      expect(told(old)).toEqual(told(await ask(host, `/api/images/${randomUUID()}`, { as: person })));
    }
    await drainEverything(host);
    expect((await host.objectKeys()).filter((key) => key.includes(original.imageId))).toEqual([]);
  });

  test('deleted with its original after approval: old URLs and tags are no longer valid', async () => {
    await owner.mutate('ai.approveStagedVariant', { imageId: variantId });
    const tags = [await expectPublic(variantId), await expectPublic(original.imageId)];
    await expectStored(variantId, 2);
    const deleted = await owner.send('DELETE', `/api/property-images/${original.imageId}`);
    expect(deleted.status).toBe(200);
    for (const id of [variantId, original.imageId]) await expectHidden(id, { tags });
    await drainEverything(host);
    expect(await renditionsOf(variantId)).toEqual([]);
    expect(await renditionsOf(original.imageId)).toEqual([]);
    expect(await host.objectKeys()).not.toContain(original.objectKey);
  });
});

describe.each(['Incomplete', 'Delete'])('a listing that is %s', (status) => {
  test('shows its pictures only to its agents, even pictures that were public before', async () => {
    await owner.mutate('ai.approveStagedVariant', { imageId: variantId });
    const tags = [await expectPublic(original.imageId), await expectPublic(variantId)];
    await setStatus(status);
    for (const id of [original.imageId, variantId]) await expectForAgentsOnly(id, tags);
    await setStatus('Active');
    expect(await expectPublic(original.imageId)).toBe(tags[0]);
  });

  test('stores no new copies', async () => {
    await setStatus(status);
    await expectForAgentsOnly(original.imageId);
    expect(await renditionsOf(original.imageId)).toEqual([]);
  });
});

test.each(['Closed', 'Hold', 'Withdrawn', 'Coming Soon', 'Expired'])(
  'a listing that is %s still shows its pictures',
  async (status) => {
    await setStatus(status);
    await expectPublic(original.imageId);
  },
);

test("an unassigned agent no longer sees the listing's private pictures", async () => {
  expect((await ask(host, `/api/images/${variantId}`, { as: assigned })).status).toBe(200);
  await host.rows('delete from property_agents where "agentId" = $1', [assigned.id]);
  const after = await ask(host, `/api/images/${variantId}`, { as: assigned });
  expect(told(after)).toEqual(told(await ask(host, `/api/images/${randomUUID()}`, { as: assigned })));
});

test('a signed-out caller gets no hint to sign in', async () => {
  const forged = { cookie: '__Host-better-auth.session_token=x.y' };
  const [hidden, unknown] = [
    await ask(host, `/api/images/${variantId}`, { headers: forged }),
    await ask(host, `/api/images/${randomUUID()}`, { headers: forged }),
  ];
  expect(hidden.status).toBe(404);
  expect(told(hidden)).toEqual(told(unknown));
});
