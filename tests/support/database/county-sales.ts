/**
 * A county's house sales, invented from a seed: as many as a large county has in a year, spread over its towns, with
 * what makes such files hard to read. The counts below hold by construction.
 */
import { createRandom, type Random } from '../random.ts';

/** A row of the file: the text of each column. */
export type SaleCells = Record<string, string>;

export const COUNTY = { sales: 21_613, houses: 21_436, towns: 24, postalCodes: 70 };
/** Sold three times, the cheapest sale first; its leading zeros are lost. */
export const SOLD_THRICE = { key: '0795000620', prices: [115_000, 124_000, 157_000] };
/** A typing error for 3. */
export const ODD_BEDROOMS = { key: '2402100895', bedrooms: 33 };
export const NO_BEDROOMS = 13;
export const WATERFRONTS = 163;
export const PRICES = { least: 75_000, most: 7_700_000 };

const SEED = 34;
const SOLD_TWICE = 175;
/** Behind the houses that the counts name. */
const FIRST_SOLD_TWICE = 1_000;
const LARGEST_TOWN = { name: 'Seattle', latitude: 47.62, longitude: -122.33, codes: 28, share: 0.42 };
const TOWN_NAMES = [
  'Alder',
  'Birch',
  'Cedar',
  'Dogwood',
  'Elm',
  'Fir',
  'Hazel',
  'Juniper',
  'Larch',
  'Maple',
  'Oak',
  'Pine',
].flatMap((tree) => [`${tree} Falls`, `${tree} Prairie`]);
const FIRST_CODE = { largest: 98_101, others: 98_001 };

interface PostalCode {
  code: string;
  city: string;
  latitude: number;
  longitude: number;
}

/** The postal codes with their centers; neighboring codes of the list belong to different towns. */
export function countyPostalCodes(): PostalCode[] {
  const random = createRandom(SEED, 'codes');
  const near = (middle: number, distance: number) => round(middle + (random.next() * 2 - 1) * distance, 4);
  const { name, latitude, longitude, codes } = LARGEST_TOWN;
  const largest = Array.from({ length: codes }, (_, index) => ({
    code: String(FIRST_CODE.largest + index),
    city: name,
    latitude: near(latitude, 0.11),
    longitude: near(longitude, 0.07),
  }));
  const towns = TOWN_NAMES.slice(0, COUNTY.towns - 1).map((city) => ({
    city,
    latitude: near(47.47, 0.27),
    longitude: near(-122.05, 0.25),
  }));
  const others = Array.from({ length: COUNTY.postalCodes - codes }, (_, index) => {
    const town = towns[index % towns.length] ?? { city: '', latitude: 0, longitude: 0 };
    return {
      code: String(FIRST_CODE.others + index),
      city: town.city,
      latitude: near(town.latitude, 0.03),
      longitude: near(town.longitude, 0.03),
    };
  });
  return [...largest, ...others];
}

/** All sales: one of each house, and then the second and third sales of some. */
export function countySales(): SaleCells[] {
  const random = createRandom(SEED, 'sales');
  const codes = countyPostalCodes();
  const houses = Array.from({ length: COUNTY.houses }, (_, index) => house(random, codes, index));
  const again = houses
    .slice(FIRST_SOLD_TWICE, FIRST_SOLD_TWICE + SOLD_TWICE)
    .map((first) => soldAgain(first, Number(first.price) + 5_000, '20150401'));
  const [thrice = {}] = houses;
  const later = SOLD_THRICE.prices
    .slice(1)
    .map((price, index) => soldAgain(thrice, price, `2015030${index + 1}`));
  return [...houses, ...again, ...later];
}

const soldAgain = (house: SaleCells, price: number, day: string): SaleCells => ({
  ...house,
  price: String(Math.round(price)),
  date: `${day}T000000`,
});

/** The first houses are those that the counts name. */
function house(random: Random, codes: readonly PostalCode[], index: number): SaleCells {
  const area = Math.round(Math.exp(7.55 + 0.42 * normal(random)));
  const built = random.chance(0.005) ? 1900 : 1900 + Math.floor(115 * Math.sqrt(random.next()));
  const day = new Date(Date.UTC(2014, 4, 2) + random.between(0, 300) * 86_400_000);
  const cells: SaleCells = {
    // Spreadsheets remove the zeros before a number.
    id: String(100_000_000 + index * 450_007),
    date: `${day.toISOString().slice(0, 10).replaceAll('-', '')}T000000`,
    price: priceText(Math.round(area * 240 * Math.exp(0.38 * normal(random)))),
    bedrooms: String(Math.min(11, Math.max(1, Math.round(3.4 + 0.9 * normal(random))))),
    bathrooms: String(random.between(3, 14) / 4),
    sqft_living: String(area),
    sqft_lot: String(Math.round(Math.exp(8.98 + 0.9 * normal(random)))),
    floors: String(random.between(2, 6) / 2),
    waterfront: index < WATERFRONTS ? '1' : '0',
    view: String(random.chance(0.1) ? random.between(1, 4) : 0),
    condition: String(random.between(1, 5)),
    grade: String(random.between(4, 12)),
    sqft_above: String(area),
    sqft_basement: '0',
    yr_built: String(built),
    yr_renovated: String(random.chance(0.04) ? Math.max(built, 1990) : 0),
    ...place(random, codes),
    sqft_living15: String(area),
    sqft_lot15: '5000',
  };
  return { ...cells, ...NAMED[index] };
}

/** Scientific notation in one of fourteen, as spreadsheets write round numbers. */
function priceText(dollars: number): string {
  const price = Math.min(7_000_000, Math.max(80_000, Math.round(dollars / 500) * 500));
  return price % 7_000 === 0 ? price.toExponential().toUpperCase() : String(price);
}

function place(random: Random, codes: readonly PostalCode[]): SaleCells {
  const isLargest = random.chance(LARGEST_TOWN.share);
  const of = isLargest ? codes.slice(0, LARGEST_TOWN.codes) : codes.slice(LARGEST_TOWN.codes);
  const { code, latitude, longitude } = random.pick(of);
  // Rounded like the file's: some houses share a point.
  return {
    zipcode: code,
    lat: String(round(latitude + 0.012 * normal(random), 4)),
    long: String(round(longitude + 0.015 * normal(random), 3)),
  };
}

const NAMED: readonly SaleCells[] = [
  { id: String(Number(SOLD_THRICE.key)), price: String(SOLD_THRICE.prices[0]), date: '20140601T000000' },
  { price: String(PRICES.least) },
  { price: '7.7E+06' },
  { id: ODD_BEDROOMS.key, bedrooms: String(ODD_BEDROOMS.bedrooms) },
  { sqft_above: '' },
  { sqft_above: '', bathrooms: '0' },
  ...Array.from({ length: NO_BEDROOMS }, () => ({ bedrooms: '0' })),
];

export function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** A standard normal number (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
