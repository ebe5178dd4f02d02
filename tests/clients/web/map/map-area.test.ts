import { describe, expect, test } from 'vitest';
import {
  areaIn,
  areaOfBox,
  areaOfRing,
  areaText,
  type Box,
  boxAround,
  boxOf,
  cornersOf,
  cornersOfCluster,
} from '../../../../clients/web/map/map-area.ts';
import { searchFilters } from '../../../../src/wire/listings/search.ts';

describe('areas of the map', () => {
  const bounds = (west: number, south: number, east: number, north: number) => ({
    getWest: () => west,
    getSouth: () => south,
    getEast: () => east,
    getNorth: () => north,
  });
  test('a box is rounded, turned onto the earth, and the whole earth at most once', () => {
    expect(boxOf(bounds(-122.3456789, 47.1, -122.1, 47.9))).toEqual([-122.34568, 47.1, -122.1, 47.9]);
    expect(boxOf(bounds(170, -10, 190, 10))).toEqual([170, -10, -170, 10]);
    expect(boxOf(bounds(-200, -95, 200, 95))).toEqual([-180, -90, 180, 90]);
  });
  test('a box over the antimeridian is shown as one piece', () => {
    expect(cornersOf([170, -10, -170, 10])).toEqual([
      [170, -10],
      [190, 10],
    ]);
  });
  test('homes lie inside the box around them, a single one with its surroundings', () => {
    const [west = 0, south = 0, east = 0, north = 0] =
      boxAround([{ latitude: 47.6, longitude: -122.3 }]) ?? [];
    expect(west).toBeLessThan(-122.3);
    expect(east - west).toBeCloseTo(0.02);
    expect(north - south).toBeCloseTo(0.02);
    expect(boxAround([])).toBeNull();
  });
  test('a cluster is as large as a cell before it splits', () => {
    const [one, other] = cornersOfCluster({ latitude: 0, longitude: 0, expansionZoom: 1 });
    expect([one?.longitude, other?.longitude]).toEqual([-28.125, 28.125]);
  });
  test('an address holds an area of three to a hundred corners around no pole, or none', () => {
    const line = (corners: number) =>
      Array.from({ length: corners }, (_, corner) => `47.${corner},-122.3`).join(';');
    for (const right of ['1,2;3,4;-5,6', '10,175;10,-175;20,-175;20,175', line(100)])
      expect(areaText(areaIn(right) ?? [])).toBe(right);
    const wrong = ['', '1,2;3,4', '1,2;3,4;5', '1,2;3,4;x,6', '1,2;3,4;91,6', '1,2;3,4;1e1,6', line(101)];
    for (const text of [undefined, ...wrong, '80,0;80,120;80,-120', '1,2;'.repeat(10_000)])
      expect(areaIn(text), text?.slice(0, 40)).toBeUndefined();
  });
  test('what is shown of the map is an area that the API searches, however large and wherever', () => {
    const boxes: Box[] = [
      [-122.4, 47.5, -122.2, 47.7],
      [170, -10, -170, 10],
      [-150, -60, 150, 60],
      [-180, -85, 180, 85],
    ];
    for (const box of boxes) {
      const area = areaOfBox(box);
      expect(areaIn(areaText(area))).toEqual(area);
      expect(searchFilters.safeParse({ location: { polygon: area } }).error).toBeUndefined();
    }
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
