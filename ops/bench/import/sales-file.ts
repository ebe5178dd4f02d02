/** A file of house sales of the shape of King County's, drawn from a seed: the same rows on every machine. */

/** Columns of the file, in its order. */
export const SALE_COLUMNS = [
  'id',
  'date',
  'price',
  'bedrooms',
  'bathrooms',
  'sqft_living',
  'sqft_lot',
  'floors',
  'waterfront',
  'view',
  'condition',
  'grade',
  'sqft_above',
  'sqft_basement',
  'yr_built',
  'yr_renovated',
  'zipcode',
  'lat',
  'long',
  'sqft_living15',
  'sqft_lot15',
] as const;

/** One house in so many was sold twice. */
const SOLD_AGAIN_EVERY = 120;
const FIRST_PARCEL = 1_000_000_000;
const MONTHS = 12;
const DAYS = 28;

/** The rows' cells as text. */
export function madeUpSales(rows: number): string[][] {
  const draw = drawFrom(1);
  return Array.from({ length: rows }, (_, row) => {
    const isAgain = row > 0 && row % SOLD_AGAIN_EVERY === 0;
    const living = draw(600, 5_000);
    const basement = draw(0, 3) === 0 ? draw(100, 500) : 0;
    const month = String(1 + (row % MONTHS)).padStart(2, '0');
    const day = String(draw(1, DAYS)).padStart(2, '0');
    return [
      String(FIRST_PARCEL + (isAgain ? row - 1 : row)),
      `${isAgain ? 2015 : 2014}${month}${day}T000000`,
      String(draw(80, 2_000) * 1_000),
      String(draw(1, 6)),
      String(draw(4, 16) / 4),
      String(living),
      String(draw(1_000, 40_000)),
      String(draw(2, 6) / 2),
      String(draw(0, 50) === 0 ? 1 : 0),
      String(draw(0, 4)),
      String(draw(1, 5)),
      String(draw(4, 12)),
      String(living - basement),
      String(basement),
      String(draw(1900, 2014)),
      String(draw(0, 20) === 0 ? draw(1990, 2014) : 0),
      String(draw(98_001, 98_199)),
      (47 + draw(2_000, 7_800) / 10_000).toFixed(4),
      (-122.5 + draw(0, 10_000) / 10_000).toFixed(3),
      String(draw(600, 5_000)),
      String(draw(1_000, 40_000)),
    ];
  });
}

export function salesFile(sales: readonly (readonly string[])[]): string {
  return [SALE_COLUMNS, ...sales].map((cells) => `${cells.join(',')}\n`).join('');
}

/** Whole numbers within bounds, from a linear congruential generator (Numerical Recipes' constants). */
function drawFrom(seed: number): (least: number, most: number) => number {
  let state = seed;
  return (least, most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return least + Math.floor((state / 2 ** 32) * (most - least + 1));
  };
}
