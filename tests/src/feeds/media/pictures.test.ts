import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  FEED_LISTINGS_AGAINST_THEIR_RULE,
  LISTINGS_UNLIKE_THEIR_RECORDS,
} from '../../../../persistence/feeds/feed-invariant-sql.ts';
import { MOST_ATTEMPTS, stepPicture } from '../../../../src/feeds/media/picture-step.ts';
import { listKeys } from '../../../support/platform/stack.ts';
import { useComparisonParts } from '../../../support/worlds/comparison-parts.ts';
import { openPictureWorld, type PictureWorld } from '../../../support/worlds/picture-world.ts';

/** The pictures of feeds (docs/feeds-in.md#pictures), with the simulator, a real database, object store and decoder. */
const parts = useComparisonParts();
let world: PictureWorld;
let first: string;
beforeAll(() => {
  first = 'P000000';
});
const open = async (options: Parameters<typeof openPictureWorld>[1] = {}) => {
  await parts.database.pool.query('truncate feed_requests');
  world = await openPictureWorld(parts, options);
  await world.look();
};
beforeEach(() => open());
afterEach(async () => {
  for (const sql of [LISTINGS_UNLIKE_THEIR_RECORDS, FEED_LISTINGS_AGAINST_THEIR_RULE])
    expect((await parts.database.pool.query(sql)).rows).toEqual([]);
  await world.close();
});

const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
  (await parts.database.pool.query<T>(sql, values)).rows;
interface Row {
  key: string;
  state: string;
  reason: string | null;
  attempts: number;
  imageId: string | null;
}
const media = (listing = '') =>
  rows<Row>(`select key, state, reason, attempts, "imageId" from feed_media where key like $1 order by key`, [
    `${listing}%`,
  ]);
const mediaOf = async (key: string): Promise<Row> => (await media(key))[0] as Row;
interface Picture {
  id: string;
  key: string;
  objectKey: string;
  position: number;
  isMain: boolean;
  alteration: string | null;
  alterationBy: string | null;
  photoState: string;
}
const pictures = (listing = first) =>
  rows<Picture>(
    `select i.id, m.key, i."objectKey", i.position, i."isMain", i.alteration, i."alterationBy", i."photoState"
     from property_images i join properties p on p.id = i."propertyId" left join feed_media m on m."imageId" = i.id
     where p."originatingSystemKey" = $1 order by i.position`,
    [listing],
  );
const fetches = () => world.simulator.control.pictures().map(({ key }) => key);
/** Due now, whatever it waited for. */
const due = () =>
  rows(`update feed_media set "nextAttemptAt" = clock_timestamp() where "nextAttemptAt" is not null`);
/** The media of the first listing, changed. */
const change = async (edit: (media: Record<string, unknown>[]) => object[], listing = first) => {
  const { store } = world.simulator.control;
  const record = store.get('Property', listing);
  if (record === undefined) throw new Error('no such listing');
  store.set('Property', listing, {
    Media: edit(store.body(record, true).Media as Record<string, unknown>[]),
  });
  await world.look();
};
const edit = (index: number, more: object) =>
  change((all) => all.map((one, at) => (at === index ? { ...one, ...more } : one)));
/** Every object has its row, or a row that will delete it. */
const strayObjects = async () => {
  const { client, bucket } = parts.bucket;
  const known = await rows<{ key: string }>(
    `select "objectKey" as key from property_images union select "objectKey" from storage_deletion_outbox`,
  );
  return (await listKeys(client, bucket)).filter((key) => !known.some((one) => one.key === key));
};
const queued = async () =>
  (await rows<{ key: string }>('select "objectKey" as key from storage_deletion_outbox')).map(
    ({ key }) => key,
  );

test('a listing shows before its pictures; the first ones of all come first, each once, in the order of the feed', async () => {
  expect(await rows(`select from properties where "standardStatus" <> 'Delete'`)).toHaveLength(3);
  expect(await pictures()).toEqual([]);
  expect((await media()).map(({ state }) => state)).toEqual(Array(6).fill('WAITING'));
  await world.takeAll();
  expect(fetches().map((key) => key.slice(-2))).toEqual(['-0', '-0', '-0', '-1', '-1', '-1']);
  expect(new Set(fetches()).size).toBe(6);
  expect((await media()).map(({ state }) => state)).toEqual(Array(6).fill('TAKEN'));
  expect(await pictures()).toMatchObject([
    { key: `${first}-0`, position: 0, isMain: true, alteration: null, photoState: 'WAITING' },
    { key: `${first}-1`, position: 1, isMain: false, alteration: null, photoState: 'WAITING' },
  ]);
  // What they show is the feed's word; nothing is kept for the provider.
  expect(
    await rows(
      `select "roomType" from property_images where "roomType" = 'KITCHEN' and "providerInputKey" is null`,
    ),
  ).toHaveLength(3);
  expect(await strayObjects()).toEqual([]);
  expect(await queued()).toEqual([]);
  await world.simulator.control.store.touchAll();
  await world.look();
  await world.takeAll();
  expect(fetches()).toHaveLength(6);
});

