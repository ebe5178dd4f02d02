import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CACHED_MS } from '../../../../src/images/renditions/answer-cache.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { eventually } from '../../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { movableClock } from '../../../support/pictures/kept-copies.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import { ask, storedOriginal, storedVariant, told } from '../../../support/pictures/stored-pictures.ts';
import { seedNewOwner } from '../../../support/worlds/listing-offers.ts';

/**
 * Two processes with one database and one bucket. A picture becomes private through the first, or in the database; the
 * second has just shown it (docs/contract.md#showing-pictures).
 */
const PROMISED_MS = 2_000;
const UNKNOWN = 'f0000000-0000-4000-8000-000000000000';
const SIZES = ['?w=128&format=webp', '?w=64', '?w=64&h=64&format=jpeg'];
const clock = movableClock();
let first: ApiHost;
let second: ApiHost;
let owner: Person;
let photo: Buffer;
beforeAll(async () => {
  first = await startApiHost();
  const { databaseUrl, s3 } = first.config;
  const settings = { DATABASE_URL: databaseUrl, S3_BUCKET: s3.bucket, AUTH_SECRET: first.config.authSecret };
  second = await startApiHost({ settings, overrides: { clock } });
  owner = await first.signedIn();
  photo = await noisy(300, 200).jpeg().toBuffer();
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

let propertyId: string;
let original: Awaited<ReturnType<typeof storedOriginal>>;
let variantId: string;
beforeEach(async () => {
  propertyId = await seedProperty(first.pool, { ownerAgentId: owner.id });
  original = await storedOriginal(first, { propertyId, bytes: photo, format: 'jpeg' });
  const staged = { bytes: photo, format: 'jpeg', reviewStatus: 'PENDING_REVIEW' } as const;
  variantId = await storedVariant(first, original, staged);
  expect((await owner.mutate('ai.approveStagedVariant', { imageId: variantId })).status).toBe(200);
});

const statusesOf = (host: ApiHost, imageId: string, as?: Person) =>
  Promise.all(SIZES.map(async (size) => (await ask(host, `/api/images/${imageId}${size}`, { as })).status));
const all = (status: number) => SIZES.map(() => status);
const setStatus = (status: string) =>
  first.rows('update properties set "standardStatus" = $2 where id = $1', [propertyId, status]);

const WAYS: Record<string, { change: () => Promise<unknown>; alsoPhoto: boolean }> = {
  'it is withdrawn by the other process': {
    change: () => owner.mutate('ai.withdrawStagedVariant', { imageId: variantId }),
    alsoPhoto: false,
  },
  'it is withdrawn in the database': {
    change: () =>
      first.rows(
        `update property_images set "withdrawnAt" = now(), "withdrawnBy" = 'OPERATOR' where id = $1`,
        [variantId],
      ),
    alsoPhoto: false,
  },
  'its listing becomes a draft': { change: () => setStatus('Incomplete'), alsoPhoto: true },
  'its listing is deleted': { change: () => setStatus('Delete'), alsoPhoto: true },
  'its photo is deleted by the other process': {
    change: () => owner.send('DELETE', `/api/property-images/${original.imageId}`),
    alsoPhoto: true,
  },
  'its photo is deleted in the database': {
    change: () => first.rows('delete from property_images where id = $1', [original.imageId]),
    alsoPhoto: true,
  },
};

describe.each(Object.entries(WAYS))('a picture that both processes have just shown, when %s', (_, way) => {
  test('is refused by both within two seconds, as an unknown one is', async () => {
    expect(CACHED_MS).toBeLessThan(PROMISED_MS);
    const pictures = [variantId, ...(way.alsoPhoto ? [original.imageId] : [])];
    for (const id of [variantId, original.imageId])
      for (const host of [first, second]) expect(await statusesOf(host, id)).toEqual(all(200));
    await way.change();
    clock.forgetKept();
    for (const id of pictures) {
      expect(await statusesOf(second, id)).toEqual(all(404));
      for (const size of SIZES) {
        const [hidden, unknown] = [
          await ask(second, `/api/images/${id}${size}`),
          await ask(second, `/api/images/${UNKNOWN}${size}`),
        ];
        expect(told(hidden)).toEqual(told(unknown));
      }
      // The first has the real clock: its answers end by themselves.
      await eventually(async () => (await statusesOf(first, id)).every((status) => status === 404), {
        what: 'the process that made the change to refuse it',
        timeoutMs: 10 * PROMISED_MS,
      });
    }
    if (!way.alsoPhoto) expect(await statusesOf(second, original.imageId)).toEqual(all(200));
  });
});

test('the time counts from before the question, however long the database takes to answer', async () => {
  const path = `/api/images/${variantId}?w=128&format=webp`;
  const client = await first.pool.connect();
  let slow: ReturnType<typeof ask>;
  // A test that fails leaves no lock to the others.
  try {
    await client.query('begin');
    await client.query('lock table property_images in access exclusive mode');
    slow = ask(second, path);
    // By another connection: within a transaction, PostgreSQL answers this as it was at the first look.
    await eventually(
      async () =>
        (
          await first.rows(`select from pg_stat_activity where wait_event_type = 'Lock'
           and datname = current_database() and query like '%"imageId", i."propertyId"%'`)
        ).length === 1,
      { what: 'the question to wait' },
    );
    clock.pass(CACHED_MS);
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect((await slow).status).toBe(200);
  await setStatus('Incomplete');
  expect((await ask(second, path)).status).toBe(404);
});

test('a picture that is private is asked about each time, also for its agents', async () => {
  await owner.mutate('ai.withdrawStagedVariant', { imageId: variantId });
  await setStatus('Incomplete');
  clock.forgetKept();
  const { id, cookie } = owner;
  expect(await statusesOf(second, original.imageId, { id, cookie } as Person)).toEqual(all(200));
  await seedNewOwner(first.pool, { propertyId, ownerAgentId: (await first.signedIn()).id });
  expect(await statusesOf(second, original.imageId, { id, cookie } as Person)).toEqual(all(404));
  expect(await statusesOf(second, original.imageId)).toEqual(all(404));
});

test('a picture that becomes public is shown at once', async () => {
  await setStatus('Incomplete');
  expect(await statusesOf(second, original.imageId)).toEqual(all(404));
  await setStatus('Active');
  expect(await statusesOf(second, original.imageId)).toEqual(all(200));
});
