import { expect, test } from 'vitest';
import { catalog } from '../../../i18n/translator.ts';
import type { Measure, NeighborhoodStats } from '../../../persistence/listings/neighborhood-stats.ts';
import {
  neighborhoodOutput,
  SMALLEST_SAMPLE,
  STATS_METHODS,
  toNeighborhood,
} from '../../../src/wire/listings/neighborhood.ts';

const AT = Date.UTC(2026, 0, 15);
const SALES = { from: Date.UTC(2014, 4, 27), to: Date.UTC(2015, 4, 27) };

function statsWith(present: Measure, before: Measure): NeighborhoodStats {
  const figure = { ...present, before };
  return {
    region: { type: 'POSTAL_CODE', name: '98101', country: 'US' },
    isLease: false,
    currency: 'USD',
    areaUnits: 'Square Feet',
    sales: SALES,
    newListingsSince: AT - 1,
    at: AT,
    total: 9,
    figures: {
      medianSalePrice: figure,
      medianPricePerArea: figure,
      homesSold: figure,
      newListings: figure,
      medianDaysOnMarket: figure,
      saleToListRatio: figure,
      medianListPrice: present,
      activeInventory: present,
      shareWithPriceCut: present,
    },
  };
}

test('a figure from few rows is hidden, its sample size is not', () => {
  for (const [n, value] of [
    [SMALLEST_SAMPLE - 1, null],
    [SMALLEST_SAMPLE, 110],
  ] as const) {
    const shown = toNeighborhood(statsWith({ value: 110, n }, { value: 100, n: 9 }));
    expect(neighborhoodOutput.parse(shown)).toEqual(shown);
    for (const figure of Object.values(shown.figures)) expect([figure.value, figure.n]).toEqual([value, n]);
    expect(shown.figures.medianSalePrice.yearOverYear === null).toBe(value === null);
  }
});

test('every figure has its method, its period and its comparison', () => {
  const { figures } = toNeighborhood(statsWith({ value: 110, n: 7 }, { value: 100, n: 5 }));
  expect(figures.medianSalePrice).toEqual({
    value: 110,
    n: 7,
    method: 'medianOfSales12Months',
    asOf: '2026-01-15T00:00:00.000Z',
    periodBegin: '2014-05-27T00:00:00.000Z',
    periodEnd: '2015-05-27T00:00:00.000Z',
    yearOverYear: { changePct: 10, nBefore: 5 },
  });
  expect(figures.medianListPrice).toMatchObject({ periodBegin: null, periodEnd: null, yearOverYear: null });
  expect(figures.newListings).toMatchObject({ periodEnd: '2026-01-15T00:00:00.000Z' });
});

test.each([
  ['few rows before', { value: 100, n: SMALLEST_SAMPLE - 1 }],
  ['nothing to compare with', { value: 0, n: 6 }],
])('no change over the year: %s', (_, before) => {
  const { figures } = toNeighborhood(statsWith({ value: 110, n: 7 }, before));
  expect(figures.medianSalePrice).toMatchObject({ value: 110, yearOverYear: null });
});

test.each(STATS_METHODS)('the text exists for %s', (method) => {
  expect(catalog('user', 'en')).toHaveProperty([`neighborhood.method.${method}`]);
});
