import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { countySales, type SaleCells } from './county-sales.ts';
import { giveVerdicts } from './photo-verdicts.ts';
import { seedUser } from './seed.ts';

/** Many listings at once, written by plain SQL: made up, or the sales of a county as listings. */
export type NewListing = Record<string, unknown> & { id: string };

const START = Date.UTC(2026, 0, 1);
const SPAN = 300 * 86_400_000;
/** The current time in tests with these listings. */
export const PRESENT = START + SPAN;
export const FEATURES = ['FIREPLACE', 'GARAGE', 'DECK', 'WATERFRONT', 'WATER_VIEW', 'SOLAR_PANELS'];
export const TYPES = ['Residential', 'Residential Lease', 'Land'];
export const KINDS = ['Single Family Residence', 'Condominium', 'Townhouse'];
const REMARKS = ['A view of the lake.', 'LAKE-SIDE café', 'View; garden, reviews', 'Nothing to see'];
/** Places in several spellings; some without a state or a postal code. */
const ADDRESSES = [
  { city: 'Seattle', stateOrProvince: 'WA', postalCode: '98101', country: 'US' },
  { city: 'SEATTLE', stateOrProvince: 'wa', postalCode: '98 101', country: 'US' },
  { city: 'St. Louis', stateOrProvince: 'MO', postalCode: '63101', country: 'US' },
  { city: 'St Louis', stateOrProvince: 'MO', postalCode: null, country: 'US' },
  { city: 'Zürich', stateOrProvince: null, postalCode: '8001', country: 'CH' },
  { city: 'Kent', stateOrProvince: 'WA', postalCode: '98101', country: 'US' },
];
/** Ids of suggestions without their kinds. */
export const PLACES = [
  { of: 'city', key: 'us:wa:seattle' },
  { of: 'city', key: 'us:mo:st-louis' },
  { of: 'city', key: 'ch:zurich' },
  { of: 'postalCode', key: 'us:98101' },
  { of: 'postalCode', key: 'us:98-101' },
  { of: 'state', key: 'us:wa' },
  { of: 'state', key: 'us:w' },
] as const;
const ALL_STATUSES = [
  'Active',
  'Active',
  'Active',
  'Active Under Contract',
  'Coming Soon',
  'Pending',
  'Closed',
  'Closed',
  'Canceled',
  'Delete',
  'Expired',
  'Hold',
  'Incomplete',
  'Withdrawn',
];

const oftenNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 6 });
/** Rounded to a centimetre, like a survey. */
const between = (min: number, max: number) =>
  fc.double({ min, max, noNaN: true }).map((degrees) => Math.round(degrees * 1e7) / 1e7);
