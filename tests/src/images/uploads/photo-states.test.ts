import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { createOperations } from '../../../../src/operations/catalogue.ts';
import { giveVerdicts } from '../../../support/database/photo-verdicts.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import { ask, storedOriginal, storedVariant } from '../../../support/pictures/stored-pictures.ts';
import { actorSystemOf } from '../../../support/worlds/tour-visits.ts';

/** What people may see and do of a photo in each state of its check (docs/contract.md#intake). */
const host = useApiHost();
let agent: Person;
let photo: Buffer;
let propertyId: string;
let imageId: string;
let variantId: string;
beforeAll(async () => {
  agent = await host.signedIn();
  photo = await noisy(700, 600).jpeg().toBuffer();
});
beforeEach(async () => {
  propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, standardStatus: 'Active' });
  const original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
  imageId = original.imageId;
  variantId = await storedVariant(host, original, { bytes: photo, format: 'jpeg', reviewStatus: 'APPROVED' });
});

/** Writes what a worker finds: like the staged picture of this listing. */
async function found({ isQuestion = false, isOlder = false } = {}): Promise<void> {
  await host.rows(
    `update photo_checks set verdict = 'STAGED_PICTURE', "checkedAt" = now(), "nearestId" = $2, "likeStaged" = 0.97,
       "likePhoto" = 0.4, "isQuestion" = $3, "isOlder" = $4, "nextTryAt" = null where "imageId" = $1`,
    [imageId, variantId, isQuestion, isOlder],
  );
}
const wait = () =>
  host.rows(
    `update photo_checks set verdict = null, "checkedAt" = null, "nextTryAt" = now() where "imageId" = $1`,
    [imageId],
  );
const STATES = {
  WAITING: wait,
  QUESTION: () => found({ isQuestion: true }),
  STAGED_PICTURE: () => found(),
} as const;

/** The pictures of the listing's page, and those that anyone may load. */
async function shown(): Promise<string[][]> {
  const { data } = await host.anonymous().query('properties.getDetail', { propertyId });
  const loaded = [];
  for (const id of [imageId, variantId])
    if ((await ask(host, `/api/images/${id}?w=64&format=jpeg`)).status === 200) loaded.push(id);
  const exported = await agent.query('disclosure.check', { propertyId });
  expect(exported.status).toBe(200);
  return [data.images.map((image: { imageId: string }) => image.imageId), loaded];
}
const mine = async () => (await agent.query('properties.getMine', { propertyId })).data.photos[0];
const patch = (change: object) =>
  agent.send('PATCH', `/api/property-images/${imageId}`, { body: JSON.stringify(change) });

describe.each(Object.keys(STATES) as (keyof typeof STATES)[])('while a photo is %s', (state) => {
  test('neither it nor what is staged of it is public, and its agents see why', async () => {
    await STATES[state]();
    expect(await shown()).toEqual([[], []]);
    expect((await ask(host, `/api/images/${imageId}`, { as: agent })).status).toBe(200);
    expect(await mine()).toMatchObject({
      photoState: state,
      stagedImageId: state === 'WAITING' ? null : variantId,
      stagingRefusal: state === 'WAITING' ? null : 'IMAGE_NOT_ORIGINAL',
    });
  });
});

test('a photo with its verdict is public, with what is staged of it', async () => {
  expect(await shown()).toEqual([
    [imageId, variantId],
    [imageId, variantId],
  ]);
  await wait();
  await giveVerdicts(host.pool);
  expect((await shown())[0]).toEqual([imageId, variantId]);
});

test('a question is answered by an agent of the listing, once, and operators see it', async () => {
  await found({ isQuestion: true });
  expect((await patch({ isTruePhoto: true })).body).toMatchObject({
    photoState: 'PHOTO',
    stagedImageId: null,
  });
  expect((await shown())[0]).toEqual([imageId, variantId]);
  const rows = await host.rows(
    'select "answeredBy", "answeredByUserId" from photo_checks where "imageId" = $1',
    [imageId],
  );
  expect(rows).toEqual([{ answeredBy: 'AGENT', answeredByUserId: agent.id }]);
  expect((await patch({ isTruePhoto: true })).status).toBe(200);
});

