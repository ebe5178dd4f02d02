import { describe, expect, test } from 'vitest';
import { boxAround, boxOf, cornersOf, cornersOfCluster } from '../../../../clients/web/map/map-area.ts';

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
});
