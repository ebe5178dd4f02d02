import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  clusterLevel,
  layOutMarks,
  type Marks,
  withoutHomes,
} from '../../../../clients/web/map/mark-layout.ts';

/** Marks of a dense city: a small part of the world, so that many are close to each other, and some at one position. */
const position = {
  latitude: fc.integer({ min: 0, max: 400 }).map((step) => 47.5 + step / 4000),
  longitude: fc.integer({ min: 0, max: 400 }).map((step) => -122.4 + step / 4000),
};
const currency = fc.constantFrom('USD', 'EUR');
const marks = fc
  .record({
    pins: fc.array(fc.record({ ...position, currency, price: fc.integer({ min: 1, max: 5_000_000 }) }), {
      maxLength: 120,
      size: 'max',
    }),
    clusters: fc.array(
      fc.record({ ...position, currency, minPrice: fc.nat(), count: fc.integer({ min: 2, max: 20_000 }) }),
      { maxLength: 60, size: 'max' },
    ),
  })
  .map(
    ({ pins, clusters }): Marks => ({
      pins: pins.map((pin, index) => ({ ...pin, propertyId: `home-${index}`, pill: `$${pin.price}K` })),
      clusters: clusters.map((cluster, index) => ({
        ...cluster,
        id: `cell-${index}`,
        maxPrice: cluster.minPrice,
        expansionZoom: 12,
      })),
      total: 0,
    }),
  );
const options = { middle: -122.3, rem: 16, textWidth: (text: string) => text.length * 8 };

/** The space of a mark on the screen, in pixels. */
function spaceOf(
  { mark, width, height }: ReturnType<typeof layOutMarks>[number],
  zoom: number,
): readonly [left: number, right: number, top: number, bottom: number] {
  const world = 512 * 2 ** zoom;
  const x = (mark.longitude / 360 + 0.5) * world;
  const y = (0.5 - Math.asinh(Math.tan((mark.latitude * Math.PI) / 180)) / (2 * Math.PI)) * world;
  return [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
}

test('no mark lies over another at any zoom or text size, each home is in one, and targets are large', () => {
  fc.assert(
    fc.property(
      marks,
      fc.double({ min: 9, max: 18, noNaN: true }),
      fc.constantFrom(16, 32),
      (given, zoom, rem) => {
        const placed = layOutMarks(given, { ...options, zoom, rem });
        const spaces = placed.map((one) => spaceOf(one, zoom));
        for (const [index, one] of spaces.entries())
          for (const other of spaces.slice(index + 1))
            expect(one[0] < other[1] && other[0] < one[1] && one[2] < other[3] && other[2] < one[3]).toBe(
              false,
            );
        const homes = given.pins.length + given.clusters.reduce((sum, { count }) => sum + count, 0);
        expect(placed.reduce((sum, { mark }) => sum + mark.count, 0)).toBe(homes);
        for (const { look, width, height } of placed)
          expect(Math.min(width, height)).toBeGreaterThanOrEqual((look === 'cluster' ? 2.75 : 1.5) * rem);
      },
    ),
    { numRuns: 60 },
  );
});

const pin = (propertyId: string, longitude: number, price: number, code = 'USD') => ({
  propertyId,
  latitude: 47.6,
  longitude,
  price,
  currency: code,
  pill: `$${price}K`,
});
const at = (zoom: number, pins: Marks['pins']) =>
  layOutMarks({ pins, clusters: [], total: 0 }, { ...options, zoom });

test('a home alone shows its price, one without the space a dot, and homes too close become one mark', () => {
  const two = [pin('one', -122.3, 500), pin('two', -122.299, 400)];
  // 0.001 degrees are 93, 47 and 12 pixels.
  expect(at(16, two).map(({ look, height }) => [look, height])).toEqual([
    ['pill', 44],
    ['pill', 44],
  ]);
  expect(at(15, two).map(({ look }) => look)).toEqual(['pill', 'dot']);
  const [both, ...others] = at(13, two);
  expect(others).toEqual([]);
  expect(both?.mark).toMatchObject({ count: 2, minPrice: 400, currency: 'USD', expansionZoom: 0 });
  expect(both?.mark.box).toEqual([-122.3, 47.6, -122.299, 47.6]);
  // Prices in two currencies cannot be compared.
  expect(at(13, [...two, pin('three', -122.3, 1, 'EUR')])[0]?.mark.currency).toBeNull();
});

test('across the antimeridian homes are neighbors', () => {
  const [both] = layOutMarks(
    { pins: [pin('one', 179.9999, 500), pin('two', -179.9999, 400)], clusters: [], total: 0 },
    { ...options, zoom: 10, middle: 180 },
  );
  expect(both?.mark.count).toBe(2);
  expect(Math.abs(both?.mark.longitude ?? 0)).toBeCloseTo(180);
});

test('marks have three sizes by their homes', () => {
  expect([2, 9, 10, 99, 100, 20_000].map(clusterLevel)).toEqual([1, 1, 2, 2, 3, 3]);
});

test('homes that are hidden have no pin; all others and the clusters stay', () => {
  fc.assert(
    fc.property(marks, fc.integer({ min: 0, max: 120 }), (given, number) => {
      const hidden = `home-${number}`;
      const left = withoutHomes(given, [hidden, 'elsewhere']);
      expect(left.clusters).toEqual(given.clusters);
      expect(left.pins).toEqual(given.pins.filter(({ propertyId }) => propertyId !== hidden));
    }),
  );
});
