import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areaIn, areaOfBox, areaOfRing, areaText } from '../../../../clients/web/map/drawn-area.ts';
import type { Box } from '../../../../clients/web/map/map-area.ts';
import { searchFilters } from '../../../../src/wire/listings/search.ts';

describe('areas that are drawn on the map', () => {
  test('an address holds an area of three to a hundred corners around no pole, or none', () => {
    const line = (corners: number) =>
      Array.from({ length: corners }, (_, corner) => `${corner / 100},${corner ** 2 / 1000}`).join(';');
    for (const right of ['1,2;3,4;-5,6', '10,175;10,-175;20,-175;20,175', line(100)])
      expect(areaText(areaIn(right) ?? [])).toBe(right);
    const wrong = ['', '1,2;3,4', '1,2;3,4;5', '1,2;3,4;x,6', '1,2;3,4;91,6', '1,2;3,4;1e1,6', line(101)];
    for (const text of [
      undefined,
      ...wrong,
      '80,0;80,120;80,-120',
      '1,1;2,2;1,2;2,1',
      '0,0;0,20;20,20',
      '1,2;'.repeat(10_000),
    ])
      expect(areaIn(text), text?.slice(0, 40)).toBeUndefined();
  });
  test('what is shown of the map is an area that the API searches, unless it is too large for one', () => {
    const boxes: [Box, boolean][] = [
      [[-122.4, 47.5, -122.2, 47.7], true],
      [[178, -10, -178, 10], true],
      [[-130, 20, -110, 40], false],
      [[-180, -85, 180, 85], false],
    ];
    for (const [box, isArea] of boxes) {
      const area = areaOfBox(box);
      expect(area !== undefined, String(box)).toBe(isArea);
      if (area === undefined) continue;
      expect(areaIn(areaText(area))).toEqual(area);
      expect(searchFilters.safeParse({ location: { polygon: area } }).error).toBeUndefined();
    }
  });
  test('an address gives an area exactly where the API takes one', () => {
    const corner = (most: number) => fc.integer({ min: -most, max: most });
    const areas = fc.array(fc.record({ latitude: corner(9), longitude: fc.oneof(corner(9), corner(180)) }), {
      minLength: 3,
      maxLength: 6,
    });
    fc.assert(
      fc.property(areas, (area) => {
        const isTaken = searchFilters.safeParse({ location: { polygon: area } }).success;
        // An edge of half the globe has no shorter way.
        const isHalf = area.some(
          ({ longitude }, index) => Math.abs(longitude - (area.at(index - 1)?.longitude ?? 0)) === 180,
        );
        if (!isHalf) expect(areaIn(areaText(area)) !== undefined).toBe(isTaken);
      }),
    );
  });
  test('of a long line a hundred corners are left, with its sharp ones', () => {
    const side = (at: (part: number) => [number, number]) =>
      Array.from({ length: 60 }, (_, part) => at(part / 60));
    const square = [
      ...side((part) => [part, 0]),
      ...side((part) => [1, part]),
      ...side((part) => [1 - part, 1]),
      ...side((part) => [0, 1 - part]),
      [0, 0],
    ];
    const area = areaOfRing(square);
    expect(area).toHaveLength(100);
    for (const [longitude, latitude] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ])
      expect(area).toContainEqual({ longitude, latitude });
  });
});