test('a new address brings a new picture in the place of the old one; the same bytes keep it', async () => {
  await world.takeAll();
  const [before] = await pictures();
  const url = String(world.simulator.url).replace('/reso/odata', '/media/other-0.jpg');
  await edit(0, { MediaURL: url });
  expect(await pictures()).toHaveLength(2);
  await world.takeAll();
  const [after, second] = await pictures();
  expect(after).toMatchObject({ key: `${first}-0`, position: 0, isMain: true });
  expect(after?.id).not.toBe(before?.id);
  expect(await queued()).toEqual([before?.objectKey]);
  await edit(0, { MediaModificationTimestamp: '2026-06-01T00:00:00Z' });
  await world.takeAll();
  expect(fetches()).toHaveLength(8);
  expect(world.outcomes.slice(-1)).toEqual(['same']);
  expect(await pictures()).toEqual([after, second]);
});

test('the feed’s order and preferred photo are followed without a download', async () => {
  await world.takeAll();
  await change(([one, other]) => [
    { ...one, Order: 5, PreferredPhotoYN: false },
    { ...other, Order: 3, PreferredPhotoYN: true, ImageOf: 'Pool' },
  ]);
  expect(await pictures()).toMatchObject([
    { key: `${first}-1`, position: 0, isMain: true },
    { key: `${first}-0`, position: 1, isMain: false },
  ]);
  await edit(1, { Order: 9 });
  expect(await pictures()).toMatchObject([{ key: `${first}-0` }, { key: `${first}-1`, isMain: true }]);
  expect(await rows(`select from property_images where "imageOf" = 'Pool'`)).toHaveLength(1);
  await world.takeAll();
  expect(fetches()).toHaveLength(6);
});

test('a picture that left goes with its object; so do those of a listing that left', async () => {
  await world.takeAll();
  const [cover] = await pictures();
  await change(([, other]) => [other ?? {}]);
  expect(await pictures()).toMatchObject([{ key: `${first}-1`, isMain: true, position: 0 }]);
  expect(await media(first)).toHaveLength(1);
  expect(await queued()).toEqual([cover?.objectKey]);
  world.simulator.control.store.remove('Property', first);
  await world.ports.actorSystem.deliver(
    { to: 'feed', id: world.feedId, event: { type: 'RECONCILE_ASKED', at: Date.now() } },
    { by: 'operator:ann' },
  );
  await world.look();
  const held = await rows(`select from properties where "standardStatus" = 'Delete'`);
  if (held.length === 0) {
    await world.ports.actorSystem.deliver(
      { to: 'feed', id: world.feedId, event: { type: 'DELETIONS_ACCEPTED', at: Date.now() } },
      { by: 'operator:ann' },
    );
    await world.look();
  }
  expect(await pictures()).toEqual([]);
  expect(await media(first)).toEqual([]);
  expect(await queued()).toHaveLength(2);
  await world.takeAll();
});

test('a picture that may not be shown is never taken; one that may no longer goes with the page that says so', async () => {
  await edit(0, { Permission: ['Agent Only'] });
  await world.takeAll();
  expect(fetches()).not.toContain(`${first}-0`);
  expect(await mediaOf(`${first}-0`)).toMatchObject({
    state: 'REFUSED',
    reason: 'PERMISSION',
    imageId: null,
  });
  expect(await pictures()).toMatchObject([{ key: `${first}-1`, isMain: true }]);
  await edit(1, { Permission: ['Private'] });
  expect(await pictures()).toEqual([]);
  expect(await queued()).toHaveLength(1);
  await edit(1, { Permission: ['IDX'] });
  await world.takeAll();
  expect(await pictures()).toMatchObject([{ key: `${first}-1`, isMain: true }]);
  world.simulator.control.store.set('Property', first, { InternetEntireListingDisplayYN: false });
  await world.look();
  expect(await pictures()).toEqual([]);
  expect(await mediaOf(`${first}-1`)).toMatchObject({ state: 'REFUSED', reason: 'LISTING_HIDDEN' });
});

