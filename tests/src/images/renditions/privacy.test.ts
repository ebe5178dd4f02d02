import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedProperty } from '../../../support/database/seed.ts';
import { eventually } from '../../../support/eventually.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { movableClock } from '../../../support/pictures/kept-copies.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import {
  ask,
  drainEverything,
  looks,
  storedDrift,
  storedOriginal,
  storedVariant,
  told,
} from '../../../support/pictures/stored-pictures.ts';

/** docs/contract.md#permission: a private picture is answered like an unknown one to callers without access. */
const clock = movableClock();
let owner: Person;
let assigned: Person;
let outsiders: [string, Person | undefined][];
let photo: Buffer;
let propertyId: string;
let original: { imageId: string; propertyId: string; objectKey: string };
let variantId: string;
const host = useApiHost({ overrides: { clock } });
beforeAll(async () => {
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

const QUERIES = ['', '?w=128', '?w=128&format=webp', '?format=avif&q=40&w=64'];
const setStatus = async (status: string) => {
  await host.rows('update properties set "standardStatus" = $2 where id = $1', [propertyId, status]);
  clock.forgetKept();
};
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
  const caching =
    imageId === variantId ? 'public, max-age=60, must-revalidate' : 'public, max-age=86400, immutable';
  for (const person of [undefined, owner, ...outsiders.map(([, one]) => one)]) {
    for (const query of ['', '?w=128&format=webp']) {
      const answer = await ask(host, `/api/images/${imageId}${query}`, { as: person });
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, caching]);
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
    clock.forgetKept();
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

describe('a heat map', () => {
  let heatMap: Buffer;
  beforeEach(async () => {
    heatMap = await storedDrift(host, variantId);
  });
  const path = (imageId = variantId) => `/api/images/${imageId}/drift`;

  async function expectUnknown(person: Person | undefined, imageId = variantId): Promise<void> {
    for (const method of ['GET', 'HEAD'] as const) {
      const asking = { as: person, method, headers: { 'if-none-match': '*' } };
      const [hidden, unknown] = [
        await ask(host, path(imageId), asking),
        await ask(host, path(randomUUID()), asking),
      ];
      expect([hidden.status, hidden.headers['cache-control']]).toEqual([404, 'no-store']);
      expect(told(hidden)).toEqual(told(unknown));
    }
  }

  test('of a picture that waits for review is shown to the agents of its listing only', async () => {
    for (const person of [owner, assigned]) {
      const { status, headers, bytes } = await ask(host, path(), { as: person });
      expect([status, bytes.equals(heatMap)]).toEqual([200, true]);
      expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'private, no-store' });
      expect(headers).not.toHaveProperty('etag');
    }
    for (const [, person] of outsiders) await expectUnknown(person);
  });

  test('of an approved picture is public as the picture is, and private again with its listing', async () => {
    await host.rows(`update drift_comparisons set "nextTryAt" = null where "comparedAt" is null`);
    await owner.mutate('ai.approveStagedVariant', { imageId: variantId });
    const open = await ask(host, path());
    expect([open.status, open.bytes.equals(heatMap)]).toEqual([200, true]);
    expect(open.headers['cache-control']).toBe('public, max-age=60, must-revalidate');
    const known = await ask(host, path(), { headers: { 'if-none-match': open.headers.etag ?? '' } });
    expect(known.status).toBe(304);
    await setStatus('Incomplete');
    for (const [, person] of outsiders) await expectUnknown(person);
    expect((await ask(host, path(), { as: owner })).status).toBe(200);
  });

  test('of an original, of a picture without one, and of a rejected picture is not found', async () => {
    await expectUnknown(undefined, original.imageId);
    const other = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
    const plain = await storedVariant(host, other, {
      bytes: photo,
      format: 'jpeg',
      reviewStatus: 'PENDING_REVIEW',
    });
    await expectUnknown(owner, plain);
    await owner.mutate('ai.rejectStagedVariant', { imageId: variantId });
    await expectUnknown(owner);
    const kept = `select "heatMapKey", score from drift_comparisons where "stagedImageId" = $1`;
    expect(await host.rows(kept, [variantId])).toEqual([{ heatMapKey: null, score: 0.8 }]);
    await drainEverything(host);
    expect((await host.objectKeys()).filter((key) => key.startsWith(`drift/${variantId}`))).toEqual([]);
  });

  test('is named to the agents in ai.listStagedVariants, with labels in their language', async () => {
    const { data } = await owner.query('ai.listStagedVariants', { propertyId });
    expect(data.items[0].drift).toMatchObject({
      score: 0.8,
      geometryMoved: true,
      flags: [{ flag: 'GEOMETRY_MOVED', label: 'The room’s shape may have changed' }],
      boxes: [{ left: 0.1, top: 0.2, width: 0.3, height: 0.1 }],
      heatMapUrl: `https://api.example.com${path()}`,
    });
  });
});
