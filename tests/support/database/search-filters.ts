import fc from 'fast-check';
import { FEATURES, KINDS, PLACES, PRESENT, somewhere, TYPES } from './search-listings.ts';
import type { Box, Filters, Point } from './search-model.ts';

/** Filters as clients may write them, most of which find something. */
const ends = (value: fc.Arbitrary<number>) =>
  fc
    .tuple(fc.option(value, { nil: undefined }), fc.option(value, { nil: undefined }))
    .map(([a, b]) =>
      a !== undefined && b !== undefined ? { min: Math.min(a, b), max: Math.max(a, b) } : { min: a, max: b },
    );
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const presentPlus = (hours: number): string => new Date(PRESENT + hours * 3_600_000).toISOString();

/** No listing has exactly these areas in any unit, so that rounding of the last bit does not matter. */
const area = fc.integer({ min: 0, max: 80 }).map((step) => step * 40.37 + 0.0123);

const point: fc.Arbitrary<Point> = somewhere.map(({ latitude, longitude }) => ({
  latitude: Math.max(-85, Math.min(85, latitude ?? 47)),
  longitude: longitude ?? -122,
}));
const box: fc.Arbitrary<Box> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ west: 179.2, south: -18, east: -179.4, north: -16 }) },
  { weight: 1, arbitrary: fc.constant({ west: -180, south: -90, east: 180, north: 90 }) },
  {
    weight: 5,
    arbitrary: fc
      .record({
        at: point,
        width: fc.double({ min: 0, max: 1.5, noNaN: true }),
        height: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ at, width, height }) => ({
        west: Math.max(-180, at.longitude - width / 2),
        east: Math.min(180, at.longitude + width / 2),
        south: Math.max(-90, at.latitude - height / 2),
        north: Math.min(90, at.latitude + height / 2),
      })),
  },
);
const circle = fc
  .record({
    at: point,
    radiusMeters: fc.oneof(
      fc.double({ min: 10, max: 60_000, noNaN: true }),
      fc.double({ min: 1, max: 2e7, noNaN: true }),
    ),
  })
  .map(({ at, radiusMeters }) => ({ ...at, radiusMeters }));
/** Random corners around a center, sometimes a star; no listing lies on an edge. */
const polygon = fc
  .record({
    at: fc.record({
      latitude: fc.double({ min: 47.3, max: 47.7, noNaN: true }),
      longitude: fc.double({ min: -122.4, max: -121.7, noNaN: true }),
    }),
    radii: fc.array(fc.double({ min: 0.05, max: 0.6, noNaN: true }), { minLength: 3, maxLength: 12 }),
  })
  .map(({ at, radii }) =>
    radii.map((radius, index) => {
      const angle = (index / radii.length) * 2 * Math.PI + 0.1234567;
      return {
        latitude: at.latitude + (radius / 2) * Math.sin(angle),
        longitude: at.longitude + radius * Math.cos(angle),
      };
    }),
  );
const location = fc.oneof(
  { weight: 3, arbitrary: box.map((given) => ({ box: given })) },
  { weight: 2, arbitrary: circle.map((given) => ({ circle: given })) },
  { weight: 2, arbitrary: polygon.map((given) => ({ polygon: given })) },
);

export const filters: fc.Arbitrary<Filters> = fc.record({
  price: maybe(ends(fc.integer({ min: 0, max: 60 }).map((step) => step * 25_000))),
  currency: maybe(fc.constantFrom('USD', 'EUR', 'JPY')),
  beds: maybe(ends(fc.integer({ min: 0, max: 8 }))),
  baths: maybe(ends(fc.integer({ min: 0, max: 20 }).map((quarters) => quarters / 4))),
  livingArea: maybe(ends(area)),
  lotSize: maybe(ends(area)),
  areaUnits: maybe(fc.constantFrom('Square Feet' as const, 'Square Meters' as const)),
  yearBuilt: maybe(ends(fc.integer({ min: 1890, max: 2030 }))),
  garage: maybe(fc.record({ min: fc.integer({ min: 0, max: 4 }) })),
  // No fee is exactly one of these.
  maxMonthlyFee: maybe(fc.integer({ min: 0, max: 20 }).map((step) => step * 37.013)),
  propertyTypes: maybe(fc.subarray([...TYPES, ...KINDS, 'Castle'])),
  features: maybe(fc.subarray(FEATURES, { maxLength: 3 })),
  statuses: maybe(
    fc.subarray(['Active', 'Active Under Contract', 'Coming Soon', 'Pending', 'Closed'], { minLength: 1 }),
  ),
  location: fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: location }),
  words: maybe(
    fc.constantFrom(
      'view',
      'LAKE view',
      'cafe',
      'café, lake!',
      'Zürich',
      'test lane seattle',
      '98101 view',
      'vie',
      'moon',
    ),
  ),
  onlyWithPhotos: maybe(fc.boolean()),
  openHouse: maybe(
    fc
      .record({ day: fc.integer({ min: 0, max: 40 }), hours: fc.integer({ min: 1, max: 600 }) })
      .map(({ day, hours }) => ({ from: presentPlus(day * 24), to: presentPlus(day * 24 + hours) })),
  ),
  soldWithinDays: maybe(fc.integer({ min: 1, max: 320 })),
  maxDaysOnMarket: maybe(fc.integer({ min: 0, max: 320 })),
  priceReduced: maybe(fc.boolean()),
  place: maybe(fc.constantFrom(...PLACES)),
});