test('permission that ends while the picture is on its way: it is not stored', async () => {
  const ports = world.picturePorts(parts.database.pool);
  const client: typeof ports.client = {
    async fetch(request) {
      const file = await ports.client.fetch(request);
      await edit(0, { Permission: ['Private'] });
      return file;
    },
  };
  await rows('update feed_media set "isFirst" = (key = $1)', [`${first}-0`]);
  await stepPicture({ ...ports, client }, world.feedId, new AbortController().signal);
  expect(fetches()).toEqual([`${first}-0`]);
  expect(await pictures()).toEqual([]);
  expect(await mediaOf(`${first}-0`)).toMatchObject({ state: 'REFUSED', reason: 'PERMISSION' });
  expect(await strayObjects()).toEqual([]);
});

test('a picture that is not found is tried again later, so often; a new address begins again', async () => {
  world.simulator.control.fault('media-404', 1);
  await world.takeAll();
  expect((await media()).filter(({ state }) => state === 'WAITING')).toMatchObject([{ attempts: 1 }]);
  expect(await rows('select from property_images')).toHaveLength(5);
  world.simulator.control.fault('media-404');
  const waits: number[] = [];
  for (let tries = 2; tries <= MOST_ATTEMPTS; tries += 1) {
    await due();
    await world.takeAll();
    const [waiting] = await rows<{ wait: number }>(
      `select extract(epoch from "nextAttemptAt" - clock_timestamp())::float8 as wait from feed_media
       where "nextAttemptAt" is not null`,
    );
    waits.push(Math.round((waiting?.wait ?? 0) / 60));
  }
  expect(waits).toEqual([4, 16, 64, 256, 0]);
  const refused = (await media()).find(({ state }) => state === 'REFUSED');
  expect(refused).toMatchObject({ reason: 'NOT_FOUND', attempts: MOST_ATTEMPTS, imageId: null });
  world.simulator.control.faults.clear();
  await due();
  await world.takeAll();
  expect(fetches()).toHaveLength(5 + MOST_ATTEMPTS);
  const listing = String(refused?.key).slice(0, -2);
  await change(
    (all) => all.map((one) => ({ ...one, MediaModificationTimestamp: '2026-06-02T00:00:00Z' })),
    listing,
  );
  await world.takeAll();
  expect((await media()).map(({ state }) => state)).toEqual(Array(6).fill('TAKEN'));
});

test('a picture of 61 megapixels is refused at once, and the rest is taken', async () => {
  world.simulator.control.fault('media-huge', 1);
  await world.takeAll();
  expect((await media()).filter(({ state }) => state !== 'TAKEN')).toMatchObject([
    { state: 'REFUSED', reason: 'PHOTO_TOO_LARGE' },
  ]);
  expect(await rows('select from property_images')).toHaveLength(5);
  expect(fetches()).toHaveLength(6);
});

test('an altered picture has the feed’s word, and is no cover; a word that changes takes the picture away first', async () => {
  await edit(0, { MediaAlteration: ['Virtual Staging - Item Addition'] });
  await world.takeAll();
  expect(await pictures()).toMatchObject([
    { key: `${first}-0`, isMain: false, alteration: 'Virtual Staging - Item Addition', alterationBy: 'FEED' },
    { key: `${first}-1`, isMain: true, alteration: null, alterationBy: null },
  ]);
  await edit(1, { MediaAlteration: ['Twilight Conversion'] });
  expect(await pictures()).toMatchObject([{ key: `${first}-0` }]);
  await world.takeAll();
  expect(await pictures()).toMatchObject([
    { key: `${first}-0`, isMain: false },
    { key: `${first}-1`, isMain: false, alteration: 'Twilight Conversion', alterationBy: 'FEED' },
  ]);
});

test('a feed that asks for a pause gets one from all workers', async () => {
  world.simulator.control.fault('media-too-many', 1);
  await world.takeAll();
  expect(fetches()).toHaveLength(1);
  expect((await media()).every(({ attempts, state }) => attempts === 0 && state === 'WAITING')).toBe(true);
  const [{ wait } = { wait: 0 }] = await rows<{ wait: number }>(
    `select extract(epoch from "mediaPausedUntil" - clock_timestamp())::float8 as wait from feeds`,
  );
  expect(wait).toBeGreaterThan(1);
  expect(wait).toBeLessThanOrEqual(7);
});

test('MLS Grid: the download names itself by the access token, within the rate of pictures', async () => {
  await world.close();
  await parts.database.clear();
  await open({ rules: 'mls-grid', listings: 1, media: 1 });
  await world.takeAll();
  expect(world.simulator.control.pictures()).toMatchObject([{ key: 'ACTP000000-0', userAgent: 'secret' }]);
  expect(await rows('select account from feed_requests')).toEqual([{ account: 'media:FEED_TEST_TOKEN' }]);
});
