import { ON_MARKET_STATUSES } from '../database/listing-visibility.ts';

/** The queries to the index of listings, and their results. */

/** The searchable statuses; the first four are on the market. */
export const SEARCH_STATUSES = [...ON_MARKET_STATUSES, 'Closed'] as const;
type SearchStatus = (typeof SEARCH_STATUSES)[number];

export const SEARCH_SORTS = [
  'RELEVANCE',
  'NEWEST',
  'RECENTLY_SOLD',
  'PRICE_ASC',
  'PRICE_DESC',
  'RECENTLY_CHANGED',
  'LIVING_AREA_DESC',
  'LOT_DESC',
  'BEDS_DESC',
  'BATHS_DESC',
  'PRICE_PER_AREA_ASC',
  'DISTANCE',
] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

/** Degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Both ends are included; west is greater than east where the box crosses the antimeridian. */
export interface GeoBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** A part of the globe; a listing without a position is in none. */
export type Area =
  | { readonly box: GeoBox }
  | { readonly circle: Position & { readonly radiusMeters: number } }
  /** Closed by itself; its edges are straight in degrees and take the short way round the globe. */
  | { readonly polygon: readonly Position[] };

/** Both ends are included; null leaves an end open. A listing without the value is in no range. */
export interface Range {
  readonly min: number | null;
  readonly max: number | null;
}

/**
 * The place behind a suggestion's id, as a condition on listings. Cities, postal codes and states match the listings'
 * own addresses, by the id of the place without its kind. Other places (neighborhoods, counties) match by their area.
 */
export type PlaceCriterion =
  /** The suggestion was an address. */
  | { readonly of: 'listing'; readonly propertyId: string }
  | NamedPlace
  | { readonly of: 'box'; readonly box: GeoBox }
  /** Only its name is known. */
  | { readonly of: 'nowhere' };

/** `us:wa:seattle`, `us:98101`, `us:wa` */
export interface NamedPlace {
  readonly of: 'city' | 'postalCode' | 'state';
  readonly key: string;
}

/** The conditions that a listing must all meet. Empty lists and nulls are no condition; `statuses` is never empty. */
export interface Criteria {
  readonly statuses: readonly SearchStatus[];
  readonly listPrice: Range | null;
  readonly currency: string | null;
  readonly bedroomsTotal: Range | null;
  readonly bathroomsTotal: Range | null;
  /** Square feet, whatever unit the listing has. */
  readonly livingArea: Range | null;
  /** Square feet. */
  readonly lotSize: Range | null;
  readonly yearBuilt: Range | null;
  readonly leastGarage: number | null;
  /** A month's amount; a listing without a fee has 0. */
  readonly maxMonthlyFee: number | null;
  /** A listing's kind or type must be one of them. */
  readonly propertyTypes: readonly string[];
  /** A listing must have all of them. */
  readonly features: readonly string[];
  readonly areas: readonly Area[];
  /** Null: anywhere. */
  readonly place: Exclude<PlaceCriterion, { of: 'box' }> | null;
  /** All of them must be words of the description or the address. */
  readonly words: string | null;
  readonly withPhotos: boolean;
  /** Open to visitors for a while between these instants, in milliseconds. */
  readonly openHouse: { readonly from: number; readonly to: number } | null;
  /** With `statuses` that are `Closed` alone. */
  readonly soldWithinDays: number | null;
  readonly maxDaysOnMarket: number | null;
  /** Offered for less than at first. */
  readonly priceReduced: boolean;
  /** Milliseconds; the instant up to which days on the market are counted. */
  readonly at: number;
}

/**
 * The position of a listing in an order: the sort's keys, null for values that the listing does not have, then its id.
 */
export interface SortPosition {
  readonly keys: readonly (number | null)[];
  readonly propertyId: string;
}

export interface ListQuestion {
  readonly criteria: Criteria;
  readonly sort: SearchSort;
  /** The position from which DISTANCE measures; the other sorts ignore it. */
  readonly origin: Position | null;
  readonly after: SortPosition | null;
  readonly limit: number;
}
