import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentKey } from '../../../../src/search/document.ts';
import { RENDERING_LIMITS } from '../../../../src/website/rendering.ts';
import { seedOriginal, seedProperty, seedVariant } from '../../../support/database/seed.ts';
import { eventually } from '../../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import {
  pictureSurfaces,
  shareList,
  shownPictures,
  type Views,
} from '../../../support/http/picture-surfaces.ts';
import { sharedStack } from '../../../support/platform/stack.ts';
import { isRebuilt, startRebuilder } from '../../../support/worlds/search-workers.ts';
import { type SetClock, setClock } from '../../../support/worlds/tour-visits.ts';

/**
 * Every surface that shows pictures of homes, at each step of a picture's life: withdrawn, shown again, gone with its
 * original (docs/contract.md#withdrawing). Real photos beside it are always there.
 */
const PLACE = { city: 'Hiding', latitude: 47.6, longitude: -122.3 };
/** A logical database of the store that no other test file uses, because it is flushed. */
const kvUrl = new URL(sharedStack().kvUrl);
kvUrl.pathname = '/14';

let host: ApiHost;
let clock: SetClock;
let redis: Redis;
let agent: Person;
let views: Views;
let propertyId: string;
let photo: string;
let otherPhoto: string;
let staged: string;
beforeAll(async () => {
  clock = setClock();
  host = await startApiHost({
    kvUrl: kvUrl.href,
    settings: { SITE_ENABLED: 'true' },
    overrides: clock.overrides,
  });
  redis = new Redis(kvUrl.href);
  agent = await host.signedIn();
  propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, ...PLACE });
  const neighbor = await seedProperty(host.pool, { ownerAgentId: agent.id, ...PLACE });
  const original = await seedOriginal(host.pool, { propertyId, position: 0, isMain: true });
  photo = original.imageId;
  otherPhoto = (await seedOriginal(host.pool, { propertyId, position: 1 })).imageId;
  staged = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
  const customer = await host.signedIn({ role: 'customer' });
  await customer.mutate('favorites.add', { propertyId });
  views = {
    visitor: host.anonymous(),
    customer,
    sharedList: await shareList(customer),
    propertyId,
    neighbor,
  };
});
afterAll(async () => {
  await redis.flushdb();
  redis.disconnect();
  await host.stop();
});

/** All documents are lost and written again; the pictures in this listing's. */
async function rebuiltDocument(): Promise<string[]> {
  await redis.flushdb();
  const worker = await startRebuilder({ pool: host.pool, redis, holder: 'a' });
  await eventually(() => isRebuilt(host.pool, redis), { what: 'the rebuild to end' });
  await worker.stop();
  const { images = '[]' } = await redis.hgetall(documentKey(propertyId));
  return JSON.parse(images).map(({ imageId }: { imageId: string }) => imageId);
}

/** Which of the three pictures the listing's page of the site names, in its own document. */
async function onThePage(): Promise<string[]> {
  clock.at += RENDERING_LIMITS.freshMs;
  const { status, text } = await host.anonymous().send('GET', `/properties/${propertyId}`);
  expect(status).toBe(200);
  return [photo, staged, otherPhoto].filter((imageId) => text.includes(imageId));
}

const STEPS: [string, () => Promise<unknown>, () => string[]][] = [
  ['approved', async () => {}, () => [photo, staged, otherPhoto]],
  [
    'withdrawn',
    () => agent.mutate('ai.withdrawStagedVariant', { imageId: staged }),
    () => [photo, otherPhoto],
  ],
  [
    'shown again',
    () => agent.mutate('ai.liftWithdrawal', { imageId: staged }),
    () => [photo, staged, otherPhoto],
  ],
  ['gone with its original', () => agent.send('DELETE', `/api/property-images/${photo}`), () => [otherPhoto]],
];

test.each(STEPS)('%s', async (_, step, shown) => {
  await step();
  const everywhere = async () => Object.values(await shownPictures(views));
  const expected = Object.keys(pictureSurfaces(views)).map(() => shown());
  // At once, with the document from before the step; then with the new one.
  expect(await everywhere()).toEqual(expected);
  expect(await onThePage()).toEqual(shown());
  expect(await rebuiltDocument()).toEqual(shown());
  expect(await everywhere()).toEqual(expected);
});
