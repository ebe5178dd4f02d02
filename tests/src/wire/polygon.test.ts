import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  crossesItself,
  holdsNoPole,
  isLargeArea,
  MOST_CORNERS,
  MOST_DRAWN_CORNERS,
  simplified,
} from '../../../src/wire/listings/polygon.ts';

const CENTER = { latitude: 47.5, longitude: -122 };
type Corner = { latitude: number; longitude: number };
/** Whether an edge between two of them may go the other way round the globe. */
const isFar = (...[before, corner, after]: (Corner | undefined)[]) => {
  const [x, y, z] = [before, corner, after].map((one) => one?.longitude ?? 0) as [number, number, number];
  return [y - x, z - x, z - y].some((step) => Math.abs(step) >= 180);
};
const circleOf = (corners: number, radius: number) =>
  Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * index) / corners;
    return {
      latitude: CENTER.latitude + radius * Math.sin(angle),
      longitude: CENTER.longitude + radius * Math.cos(angle),
    };
  });

const outline = (...corners: [longitude: number, latitude: number][]) =>
  corners.map(([longitude, latitude]) => ({ longitude, latitude }));

test('an outline that crosses or touches itself is found, one with equal corners in a row is not', () => {
  const square = outline([0, 0], [1, 0], [1, 1], [0, 1]);
  const sound = [
    square,
    [...square, ...square.slice(0, 1)],
    [...square.slice(0, 2), ...square.slice(1)],
    outline([179, 0], [-179, 0], [-179, 1], [179, 1]),
    circleOf(MOST_DRAWN_CORNERS, 1),
    outline([0, 0], [4, 0], [4, 4], [2, 1], [0, 4]),
  ];
  expect(sound.map(crossesItself)).toEqual(sound.map(() => false));
  const crossing = [
    outline([0, 0], [1, 1], [1, 0], [0, 1]),
    outline([179, 0], [-179, 1], [-179, 0], [179, 1]),
    outline([0, 0], [4, 0], [4, 4], [2, 0], [0, 4]),
    outline([0, 0], [4, 0], [4, 4], [2, -1], [0, 4]),
    // The last edge crosses the second.
    outline([0, 0], [2, 0], [2, 2], [3, 2], [3, 1]),
  ];
  expect(crossing.map(crossesItself)).toEqual(crossing.map(() => true));
});

test('an area of a state may be searched, that of a country may not', () => {
  expect(isLargeArea(circleOf(8, 5))).toBe(false);
  expect(isLargeArea(outline([178, -3], [-178, -3], [-178, 3], [178, 3]))).toBe(false);
  expect(isLargeArea(outline([-125, 25], [-67, 25], [-67, 49], [-125, 49]))).toBe(true);
});

test('a polygon with few corners stays as it is', () => {
  const drawn = circleOf(MOST_CORNERS, 1);
  expect(simplified(drawn)).toEqual(drawn);
});

test('a hand-drawn circle keeps its shape', () => {
  const drawn = circleOf(MOST_DRAWN_CORNERS, 1).map((corner, index) => ({
    ...corner,
    latitude: corner.latitude + (index % 2) * 0.0001,
  }));
  const corners = simplified(drawn);
  expect(corners).toHaveLength(MOST_CORNERS);
  for (const { latitude, longitude } of corners)
    expect(Math.hypot(latitude - CENTER.latitude, longitude - CENTER.longitude)).toBeCloseTo(1, 3);
  const gaps = corners.map(({ latitude, longitude }, index) => {
    const before = corners.at(index - 1) ?? CENTER;
    return Math.hypot(latitude - before.latitude, longitude - before.longitude);
  });
  expect(Math.max(...gaps)).toBeLessThan(0.2);
});

test('an outline with very many corners keeps its shape too', () => {
  const corners = simplified(circleOf(40_000, 1));
  expect(corners).toHaveLength(MOST_CORNERS);
  expect(crossesItself(corners)).toBe(false);
  for (const { latitude, longitude } of corners)
    expect(Math.hypot(latitude - CENTER.latitude, longitude - CENTER.longitude)).toBeCloseTo(1, 6);
});

test('the corners of a notch outlive those of a straight edge', () => {
  const edge = Array.from({ length: 150 }, (_, index) => ({ latitude: 0, longitude: index / 10 }));
  const notch = [
    { latitude: 5, longitude: 15 },
    { latitude: 5, longitude: 8 },
    { latitude: 2, longitude: 7.5 },
    { latitude: 5, longitude: 7 },
    { latitude: 5, longitude: 0 },
  ];
  expect(simplified([...edge, ...notch])).toEqual(expect.arrayContaining(notch));
});

test('no polygon goes round a pole afterwards that did not before', () => {
  const longitude = fc.integer({ min: -180, max: 180 });
  const position = fc.record({ latitude: fc.integer({ min: -89, max: 89 }), longitude });
  fc.assert(
    fc.property(fc.array(position, { minLength: 101, maxLength: 200 }), (drawn) => {
      fc.pre(holdsNoPole(drawn));
      const corners = simplified(drawn);
      const near = corners.filter(
        (corner, index) => !isFar(corners.at(index - 1), corner, corners[index + 1] ?? corners[0]),
      );
      if (corners.length > MOST_CORNERS) expect(near).toEqual([]);
      expect(holdsNoPole(corners)).toBe(true);
    }),
    { numRuns: 200 },
  );
});
