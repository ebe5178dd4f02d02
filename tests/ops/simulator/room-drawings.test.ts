import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { CANONICAL_ROOM_TYPES } from '../../../machines/vocabulary.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { regionStats } from '../../support/worlds/simulator-harness.ts';

const CANVAS = { width: 480, height: 320 };

describe('a sample room', () => {
  test.each(CANONICAL_ROOM_TYPES)(
    '%s is a plain JPEG of the requested size, and is not blank',
    async (kind) => {
      const bytes = await drawSampleRoom(kind, { ...CANVAS, seed: 1 });
      const shape = { ...CANVAS, format: 'jpeg', channels: 3, space: 'srgb' };
      expect(await sharp(bytes).metadata()).toMatchObject(shape);
      const ceiling = await regionStats(bytes, { left: 160, top: 5, width: 160, height: 40 });
      const floor = await regionStats(bytes, { left: 160, top: 260, width: 160, height: 60 });
      expect(ceiling[1]!.mean).toBeGreaterThan(floor[1]!.mean);
      const middle = await regionStats(bytes, { left: 100, top: 80, width: 280, height: 140 });
      for (const channel of middle) expect(channel.stdev).toBeGreaterThan(8);
    },
  );

  test('no two rooms are equal', async () => {
    const all = await Promise.all(
      CANONICAL_ROOM_TYPES.map((kind) => drawSampleRoom(kind, { ...CANVAS, seed: 1 })),
    );
    expect(new Set(all.map((bytes) => bytes.toString('base64'))).size).toBe(CANONICAL_ROOM_TYPES.length);
  });

  test('the same seed gives the same bytes, another seed another apartment', async () => {
    const draw = (seed: number) => drawSampleRoom('LIVING_ROOM', { ...CANVAS, seed });
    const [first, again, other] = [await draw(1), await draw(1), await draw(2)];
    expect(first.equals(again)).toBe(true);
    expect(first.equals(other)).toBe(false);
  });

  test('can have any shape', async () => {
    for (const size of [
      { width: 320, height: 480 },
      { width: 400, height: 400 },
    ]) {
      expect(await sharp(await drawSampleRoom('KITCHEN', { ...size, seed: 3 })).metadata()).toMatchObject(
        size,
      );
    }
  });
});
