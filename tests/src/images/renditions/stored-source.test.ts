import { beforeAll, expect, test } from 'vitest';
import { findVisibleImage } from '../../../../persistence/images/image-visibility.ts';
import { providerCopy } from '../../../../src/images/decoding/provider-copy.ts';
import { planRendition } from '../../../../src/images/decoding/rendition-plan.ts';
import { readRenditionRequest } from '../../../../src/images/decoding/rendition-request.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { providerCopyFor } from '../../../../src/images/renditions/stored-source.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import { ask, looks, storedOriginal } from '../../../support/pictures/stored-pictures.ts';

/** A photo whose four quarters have four colors, so that a wrong place or a pad would be seen. */
const COLOURS = ['#c02020', '#20c020', '#2020c0', '#c0c020'];
let photo: Buffer;
const SIZE = { width: 4_000, height: 2_900 };
const host = useApiHost();
beforeAll(async () => {
  const half = { width: SIZE.width / 2, height: SIZE.height / 2 };
  const quarters = COLOURS.map((background, at) => ({
    input: { create: { ...half, channels: 3 as const, background } },
    left: (at % 2) * half.width,
    top: Math.floor(at / 2) * half.height,
  }));
  photo = await sharp({ create: { ...SIZE, channels: 3, background: '#000000' } })
    .composite(quarters)
    .jpeg({ quality: 90 })
    .toBuffer();
});

/** The photo as an upload with this framing leaves it; the objects that the test wants are put. */
async function uploaded(framing: 'fixed' | 'photo', given: { photo: boolean; copy: boolean }) {
  const propertyId = await seedProperty(host.pool);
  const { imageId, objectKey } = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
  const copyKey = `provider-inputs/${imageId}.jpg`;
  const column = framing === 'fixed' ? 'providerInputKey' : 'paddedInputKey';
  await host.rows(
    `update property_images set "providerInputKey" = null, "paddedInputKey" = null where id = $1`,
    [imageId],
  );
  await host.rows(`update property_images set "${column}" = $2 where id = $1`, [imageId, copyKey]);
  const copy = await providerCopy({ bytes: photo, ...SIZE }, framing);
  if (given.copy && copy !== null) await host.putObject(copyKey, copy.bytes);
  if (!given.photo) await host.deleteObject(objectKey);
  return imageId;
}

/** The colors of the corners, one pixel from the edge, and of the middles of the quarters. */
async function colours(bytes: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const at = (x: number, y: number) => [...data.subarray((y * width + x) * channels).subarray(0, 3)];
  const near = [1, Math.round(width / 4), Math.round((3 * width) / 4), width - 2];
  const down = [1, Math.round(height / 4), Math.round((3 * height) / 4), height - 2];
  return down.flatMap((y) => near.map((x) => at(x, y)));
}

test.each(['fixed', 'photo'] as const)(
  'a thumbnail of a photo is the same from its copy with framing %s, which is the only object that is read',
  async (framing) => {
    const imageId = await uploaded(framing, { photo: false, copy: true });
    const fromPhoto = await uploaded(framing, { photo: true, copy: false });
    for (const query of [
      'w=384&format=jpeg',
      'w=512&h=256&format=webp',
      'h=64&w=64&fit=contain&format=jpeg',
    ]) {
      const small = await ask(host, `/api/images/${imageId}?${query}`);
      const other = await ask(host, `/api/images/${fromPhoto}?${query}`);
      expect([small.status, other.status]).toEqual([200, 200]);
      expect(await looks(small.bytes)).toBe(await looks(other.bytes));
      const [seen, expected] = [await colours(small.bytes), await colours(other.bytes)];
      const furthest = Math.max(
        ...seen.flatMap((pixel, n) =>
          pixel.map((value, part) => Math.abs(value - (expected[n]?.[part] ?? 0))),
        ),
      );
      expect(furthest).toBeLessThan(24);
    }
  },
);

test('a large size is made of the photo', async () => {
  const imageId = await uploaded('photo', { photo: false, copy: true });
  expect((await ask(host, `/api/images/${imageId}?w=2048&format=jpeg`)).status).toBe(404);
});

test('the copy is used when it is clearly larger than the thumbnail and smaller than the photo, and is opaque', async () => {
  const imageId = await uploaded('photo', { photo: true, copy: true });
  const image = await findVisibleImage(host.pool, { imageId, agentId: null });
  if (image === null) throw new Error('the picture is not public');
  const uses = (change: Partial<typeof image>, query = 'w=384', format: 'webp' | 'jpeg' = 'webp') => {
    const seen = { ...image, ...change };
    const request = readRenditionRequest(new URLSearchParams(query));
    if (request === null) throw new Error('nothing is asked for');
    return providerCopyFor(seen, planRendition(request, seen, format, null)) !== null;
  };
  expect(uses({})).toBe(true);
  expect(uses({}, 'w=1024')).toBe(true);
  expect(uses({}, 'w=1600')).toBe(false);
  expect(uses({ width: 2_400, height: 1_740 })).toBe(false);
  expect(uses({ width: null, height: null })).toBe(false);
  expect(uses({ isStyled: true })).toBe(false);
  expect(uses({ paddedInputKey: null })).toBe(false);
  expect([uses({ format: 'png' }), uses({ format: 'png' }, 'w=384', 'jpeg')]).toEqual([false, true]);
});
