import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FeedSimulator, startFeedSimulator } from '../../../ops/feed-simulator/server.ts';
import { eventually } from '../../support/eventually.ts';
import { signIn } from '../../support/platform/agent.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { openPublicPlaces } from '../../support/platform/public-places.ts';
import { emptySource, feedPorts, startedFeed } from '../../support/worlds/feed-world.ts';

/** A feed, a worker as it is, and what people see of the pictures. */
let platform: TestPlatform;
let simulator: FeedSimulator;
beforeAll(async () => {
  simulator = await startFeedSimulator({ listings: 4, media: 2 });
  platform = await startTestPlatform({ workers: 0 });
  await (await platform.startWorker({ FEED_TEST_TOKEN: 'secret' })).ready;
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await simulator.close();
});

test('the pictures of a feed are seen as soon as they are checked, and nowhere two seconds after the record that forbids one', async () => {
  const ports = feedPorts(platform.pool, emptySource(), { now: () => Date.now() });
  const id = await startedFeed(ports, Date.now(), {
    baseUrl: simulator.url,
    credentials: 'FEED_TEST_TOKEN',
  });
  const [shown] = await eventually(
    async () => {
      const rows = await platform.rows<{ propertyId: string; listing: string; key: string; imageId: string }>(
        `select i."propertyId", p."originatingSystemKey" as listing, m.key, i.id as "imageId"
         from feed_media m join property_images i on i.id = m."imageId" join properties p on p.id = i."propertyId"
         where p."feedId" = $1 and p."standardStatus" = 'Active' and i."isMain" and i."photoState" = 'PHOTO'
           and p."searchDirtyAt" is null and not exists (select from feed_media w where w.state = 'WAITING')`,
        [id],
      );
      return rows.length > 0 && rows;
    },
    { what: 'the pictures of the feed', timeoutMs: 60_000 },
  );
  if (shown === undefined) throw new Error('no listing of the feed is active');
  const { propertyId, listing, key, imageId } = shown;
  expect(simulator.control.pictures()).toHaveLength(8);
  const places = await openPublicPlaces({ platform, agent: await signIn(platform), propertyId });
  const seen = ['search.list', 'favorites.list', 'favorites.getShared', 'properties.getDetail', 'image'];
  await eventually(
    async () => {
      const now = (await places([imageId]))[imageId] ?? [];
      return seen.every((place) => now.includes(place));
    },
    { what: 'the photo' },
  );
  const { store } = simulator.control;
  const record = store.get('Property', listing);
  if (record === undefined) throw new Error('the listing is gone');
  const media = store.body(record, true).Media as Record<string, unknown>[];
  store.set('Property', listing, {
    Media: media.map((one) => (one.MediaKey === key ? { ...one, Permission: ['Private'] } : one)),
  });
  await platform.rows('update feeds set "nextLookAt" = null');
  await eventually(
    async () =>
      (await platform.rows(`select from feed_media where key = $1 and state = 'REFUSED'`, [key])).length > 0,
    { what: 'the record of the feed' },
  );
  await eventually(async () => (await places([imageId]))[imageId]?.length === 0, {
    what: 'no place with the picture',
    timeoutMs: 2_000,
  });
}, 180_000);
