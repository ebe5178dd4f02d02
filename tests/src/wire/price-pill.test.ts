import { expect, test } from 'vitest';
import { pricePill } from '../../../src/wire/listings/price-pill.ts';

test.each([
  [1_200_000, 'USD', '$1.2M'],
  [450_000, 'USD', '$450K'],
  [450_000, 'EUR', '€450k'],
  [1_000_000, 'USD', '$1M'],
  [1_249_999, 'USD', '$1.2M'],
  [1_250_000, 'USD', '$1.3M'],
  [999_499, 'USD', '$999K'],
  [999_500, 'USD', '$1M'],
  [999_999, 'GBP', '£1M'],
  [12_345_678, 'USD', '$12.3M'],
  [999_960_000, 'USD', '$1B'],
  [2_500_000_000, 'JPY', '¥2.5B'],
  [2_450, 'USD', '$2.5K'],
  [9_949, 'USD', '$9.9K'],
  [9_950, 'USD', '$10K'],
  [10_400, 'CAD', 'CA$10K'],
  [999.4, 'USD', '$999'],
  [999.5, 'USD', '$1K'],
  [950, 'EUR', '€950'],
  [0, 'USD', '$0'],
  [850_000, 'CHF', 'CHF 850k'],
])('%d %s is %s', (price, currency, pill) => {
  expect(pricePill(price, currency)).toBe(pill);
});
