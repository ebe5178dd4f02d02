import { describe, expect, test } from 'vitest';
import { LARGEST_ZOOM, MIDDLE, squareOf, within } from '../../../../../clients/web/pages/menu/crop.ts';

describe('the square of an avatar', () => {
  const wide = { width: 1_200, height: 400 };

  test('is the middle one at first', () => {
    expect(squareOf(wide, MIDDLE)).toEqual({ left: 400, top: 0, side: 400 });
  });

  test('never leaves the picture, however it is moved and magnified', () => {
    for (const x of [-3, 0, 0.2, 0.9, 7])
      for (const zoom of [0, 1, 2.5, 90]) {
        const { left, top, side } = squareOf(wide, { x, y: 1 - x, zoom });
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(-1e-9);
        expect(left + side).toBeLessThanOrEqual(wide.width + 1e-9);
        expect(top + side).toBeLessThanOrEqual(wide.height + 1e-9);
      }
    expect(within(wide, { ...MIDDLE, zoom: 90 }).zoom).toBe(LARGEST_ZOOM);
  });
});
