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
  propertyType: string | null;
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
  updatedAt: Date;
  hasPhoto: boolean;
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
  propertyTypes?: string[] | undefined;
  features?: string[] | undefined;
  statuses?: string[] | undefined;
  location?: { box?: Box; circle?: Point & { radiusMeters: number }; polygon?: Point[] } | undefined;
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

/** Lower case, without accents, a hyphen for all that is neither letter nor number. */
const slug = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-');

function isInPlace({ of, key }: NonNullable<Filters['place']>, row: ListingRow): boolean {
  const { city, stateOrProvince: state, postalCode, country } = row;
  if (of === 'postalCode')
    return postalCode !== null && key === `${country.toLowerCase()}:${slug(postalCode)}`;
  const within = [country, ...(state === null ? [] : [state])].join(':').toLowerCase();
  return key === (of === 'city' ? `${within}:${slug(city)}` : state !== null && within);
}

export function matches(filters: Filters, row: ListingRow, at: number): boolean {
  const units = filters.areaUnits ?? 'Square Feet';
  // Prices are compared in one currency: without a name, in that of the site.
  const currency = filters.currency ?? (filters.price === undefined ? undefined : 'USD');
  const statuses = filters.statuses ?? ['Active', 'Active Under Contract', 'Coming Soon', 'Pending'];
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
    (!filters.propertyTypes?.length || filters.propertyTypes.includes(row.propertyType ?? '')) &&
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
       "standardStatus", features, city, "stateOrProvince", "postalCode", country, latitude, longitude, "listedAt", "offMarketAt", "updatedAt",
       exists (select from property_images i where i."propertyId" = p.id and not i."isStyled") as "hasPhoto"
     from properties p`,
  );
  return rows;
}
