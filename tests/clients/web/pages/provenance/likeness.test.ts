import type { Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { compared, SIDE } from '../../../../../clients/web/pages/provenance/check/pixels/likeness.ts';
import { type Raster, rasterOf } from '../../../../../clients/web/pages/provenance/check/pixels/raster.ts';
import { drawSampleRoom } from '../../../../../ops/simulator/pictures/room-drawings.ts';
import { stagePhoto } from '../../../../../ops/simulator/pictures/staging.ts';
import { sharp } from '../../../../../src/images/decoding/sharp-settings.ts';

/** Which picture of a record a file looks like. Decoded here by sharp, in a browser by its canvas. */
const SIZE = { width: 1200, height: 900 };
const ROOMS = ['LIVING_ROOM', 'KITCHEN'] as const;

async function raster(bytes: Buffer): Promise<Raster> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .resize({ width: SIDE, height: SIDE, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return rasterOf(data, { width: info.width, height: info.height, values: 3 });
}

const cut = (bytes: Buffer, left: number, top: number, share: number): Sharp =>
  sharp(bytes).extract({
    left: Math.round(left * SIZE.width),
    top: Math.round(top * SIZE.height),
    width: Math.round(share * SIZE.width),
    height: Math.round(share * SIZE.height),
  });
const WAYS: Record<string, (bytes: Buffer) => Sharp> = {
  'at quality 40': (bytes) => sharp(bytes).jpeg({ quality: 40 }),
  'at a third of its size': (bytes) => sharp(bytes).resize(400),
  'cropped by 15 % on each side': (bytes) => cut(bytes, 0.15, 0.15, 0.7),
  'cropped to a corner': (bytes) => cut(bytes, 0.35, 0.35, 0.6),
  'cropped to half of it': (bytes) => cut(bytes, 0.25, 0.45, 0.5),
  mirrored: (bytes) => sharp(bytes).flop(),
  'in a frame': (bytes) =>
    sharp(bytes).extend({ top: 140, bottom: 60, left: 40, right: 40, background: '#ddd' }),
  'brighter and more colorful': (bytes) => sharp(bytes).modulate({ brightness: 1.15, saturation: 1.2 }),
  'turned by a degree': (bytes) => sharp(bytes).rotate(1, { background: '#888' }),
};

interface Pair {
  readonly original: Buffer;
  readonly staged: Buffer;
}
let pairs: Pair[];
beforeAll(async () => {
  pairs = await Promise.all(
    ROOMS.map(async (room, index) => {
      const original = await drawSampleRoom(room, { ...SIZE, seed: index + 1 });
      const furnished = await stagePhoto({ ...SIZE, photo: original, prompt: `a ${room}` });
      return { original, staged: await furnished.jpeg().toBuffer() };
    }),
  );
});
const picturesOf = async ({ original, staged }: Pair) => ({
  staged: await raster(staged),
  original: await raster(original),
});

describe.each(Object.entries(WAYS))('a file %s', (_, way) => {
  test.each(['staged', 'original'] as const)('looks like the %s picture that it was', async (kind) => {
    for (const pair of pairs) {
      const file = await raster(await way(pair[kind]).jpeg().toBuffer());
      const found = compared(file, await picturesOf(pair));
      expect([found.like, found.percent > 60]).toEqual([kind, true]);
    }
  });

  test('looks like the photo alone only if it was the photo', async () => {
    for (const pair of pairs) {
      const { original } = await picturesOf(pair);
      const likeOf = async (bytes: Buffer) =>
        compared(await raster(await way(bytes).jpeg().toBuffer()), { staged: null, original }).like;
      expect([await likeOf(pair.original), await likeOf(pair.staged)]).toEqual(['original', 'neither']);
    }
  });
});

test('how much of it is shown', async () => {
  const [pair] = pairs;
  if (pair === undefined) throw new Error('no pictures');
  const pictures = await picturesOf(pair);
  const shown = async (file: Buffer) => compared(await raster(file), pictures).shown;
  expect(await shown(pair.staged)).toBeGreaterThan(95);
  const half = await shown(await cut(pair.staged, 0.15, 0.15, 0.7).jpeg().toBuffer());
  expect(Math.abs(half - 49)).toBeLessThan(6);
});

test('other rooms, and another staging of the same photo, look like neither', async () => {
  for (const [index, pair] of pairs.entries()) {
    const pictures = await picturesOf(pair);
    const other = pairs[(index + 1) % pairs.length] ?? pair;
    const furnished = await stagePhoto({ ...SIZE, photo: pair.original, prompt: 'a bedroom with a desk' });
    for (const file of [other.staged, other.original, await furnished.jpeg().toBuffer()])
      expect(compared(await raster(file), pictures).like).toBe('neither');
  }
});

test('a part in which the two do not differ looks like both', async () => {
  const [pair] = pairs;
  if (pair === undefined) throw new Error('no pictures');
  const original = await raster(pair.original);
  expect(compared(original, { staged: original, original }).like).toBe('both');
});

test('a plain picture looks like nothing', async () => {
  const [pair] = pairs;
  if (pair === undefined) throw new Error('no pictures');
  const plain = await sharp({ create: { ...SIZE, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();
  expect(compared(await raster(plain), await picturesOf(pair)).like).toBe('neither');
});
