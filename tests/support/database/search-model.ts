import type { Pool } from 'pg';

/**
 * The expected search results, computed in plain JavaScript over the rows of `properties`. It is independent
 * of the statements under test, so only the same mistake in both stays hidden.
 */
export interface ListingRow {
  id: string;
  listPrice: number;
  currency: string;
  originalListPrice: number | null;
  bedroomsTotal: number | null;
  bathroomsTotal: number | null;
  livingArea: number | null;
  livingAreaUnits: string;
  lotSizeArea: number | null;
  lotSizeUnits: string;
  yearBuilt: number | null;
  garageSpaces: number | null;
  associationFee: number | null;
  associationFeeFrequency: string | null;
  propertyType: string | null;
  propertySubType: string | null;
  publicRemarks: string | null;
  address: string;
  standardStatus: string;
  features: string[];
  latitude: number | null;
  longitude: number | null;
  city: string;
  stateOrProvince: string | null;
  postalCode: string | null;
  country: string;
  listedAt: Date | null;
  offMarketAt: Date | null;
  /** The day of the sale, at midnight in UTC. */
  soldAt: Date | null;
  updatedAt: Date;
  hasPhoto: boolean;
  /** Milliseconds of the open houses that were not canceled. */
  openHouses: { startsAt: number; endsAt: number }[];
}

interface Ends {
  min?: number | undefined;
  max?: number | undefined;
}
export interface Point {
  latitude: number;
  longitude: number;
}
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}
/** The filters of the wire, as a client writes them. */
export interface Filters {
  price?: Ends | undefined;
  currency?: string | undefined;
  beds?: Ends | undefined;
  baths?: Ends | undefined;
  livingArea?: Ends | undefined;
  lotSize?: Ends | undefined;
  areaUnits?: 'Square Feet' | 'Square Meters' | undefined;
  yearBuilt?: Ends | undefined;
  garage?: { min: number } | undefined;
  maxMonthlyFee?: number | undefined;
  propertyTypes?: string[] | undefined;
  features?: string[] | undefined;
  statuses?: string[] | undefined;
  location?: { box?: Box; circle?: Point & { radiusMeters: number }; polygon?: Point[] } | undefined;
  words?: string | undefined;
  onlyWithPhotos?: boolean | undefined;
  openHouse?: { from: string; to: string } | undefined;
  soldWithinDays?: number | undefined;
  maxDaysOnMarket?: number | undefined;
  priceReduced?: boolean | undefined;
  /** Clients write the id of a suggestion. */
  place?: { of: 'city' | 'postalCode' | 'state'; key: string } | undefined;
}

const SQUARE_METERS: Record<string, number> = {
  'Square Feet': 0.09290304,
  'Square Meters': 1,
  Acres: 0.09290304 * 43_560,
  Hectares: 10_000,
};
const DAY = 86_400_000;

/** The area in the unit of the filter; not converted when the unit is the same. */
function converted(area: number | null, from: string, to: string): number | null {
  if (area === null || from === to) return area;
  return (area * (SQUARE_METERS[from] ?? Number.NaN)) / (SQUARE_METERS[to] ?? Number.NaN);
}

/** The usual conversion; sort orders compare the result to its last bit. */
function squareFeet(area: number | null, units: string): number | null {
  if (area === null) return null;
  if (units === 'Acres') return area * 43_560;
  if (units === 'Hectares') return (area * 10_000) / 0.09290304;
  return units === 'Square Meters' ? area / 0.09290304 : area;
}

function isIn(ends: Ends | undefined, value: number | null): boolean {
  if (ends === undefined || (ends.min === undefined && ends.max === undefined)) return true;
  return value !== null && value >= (ends.min ?? 0) && value <= (ends.max ?? Number.POSITIVE_INFINITY);
}

