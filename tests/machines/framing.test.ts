import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canBeFramed,
  framedSize,
  frameIn,
  nearestAspectRatio,
  type PictureSize,
  padTo,
} from '../../machines/framing.ts';
import { PROVIDER_INPUT_SIDE } from '../../machines/vocabulary.ts';
import { PHOTO_SHAPES } from '../support/pictures/shapes.ts';

const CANVASES = {
  '1:1': { width: 1024, height: 1024 },
  '3:2': { width: 1536, height: 1024 },
  '2:3': { width: 1024, height: 1536 },
};
const shapeOf = ({ width, height }: PictureSize) => width / height;

describe('the nearest shape', () => {
  test.each(PHOTO_SHAPES)('of %s', (_name, size, nearest) => {
    expect(nearestAspectRatio(size)).toBe(nearest);
  });

  test('is decided by the factor: the border to the square is the root of 1.5', () => {
    expect(nearestAspectRatio({ width: 1224, height: 1000 })).toBe('1:1');
    expect(nearestAspectRatio({ width: 1225, height: 1000 })).toBe('3:2');
    expect(nearestAspectRatio({ width: 1000, height: 1224 })).toBe('1:1');
    expect(nearestAspectRatio({ width: 1000, height: 1225 })).toBe('2:3');
  });
});

test('a photo of 3:1 can be framed, and one that is longer cannot', () => {
  expect(canBeFramed({ width: 1800, height: 600 })).toBe(true);
  expect(canBeFramed({ width: 600, height: 1800 })).toBe(true);
  expect(canBeFramed({ width: 1801, height: 600 })).toBe(false);
  expect(canBeFramed({ width: 600, height: 1801 })).toBe(false);
});

test('a photo of 4:3 lies in the middle of a copy of 3:2', () => {
  const pad = padTo({ width: 4000, height: 3000 }, '3:2');
  expect(pad).toEqual({ width: 2046, height: 1364, frame: { left: 113, top: 0, width: 1819, height: 1364 } });
  expect(frameIn(pad, CANVASES['3:2'])).toEqual({ left: 85, top: 0, width: 1365, height: 1024 });
  expect(framedSize(pad, CANVASES['3:2'])).toEqual({ width: 1366, height: 1024 });
});

const photo = fc
  .record({ width: fc.integer({ min: 512, max: 16_384 }), height: fc.integer({ min: 512, max: 16_384 }) })
  .filter(canBeFramed);

test('of every photo the whole is in the copy, in its own proportions, and never enlarged', () => {
  fc.assert(
    fc.property(photo, (size) => {
      const nearest = nearestAspectRatio(size);
      const { frame, ...padded } = padTo(size, nearest);
      expect(shapeOf(padded)).toBe(shapeOf(CANVASES[nearest]));
      expect(Math.max(padded.width, padded.height)).toBeLessThanOrEqual(PROVIDER_INPUT_SIDE);
      expect(frame.width).toBeLessThanOrEqual(Math.min(size.width, padded.width));
      expect(frame.height).toBeLessThanOrEqual(Math.min(size.height, padded.height));
      expect(Math.abs(padded.width - frame.width - 2 * frame.left)).toBeLessThanOrEqual(1);
      expect(Math.abs(padded.height - frame.height - 2 * frame.top)).toBeLessThanOrEqual(1);
      // Half a pixel of each side is rounding.
      const scale = frame.width / size.width;
      expect(Math.abs(size.height * scale - frame.height)).toBeLessThanOrEqual(0.51 + 0.51 / shapeOf(size));
    }),
  );
});

test('the frame lies in a picture of any size, and is shown in the proportions of the photo', () => {
  const anySize = fc.record({
    width: fc.integer({ min: 512, max: 5_000 }),
    height: fc.integer({ min: 512, max: 5_000 }),
  });
  fc.assert(
    fc.property(photo, anySize, (size, output) => {
      const pad = padTo(size, nearestAspectRatio(size));
      const frame = frameIn(pad, output);
      expect(frame.left + frame.width).toBeLessThanOrEqual(output.width);
      expect(frame.top + frame.height).toBeLessThanOrEqual(output.height);
      const shown = framedSize(pad, output);
      expect(shown.width).toBeLessThanOrEqual(frame.width + 1);
      expect(shown.height).toBeLessThanOrEqual(frame.height + 1);
      const scale = shown.width / size.width;
      // Half a pixel of each side is rounding, in the copy and again in the answer, which may be larger.
      const rounding = 0.51 * (1 + Math.min(output.width / pad.width, output.height / pad.height));
      expect(Math.abs(size.height * scale - shown.height)).toBeLessThanOrEqual(
        rounding * (1 + size.height / size.width),
      );
    }),
    {
      examples: [
        [
          { width: 3_771, height: 11_272 },
          { width: 1_652, height: 2_478 },
        ],
      ],
    },
  );
});