/** Around Seattle, on Taveuni at the antimeridian, in the corners of the map, and many at one address. */
export const somewhere = fc.oneof(
  { weight: 8, arbitrary: fc.record({ latitude: between(47.2, 47.8), longitude: between(-122.5, -121.4) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      latitude: between(-17.5, -16.5),
      longitude: fc.oneof(between(179, 180), between(-180, -179)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[47.6, 47.61, 47.62].map((latitude) => ({ latitude, longitude: -122.33 })),
      ...[180, -180].map((longitude) => ({ latitude: -17, longitude })),
      ...[90, -90, 86, -86].map((latitude) => ({ latitude, longitude: 10 })),
    ),
  },
  { weight: 1, arbitrary: fc.constant({ latitude: null, longitude: null }) },
  { weight: 1, arbitrary: fc.record({ latitude: between(-80, 80), longitude: between(-180, 180) }) },
);

/** `2026-01-31` */
const dayOf = (day: number) => new Date(START + day * 86_400_000).toISOString().slice(0, 10);

const listing = fc.record({
  // Few different prices, so that the id decides the order.
  listPrice: fc.oneof(
    fc.integer({ min: 1, max: 40 }).map((step) => step * 25_000),
    fc.integer({ min: 1, max: 9e6 }),
  ),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR', 'CHF'),
  reduction: fc.constantFrom(0, 0, 10_000),
  bedroomsTotal: oftenNull(fc.integer({ min: 0, max: 7 })),
  bathroomsTotal: oftenNull(fc.integer({ min: 0, max: 16 }).map((quarters) => quarters / 4)),
  livingArea: oftenNull(fc.integer({ min: 0, max: 60 }).map((step) => step * 50)),
  livingAreaUnits: fc.constantFrom('Square Feet', 'Square Feet', 'Square Meters'),
  lotSizeArea: oftenNull(fc.integer({ min: 0, max: 200 }).map((step) => step / 4)),
  lotSizeUnits: fc.constantFrom('Square Feet', 'Square Meters', 'Acres', 'Hectares'),
  yearBuilt: oftenNull(fc.integer({ min: 1900, max: 2026 })),
  garageSpaces: oftenNull(fc.integer({ min: 0, max: 4 })),
  fee: oftenNull(
    fc.record({
      associationFee: fc.integer({ min: 0, max: 12 }).map((step) => step * 50),
      associationFeeFrequency: fc.constantFrom(
        'Monthly',
        'Annually',
        'Quarterly',
        'Semi-Monthly',
        'Weekly',
        'One Time',
      ),
    }),
  ),
  propertyType: oftenNull(fc.constantFrom(...TYPES)),
  propertySubType: fc.option(fc.constantFrom(...KINDS), { freq: 2 }),
  publicRemarks: oftenNull(fc.constantFrom(...REMARKS)),
  closeDate: oftenNull(fc.integer({ min: 0, max: 299 }).map(dayOf)),
  standardStatus: fc.constantFrom(...ALL_STATUSES),
  features: fc.subarray(FEATURES),
  place: somewhere,
  address: fc.constantFrom(...ADDRESSES),
  listedAt: oftenNull(fc.integer({ min: 0, max: 60 }).map((step) => new Date(START + (step * SPAN) / 60))),
  updatedAt: fc.integer({ min: 0, max: 600 }).map((step) => new Date(START + (step * SPAN) / 600)),
});

/** The same listings for the same seed, but for their ids: what the planner expects of them decides how a search asks. */
export function madeUpListings(count: number, seed = 1): NewListing[] {
  return fc.sample(listing, { numRuns: count, seed }).map(({ place, address, reduction, fee, ...plain }) => ({
    id: randomUUID(),
    ...plain,
    ...place,
    ...address,
    originalListPrice: plain.listPrice + reduction,
    associationFee: fee?.associationFee ?? null,
    associationFeeFrequency: fee?.associationFeeFrequency ?? null,
    closeDate: plain.standardStatus === 'Closed' ? plain.closeDate : null,
    createdAt: plain.updatedAt,
    address: '1 Test Lane',
  }));
}

/** Writes them in one statement; one of four gets a photo, one of five an open house, half of which are canceled. */
export async function insertListings(pool: Pool, listings: readonly NewListing[]): Promise<void> {
  const ownerAgentId = await seedUser(pool);
  const names = Object.keys(listings[0] ?? {}).map((name) => `"${name}"`);
  for (let start = 0; start < listings.length; start += 2_000) {
    const part = listings.slice(start, start + 2_000);
    await pool.query(
      `insert into properties ("ownerAgentId", ${names.join(', ')})
       select $1, ${names.join(', ')} from jsonb_populate_recordset(null::properties, $2)`,
      [ownerAgentId, JSON.stringify(part)],
    );
    await pool.query(
      `insert into property_images (id, "propertyId", "objectKey", "roomType")
       select gen_random_uuid(), id, 'originals/' || id || '.jpg', 'LIVING_ROOM'
       from unnest($1::uuid[]) with ordinality as given (id, place) where place % 4 = 0`,
      [part.map(({ id }) => id)],
    );
    await pool.query(
      `insert into open_houses ("propertyId", "startsAt", "endsAt", "createdAt", "changedAt", "canceledAt")
       select id, starts, starts + interval '2 hours', $2, $2, case when place % 10 = 1 then $2::timestamptz end
       from unnest($1::uuid[]) with ordinality as given (id, place),
         lateral (select $2::timestamptz + (place % 41 - 3) * interval '1 day' + (place % 7) * interval '1 hour' as starts)
       where place % 5 = 1`,
      [part.map(({ id }) => id), new Date(PRESENT)],
    );
  }
  await giveVerdicts(pool);
}

/** The sales of a county as listings, some in every status; two of three homes in square meters. */
export const countyListings = (): NewListing[] => countySales().map(fromSale);

function fromSale(sale: SaleCells, index: number): NewListing {
  const number = (name: string) => Number(sale[name]);
  const metric = index % 3 !== 0;
  const features = [
    ...(number('waterfront') === 1 ? ['WATERFRONT'] : []),
    ...(number('view') > 0 ? ['WATER_VIEW'] : []),
    ...(number('grade') > 9 ? ['FIREPLACE', 'DECK'] : []),
  ];
  const listedAt = new Date(START + (index % 300) * 86_400_000 + index);
  const standardStatus = ALL_STATUSES[index % ALL_STATUSES.length];
  return {
    id: randomUUID(),
    listPrice: Math.round(number('price')),
    originalListPrice: Math.round(number('price')) + (index % 5 === 0 ? 5_000 : 0),
    currency: 'USD',
    bedroomsTotal: number('bedrooms'),
    bathroomsTotal: number('bathrooms'),
    livingArea: metric ? Math.round(number('sqft_living') * 9.290304) / 100 : number('sqft_living'),
    livingAreaUnits: metric ? 'Square Meters' : 'Square Feet',
    lotSizeArea: number('sqft_lot'),
    lotSizeUnits: 'Square Feet',
    yearBuilt: number('yr_built'),
    propertyType: 'Residential',
    propertySubType: KINDS[index % 5] ?? null,
    garageSpaces: index % 4,
    associationFee: index % 5 === 1 ? 250 : null,
    associationFeeFrequency: index % 5 === 1 ? 'Monthly' : null,
    publicRemarks: REMARKS[index % 9] ?? null,
    standardStatus,
    closeDate: standardStatus === 'Closed' ? dayOf(index % 300) : null,
    features,
    latitude: number('lat'),
    longitude: number('long'),
    listedAt,
    createdAt: listedAt,
    updatedAt: listedAt,
    address: `${sale.id} Lane`,
    city: 'Seattle',
    postalCode: sale.zipcode,
  };
}