test('no agent accepts a refused photo or one that waits, and a refused one is no cover', async () => {
  await wait();
  expect(await patch({ isTruePhoto: true })).toMatchObject({ status: 409, errorCode: 'CONFLICT' });
  await found();
  const refused = await patch({ isTruePhoto: true });
  expect(refused).toMatchObject({ status: 422, errorCode: 'STAGED_PICTURE' });
  expect(refused.body.error.details).toEqual({ stagedImageId: variantId });
  expect(await patch({ isMain: true })).toMatchObject({ status: 400, errorCode: 'STAGED_CANNOT_BE_MAIN' });
});

test('a refused photo is not staged, and its open jobs are canceled', async () => {
  await agent.mutate('ai.submitRoomStaging', {
    assignments: [{ originalImageId: imageId, roomType: 'LIVING_ROOM', style: 'LUXURY' }],
  });
  await found();
  const again = await agent.mutate('ai.submitRoomStaging', {
    assignments: [{ originalImageId: imageId, roomType: 'LIVING_ROOM', style: 'FARMHOUSE' }],
  });
  expect(again.errorCode).toBe('IMAGE_NOT_ORIGINAL');
  const jobs = await host.rows('select status from ai_jobs where "propertyId" = $1', [propertyId]);
  expect(jobs).toEqual([{ status: 'CANCELED' }]);
});

test('an operator accepts a refused photo, and refuses an older one, each with a reason', async () => {
  const operations = createOperations({
    pool: host.pool,
    actorSystem: actorSystemOf(host),
    clock: { now: () => Date.now() },
    outputHosts: [],
    confirmation: null,
    scrub: (text) => text,
  });
  const run = (name: string) =>
    operations.find(name)!.run(imageId, { by: 'ada', reason: 'seen by the owner' });
  expect((await run('accept-photo')).outcome).toBe('missing');
  await found();
  expect(await run('accept-photo')).toMatchObject({ outcome: 'applied', state: 'PHOTO' });
  expect(await run('accept-photo')).toMatchObject({ outcome: 'ignored' });
  expect((await shown())[0]).toEqual([imageId, variantId]);
  expect(await run('refuse-photo')).toMatchObject({ outcome: 'applied', state: 'STAGED_PICTURE' });
  // An answer may be repeated for a second.
  await expect.poll(shown, { timeout: 5_000 }).toEqual([[], []]);
  const acts = await host.rows('select act, by from operator_acts where "propertyId" = $1 order by at, act', [
    propertyId,
  ]);
  expect(acts).toEqual([
    { act: 'accept-photo', by: 'operator:ada' },
    { act: 'refuse-photo', by: 'operator:ada' },
  ]);
});

test('a private staged picture has its label drawn in, an approved one has not', async () => {
  const plain = await noisy(700, 600).jpeg().toBuffer();
  const original = await storedOriginal(host, { propertyId, bytes: plain, format: 'jpeg' });
  const pending = await storedVariant(host, original, {
    bytes: plain,
    format: 'jpeg',
    reviewStatus: 'PENDING_REVIEW',
  });
  const corner = async (id: string, as?: Person) => {
    const { bytes } = await ask(host, `/api/images/${id}?w=640&format=webp`, { as });
    return darkShare(bytes);
  };
  expect(await corner(pending, agent)).toBeGreaterThan(0.5);
  expect(await corner(variantId)).toBeLessThan(0.2);
});

/** How much of the label's place is nearly black. */
async function darkShare(picture: Buffer): Promise<number> {
  const { height } = await sharp(picture).metadata();
  const { data } = await sharp(picture)
    .extract({ left: 22, top: height - 40, width: 80, height: 20 })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data.filter((value) => value < 90).length / data.length;
}
