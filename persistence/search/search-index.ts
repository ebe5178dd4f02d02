import { ON_MARKET_STATUSES } from '../database/listing-visibility.ts';

/** What the edges may ask of the index of listings, and what it answers. */

/** The statuses that can be searched; the first four are what people can still ask for. */
export const SEARCH_STATUSES = [...ON_MARKET_STATUSES, 'Closed'] as const;
type SearchStatus = (typeof SEARCH_STATUSES)[number];

export const SEARCH_SORTS = [
  'RELEVANCE',
  'NEWEST',
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

/** Both ends belong to it; west is greater than east where the box crosses the antimeridian. */
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

/** Both ends belong to it; null leaves an end open. A listing that does not say is in no range. */
export interface Range {
  readonly min: number | null;
  readonly max: number | null;
}

/**
 * The place behind a suggestion's id, as a condition on listings. Cities, postal codes and states are what the listings'
 * own addresses say; what no address names (neighborhoods, counties) is where it lies.
 */
export type PlaceCriterion =
  /** The suggestion was an address. */
  | { readonly of: 'listing'; readonly propertyId: string }
  | { readonly of: 'region'; readonly region: Region }
  | { readonly of: 'box'; readonly box: GeoBox };

export interface Region {
  readonly country: string;
  /** Lower case; null when the listings say none, undefined when it does not matter. */
  readonly state: string | null | undefined;
  /** What the listings call it; a state has none. */
  readonly named: { readonly column: 'city' | 'postalCode'; readonly names: readonly string[] } | null;
  /** Words of the name, by which the index finds it. */
  readonly words: readonly string[];
}

/** What a listing must be, all of it. Empty lists and nulls ask nothing; `statuses` is never empty. */
export interface Criteria {
  readonly statuses: readonly SearchStatus[];
  readonly listPrice: Range | null;
  readonly currency: string | null;
  readonly bedroomsTotal: Range | null;
  readonly bathroomsTotal: Range | null;
  /** Square feet, whatever the listing says. */
  readonly livingArea: Range | null;
  /** Square feet. */
  readonly lotSize: Range | null;
  readonly yearBuilt: Range | null;
  readonly propertyTypes: readonly string[];
  /** A listing has all of them. */
  readonly features: readonly string[];
  readonly areas: readonly Area[];
  /** Null: anywhere. */
  readonly place: Exclude<PlaceCriterion, { of: 'box' }> | null;
  readonly maxDaysOnMarket: number | null;
  /** Asked for less than at first. */
  readonly priceReduced: boolean;
  /** Milliseconds; the present that days on the market are counted to. */
  readonly at: number;
}

/** Where a listing stands in an order: the sort's keys, null for what the listing does not say, then its id. */
export interface SortPosition {
  readonly keys: readonly (number | null)[];
  readonly propertyId: string;
}

export interface ListQuestion {
  readonly criteria: Criteria;
  readonly sort: SearchSort;
  /** What DISTANCE measures from; the other sorts ignore it. */
  readonly origin: Position | null;
  readonly after: SortPosition | null;
  readonly limit: number;
}
