import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { createObjectStorage, type ObjectStorage } from '../../../../src/storage/object-storage.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { eventually } from '../../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import { readManifest } from '../../../support/pictures/manifests.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import { ask, looks, storedOriginal, storedVariant } from '../../../support/pictures/stored-pictures.ts';
import { readXmp, stagedXmpOf } from '../../../support/pictures/xmp.ts';

/** The marks of a host without a key. */
let host: ApiHost;
let storage: ObjectStorage;
let original: { imageId: string; propertyId: string };
let staged: string;
const PICTURES = {} as Record<'jpeg' | 'png' | 'webp', Buffer>;
beforeAll(async () => {
  host = await startApiHost();
  storage = createObjectStorage(host.config.s3);
  for (const format of ['jpeg', 'png', 'webp'] as const)
    PICTURES[format] = await noisy(480, 320).toFormat(format).toBuffer();
  const propertyId = await seedProperty(host.pool);
  original = await storedOriginal(host, { propertyId, bytes: PICTURES.jpeg, format: 'jpeg' });
  staged = await approved('jpeg');
});
afterAll(async () => {
  await storage.close();
  await host.stop();
});

/** An approved picture of a photo of its own. */
async function approved(format: keyof typeof PICTURES, bytes = PICTURES[format]): Promise<string> {
  const { propertyId } = original;
  const of = await storedOriginal(host, { propertyId, bytes: PICTURES.jpeg, format: 'jpeg' });
  return storedVariant(host, of, { bytes, format, reviewStatus: 'APPROVED' });
}
const rowsOf = (imageId: string) =>
  host.rows<{ variant: string; objectKey: string }>(
    'select variant, "objectKey" from image_renditions where "imageId" = $1',
    [imageId],
  );

test.each(['jpeg', 'webp', 'avif'])(
  'a copy in %s carries the three fields, and no manifest',
  async (format) => {
    const { bytes } = await ask(host, `/api/images/${staged}?w=64&format=${format}`);
    expect(await looks(bytes)).toBe(`${format} 64x43`);
    expect(await readXmp(bytes)).toEqual(stagedXmpOf(staged));
    expect(await readManifest(bytes, format, null)).toBeNull();
    expect(await host.rows('select from provenance_manifests')).toEqual([]);
  },
);

test.each(['jpeg', 'webp', 'png'] as const)(
  'without a size, a picture stored as %s is answered whole in its format with its marks, and stays as it is stored',
  async (format) => {
    const imageId = await approved(format);
    const { headers, bytes } = await ask(host, `/api/images/${imageId}`);
    expect(headers['content-type']).toBe(`image/${format}`);
    expect(await looks(bytes)).toBe(`${format} 480x320`);
    expect(await readXmp(bytes)).toEqual(stagedXmpOf(imageId));
    const [row] = await host.rows<{ objectKey: string }>(
      'select "objectKey" from property_images where id = $1',
      [imageId],
    );
    expect((await storage.get(row?.objectKey ?? '')).bytes.equals(PICTURES[format])).toBe(true);
  },
);

test('a whole picture is larger than the size ladder where the stored one is, also when its format is not known', async () => {
  const bytes = await noisy(2400, 300).png().toBuffer();
  const imageId = await approved('png', bytes);
  await host.rows('update property_images set "outputFormat" = null where id = $1', [imageId]);
  expect(await looks((await ask(host, `/api/images/${imageId}`)).bytes)).toBe('jpeg 2400x300');
});

test('an original is answered byte for byte, and its copies have no marks', async () => {
  const whole = await ask(host, `/api/images/${original.imageId}`);
  expect(whole.bytes.equals(PICTURES.jpeg)).toBe(true);
  const copy = await ask(host, `/api/images/${original.imageId}?w=64&format=webp`);
  expect(await readXmp(copy.bytes)).toBeNull();
});

test('a private picture carries the fields too, and is not stored', async () => {
  const agent = await host.signedIn();
  const { propertyId } = await host.listing(agent);
  const own = await storedOriginal(host, { propertyId, bytes: PICTURES.jpeg, format: 'jpeg' });
  const imageId = await storedVariant(host, own, {
    bytes: PICTURES.png,
    format: 'png',
    reviewStatus: 'PENDING_REVIEW',
  });
  for (const query of ['', '?w=64&format=avif']) {
    const { status, headers, bytes } = await ask(host, `/api/images/${imageId}${query}`, { as: agent });
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(await readXmp(bytes)).toEqual(stagedXmpOf(imageId));
  }
  expect(await rowsOf(imageId)).toEqual([]);
});

test('a copy that an older release stored is not answered any more', async () => {
  const imageId = await approved('jpeg');
  const old = await sharp(PICTURES.jpeg).resize(64, 43).webp().toBuffer();
  const objectKey = `renditions/${imageId}/old.webp`;
  await host.putObject(objectKey, old);
  await host.rows(
    `insert into image_renditions ("imageId", variant, "objectKey", bytes)
     values ($1, 'r1-contain-64x43-q80.webp', $2, $3)`,
    [imageId, objectKey, old.length],
  );
  const { bytes } = await ask(host, `/api/images/${imageId}?w=64&format=webp`);
  expect(await readXmp(bytes)).toEqual(stagedXmpOf(imageId));
  const row = await eventually(
    async () => (await rowsOf(imageId)).find((one) => one.objectKey !== objectKey),
    {
      what: 'the new copy to be stored',
    },
  );
  expect(row?.variant).toMatch(/^r1-contain-64x43-q80-x[0-9a-f]{8}\.webp$/);
});

test('a host with another address makes its own copies', async () => {
  const other = await startApiHost({ settings: { PUBLIC_BASE_URL: 'https://homes.example.org' } });
  try {
    const propertyId = await seedProperty(other.pool);
    const photo = await storedOriginal(other, { propertyId, bytes: PICTURES.jpeg, format: 'jpeg' });
    const imageId = await storedVariant(other, photo, {
      bytes: PICTURES.jpeg,
      format: 'jpeg',
      reviewStatus: 'APPROVED',
    });
    const there = await ask(other, `/api/images/${imageId}?w=64&format=jpeg`);
    expect((await readXmp(there.bytes))?.address).toBe(`https://homes.example.org/provenance/${imageId}`);
    const variantOf = async (one: ApiHost, id: string) =>
      eventually(
        async () =>
          (
            await one.rows<{ variant: string }>(
              `select variant from image_renditions where "imageId" = $1 and variant like '%64x43-q80%jpeg'`,
              [id],
            )
          )[0]?.variant,
        { what: 'a stored copy' },
      );
    await ask(host, `/api/images/${staged}?w=64&format=jpeg`);
    expect(await variantOf(other, imageId)).not.toBe(await variantOf(host, staged));
  } finally {
    await other.stop();
  }
});