export function isInBox({ west, south, east, north }: Box, row: Partial<Point> | ListingRow): boolean {
  const { latitude, longitude } = row;
  if (latitude == null || longitude == null || latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

/** Metres, by the angle between two vectors: another formula than the one under test. */
export function meters(a: Point, b: Point): number {
  const [u, v] = [a, b].map(({ latitude, longitude }) => {
    const [lat, lng] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(lat) * Math.cos(lng), Math.cos(lat) * Math.sin(lng), Math.sin(lat)] as const;
  }) as [readonly [number, number, number], readonly [number, number, number]];
  const cross = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  return 6_371_008.8 * Math.atan2(cross, u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
}

export function positionOf({ latitude, longitude }: ListingRow): Point | null {
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** By the sum of the angles under which the edges are seen; edges are shorter than half the globe. */
function winds(polygon: Point[], { latitude: y, longitude: x }: Point): boolean {
  const turn = polygon.reduce((sum, to, index) => {
    const from = polygon.at(index - 1) as Point;
    const a = Math.atan2(from.latitude - y, from.longitude - x);
    let step = Math.atan2(to.latitude - y, to.longitude - x) - a;
    if (step > Math.PI) step -= 2 * Math.PI;
    if (step < -Math.PI) step += 2 * Math.PI;
    return sum + step;
  }, 0);
  return Math.abs(turn) > Math.PI;
}

function isInLocation({ box, circle, polygon }: NonNullable<Filters['location']>, row: ListingRow): boolean {
  const point = positionOf(row);
  if (point === null) return false;
  if (box) return isInBox(box, point);
  if (circle) return meters(circle, point) <= circle.radiusMeters;
  return winds(polygon ?? [], point);
}

function daysOnMarket({ listedAt, offMarketAt }: ListingRow, at: number): number | null {
  if (listedAt === null) return null;
  return Math.max(0, Math.floor((Math.min(offMarketAt?.getTime() ?? at, at) - listedAt.getTime()) / DAY));
}

/** Lower case, without accents. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
const slug = (name: string) => wordsOf(name).join('-');

/** How often a fee is paid in a year. */
const PAYMENTS: Record<string, number> = {
  Annually: 1,
  Quarterly: 4,
  Monthly: 12,
  'Semi-Monthly': 24,
  Weekly: 52,
};
function monthlyFee({ associationFee, associationFeeFrequency }: ListingRow): number {
  if (associationFee === null || associationFeeFrequency === 'One Time') return 0;
  return (associationFee * (PAYMENTS[associationFeeFrequency ?? ''] ?? Number.NaN)) / 12;
}

function saysAll(words: string, row: ListingRow): boolean {
  const said = [row.publicRemarks, row.address, row.city, row.stateOrProvince, row.postalCode];
  const known = new Set(wordsOf(said.join(' ')));
  return wordsOf(words).every((word) => known.has(word));
}

function isSoldWithin(days: number, { soldAt }: ListingRow, at: number): boolean {
  return soldAt !== null && soldAt.getTime() >= (Math.floor(at / DAY) - days) * DAY;
}

function isInPlace({ of, key }: NonNullable<Filters['place']>, row: ListingRow): boolean {
  const { city, stateOrProvince: state, postalCode, country } = row;
  if (of === 'postalCode')
    return postalCode !== null && key === `${country.toLowerCase()}:${slug(postalCode)}`;
  const within = [country, ...(state === null ? [] : [state])].join(':').toLowerCase();
  return key === (of === 'city' ? `${within}:${slug(city)}` : state !== null && within);
}

const isOpenIn = ({ from, to }: NonNullable<Filters['openHouse']>, { openHouses }: ListingRow): boolean =>
  openHouses.some(({ startsAt, endsAt }) => startsAt < Date.parse(to) && endsAt > Date.parse(from));

export function matches(filters: Filters, row: ListingRow, at: number): boolean {
  const units = filters.areaUnits ?? 'Square Feet';
  // Prices are compared in one currency: without a name, in that of the site.
  const isAboutMoney = filters.price !== undefined || filters.maxMonthlyFee !== undefined;
  const currency = filters.currency ?? (isAboutMoney ? 'USD' : undefined);
  const { soldWithinDays, words } = filters;
  const statuses =
    soldWithinDays === undefined
      ? (filters.statuses ?? ['Active', 'Active Under Contract', 'Coming Soon', 'Pending'])
      : ['Closed'];
  const days = daysOnMarket(row, at);
  return (
    statuses.includes(row.standardStatus) &&
    isIn(filters.price, row.listPrice) &&
    isIn(filters.beds, row.bedroomsTotal) &&
    isIn(filters.baths, row.bathroomsTotal) &&
    isIn(filters.livingArea, converted(row.livingArea, row.livingAreaUnits, units)) &&
    isIn(filters.lotSize, converted(row.lotSizeArea, row.lotSizeUnits, units)) &&
    isIn(filters.yearBuilt, row.yearBuilt) &&
    (currency === undefined || currency === row.currency) &&
    (filters.garage === undefined || (row.garageSpaces ?? 0) >= filters.garage.min) &&
    (filters.maxMonthlyFee === undefined || monthlyFee(row) <= filters.maxMonthlyFee) &&
    (!filters.propertyTypes?.length ||
      [row.propertyType, row.propertySubType].some((type) => filters.propertyTypes?.includes(type ?? ''))) &&
    (words === undefined || saysAll(words, row)) &&
    (!filters.onlyWithPhotos || row.hasPhoto) &&
    (filters.openHouse === undefined || isOpenIn(filters.openHouse, row)) &&
    (soldWithinDays === undefined || isSoldWithin(soldWithinDays, row, at)) &&
    (filters.features ?? []).every((key) => row.features.includes(key)) &&
    (filters.place === undefined || isInPlace(filters.place, row)) &&
    (filters.location === undefined || isInLocation(filters.location, row)) &&
    (filters.maxDaysOnMarket === undefined || (days !== null && days <= filters.maxDaysOnMarket)) &&
    (!filters.priceReduced || (row.originalListPrice !== null && row.originalListPrice > row.listPrice))
  );
}

/** The value that each sort compares, greatest first for descending ones; null comes last in all of them. */
const KEYS: Record<string, { descending: boolean; of(row: ListingRow): (number | null)[] }> = {
  RELEVANCE: {
    descending: true,
    of: (row) => [
      (row.hasPhoto ? 2 : 0) + (['Active', 'Coming Soon'].includes(row.standardStatus) ? 1 : 0),
      row.listedAt?.getTime() ?? null,
    ],
  },
  NEWEST: { descending: true, of: (row) => [row.listedAt?.getTime() ?? null] },
  PRICE_ASC: { descending: false, of: (row) => [row.listPrice] },
  PRICE_DESC: { descending: true, of: (row) => [row.listPrice] },
  RECENTLY_SOLD: { descending: true, of: (row) => [row.soldAt?.getTime() ?? null] },
  RECENTLY_CHANGED: { descending: true, of: (row) => [row.updatedAt.getTime()] },
  LIVING_AREA_DESC: {
    descending: true,
    of: (row) => [squareFeet(row.livingArea, row.livingAreaUnits)],
  },
  LOT_DESC: { descending: true, of: (row) => [squareFeet(row.lotSizeArea, row.lotSizeUnits)] },
  BEDS_DESC: { descending: true, of: (row) => [row.bedroomsTotal] },
  BATHS_DESC: { descending: true, of: (row) => [row.bathroomsTotal] },
  PRICE_PER_AREA_ASC: {
    descending: false,
    of(row) {
      const area = squareFeet(row.livingArea, row.livingAreaUnits);
      return [area === null || area === 0 ? null : row.listPrice / area];
    },
  },
};
export const MODEL_SORTS = Object.keys(KEYS);

export function inOrder(sort: string): (a: ListingRow, b: ListingRow) => number {
  const rule = KEYS[sort];
  if (!rule) throw new Error(`the model has no sort ${sort}`);
  const way = rule.descending ? -1 : 1;
  return (a, b) => {
    const others = rule.of(b);
    for (const [index, key] of rule.of(a).entries()) {
      const other = others[index] ?? null;
      if (key === other) continue;
      if (key === null) return 1;
      if (other === null) return -1;
      return key < other ? -way : way;
    }
    return a.id < b.id ? -way : way;
  };
}

export async function readListings(pool: Pool): Promise<ListingRow[]> {
  const { rows } = await pool.query<ListingRow>(
    `select id, "listPrice"::float8 as "listPrice", currency, "originalListPrice"::float8 as "originalListPrice",
       "bedroomsTotal", "bathroomsTotal"::float8 as "bathroomsTotal", "livingArea"::float8 as "livingArea",
       "livingAreaUnits", "lotSizeArea"::float8 as "lotSizeArea", "lotSizeUnits", "yearBuilt", "propertyType",
       "propertySubType", "garageSpaces", "associationFee"::float8 as "associationFee", "associationFeeFrequency",
       "publicRemarks", address, "closeDate"::timestamp at time zone 'UTC' as "soldAt", "standardStatus", features, city, "stateOrProvince", "postalCode", country, latitude, longitude, "listedAt", "offMarketAt", "updatedAt",
       exists (select from property_images i where i."propertyId" = p.id and not i."isStyled"
         and i."photoState" = 'PHOTO') as "hasPhoto",
       array(select jsonb_build_object('startsAt', extract(epoch from o."startsAt") * 1000,
           'endsAt', extract(epoch from o."endsAt") * 1000)
         from open_houses o where o."propertyId" = p.id and o."canceledAt" is null) as "openHouses"
     from properties p`,
  );
  return rows;
}
